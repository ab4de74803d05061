// Spending on meals of the person who ordered them: a month in figures, a year as an attestation.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";

const figures = {
  /** Meals that were served. */
  meals: z.int(),
  /** Amount spent, late cancellations and absences included. */
  cents: c.cents,
  /** Of it, the part paid with aid. */
  aidCents: c.cents,
};
const spending = z.object({
  ...figures,
  people: z.array(z.object({ name: z.string(), ...figures })),
});
export type MealSpending = z.output<typeof spending>;

export const canteenSpending = {
  monthSpending: c.row({
    method: "GET",
    path: "/api/canteen/spending",
    access: "holder",
    of: "self",
    reads: ["meals"],
    summary:
      "What the meals of a month that the caller ordered cost, by person, with the part of aids",
    source: "server/meals/README.md#what-meals-cost",
    input: z.object({ month: c.month }),
    output: spending,
    problems: [],
  }),
  yearAttestation: c.row({
    method: "GET",
    path: "/api/canteen/attestation.pdf",
    access: "holder",
    of: "self",
    summary: "What the caller paid for meals in a calendar year, by person, on paper",
    source: "server/meals/README.md#what-meals-cost",
    input: z.object({ year: z.coerce.number().check(z.int(), z.minimum(2020), z.maximum(2199)) }),
    output: c.document,
    reply: "pdf",
    rate: { max: 20, seconds: 60 },
    problems: [],
  }),
} as const;
