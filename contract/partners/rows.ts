// Where a card works (the directory of partners), the services of the portal, and the transport
// services on which a card is enrolled by itself.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";

export const offerKinds = ["discount", "points", "extra"] as const;

export const offerKindNames: Readonly<Record<(typeof offerKinds)[number], string>> = {
  discount: "Remise",
  points: "Points",
  extra: "Avantage",
};

/** The last segment of an address, or the operator's own name of a thing. */
export const slug = z.string().check(z.regex(/^[a-z0-9-]{1,60}$/));
/** HH:MM in the time of Paris; 24:00 for midnight at the end of a day. */
export const hour = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/));

/** Whether a place is open now, and what comes next. */
export const opening = z.object({
  open: z.boolean(),
  /** While open: until when today. */
  until: z.nullable(hour),
  /** While closed: the next opening within two weeks, null when none is known. */
  next: z.nullable(z.object({ on: c.day, inDays: z.int(), at: hour })),
  /** Why it is closed although it usually opens today, in the partner's words. */
  closure: z.nullable(z.string()),
});
export type Opening = z.output<typeof opening>;

const position = z.object({ lat: z.number(), lon: z.number() });

const group = z.object({ idgroup: z.int(), name: z.string(), main: z.boolean() });

/** A partner as a line of the directory. */
export const partnerLine = z.object({
  id: c.uuid,
  name: z.string(),
  /** `top` is the category of the first level, e.g. "manger". */
  category: z.object({ id: slug, name: z.string(), top: slug }),
  summary: z.string(),
  street: z.string(),
  postcode: z.string(),
  town: z.string(),
  position,
  /** Metres from the place that the list is sorted around; null without one. */
  metres: z.nullable(z.int()),
  opening,
  /** The cagnottes that it accepts. */
  groups: z.array(group),
  /** Its offers of today, at most two titles. */
  gives: z.array(z.string()),
});
export type PartnerLine = z.output<typeof partnerLine>;

export const offer = z.object({
  kind: z.enum(offerKinds),
  title: z.string(),
  detail: z.nullable(z.string()),
  fromOn: z.nullable(c.day),
  toOn: z.nullable(c.day),
});
export type Offer = z.output<typeof offer>;

export const partnerSheet = z.extend(partnerLine, {
  /** Paragraphs, separated by an empty line. */
  description: z.string(),
  phone: z.nullable(z.string()),
  email: z.nullable(z.string()),
  website: z.nullable(z.string()),
  /** From Monday (1) to Sunday (7); a day off has no span. */
  hours: z.array(
    z.object({ weekday: z.int(), spans: z.array(z.object({ opens: hour, closes: hour })) }),
  ),
  /** Monday is 1, by the day in Paris. */
  today: z.int(),
  /** Closing days under way or to come, the nearest first. */
  closures: z.array(z.object({ fromOn: c.day, toOn: c.day, reason: z.string() })),
  offers: z.array(offer),
});
export type PartnerSheet = z.output<typeof partnerSheet>;

export const partnerCategory = z.object({
  id: slug,
  name: z.string(),
  /** How many partners are under it. */
  count: z.int(),
  children: z.array(z.object({ id: slug, name: z.string(), count: z.int() })),
});
export type PartnerCategory = z.output<typeof partnerCategory>;

/** Screens that services lead to; the web's route table says at which address each is. */
const serviceScreens = [
  "wallets",
  "subscription",
  "transit",
  "tickets",
  "canteen",
  "directory",
  "transport",
  "membership",
] as const;

export const service = z.object({
  code: slug,
  name: z.string(),
  summary: z.string(),
  screen: z.enum(serviceScreens),
  /** Why it is closed for now; null while it is open. */
  closed: z.nullable(z.string()),
});
export type Service = z.output<typeof service>;

export const serviceSheet = z.extend(service, {
  /** Paragraphs, separated by an empty line. */
  description: z.string(),
  conditions: z.array(z.string()),
});
export type ServiceSheet = z.output<typeof serviceSheet>;

/** A transport service on which the caller's card is enrolled by itself. */
export const transportService = z.object({
  id: c.uuid,
  /** With `code=true`: the service that its page belongs to, null where it has none. */
  code: z.nullable(slug),
  name: z.string(),
  network: z.string(),
  summary: z.string(),
  conditions: z.array(z.string()),
  /** Price for one person and month, before the employer's share. */
  monthlyCents: c.cents,
  /** What an employer pays of it, in percent, unless its plan says otherwise; null for holders. */
  employerPercent: z.nullable(z.int()),
  phone: z.nullable(z.string()),
  email: z.nullable(z.string()),
});
export type TransportService = z.output<typeof transportService>;

