// The order of pro cards (spec §2 Pro_card): the draft step by step, what it costs, and its payment.
import * as z from "zod/mini";
import { checkoutProblems, orderRevision, payment, paying } from "../checkout/rows.ts";
import * as c from "../endpoint.ts";
import { vatCodes } from "../invoices/vat.ts";
import { delivery, design, dispatchView, price } from "./dispatch.ts";
import { cardInks, cardOrders as limits } from "./limits.ts";
import { cardOrderSteps } from "./states.ts";

const person = z.object({
  firstName: z.string(),
  lastName: z.string(),
  email: z.nullable(z.string()),
  /** E.164. */
  phonenumber: z.nullable(z.string()),
});
export type OrderedPerson = z.output<typeof person>;

const draft = z.object({
  id: c.uuid,
  revision: z.int(),
  /** The first step that is not complete. */
  step: z.enum(cardOrderSteps),
  persons: z.array(person),
  /** Cards without a bearer. */
  blank: z.int(),
  design: z.nullable(design),
  delivery: z.nullable(delivery),
  price,
  /** The last payment at the provider, while it has no outcome. */
  topUp: z.nullable(c.uuid),
  /** French sentence on the payment that failed last, null for none. */
  paymentFailed: z.nullable(z.string()),
});
export type CardOrderDraft = z.output<typeof draft>;

export const cardOrderDesk = z.object({
  company: z.object({
    name: z.string(),
    street: z.string(),
    postcode: z.string(),
    town: z.string(),
    /** Whether an invoice can be drawn up for it. */
    invoiced: z.boolean(),
  }),
  /** How many more cards the company may have. */
  left: z.int(),
  prices: z.object({
    tiers: z.array(z.object({ from: z.int(), unitCents: c.cents })),
    deliveryCents: c.cents,
    freeDeliveryFrom: z.nullable(z.int()),
    vat: z.enum(vatCodes),
  }),
  draft: z.nullable(draft),
});
export type CardOrderDesk = z.output<typeof cardOrderDesk>;

/** Revision of the draft that the caller has read; 0 before there is a draft. */
const revision = z.int().check(z.minimum(0), z.maximum(2_147_483_647));
const count = z.int().check(z.minimum(0), z.maximum(limits.max));
const professional = { access: "professional" } as const;
const draftProblems = ["card_order_changed", "card_order_closed", "order_payment_pending"] as const;
const orderProblems = [
  ...draftProblems,
  "card_order_empty",
  "card_order_incomplete",
  "card_order_day",
  "pro_card_full",
  "invoice_issuer",
  "invoice_buyer",
  "invoice_content",
  "invoice_other_content",
] as const;

