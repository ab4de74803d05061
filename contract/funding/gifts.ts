// Gift links as a relative without an account sees them: the page of a link, and the payment.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";
import { topUpStates } from "../payments/rows.ts";

/** The page of a link, as anybody who has it sees it: a first name, and how much may be given. */
export const gift = z.object({
  displayName: z.string(),
  minCents: c.cents,
  maxCents: c.cents,
  expiresAt: c.instant,
  sandbox: z.boolean(),
});
export type Gift = z.output<typeof gift>;

const secret = c.linkSecret;
const linkProblems = ["link_unknown", "link_over"] as const;

export const gifts = {
  gift: c.row({
    method: "POST",
    path: "/api/gifts/read",
    access: "public",
    of: { secret: "secret" },
    summary: "What a link shows to whoever has it; its secret stays out of addresses and logs",
    source: "server/funding/README.md#gift-links",
    input: z.object({ secret }),
    output: gift,
    problems: linkProblems,
  }),
  give: c.row({
    method: "POST",
    path: "/api/gifts",
    access: "public",
    of: { secret: "secret" },
    summary: "Starts a relative's payment and tells where to pay; an Idempotency-Key is honoured",
    source: "server/funding/README.md#gift-links",
    input: z.object({
      secret,
      amountCents: c.amountCents,
      payerName: c.text(60, 1),
      payerEmail: z.nullable(c.email),
    }),
    output: z.object({ id: c.uuid, paymentUrl: z.nullable(z.string()) }),
    status: 201,
    problems: [
      ...linkProblems,
      "gift_amount",
      "gift_name",
      "idempotency_mismatch",
      "payment_provider_down",
      "payments_off",
    ],
  }),
  giftState: c.row({
    method: "GET",
    path: "/api/gifts/:id",
    access: "public",
    of: { id: "secret" },
    reads: ["top_ups"],
    summary: "How a relative's payment stands; its id cannot be guessed and shows nothing else",
    source: "server/funding/README.md#gift-links",
    input: z.object({ id: c.uuid }),
    output: z.object({
      state: z.enum(topUpStates),
      amountCents: c.cents,
      /** The part that the wallet could not receive: it is refunded to the payer. */
      returnCents: c.cents,
      displayName: z.string(),
      createdAt: c.instant,
      paymentUrl: z.nullable(z.string()),
    }),
    problems: [],
  }),
} as const;
