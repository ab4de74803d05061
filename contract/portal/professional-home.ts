// The home of a professional: what the day looks like, what waits for an answer, what was scanned last.
import * as z from "zod/mini";
import { scanConflicts, verdicts } from "../meal-service/counter.ts";
import { companyRoleList } from "../companies/rows.ts";
import * as c from "../endpoint.ts";
import { opening } from "../partners/rows.ts";

/** Open items of a professional, the most urgent first. */
export const professionalToDoKinds = [
  "till",
  "sheet_frozen",
  "scan_conflicts",
  "meals_to_validate",
  "registrations",
  "certificates",
  "menus_missing",
  "allergens_undeclared",
  "bank_change",
  "invoices_due",
  "grants_due",
  "partnership",
  "answer",
] as const;
export type ProfessionalToDoKind = (typeof professionalToDoKinds)[number];

const toDo = z.object({
  kind: z.enum(professionalToDoKinds),
  /** Id of the sale, the canteen, the sheet, the partnership, the thread, or the oldest grant. */
  id: z.string(),
  /**
   * The name of the canteen, of the till or of who asks, the reason of a frozen sheet, what is owed, the
   * subject.
   */
  what: z.nullable(z.string()),
  /** What a till asks. */
  amountCents: z.optional(c.cents),
  /**
   * How many wait: meals, conflicts, requests, certificates, days without a menu, dishes, invoices,
   * transfers.
   */
  count: z.int(),
  /** The first day that it is about, the last to answer whoever asks. */
  day: z.nullable(c.day),
});
export type ProfessionalToDo = z.output<typeof toDo>;

/** First steps of a company, in order: what it needs before it can sell or serve. */
export const firstStepKinds = ["bank", "sheet", "sale", "menu", "registration"] as const;

const firstStep = z.object({
  kind: z.enum(firstStepKinds),
  done: z.boolean(),
  /** The sheet that waits to be completed. */
  id: z.nullable(c.uuid),
});
export type FirstStep = z.output<typeof firstStep>;

const service = z.object({
  canteen: c.uuid,
  name: z.string(),
  /** HH:mm in Paris. */
  servesFrom: z.string(),
  servesUntil: z.string(),
  /** Meals of the day that were ordered and not cancelled, those served included. */
  ordered: z.int(),
  /** Meals served, walk-ins included. */
  served: z.int(),
  walkIns: z.int(),
  /** Orders of the day that the canteen has not accepted yet, where it accepts them first. */
  toValidate: z.int(),
  /** The last instant at which a meal of the day is ordered; null where none can be. */
  orderUntil: z.nullable(c.instant),
});
export type HomeService = z.output<typeof service>;

const session = z.object({
  session: c.uuid,
  title: z.string(),
  startsAt: c.instant,
  seats: z.int(),
  /** Tickets that are paid and not cancelled, those admitted included. */
  sold: z.int(),
  admitted: z.int(),
});
export type HomeSession = z.output<typeof session>;

const scan = z.object({
  id: z.string(),
  kind: z.enum(["meal", "ticket", "pass"]),
  at: c.instant,
  /**
   * The person at the counter; null for a code that nobody has, and for a person registered at no canteen of
   * theirs.
   */
  name: z.nullable(z.string()),
  /** The canteen, the event or the network. */
  where: z.string(),
  /**
   * The verdict; `served` for a ticket that was admitted and a pass that is valid, `out_of_use` for one that
   * was refused.
   */
  verdict: z.enum(verdicts),
  walkIn: z.boolean(),
  undone: z.boolean(),
  conflict: z.nullable(z.enum(scanConflicts)),
});
export type HomeScan = z.output<typeof scan>;

const sheet = z.object({
  id: c.uuid,
  name: z.string(),
  category: z.string(),
  /** False while it is left out of the directory. */
  listed: z.boolean(),
  opening,
  /** Offers that run today. */
  offers: z.int(),
});
export type HomeSheet = z.output<typeof sheet>;

const grants = z.object({
  /**
   * Granted money that is still on the company's cards; the part of it that expires soon, and its earliest
   * expiry.
   */
  leftCents: c.cents,
  soonCents: c.cents,
  cards: z.int(),
  nextExpiresOn: z.nullable(c.day),
});
export type HomeGrants = z.output<typeof grants>;

export const homeProfessional = {
  professional: c.row({
    method: "GET",
    path: "/api/home/professional",
    access: "professional",
    right: "anyone",
    of: "self",
    reads: [
      "till",
      "service",
      "company",
      "pro_cards",
      "grants",
      "invoices",
      "card_orders",
      "partners",
      "partnerships",
      "memberships",
      "registrations",
      "illnesses",
      "closings",
      "canteen_rules",
      "bank_account",
      "contact",
    ],
    summary: "The day of a professional: services, sessions, things to do, last scans",
    source: "spec.md 26",
    input: c.emptyObject,
    output: z.object({
      /** The caller's company; null for a number without one. */
      company: z.nullable(z.object({ name: z.string(), roles: companyRoleList })),
      /** The company's sheets of the directory, by name. */
      sheets: z.array(sheet),
      /**
       * Services of the company's canteens on `day`: today until the last is over, then the next; and those
       * of the service after it, for who cooks.
       */
      canteen: z.nullable(
        z.object({
          day: c.day,
          services: z.array(service),
          next: z.nullable(z.object({ day: c.day, services: z.array(service) })),
        }),
      ),
      /** The money granted on the company's cards; null where it granted none, and for who sees no money. */
      grants: z.nullable(grants),
      /** Sessions of the company's events that are not over, the nearest first. */
      sessions: z.array(session),
      /** Whether the company runs a bus network, so that its people control passes. */
      runsNetwork: z.boolean(),
      toDos: z.array(toDo),
      /** First steps of an owner, done or not; empty once all are done, and for other roles. */
      firstSteps: z.array(firstStep),
      scans: z.array(scan),
    }),
    problems: [],
  }),
} as const;
export type ProfessionalHome = z.output<(typeof homeProfessional)["professional"]["output"]>;