/** Degrees of a position in an address, at most so many either way. */
export const degrees = (max: number) =>
  z.optional(z.coerce.number().check(z.minimum(-max), z.maximum(max)));

/** Filters of the directory, the same for its list and its map. */
const filter = {
  q: z.optional(c.text(100)),
  /** A category of either level. */
  category: z.optional(slug),
  /** Only those that accept the cagnottes of this group. */
  idgroup: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(2_147_483_647))),
  /** `true`: only those open now. */
  open: z.optional(z.enum(["true", "false"])),
};

/** A partner's position on the map. */
const partnerPlace = z.object({
  id: c.uuid,
  name: z.string(),
  town: z.string(),
  position,
  /** Whether it is open now. */
  open: z.boolean(),
});
export type PartnerPlace = z.output<typeof partnerPlace>;

export const partners = {
  autoAdhesion: c.row({
    method: "GET",
    path: "/api/services/autoAdhesion",
    access: "person",
    of: "self",
    reads: ["cards"],
    summary: "Transport services on which the caller's card is enrolled by itself",
    source: "spec §7; spec.md 12",
    input: z.object({ code: z.optional(z.enum(["true", "false"])) }),
    output: z.object({ data: z.array(transportService) }),
    problems: [],
  }),
  services: c.row({
    method: "GET",
    path: "/api/services",
    access: "person",
    of: "anyone",
    reads: ["memberships"],
    summary: "Services for the caller's kind of account, in order",
    source: "spec §2 services_list_local; spec.md 27",
    input: c.emptyObject,
    output: z.object({ items: z.array(service) }),
    problems: [],
  }),
  service: c.row({
    method: "GET",
    path: "/api/services/:code",
    access: "person",
    of: { code: "anyone" },
    reads: ["memberships"],
    summary: "One service: what it is for and its conditions",
    source: "spec §2 service-index; spec.md 27",
    input: z.object({ code: c.text(60, 1) }),
    output: serviceSheet,
    problems: [],
  }),
  list: c.row({
    method: "GET",
    path: "/api/partners",
    access: "person",
    of: { idgroup: "anyone" },
    reads: ["partners"],
    summary:
      "Partners that are found, twenty at a time: by likeness, else the nearest, else by name",
    source: "spec.md 27",
    input: z.object({
      ...filter,
      /** A position in degrees; both or none. */
      lat: degrees(90),
      lon: degrees(180),
      /** A town or postcode of the directory, instead of a position. */
      around: z.optional(c.text(80)),
      page: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(500))),
    }),
    output: z.object({
      items: z.array(partnerLine),
      total: z.int(),
      /** The next page, null at the end. */
      next: z.nullable(z.int()),
      /** The place that `around` was understood as; null when it is none of the directory's. */
      around: z.nullable(z.string()),
    }),
    problems: [],
  }),
  places: c.row({
    method: "GET",
    path: "/api/partners/places",
    access: "person",
    of: { idgroup: "anyone" },
    reads: ["partners"],
    summary: "Where all the partners that are found stand, for the plan",
    source: "spec.md 27",
    input: z.object(filter),
    output: z.object({ items: z.array(partnerPlace) }),
    problems: [],
  }),
  categories: c.row({
    method: "GET",
    path: "/api/partners/categories",
    access: "person",
    of: "anyone",
    reads: ["partners"],
    summary: "The tree of categories that have partners, with how many, and the towns",
    source: "spec.md 27",
    /** `all=true`: those without partners too, to choose one's own. */
    input: z.object({ all: z.optional(z.enum(["true", "false"])) }),
    output: z.object({
      items: z.array(partnerCategory),
      towns: z.array(z.object({ town: z.string(), postcode: z.string() })),
    }),
    problems: [],
  }),
  one: c.row({
    method: "GET",
    path: "/api/partners/:id",
    access: "person",
    of: { id: "anyone" },
    reads: ["partners"],
    summary: "One partner: hours, closing days, contacts, what it accepts and gives",
    source: "spec.md 27",
    input: z.object({ id: c.uuid, lat: degrees(90), lon: degrees(180) }),
    output: partnerSheet,
    problems: [],
  }),
} as const;
