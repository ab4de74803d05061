// The cart of e-tickets: seats held for 25 minutes, paid from a wallet or at the provider's page.
import * as z from "zod/mini";
import * as checkout from "../checkout/rows.ts";
import * as c from "../endpoint.ts";
import { topUpStates } from "../payments/rows.ts";

export const cartStates = ["cart", "paid", "expired", "dropped"] as const;
export type CartState = (typeof cartStates)[number];

const cartLine = z.object({
  event: c.uuid,
  session: c.uuid,
  category: c.uuid,
  title: z.string(),
  startsAt: c.instant,
  categoryName: z.string(),
  priceCents: c.cents,
  holder: z.string(),
  cardnumber: c.cardnumber,
  quantity: z.int(),
});
export type CartLine = z.output<typeof cartLine>;

export const cart = z.object({
  id: c.uuid,
  state: z.enum(cartStates),
  /** Until when the seats are held. */
  expiresAt: c.instant,
  /** How far that can be put off. */
  longestUntil: c.instant,
  lines: z.array(cartLine),
  totalCents: c.cents,
  /** The payment at the provider's page that was started last. */
  payment: z.nullable(z.object({ id: c.uuid, state: z.enum(topUpStates) })),
});
export type Cart = z.output<typeof cart>;

/** The server's clock goes with the cart: the countdown does not trust the device's. */
const answered = z.object({ cart: z.nullable(cart), now: c.instant });

const oneOrder = z.object({ order: c.uuid });
export const cartRows = {
  cart: c.row({
    method: "GET",
    path: "/api/tickets/cart",
    access: "holder",
    of: "self",
    reads: ["tickets", "family"],
    summary: "One's open cart, or the one that ended without being paid and was not yet put away",
    source: "server/tickets/README.md#carts; spec.md 7",
    input: c.emptyObject,
    output: answered,
    problems: [],
  }),
  putLine: c.row({
    method: "POST",
    path: "/api/tickets/cart/lines",
    access: "holder",
    of: { session: "anyone", category: "anyone", cardnumber: "card" },
    changes: ["tickets"],
    summary: "Sets how many seats of a session one wants at a price, for a card; holds them",
    source: "server/tickets/README.md#carts",
    input: z.object({
      session: c.uuid,
      category: c.uuid,
      /** For whom: one's own card or that of a child one answers for. */
      cardnumber: c.cardnumber,
      quantity: z.int().check(z.minimum(0), z.maximum(20)),
    }),
    output: answered,
    problems: [
      "tickets_sold_out",
      "tickets_closed",
      "tickets_max",
      "tickets_profile",
      "tickets_one_each",
      "cart_full",
      "cart_paying",
    ],
  }),
  retryCart: c.row({
    method: "POST",
    path: "/api/tickets/cart/retry",
    access: "holder",
    of: { order: "ticketOrder" },
    changes: ["tickets"],
    summary: "Holds again the seats of a cart that ended, where there still are",
    source: "server/tickets/README.md#carts",
    input: oneOrder,
    output: answered,
    problems: [
      "tickets_sold_out",
      "tickets_closed",
      "tickets_max",
      "tickets_profile",
      "tickets_one_each",
      "cart_full",
      "cart_paying",
    ],
  }),
  extendCart: c.row({
    method: "POST",
    path: "/api/tickets/cart/extend",
    access: "holder",
    of: { order: "ticketOrder" },
    changes: ["tickets"],
    summary: "Holds the seats of a cart for 25 minutes from now, within an hour of its opening",
    source: "RGAA 13.1; spec.md 36",
    input: oneOrder,
    output: answered,
    problems: ["cart_over", "cart_longest"],
  }),
  dropCart: c.row({
    method: "POST",
    path: "/api/tickets/cart/drop",
    access: "holder",
    of: { order: "ticketOrder" },
    changes: ["tickets"],
    summary: "Gives up a cart and its seats, or puts away one that ended",
    source: "server/tickets/README.md#carts",
    input: oneOrder,
    output: answered,
    problems: ["cart_paying"],
  }),
  pay: c.row({
    method: "POST",
    path: "/api/tickets/cart/pay",
    access: "holder",
    of: { order: "ticketOrder", objectID: "wallet" },
    changes: ["tickets", "wallets", "top_ups", "notices", "money_proof"],
    summary: "Pays the cart from a wallet, or tells where to pay; safe to repeat",
    source: "server/tickets/README.md#carts; spec.md 14, 15, 17 and 19",
    input: z.object({ order: c.uuid, ...checkout.paying }),
    output: z.object({ cart, now: c.instant, payment: checkout.payment }),
    problems: ["cart_over", "tickets_closed", ...checkout.checkoutProblems],
  }),
  joinWaitingList: c.row({
    method: "POST",
    path: "/api/tickets/waiting-list",
    access: "holder",
    of: { session: "anyone", category: "anyone", cardnumber: "card" },
    changes: ["tickets"],
    summary: "Joins the waiting list of a session that is sold out",
    source: "server/tickets/README.md#waiting-list",
    input: z.object({
      session: c.uuid,
      category: c.uuid,
      cardnumber: c.cardnumber,
      quantity: z.int().check(z.minimum(1), z.maximum(20)),
    }),
    output: c.messageAnswer,
    status: 201,
    problems: [
      "tickets_closed",
      "tickets_max",
      "tickets_profile",
      "tickets_one_each",
      "ticket_wait_twice",
      "ticket_wait_needless",
      "ticket_waits_full",
    ],
  }),
  takeOfferedSeats: c.row({
    method: "POST",
    path: "/api/tickets/waiting-list/:id/take",
    access: "holder",
    of: { id: "ticketWait" },
    changes: ["tickets"],
    summary: "Puts the seats offered from the waiting list into the cart",
    source: "server/tickets/README.md#waiting-list",
    input: z.object({ id: c.uuid }),
    output: answered,
    problems: ["ticket_wait_over", "tickets_max", "cart_full", "cart_paying"],
  }),
  leaveWaitingList: c.row({
    method: "POST",
    path: "/api/tickets/waiting-list/:id/leave",
    access: "holder",
    of: { id: "ticketWait" },
    changes: ["tickets"],
    summary: "Leaves a waiting list; seats offered to the caller go to the next",
    source: "server/tickets/README.md#waiting-list",
    input: z.object({ id: c.uuid }),
    output: c.messageAnswer,
    problems: ["ticket_wait_over"],
  }),
} as const;
