// Orders of pro cards on their way (spec §7 dispatch, getInformation): the card data that opens the screen,
// the orders of a company, each with its states, its parcel and its cards.
import * as z from "zod/mini";
import { cardStates } from "../cards/rows.ts";
import { companyRoleList } from "../companies/rows.ts";
import * as c from "../endpoint.ts";
import { vatCodes } from "../invoices/vat.ts";
import { cardInks } from "./limits.ts";
import { cardOrderStates } from "./states.ts";

/** The data of the caller's card that the order's screen needs before it opens (spec §7, §9 Data_card). */
export const orderInformation = z.object({
  cardnumber: c.cardnumber,
  /** 1 individual, 2 professional: the order is for the latter alone (spec §2). */
  type: z.int(),
  name: z.string(),
  company: z.string(),
  roles: companyRoleList,
  /** Whether the caller orders: the owner alone. */
  canOrder: z.boolean(),
});
export type OrderInformation = z.output<typeof orderInformation>;

export const design = z.object({
  /** The words printed under the name of the scheme. */
  label: z.string(),
  ink: z.enum(cardInks),
  /** Whether the bearer's name is printed. */
  printsNames: z.boolean(),
});
export type CardDesign = z.output<typeof design>;

export const delivery = z.object({
  /** `company`: its seat, as it was at the order. */
  to: z.enum(["company", "other"]),
  recipient: z.string(),
  street: z.string(),
  postcode: z.string(),
  town: z.string(),
});
export type CardDelivery = z.output<typeof delivery>;

/** Amounts in cents. */
export const price = z.object({
  quantity: z.int(),
  unitCents: c.cents,
  cardsCents: c.cents,
  deliveryCents: c.cents,
  /** Without VAT. */
  netCents: c.cents,
  vat: z.enum(vatCodes),
  vatCents: c.cents,
  totalCents: c.cents,
});

const summary = z.object({
  id: c.uuid,
  number: z.int(),
  state: z.enum(cardOrderStates),
  quantity: z.int(),
  totalCents: c.cents,
  orderedAt: c.instant,
});
export type CardOrderSummary = z.output<typeof summary>;

export const dispatchView = z.object({
  ...summary.shape,
  price,
  design,
  delivery,
  orderedBy: z.string(),
  /** Steps of the order, the latest last. */
  steps: z.array(z.object({ state: z.enum(cardOrderStates), at: c.instant })),
  /** When the printer said that it has the file. */
  acknowledgedAt: z.nullable(c.instant),
  carrier: z.nullable(z.string()),
  tracking: z.nullable(z.string()),
  /** By invoice, or paid at once. */
  paidBy: z.enum(["checkout", "invoice"]),
  invoice: z.nullable(z.object({ id: c.uuid, number: z.string() })),
  /** Payments of the invoice since the order, by the way in which a cancellation refunds them. */
  paidSince: z.object({ walletCents: c.cents, transferCents: c.cents }),
  /** Whether the caller may cancel it, or say that the cards are there. */
  canCancel: z.boolean(),
  canReceive: z.boolean(),
  cards: z.array(
    z.object({
      /** Null until it is made, as is its state. */
      cardnumber: z.nullable(c.cardnumber),
      /** Null while nobody carries it. */
      name: z.nullable(z.string()),
      state: z.nullable(z.enum(cardStates)),
    }),
  ),
});
export type CardDispatch = z.output<typeof dispatchView>;

const professional = { access: "professional" } as const;
const order = z.object({ order: c.uuid });

export const cardDispatch = {
  information: c.row({
    method: "POST",
    path: "/api/order/getInformation",
    access: "person",
    of: { cardnumber: "card" },
    reads: ["card_orders"],
    summary:
      "What the order of cards knows of a card; success is false where it has nothing to show",
    source: "spec §7; spec.md 10 and 12",
    input: z.object({ cardnumber: c.cardnumber }),
    output: z.object({
      success: z.boolean(),
      data: z.nullable(orderInformation),
      message: z.string(),
    }),
    problems: [],
  }),
  dispatch: c.row({
    method: "GET",
    path: "/api/order/dispatch/:id",
    right: "seeMoney",
    of: { id: "cardOrder" },
    ...professional,
    reads: ["card_orders"],
    summary: "An order of the caller's company on its way: states, parcel, cards",
    source: "spec §7; spec.md 10",
    input: z.object({ id: c.uuid }),
    output: z.object({ data: dispatchView }),
    problems: ["not_found"],
  }),
  list: c.row({
    method: "GET",
    path: "/api/card-orders",
    right: "seeMoney",
    of: "company",
    ...professional,
    reads: ["card_orders"],
    summary: "Orders of the caller's company, newest first, drafts left out",
    source: "server/card-orders/README.md#making-and-sending",
    input: z.object({ before: c.before, limit: c.limit }),
    output: c.page(summary),
    problems: [],
  }),
  cancel: c.row({
    method: "POST",
    path: "/api/card-orders/:order/cancel",
    right: "decide",
    of: { order: "cardOrder" },
    ...professional,
    changes: ["card_orders", "pro_cards", "invoices", "wallets", "activity"],
    summary: "Cancels an order that is not at the printer yet: what was paid comes back",
    source: "server/card-orders/README.md#cancelling",
    input: order,
    output: z.object({ data: dispatchView }),
    rate: { max: 30, seconds: 3600 },
    problems: ["not_found", "card_order_state", "invoice_credited"],
  }),
  receive: c.row({
    method: "POST",
    path: "/api/card-orders/:order/receive",
    right: "decide",
    of: { order: "cardOrder" },
    ...professional,
    changes: ["card_orders", "pro_cards", "activity"],
    summary: "Says that the cards are there: they can be handed out and activated",
    source: "server/card-orders/README.md#making-and-sending",
    input: order,
    output: z.object({ data: dispatchView }),
    rate: { max: 30, seconds: 3600 },
    problems: ["not_found", "card_order_state"],
  }),
} as const;
