// Bus fares and passes: the products of line groups with their prices, purchases, passes.
import * as z from "zod/mini";
import { cardStates } from "../cards/rows.ts";
import * as checkout from "../checkout/rows.ts";
import { document } from "../documents/rows.ts";
import * as c from "../endpoint.ts";
import { passes as limits } from "../limits.ts";
import { fareOffer, group, price, product, productId } from "./fares.ts";
import { exemptionStates, fareKinds, passOrderStates, passStates } from "./states.ts";

const answered = z.object({ requestedAt: z.nullable(c.instant), answer: z.nullable(z.string()) });
const inPath = z.coerce.number().check(z.int(), z.minimum(1), z.maximum(2_147_483_647));

const stop = z.object({ id: z.int(), name: z.string() });

export const pass = z.object({
  id: c.uuid,
  idgroup: z.int(),
  groupName: z.string(),
  kind: z.enum(fareKinds),
  name: z.string(),
  cardnumber: c.cardnumber,
  holder: z.string(),
  state: z.enum(passStates),
  /** State of the holder's card: a pass is shown and valid while the card is in use. */
  cardState: z.enum(cardStates),
  validFrom: c.instant,
  /** The first instant at which it is no longer valid. */
  validUntil: c.instant,
  /** Last day of validity in Paris. */
  lastDay: c.day,
  stop: z.nullable(z.string()),
  /** Null where this product is never suspended. */
  suspension: z.nullable(
    z.object({ since: z.nullable(c.day), maxDays: z.int(), leftDays: z.int() }),
  ),
  /** Who paid what of its price; null where no employer paid a part. */
  employer: z.nullable(z.object({ name: z.string(), cents: c.cents, ownCents: c.cents })),
  /** What the next duplicate costs. */
  duplicateCents: c.cents,
  late: z.nullable(
    z.extend(answered, {
      order: c.uuid,
      feeCents: c.cents,
      exemption: z.enum(exemptionStates),
    }),
  ),
});
export type Pass = z.output<typeof pass>;

export const passOrder = z.object({
  id: c.uuid,
  state: z.enum(passOrderStates),
  revision: z.int(),
  group,
  product,
  cardnumber: c.cardnumber,
  holder: z.string(),
  /** When it may begin: at once, on a day between two, or on one of a few. */
  start: z.object({
    kind: z.enum(["now", "day", "choice"]),
    from: c.day,
    to: c.day,
    choices: z.array(
      z.object({
        on: c.day,
        label: z.string(),
        /** Whether a pass that this person has already covers it: it is refused then. */
        covered: z.boolean(),
        /** Days left of a month that has begun, today included; null of what begins whole. */
        leftDays: z.nullable(z.int()),
      }),
    ),
  }),
  startOn: z.nullable(c.day),
  /** Last day of validity, null while the start is not chosen. */
  lastDay: z.nullable(c.day),
  stop: z.nullable(stop),
  photo: z.nullable(document),
  price,
  /** French sentence: why this card may not have it, null when it may. */
  ineligibility: z.nullable(z.string()),
  /** The cards that the buyer may buy for, each with a French sentence where it may not have this product. */
  riders: z.array(z.object({ cardnumber: c.cardnumber, reason: z.nullable(z.string()) })),
  /** Whether a proof would lower the price or give the right to it. */
  provable: z.boolean(),
  exemption: z.extend(answered, { state: z.enum(exemptionStates) }),
  /** The pass, once paid. */
  pass: z.nullable(c.uuid),
  /** The last payment at the provider, while it has no outcome: followed by `GET /api/top-ups/:id`. */
  topUp: z.nullable(c.uuid),
});
export type PassOrder = z.output<typeof passOrder>;

const onePass = z.object({ pass: c.uuid });
const oneOrder = z.object({ order: c.uuid });

