// Deadlines of meals: until when one can be ordered or cancelled. The server computes every deadline from
// these rules; the screens show the instant in its answer.
import * as z from "zod/mini";
import { addDays, firstOfMonth, instantOfParis, startOfWeek } from "../days.ts";
import { type Closures, workingDaysBefore } from "../working-days.ts";

const at = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/));

/**
 * `none`: until the service begins. `never`: it cannot be done. `days_before`: so many days before at an
 * hour; `workingDays` counts no week-ends, public holidays and closing days. `weekday_before`: on a
 * weekday (0 is Monday) so many weeks before. `month_day_before`: on a day of the month before, its last
 * one when the month is too short.
 */
export const deadline = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("none") }),
  z.object({ kind: z.literal("never") }),
  z.object({
    kind: z.literal("days_before"),
    days: z.int().check(z.minimum(0), z.maximum(60)),
    workingDays: z.boolean(),
    at,
  }),
  z.object({
    kind: z.literal("weekday_before"),
    weeks: z.int().check(z.minimum(1), z.maximum(8)),
    weekday: z.int().check(z.minimum(0), z.maximum(6)),
    at,
  }),
  z.object({
    kind: z.literal("month_day_before"),
    day: z.int().check(z.minimum(1), z.maximum(31)),
    at,
  }),
]);
export type Deadline = z.output<typeof deadline>;

/**
 * The last instant at which the rule lets a meal of a day (ISO date, served from `servesFrom`, HH:mm in
 * Paris) be ordered or cancelled, never after the service began; null when it never does (spec.md 13).
 */
export function deadlineOf(
  rule: Deadline,
  meal: { day: string; servesFrom: string },
  closures: Closures,
): Date | null {
  const service = instantOfParis(meal.day, meal.servesFrom);
  if (rule.kind === "none") return service;
  if (rule.kind === "never") return null;
  const until = instantOfParis(deadlineDay(rule, meal.day, closures), rule.at);
  return until < service ? until : service;
}

function deadlineDay(
  rule: Exclude<Deadline, { kind: "none" | "never" }>,
  day: string,
  closures: Closures,
): string {
  if (rule.kind === "days_before") {
    return rule.workingDays
      ? workingDaysBefore(day, rule.days, closures)
      : addDays(day, -rule.days);
  }
  if (rule.kind === "weekday_before") {
    return addDays(startOfWeek(day), rule.weekday - 7 * rule.weeks);
  }
  // The last day of the month before, when it has no such day.
  const [month, last] = [firstOfMonth(day, -1), addDays(firstOfMonth(day), -1)];
  const target = `${month.slice(0, 8)}${String(rule.day).padStart(2, "0")}`;
  return target < last ? target : last;
}
