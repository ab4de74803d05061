// The counter and the follow-up of a provider: the day's list, scans, states of orders.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";
import { publicKey } from "../signed-codes/rows.ts";
import { counterPerson, scan, scanView } from "./counter.ts";
import { dish } from "../kitchen/menus.ts";
import { ownCanteen } from "../kitchen/own.ts";

const inCanteen = { canteen: c.uuid };

/**
 * The next two days (ISO) on which a canteen serves by its calendar, today included; fewer where it closes for
 * months.
 */
const serviceDays = z.array(z.string());

/** The day's list, kept on the counter's device to serve without network. */
const dayList = z.object({
  canteen: ownCanteen,
  /** ISO day in Paris. */
  day: z.string(),
  at: c.instant,
  /**
   * Why it does not serve today, in French; null when it does. Meals that are ordered are served all the
   * same.
   */
  closedWhy: z.nullable(z.string()),
  /** Seats of the day that nobody has: a meal without an order takes one, or is served beyond them. */
  seatsLeft: z.int(),
  /** Public keys that verify the QR codes of cards. */
  keys: z.array(publicKey),
  people: z.array(counterPerson),
  /** Dishes of the day's menu; which of them a person is served follows from their diet (`dishesServed`). */
  dishes: z.array(z.pick(dish, { course: true, name: true, diets: true })),
  serviceDays,
});
export type DayList = z.output<typeof dayList>;

export const canteenService = {
  nextServices: c.row({
    method: "GET",
    path: "/api/canteen/services",
    access: "professional",
    right: "serveMeals",
    of: "company",
    reads: ["canteen_rules", "closings"],
    summary: "The days on which each canteen that the caller's company runs serves next",
    source: "server/meal-service/README.md#counter",
    input: c.emptyObject,
    output: z.object({ items: z.array(z.object({ canteen: c.uuid, serviceDays })) }),
    problems: [],
  }),
  dayList: c.row({
    method: "GET",
    path: "/api/canteen/:canteen/day-list",
    access: "professional",
    right: "serveMeals",
    of: { canteen: "canteen" },
    reads: ["service", "meals", "registrations", "canteen_rules", "menus", "closings"],
    summary: "Everybody who eats at a canteen, with today's orders and what the counter must know",
    source: "server/meal-service/README.md#counter; spec.md 16",
    input: z.object(inCanteen),
    output: dayList,
    problems: [],
    timeoutMs: 15_000,
  }),
  findAtCounter: c.row({
    method: "POST",
    path: "/api/canteen/:canteen/find",
    access: "professional",
    right: "serveMeals",
    of: { canteen: "canteen", number: "number", token: "secret" },
    summary:
      "Who has a card, by its number or its QR code, or an order by its own, where the day's list does not tell",
    source: "server/meal-service/README.md#counter; spec.md 16 and 24",
    input: z.object({
      ...inCanteen,
      number: z.optional(c.cardnumber),
      token: z.optional(c.text(200)),
    }),
    output: z.object({
      found: z.enum(["person", "unregistered", "late_code", "forged"]),
      card: z.nullable(c.uuid),
      /** The order that a code is for; null where a card was read. */
      order: z.nullable(c.uuid),
      person: z.nullable(counterPerson),
    }),
    rate: { max: 120, seconds: 60 },
    problems: [],
    timeoutMs: 1500,
  }),
  recordScans: c.row({
    method: "POST",
    path: "/api/canteen/:canteen/scans",
    access: "professional",
    right: "serveMeals",
    of: {
      canteen: "canteen",
      "scans[].id": "new",
      "scans[].registration": "registrationAt",
      "scans[].card": "secret",
      "scans[].order": "mealAt",
    },
    changes: ["service"],
    summary: "What the counter did, in order; a scan sent again changes nothing but its undoing",
    source: "server/meal-service/README.md#counter; spec.md 16",
    input: z.object({ ...inCanteen, scans: z.array(scan).check(z.maxLength(50)) }),
    output: z.object({ items: z.array(scanView) }),
    problems: [],
    timeoutMs: 15_000,
  }),
  counterPhoto: c.row({
    method: "GET",
    path: "/api/canteen/:canteen/photos/:photo",
    access: "professional",
    right: "serveMeals",
    of: { canteen: "canteen", photo: "photo" },
    summary: "The photo of somebody who eats there, where they consented",
    source: "server/meal-service/README.md#counter",
    input: z.object({ ...inCanteen, photo: c.uuid }),
    output: c.document,
    reply: "file",
    problems: [],
  }),
} as const;
