// Gift links as a relative without an account sees them: the page of a link, and the payment.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";
import { inks } from "../motif.ts";
import { topUpStates } from "../payments/rows.ts";

/** What the head of the page is drawn with, for whoever has the link or the id of its payment. */
const face = {
  displayName: z.string(),
  /** Seed of the recipient's motif: always the same, and not their card number. */
  motif: z.int(),
  /** That of their card. */
  ink: z.enum(inks),
};

/** The page of a link, as anybody who has it sees it: a first name, a word, and how much may be given. */
export const gift = z.object({
  ...face,
  word: z.nullable(z.string()),
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
      ...face,
      /** Null until the money has arrived, and where none were written. */
      thanks: z.nullable(z.string()),
      createdAt: c.instant,
      paymentUrl: z.nullable(z.string()),
    }),
    problems: [],
  }),
} as const;
