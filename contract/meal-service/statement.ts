// Statement of a provider's meals over a month: what it is owed, read from the ledger; the input of its
// settlement.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";

/** Why a provider is owed money for a meal; a correction of the operator takes some of it back. */
export const mealDueKinds = [
  "served",
  "walk_in",
  "absent",
  "late_cancellation",
  "correction",
] as const;
export type MealDueKind = (typeof mealDueKinds)[number];
export const mealDueKindNames: Readonly<Record<MealDueKind, string>> = {
  served: "Repas servis",
  walk_in: "Passages sans commande",
  absent: "Absences",
  late_cancellation: "Annulations payantes",
  correction: "Corrections",
};

const due = z.object({
  kind: z.enum(mealDueKinds),
  /** Meals, those that cost nothing included. */
  meals: z.int(),
  /** Owed to the provider; negative for a correction. */
  cents: c.cents,
  /** The part of it that aids paid. */
  aidCents: c.cents,
});
export type MealDue = z.output<typeof due>;

const dayDue = z.object({
  /** The day of the service, not of the payment. */
  day: c.day,
  dues: z.array(due),
  meals: z.int(),
  cents: c.cents,
  aidCents: c.cents,
});
export type MealDueDay = z.output<typeof dayDue>;

const statement = z.object({
  provider: z.string(),
  /** Days that have entries, in their order. */
  days: z.array(dayDue),
  /** Totals of the month by kind. */
  totals: z.array(due),
  cents: c.cents,
  aidCents: c.cents,
  /** Amount spent according to the orders, less what the ledger posted for them: 0, or an error to report. */
  differenceCents: c.cents,
  /** Meals of the month that are still ordered, with the amount on hold for them: owed once served. */
  open: z.object({ meals: z.int(), cents: c.cents }),
  /** Meals paid in cash at the counter: the provider has that money. */
  cash: z.object({ meals: z.int(), cents: c.cents }),
});
export type MealStatement = z.output<typeof statement>;

const input = z.object({
  month: c.month,
  /** One canteen; all of the provider's by default. */
  canteen: z.optional(c.uuid),
});

export const canteenStatement = {
  statement: c.row({
    method: "GET",
    path: "/api/canteen/statement",
    access: "professional",
    right: "seeMoney",
    of: { canteen: "canteen" },
    reads: ["service", "meals"],
    summary: "What the meals of a month bring to the caller, by day and kind, from the ledger",
    source: "server/meal-service/README.md#statement-of-a-provider",
    input,
    output: statement,
    problems: [],
    timeoutMs: 15_000,
  }),
  statementCsv: c.row({
    method: "GET",
    path: "/api/canteen/statement.csv",
    access: "professional",
    right: "seeMoney",
    of: { canteen: "canteen" },
    summary:
      "The same as CSV, a line for each transfer of the ledger and each meal that cost nothing",
    source: "server/meal-service/README.md#statement-of-a-provider",
    input,
    output: c.document,
    reply: "csv",
    rate: { max: 20, seconds: 60 },
    problems: [],
  }),
} as const;
