// The follow-up of a family's meals as a month.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";
import { mealOrder } from "./orders.ts";

export const canteenMonth = {
  month: c.row({
    method: "GET",
    path: "/api/canteen/month",
    access: "holder",
    of: "self",
    reads: ["meals", "family"],
    summary: "Meals of oneself and one's children in a month, cancelled ones included",
    source: "spec §2 suivi_de_demande_cantine; server/meals/README.md#follow-up-of-a-month",
    input: z.object({
      /**
       * Without it, the month of the family's next meal that is still held, from today in Paris on; the
       * current month when there is none.
       */
      month: z.optional(c.month),
    }),
    output: z.object({
      now: c.instant,
      month: c.month,
      /** The months of the family's first and last meals, null when it has none. */
      span: z.nullable(z.object({ first: c.month, last: c.month })),
      /** By day, then name, then number; at most 1,000, more than any family orders in a month. */
      items: z.array(mealOrder),
    }),
    problems: [],
  }),
} as const;