export const cardOrders = {
  desk: c.row({
    method: "GET",
    path: "/api/card-orders/draft",
    right: "decide",
    of: "company",
    ...professional,
    reads: ["card_orders"],
    summary: "Prices, the company's address, and its draft; for the owner",
    source: "server/card-orders/README.md#drafts",
    input: c.emptyObject,
    output: cardOrderDesk,
    problems: [],
  }),
  readFile: c.row({
    method: "POST",
    path: "/api/card-orders/file",
    right: "decide",
    of: "company",
    ...professional,
    summary: "Reads a CSV of persons, the body itself: who is in it, or what is wrong by line",
    source: "server/card-orders/README.md#drafts",
    body: "file",
    fileBytes: limits.fileBytes,
    input: c.emptyObject,
    output: z.object({
      encoding: z.enum(["utf-8", "utf-16", "windows-1252"]),
      /** Empty while there is a fault: a file is imported whole or not at all. */
      persons: z.array(person),
      faults: z.array(z.object({ line: z.int(), what: z.string() })),
      /** The reading stopped at the last of them: there may be more. */
      stopped: z.boolean(),
    }),
    rate: { max: 30, seconds: 60 },
    problems: [
      "document_too_large",
      "file_too_slow",
      "card_order_file_type",
      "card_order_file_unreadable",
      "card_order_file_columns",
    ],
  }),
  persons: c.row({
    method: "POST",
    path: "/api/card-orders/draft/persons",
    right: "decide",
    of: "company",
    ...professional,
    changes: ["card_orders"],
    summary: "Writes who gets a card and how many have no bearer; opens the draft",
    source: "server/card-orders/README.md#drafts",
    input: z.object({
      revision,
      persons: z
        .array(
          z.object({
            // One of them may be empty, of whoever has a single name.
            firstName: c.text(60),
            lastName: c.text(60),
            email: z.nullable(c.email),
            phonenumber: z.nullable(c.phone),
          }),
        )
        .check(z.maxLength(limits.max)),
      blank: count,
    }),
    output: cardOrderDesk,
    problems: [
      ...draftProblems,
      "card_order_name",
      "card_order_max",
      "pro_card_full",
      "phone_invalid",
      "phone_not_mobile",
    ],
  }),
  design: c.row({
    method: "POST",
    path: "/api/card-orders/draft/design",
    right: "decide",
    of: "company",
    ...professional,
    changes: ["card_orders"],
    summary: "Writes what is printed on the cards",
    source: "server/card-orders/README.md#drafts",
    input: z.object({
      revision,
      label: c.text(limits.labelLength, 1),
      ink: z.enum(cardInks),
      printsNames: z.boolean(),
    }),
    output: cardOrderDesk,
    problems: [...draftProblems, "card_order_label"],
  }),
  delivery: c.row({
    method: "POST",
    path: "/api/card-orders/draft/delivery",
    right: "decide",
    of: "company",
    ...professional,
    changes: ["card_orders"],
    summary: "Writes where the cards go: the company's seat, or another address",
    source: "server/card-orders/README.md#prices-and-payment",
    input: z.object({
      revision,
      to: z.enum(["company", "other"]),
      recipient: c.text(80, 1),
      street: c.text(160),
      postcode: z.string().check(z.regex(/^(\d{5})?$/)),
      town: c.text(80),
    }),
    output: cardOrderDesk,
    problems: [...draftProblems, "card_order_incomplete"],
  }),
  discard: c.row({
    method: "POST",
    path: "/api/card-orders/draft/discard",
    right: "decide",
    of: "company",
    ...professional,
    changes: ["card_orders"],
    summary: "Erases the draft",
    source: "server/card-orders/README.md#drafts",
    input: z.object({ revision }),
    output: cardOrderDesk,
    problems: draftProblems,
  }),
  pay: c.row({
    method: "POST",
    path: "/api/card-orders/:order/pay",
    right: "decide",
    of: { order: "cardOrder", objectID: "wallet" },
    ...professional,
    changes: ["card_orders", "pro_cards", "invoices", "wallets", "top_ups", "money_proof"],
    summary: "Pays a draft by the one checkout: the cards are ordered",
    source: "spec.md 28",
    input: z.object({ order: c.uuid, revision: orderRevision, ...paying }),
    output: z.object({ id: c.uuid, payment }),
    rate: { max: 30, seconds: 3600 },
    problems: ["not_found", ...orderProblems, ...checkoutProblems],
  }),
  orderByInvoice: c.row({
    method: "POST",
    path: "/api/card-orders/:order/invoice",
    right: "decide",
    of: { order: "cardOrder" },
    ...professional,
    changes: ["card_orders", "pro_cards", "invoices", "money_proof"],
    summary: "Orders a draft against an invoice to be paid later",
    source: "server/card-orders/README.md#prices-and-payment",
    input: z.object({
      order: c.uuid,
      revision: orderRevision,
      /** The price that was seen (spec.md 28). */
      totalCents: z.int().check(z.minimum(0), z.maximum(1_000_000_000)),
      ...c.stepUp,
    }),
    output: z.object({ data: dispatchView }),
    rate: { max: 30, seconds: 3600 },
    problems: [
      "not_found",
      ...orderProblems,
      "card_order_unpaid",
      "price_changed",
      ...c.stepUpProblems,
    ],
  }),
} as const;
