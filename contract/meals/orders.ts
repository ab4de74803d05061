// Meals as holders order them: the week, choosing, paying, cancelling, and the list of orders.
import * as z from "zod/mini";
import * as checkout from "../checkout/rows.ts";
import * as c from "../endpoint.ts";
import { allergenWarning } from "../kitchen/dish-allergens.ts";
import { menu } from "../kitchen/menus.ts";
import { maxMealsAtOnce } from "./limits.ts";
import { mealProblems } from "./problems.ts";
import { idgroup, idgroupInBody } from "./registrations.ts";
import { diets } from "../kitchen/states.ts";
import { mealOrderStates } from "./states.ts";
import { mealWait } from "./waiting-list.ts";

const cell = z.object({
  day: c.day,
  /** Why no meal is served, null when one is. */
  closedWhy: z.nullable(z.string()),
  /** The last instant of an order, null when none can be placed here. */
  orderUntil: z.nullable(c.instant),
  /** Until when a cancellation costs nothing, null when it always costs. */
  cancelUntil: z.nullable(c.instant),
  /** Null while no price fits the person. */
  priceCents: z.nullable(c.cents),
  priceReason: z.string(),
  seatsLeft: z.int(),
  /** Which of the person's allergens the published menu contains, null for no warning. */
  warning: z.nullable(allergenWarning),
  order: z.nullable(
    z.object({
      id: c.uuid,
      state: z.enum(mealOrderStates),
      priceCents: c.cents,
      /** Who ordered it, null for the reader. */
      orderedBy: z.nullable(z.string()),
      /** Until its service begins, in the states that permit it. */
      canCancel: z.boolean(),
    }),
  ),
  /** With whom a child of two guardians is; null where nothing is agreed, and for anybody else. */
  custody: z.nullable(z.object({ name: z.string(), own: z.boolean() })),
  /**
   * Whether another registration of the person at the same canteen counts that day: the day is shown there.
   */
  isElsewhere: z.boolean(),
  /** Whether it is chosen and not paid yet. */
  chosen: z.boolean(),
  /** The problem that keeps it from being ordered, as a sentence; null when it can be. */
  problem: z.nullable(z.string()),
  /** The person waits for a seat, or one is offered; null otherwise. */
  wait: z.nullable(mealWait),
  /** Whether only the missing seat keeps it from being ordered, and nobody waits for the person yet. */
  canWait: z.boolean(),
});
export type MealCell = z.output<typeof cell>;

const line = z.object({
  registration: c.uuid,
  cardnumber: c.cardnumber,
  name: z.string(),
  canteen: z.string(),
  day: c.day,
  priceCents: c.cents,
  priceReason: z.string(),
  /** Until when a cancellation will cost nothing; null when it would already cost. */
  cancelUntil: z.nullable(c.instant),
  /** Why it cannot be ordered any more; null when it can. */
  problem: z.nullable(z.string()),
  /** The same as the warning of the cell. */
  warning: z.nullable(allergenWarning),
});
export type MealLine = z.output<typeof line>;

const request = z.object({
  id: c.uuid,
  revision: checkout.orderRevision,
  lines: z.array(line),
  totalCents: c.cents,
  /** The last payment at the provider, while it has no outcome. */
  topUp: z.nullable(c.uuid),
});
export type MealRequest = z.output<typeof request>;

/** A meal that was ordered, as its family follows it. */
export const mealOrder = z.object({
  id: c.uuid,
  /** Order number, to be read aloud. */
  number: z.int(),
  name: z.string(),
  cardnumber: c.cardnumber,
  canteen: z.string(),
  day: c.day,
  state: z.enum(mealOrderStates),
  priceCents: c.cents,
  priceReason: z.string(),
  cancelUntil: z.nullable(c.instant),
  lateCancelPercent: z.int(),
  /** Whether it can be cancelled now, and what that costs. */
  canCancel: z.boolean(),
  cancelCostCents: c.cents,
  /** Who ordered it, null for the reader. */
  orderedBy: z.nullable(z.string()),
  /** Whose wallets pay it and get back what a cancellation releases; null for the reader's own. */
  paidBy: z.array(z.nullable(z.string())),
  /** What it cost in the end, null while that is open. */
  chargedCents: z.nullable(c.cents),
  endReason: z.nullable(z.string()),
  servedAt: z.nullable(c.instant),
  orderedAt: c.instant,
  /** Which of the person's allergens its published menu contains, null for no warning and once it is over. */
  warning: z.nullable(allergenWarning),
  /** Whether the warning came after the order and nobody has confirmed the meal yet. */
  toReview: z.boolean(),
});
export type MealOrder = z.output<typeof mealOrder>;

