// Sales of a company's tills to the cards of a partner company.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";

const figures = {
  sales: z.int(),
  /** Amount paid and not refunded. */
  paidCents: c.cents,
  /** Amount of the discounts, by any terms. */
  discountCents: c.cents,
};

export const partnerFigures = z.object({
  ...figures,
  /** The last twelve months with a sale, the latest first; YYYY-MM in Paris. */
  months: z.array(z.object({ month: z.string(), ...figures })),
});
export type PartnerFigures = z.output<typeof partnerFigures>;

export const tillPartnerships = {
  partnerFigures: c.row({
    method: "GET",
    path: "/api/till/partnerships/:id",
    access: "professional",
    right: "seeMoney",
    of: { id: "partnership" },
    reads: ["till"],
    summary: "Sales of the caller's tills to the cards of a partner; not for a cashier",
    source: "server/partners/README.md#the-page-of-a-partnership",
    input: z.object({ id: c.uuid }),
    output: partnerFigures,
    problems: [],
  }),
} as const;
