// The bus network as riders ask for it: its lines, their stops, and when the next bus leaves.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";

/** Numbers of lines, stops and groups: stable from one feed to the next. */
const number = z.coerce.number().check(z.int(), z.minimum(1), z.maximum(2_147_483_647));
const direction = z.coerce.number().check(z.int(), z.minimum(0), z.maximum(1));
/** Six hexadecimal digits with their #. */
const color = z.string().check(z.regex(/^#[0-9a-f]{6}$/));

export const lineBadge = z.object({
  id: z.number(),
  /** What is written on the bus: « 12 », « A ». */
  number: z.string(),
  color,
  /** Readable on `color`: contrast at least 4.5. */
  textColor: color,
});
export type LineBadge = z.output<typeof lineBadge>;

export const transitLine = z.extend(lineBadge, {
  name: z.string(),
  mode: z.enum(["bus", "tram", "metro", "train", "boat", "other"]),
  from: z.string(),
  to: z.string(),
  /** The line group, an acceptance group (spec.md 13). */
  group: z.number(),
});
export type TransitLine = z.output<typeof transitLine>;

export const lineGroup = z.object({
  id: z.number(),
  name: z.string(),
  slug: z.string(),
  lines: z.array(lineBadge),
});
export type LineGroup = z.output<typeof lineGroup>;

export const transitStop = z.object({
  id: z.number(),
  name: z.string(),
  lines: z.array(lineBadge),
});
export type TransitStop = z.output<typeof transitStop>;

const position = z.tuple([z.number(), z.number()]);

export const lineDirection = z.object({
  direction: z.number(),
  /** Where it goes, as the bus shows it. */
  to: z.string(),
  stops: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      /** Latitude and longitude, null when the feed has none. */
      at: z.nullable(position),
      /** Only part of the buses stop there: fewer than half. */
      some: z.boolean(),
    }),
  ),
  /** The course of the street, simplified, null when the feed draws none. */
  path: z.nullable(z.array(position)),
});
export type LineDirection = z.output<typeof lineDirection>;

export const lineDetail = z.extend(transitLine, {
  groupName: z.string(),
  directions: z.array(lineDirection),
});
export type LineDetail = z.output<typeof lineDetail>;

export const departure = z.object({
  at: c.instant,
  /** Where it ends, when that is not where the direction goes. */
  endsAt: z.nullable(z.string()),
  /** It runs, or stops there, only for who asked before. */
  onRequest: z.boolean(),
});
export type Departure = z.output<typeof departure>;

/** A line in one direction, as a stop has it. */
export const nextDepartures = z.object({
  line: lineBadge,
  direction: z.number(),
  /** The last stop of most of its trips: a feed's headsigns are not trusted (spec.md 32). */
  to: z.string(),
  /** The next three within seven days, none when it does not run. */
  next: z.array(departure),
});
export type NextDepartures = z.output<typeof nextDepartures>;

export const favouriteStop = z.object({
  id: z.number(),
  name: z.string(),
  /** False once a feed no longer has it. */
  isServed: z.boolean(),
  /** The directions whose buses leave first. */
  items: z.array(nextDepartures),
  /** Directions of the stop beyond those. */
  more: z.number(),
});
export type FavouriteStop = z.output<typeof favouriteStop>;

/** The last day that the network's calendars speak of, null without a network. */
const knownUntil = z.nullable(c.day);

export const transit = {
  lines: c.row({
    method: "GET",
    path: "/api/transit/lines",
    access: "person",
    of: "anyone",
    summary: "Lines of the network in their order; with `q`, those it finds",
    source: "spec §2 Abonnement/ligne",
    input: z.object({
      q: z.optional(c.text(60)),
      group: z.optional(number),
      /** `next` of the page before. */
      after: z.optional(number),
      limit: c.limit,
    }),
    output: z.extend(c.page(transitLine), { knownUntil }),
    problems: [],
  }),
  groups: c.row({
    method: "GET",
    path: "/api/transit/groups",
    access: "person",
    of: "anyone",
    summary: "Line groups with the lines of each",
    source: "spec.md 13",
    input: c.emptyObject,
    output: z.object({ items: z.array(lineGroup) }),
    problems: [],
  }),
  line: c.row({
    method: "GET",
    path: "/api/transit/lines/:line",
    access: "person",
    of: { line: "anyone" },
    summary: "One line: its directions, their stops in order, the path through the streets",
    source: "spec §2 Abonnement/ligne",
    input: z.object({ line: number }),
    output: lineDetail,
    problems: [],
  }),
  stops: c.row({
    method: "GET",
    path: "/api/transit/stops",
    access: "person",
    of: "anyone",
    summary: "Stops by name, typing errors forgiven; those of a line group when it is given",
    source: "server/transit/README.md#stops",
    input: z.object({ q: z.optional(c.text(60)), group: z.optional(number) }),
    output: z.object({ items: z.array(transitStop) }),
    problems: [],
  }),
  departures: c.row({
    method: "GET",
    path: "/api/transit/stops/:stop/departures",
    access: "person",
    of: { stop: "anyone" },
    reads: ["favourites"],
    summary: "The next three departures of each line and direction at a stop, within seven days",
    source: "server/transit/README.md#departures",
    input: z.object({ stop: number }),
    output: z.object({
      stop: transitStop,
      /** Whether it is one of the caller's favourite stops. */
      isFavourite: z.boolean(),
      /** The server's clock, so that « dans 4 min » is right on any device. */
      now: c.instant,
      items: z.array(nextDepartures),
      knownUntil,
    }),
    problems: [],
  }),
  timetable: c.row({
    method: "GET",
    path: "/api/transit/stops/:stop/timetable",
    access: "person",
    of: { stop: "anyone" },
    summary: "Every departure of a line in one direction in a day of service, today unless told",
    source: "server/transit/README.md#departures",
    input: z.object({ stop: number, line: number, direction, on: z.optional(c.day) }),
    output: z.object({ on: c.day, items: z.array(departure) }),
    problems: [],
  }),
  favourites: c.row({
    method: "GET",
    path: "/api/transit/favourites",
    access: "holder",
    of: "self",
    reads: ["favourites"],
    summary: "One's favourite stops with their next departures",
    source: "server/transit/README.md#stops",
    input: c.emptyObject,
    output: z.object({ now: c.instant, items: z.array(favouriteStop) }),
    problems: [],
  }),
  chooseFavourite: c.row({
    method: "POST",
    path: "/api/transit/stops/:stop/favourite",
    access: "holder",
    of: { stop: "anyone" },
    changes: ["favourites"],
    summary: "Makes a stop a favourite, or takes it away; said again, nothing changes",
    source: "server/transit/README.md#stops",
    input: z.object({ stop: number, chosen: z.boolean() }),
    output: c.messageAnswer,
    problems: ["favourite_stops_full"],
  }),
} as const;
