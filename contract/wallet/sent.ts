// A transfer once it is sent, as its sender reads it again.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";

/** Money that was sent to the main wallet of a family card. */
export const sentTransfer = z.object({
  id: c.uuid,
  amountCents: c.cents,
  toName: z.string(),
  toCardnumber: c.cardnumber,
  /** Of the wallet that it left, just after it had. */
  balanceCents: c.cents,
  at: c.instant,
});
export type SentTransfer = z.output<typeof sentTransfer>;

export const walletSent = {
  sent: c.row({
    method: "GET",
    path: "/api/transfers/:id",
    access: "person",
    of: { id: "transferSent" },
    reads: ["wallets"],
    summary: "A transfer that the caller sent, as it was answered",
    source: "server/checkout/README.md#the-end-of-a-purchase",
    input: z.object({ id: c.uuid }),
    output: sentTransfer,
    problems: [],
  }),
  sentReceipt: c.row({
    method: "GET",
    path: "/api/transfers/:id/receipt.pdf",
    access: "person",
    of: { id: "transferSent" },
    summary: "Receipt of a transfer that the caller sent, as a tagged PDF",
    source: "server/checkout/README.md#the-end-of-a-purchase",
    input: z.object({ id: c.uuid }),
    output: c.document,
    reply: "pdf",
    rate: { max: 30, seconds: 60 },
    problems: [],
  }),
} as const;