const choice = z.object({ registration: c.uuid, day: c.day });
const someOrders = z.object({
  orders: z.array(c.uuid).check(z.minLength(1), z.maxLength(maxMealsAtOnce)),
});

export const canteenOrders = {
  week: c.row({
    method: "GET",
    path: "/api/canteen/providers/:idgroup/week",
    access: "holder",
    of: { idgroup: "anyone" },
    reads: ["meals", "registrations", "allergies", "family"],
    summary: "A week of a provider: menus, and each person's meals day by day with their deadlines",
    source: "spec §2 product_cantine_futures; server/meals/README.md#choosing-meals",
    input: z.object({
      idgroup,
      /** Any day of the week; without it, the week of the first meal that can still be ordered. */
      day: z.optional(c.day),
    }),
    output: z.object({
      now: c.instant,
      /** Monday of the week. */
      monday: c.day,
      menus: z.array(menu),
      people: z.array(
        z.object({
          registration: c.uuid,
          cardnumber: c.cardnumber,
          name: z.string(),
          canteen: z.string(),
          className: z.string(),
          diet: z.enum(diets),
          /** Meals that can still be ordered this week, those that are chosen included; null without a maximum. */
          mealsLeft: z.nullable(z.int()),
          cells: z.array(cell),
        }),
      ),
      request: z.nullable(request),
      /** The reader's usual meals of such a week that are not ordered yet; null when there are none. */
      usual: z.nullable(z.object({ count: z.int(), totalCents: c.cents })),
    }),
    problems: [],
  }),
  choose: c.row({
    method: "POST",
    path: "/api/canteen/requests/lines",
    access: "holder",
    of: { idgroup: "anyone", "meals[].registration": "registration" },
    changes: ["meals"],
    summary: "Adds meals to what is chosen, or takes them out",
    source: "server/meals/README.md#choosing-meals; spec.md 7",
    input: z.object({
      idgroup: idgroupInBody,
      meals: z.array(choice).check(z.minLength(1), z.maxLength(70)),
      chosen: z.boolean(),
      /** The person confirms dishes that hold an allergen of theirs, or whose allergens are not declared. */
      allergensConfirmed: z.optional(z.boolean()),
      /** The person confirms a second meal at the same time, at another canteen. */
      sameTimeConfirmed: z.optional(z.boolean()),
      /** Leaves out the meals at the same time as another, in place of asking about them. */
      sameTimeLeftOut: z.optional(z.boolean()),
    }),
    output: z.object({ request: z.nullable(request) }),
    problems: [
      ...mealProblems,
      "meal_same_time",
      "meals_same_time",
      "order_payment_pending",
      "meal_request_full",
    ],
  }),
  chooseWeeks: c.row({
    method: "POST",
    path: "/api/canteen/requests/template",
    access: "holder",
    of: { idgroup: "anyone", "registrations[]": "registration" },
    changes: ["meals"],
    summary: "Chooses weekdays over a period for several people; says what was left out and why",
    source: "server/meals/README.md#choosing-meals",
    input: z.object({
      idgroup: idgroupInBody,
      registrations: z.array(c.uuid).check(z.minLength(1), z.maxLength(10)),
      /** 0 is Monday. */
      weekdays: z
        .array(z.int().check(z.minimum(0), z.maximum(6)))
        .check(z.minLength(1), z.maxLength(7)),
      from: c.day,
      to: c.day,
      /** Includes the days on which a child is with the other guardian; left out by default. */
      otherGuardianToo: z.optional(z.boolean()),
    }),
    output: z.object({
      request: z.nullable(request),
      added: z.int(),
      leftOut: z.array(z.object({ why: z.string(), count: z.int() })),
    }),
    problems: ["meal_period", "order_payment_pending", "meal_request_full"],
  }),
  chooseUsual: c.row({
    method: "POST",
    path: "/api/canteen/requests/usual",
    access: "holder",
    of: { idgroup: "anyone" },
    changes: ["meals"],
    summary: "Chooses the meals of a week that the caller usually orders, those that can be",
    source: "server/meals/README.md#usual-meals",
    input: z.object({
      idgroup: idgroupInBody,
      day: c.day,
      /**
       * Of a reminder: each usual day without an order, whoever ordered it before; nothing where something is
       * chosen already.
       */
      reminder: z.optional(z.boolean()),
    }),
    output: z.object({
      request: z.nullable(request),
      added: z.array(choice),
      /** Usual meals that are left out because their menu warns: each is confirmed by whoever chooses it. */
      warnedCount: z.int(),
    }),
    problems: ["order_payment_pending", "meal_request_full"],
  }),
  dropRequest: c.row({
    method: "POST",
    path: "/api/canteen/requests/drop",
    access: "holder",
    of: { idgroup: "anyone" },
    changes: ["meals"],
    summary: "Empties what is chosen at a provider",
    source: "server/meals/README.md#choosing-meals",
    input: z.object({ idgroup: idgroupInBody }),
    output: c.messageAnswer,
    problems: ["order_payment_pending"],
  }),
  pay: c.row({
    method: "POST",
    path: "/api/canteen/requests/pay",
    access: "holder",
    of: { request: "mealRequest", objectID: "wallet", "ownWallets[]": "wallet" },
    changes: ["meals", "wallets", "top_ups", "notices", "money_proof"],
    summary: "Orders what is chosen: its price is set aside in wallets; safe to repeat",
    source: "server/meals/README.md#paying-for-meals; spec.md 14, 15, 17, 18 and 28",
    input: z.object({ request: c.uuid, revision: checkout.orderRevision, ...checkout.payingEach }),
    output: z.object({ payment: checkout.payment }),
    problems: ["meal_request_over", ...mealProblems, ...checkout.checkoutProblems],
  }),
  orders: c.row({
    method: "GET",
    path: "/api/canteen/orders",
    access: "holder",
    of: { cardnumber: "card" },
    reads: ["meals", "family"],
    summary: "Meals of oneself and one's children, those to come or the past, paged by key",
    source: "spec §2 suivi_de_demande_cantine",
    input: z.object({
      /** `coming`: from today on, the next first; `past`: before today, the last first. */
      when: z.enum(["coming", "past"]),
      cardnumber: z.optional(c.cardnumberInPath),
      /** Number of the last meal seen. */
      after: c.before,
    }),
    output: z.object({
      items: z.array(mealOrder),
      next: z.nullable(z.int()),
      now: c.instant,
    }),
    problems: [],
  }),
  orderQr: c.row({
    method: "GET",
    path: "/api/canteen/orders/:order/qr",
    access: "holder",
    of: { order: "meal" },
    reads: ["meals", "cards"],
    summary: "The signed token of a meal's QR, which the counter serves by on its day",
    source: "server/meal-service/README.md#counter; spec.md 24",
    input: z.object({ order: c.uuid }),
    output: z.object({ token: z.string(), day: c.day }),
    problems: ["meal_state", "meal_card_suspended", "meal_card_opposed"],
  }),
  cancelPreview: c.row({
    method: "POST",
    path: "/api/canteen/orders/cancel/preview",
    access: "holder",
    of: { "orders[]": "meal" },
    reads: ["meals", "family"],
    summary: "What cancelling meals costs now; nothing is changed",
    source: "server/meals/README.md#cancelling-meals; spec.md 28",
    input: someOrders,
    output: z.object({ items: z.array(mealOrder) }),
    problems: [],
  }),
  cancelOrders: c.row({
    method: "POST",
    path: "/api/canteen/orders/cancel",
    access: "holder",
    of: { "orders[]": "meal" },
    changes: ["meals", "wallets", "notices", "activity"],
    summary: "Cancels meals for the cost that was seen; the rest returns to the wallets that paid",
    source: "server/meals/README.md#cancelling-meals; spec.md 28",
    input: z.object({ ...someOrders.shape, costCents: c.cents }),
    output: z.object({ releasedCents: c.cents, costCents: c.cents }),
    problems: ["meal_state", "price_changed"],
  }),
  keepOrders: c.row({
    method: "POST",
    path: "/api/canteen/orders/keep",
    access: "holder",
    of: { "orders[]": "meal" },
    changes: ["meals", "activity"],
    summary: "Keeps meals whose menu holds an allergen of the person all the same",
    source: "server/meals/README.md#meals-to-review",
    input: someOrders,
    output: c.messageAnswer,
    problems: ["meal_state"],
  }),
  print: c.row({
    method: "GET",
    path: "/api/canteen/orders.pdf",
    access: "holder",
    of: { cardnumber: "card" },
    summary: "The follow-up of a card's meals of a month as a PDF",
    source: "spec §2 suivi_de_demande_cantine, with PDF",
    input: z.object({ cardnumber: c.cardnumberInPath, month: c.month }),
    output: c.document,
    reply: "pdf",
    rate: { max: 20, seconds: 60 },
    problems: [],
  }),
} as const;