export const passes = {
  list: c.row({
    method: "GET",
    path: "/api/passes",
    access: "holder",
    of: { cardnumber: "card" },
    reads: ["passes", "cards"],
    summary: "The passes of a card, those that ride first, over ones for a year",
    source: "spec §2 Abonnement/ligne; server/passes/README.md#suspension-duplicates-and-cards",
    input: z.object({ cardnumber: c.cardnumberInPath }),
    output: z.object({ items: z.array(pass) }),
    problems: [],
  }),
  groups: c.row({
    method: "GET",
    path: "/api/fares",
    access: "holder",
    of: "anyone",
    reads: ["passes"],
    summary: "The line groups that sell passes",
    source: "spec §2 Abonnement/ligne; server/passes/README.md#prices",
    input: c.emptyObject,
    output: z.object({ items: z.array(group) }),
    problems: [],
  }),
  offers: c.row({
    method: "GET",
    path: "/api/fares/:group",
    access: "holder",
    of: { cardnumber: "card", group: "anyone" },
    reads: ["passes", "commuting", "family"],
    summary: "What a line group sells, each with the price for this card and its reason",
    source: "spec §2 Product_Abonnement",
    input: z.object({ group: inPath, cardnumber: c.cardnumberInPath }),
    output: z.object({ group, items: z.array(fareOffer) }),
    problems: [],
  }),
  orders: c.row({
    method: "GET",
    path: "/api/passes/orders",
    access: "holder",
    of: "self",
    reads: ["passes", "commuting"],
    summary: "One's own purchases that are not over, to go on with them",
    source: "spec.md 7",
    input: c.emptyObject,
    output: z.object({ items: z.array(passOrder) }),
    problems: [],
  }),
  start: c.row({
    method: "POST",
    path: "/api/passes/orders",
    access: "holder",
    of: { cardnumber: "card" },
    changes: ["passes"],
    summary: "Begins a purchase, or finds the one of this product that is not over",
    source: "spec §2 Purchache_Abonnement; spec.md 7",
    input: z.object({ product: productId, cardnumber: c.cardnumber }),
    output: passOrder,
    status: 201,
    problems: ["pass_off_sale", "pass_order_state"],
  }),
  order: c.row({
    method: "GET",
    path: "/api/passes/orders/:order",
    access: "holder",
    of: { order: "passOrder" },
    reads: ["passes", "commuting", "family"],
    summary: "A purchase as it stands, its price as of now until the payment begins",
    source: "spec.md 7",
    input: oneOrder,
    output: passOrder,
    problems: [],
  }),
  change: c.row({
    method: "POST",
    path: "/api/passes/orders/:order",
    access: "holder",
    of: { order: "passOrder", cardnumber: "card", photo: "document" },
    changes: ["passes"],
    summary: "Says for which card, from when, and from which stop",
    source: "spec §2 Purchache_Abonnement",
    input: z.object({
      order: c.uuid,
      cardnumber: z.optional(c.cardnumber),
      startOn: z.optional(z.nullable(c.day)),
      /** One of the stops of the group (`GET /api/transit/stops?group=`). */
      stop: z.optional(
        z.nullable(z.number().check(z.int(), z.minimum(1), z.maximum(2_147_483_647))),
      ),
      /** A document just uploaded; null takes the photo away. */
      photo: z.optional(z.nullable(c.uuid)),
    }),
    output: passOrder,
    problems: [
      "pass_order_state",
      "pass_start",
      "pass_stop",
      "pass_overlap",
      "pass_not_entitled",
      "document_attached",
      "order_payment_pending",
    ],
  }),
  pay: c.row({
    method: "POST",
    path: "/api/passes/orders/:order/pay",
    access: "holder",
    of: { order: "passOrder", objectID: "wallet" },
    changes: ["passes", "wallets", "top_ups", "notices", "money_proof"],
    summary: "Pays from a wallet at once, or tells where to pay; safe to repeat",
    source: "spec §2 Purchache_Abonnement; spec.md 14, 15 and 17",
    input: z.object({
      order: c.uuid,
      revision: checkout.orderRevision,
      ...checkout.paying,
    }),
    output: z.object({ order: passOrder, payment: checkout.payment }),
    problems: [
      "pass_order_state",
      "pass_off_sale",
      "pass_start",
      "pass_stop",
      "pass_photo",
      "pass_overlap",
      "pass_not_entitled",
      ...checkout.checkoutProblems,
    ],
  }),
  cancel: c.row({
    method: "POST",
    path: "/api/passes/orders/:order/cancel",
    access: "holder",
    of: { order: "passOrder" },
    changes: ["passes", "wallets"],
    summary: "Gives a purchase up; money that still arrives stays in the wallet",
    source: "server/passes/README.md#purchases",
    input: oneOrder,
    output: c.messageAnswer,
    problems: ["pass_order_state"],
  }),
  one: c.row({
    method: "GET",
    path: "/api/passes/:pass",
    access: "holder",
    of: { pass: "pass" },
    reads: ["passes", "cards"],
    summary: "A pass",
    source: "spec §2 Abonnement/ligne; server/passes/README.md#suspension-duplicates-and-cards",
    input: onePass,
    output: pass,
    problems: [],
  }),
  qr: c.row({
    method: "GET",
    path: "/api/passes/:pass/qr",
    access: "holder",
    of: { pass: "pass" },
    reads: ["passes", "cards"],
    summary: "The signed token of a pass's QR, good until it ends, is suspended or replaced",
    source: "spec.md 24",
    input: onePass,
    output: z.object({ token: z.string(), validFrom: c.instant, validUntil: c.instant }),
    problems: ["pass_state", "pass_card_suspended", "pass_card_opposed", "card_state"],
  }),
  suspend: c.row({
    method: "POST",
    path: "/api/passes/:pass/suspend",
    access: "holder",
    of: { pass: "pass" },
    changes: ["passes", "notices", "activity"],
    summary:
      "Suspends a pass: it is not valid meanwhile, and its end is put off by the suspended days",
    source: "spec §2 Abonnement/ligne; server/passes/README.md#suspension-duplicates-and-cards",
    input: onePass,
    output: pass,
    rate: { max: 60, seconds: 3600 },
    problems: ["pass_state", "pass_no_suspension", "pass_suspension_spent"],
  }),
  resume: c.row({
    method: "POST",
    path: "/api/passes/:pass/resume",
    access: "holder",
    of: { pass: "pass" },
    changes: ["passes", "notices", "activity"],
    summary: "Resumes a suspended pass and puts its end off by the suspended days",
    source: "spec §2 Abonnement/ligne; server/passes/README.md#suspension-duplicates-and-cards",
    input: onePass,
    output: pass,
    rate: { max: 60, seconds: 3600 },
    problems: ["pass_state", "family_minor"],
  }),
  duplicate: c.row({
    method: "POST",
    path: "/api/passes/:pass/duplicate",
    access: "holder",
    of: { pass: "pass", wallet: "wallet" },
    changes: ["passes", "wallets", "notices", "activity", "money_proof"],
    summary: "Replaces a lost pass by a new one; the old QR is refused from then on",
    source: "spec §2 Abonnement/ligne; server/passes/README.md#suspension-duplicates-and-cards",
    input: z.object({
      pass: c.uuid,
      /** The fee that was shown. */
      feeCents: z.number().check(z.int(), z.minimum(0), z.maximum(1_000_000_000)),
      wallet: z.optional(c.uuid),
      ...c.stepUp,
    }),
    output: pass,
    status: 201,
    problems: ["pass_state", "price_changed", "idempotency_mismatch", ...checkout.spendProblems],
  }),
  exempt: c.row({
    method: "POST",
    path: "/api/passes/orders/:order/exemption",
    access: "holder",
    of: { order: "passOrder", "documents[]": "document" },
    changes: ["passes", "notices", "activity"],
    summary: "Requests an exemption from the late fee; a paid one is refunded when accepted",
    source: "spec §2 Abonnement/ligne; server/passes/README.md#purchases",
    input: z.object({
      order: c.uuid,
      reason: c.text(limits.exemptionLetters, 10),
      /** Documents just uploaded. */
      documents: z.optional(z.array(c.uuid).check(z.maxLength(limits.exemptionDocuments))),
    }),
    output: passOrder,
    problems: ["pass_order_state", "exemption_none", "exemption_requested", "document_attached"],
  }),
} as const;
