// The days of a counter, a month at a time: what was charged and given back on each, by cashier, on the screen and
// as files.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";
import { sumOfTotals, type TillTotals, tillTotals } from "./closings.ts";

const search = {
  partner: c.uuid,
  month: c.month,
  /** Number of whoever charged or gave back. */
  cashier: z.optional(c.cardnumberInPath),
};
const found = z.object(search);
export type TillDaySearch = z.output<typeof found>;

const tillDay = z.object({
  /** In Paris. */
  day: c.day,
  /** By name. A sum given back counts on the day on which it was, for who gave it back. */
  cashiers: z.array(tillTotals),
  /**
   * What the same weekday a week before came to, less what was given back then; null where nothing happened
   * on it, and for a day that is not over.
   */
  weekBeforeCents: z.nullable(c.cents),
});
export type TillDay = z.output<typeof tillDay>;

/** What stays of totals once what was given back is taken off, in cents. */
export const netOf = ({ paidCents, returnedCents }: TillTotals): number =>
  paidCents - returnedCents;

/** What a day came to beyond the same weekday a week before, in cents; null where there is nothing to compare. */
export const weekDifference = ({ cashiers, weekBeforeCents }: TillDay): number | null =>
  weekBeforeCents === null ? null : netOf(sumOfTotals(cashiers)) - weekBeforeCents;

const common = {
  method: "GET",
  access: "professional",
  right: "seeMoney",
  of: { partner: "sheet", cashier: "number" },
  source: "server/till/README.md#days-of-a-month",
} as const;
const file = { ...common, output: c.document, rate: { max: 20, seconds: 60 } } as const;

export const tillDays = {
  days: c.row({
    ...common,
    path: "/api/till/days",
    reads: ["till"],
    summary: "Totals of a counter by day of a month and cashier, latest first; not for a cashier",
    input: found,
    output: z.object({ items: z.array(tillDay) }),
    problems: ["not_found"],
  }),
  daysFile: c.row({
    ...file,
    path: "/api/till/days.csv",
    summary: "The same as CSV; not for a cashier",
    input: found,
    reply: "csv",
    problems: ["not_found"],
  }),
  daysPdf: c.row({
    ...file,
    path: "/api/till/days.pdf",
    summary: "The same as PDF; not for a cashier",
    input: found,
    reply: "pdf",
    problems: ["not_found"],
  }),
} as const;
