// A paid purchase as its buyer sees it: what was bought, and which money paid for it.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";
import { orderKinds } from "../payments/rows.ts";

const share = z.object({
  /** « Cantine, Léo Moreau ». */
  wallet: z.string(),
  /** Whether it is aid, money given for a purpose. */
  aid: z.boolean(),
  amountCents: c.cents,
});
export type PaidShare = z.output<typeof share>;

export const purchase = z.object({
  /** Purchase number, to be read aloud. */
  number: z.int(),
  order: c.uuid,
  kind: z.enum(orderKinds),
  label: z.string(),
  totalCents: c.cents,
  /** Whether its price is held in the wallets until what was bought is delivered. */
  held: z.boolean(),
  /** By wallet, in the order in which they paid; empty for what is free. */
  paidWith: z.array(share),
  /** Paid by bank card. */
  cardCents: c.cents,
  paidAt: c.instant,
});
export type Purchase = z.output<typeof purchase>;

const input = z.object({ order: c.uuid });

export const purchases = {
  purchase: c.row({
    method: "GET",
    path: "/api/purchases/:order",
    access: "person",
    of: { order: "purchase" },
    reads: ["wallets"],
    summary: "What the caller paid for an order, and with what",
    source: "server/checkout/README.md#the-end-of-a-purchase",
    input,
    output: purchase,
    problems: [],
  }),
  receipt: c.row({
    method: "GET",
    path: "/api/purchases/:order/receipt.pdf",
    access: "person",
    of: { order: "purchase" },
    summary: "Receipt of a paid order as a tagged PDF",
    source: "server/checkout/README.md#the-end-of-a-purchase",
    input,
    output: c.document,
    reply: "pdf",
    rate: { max: 30, seconds: 60 },
    problems: [],
  }),
} as const;
