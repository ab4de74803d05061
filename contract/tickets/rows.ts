// E-tickets: events with their sessions, tickets, transfers; the cart is in cart.ts.
import * as z from "zod/mini";
import { cart, cartRows } from "./cart.ts";
import * as c from "../endpoint.ts";
import { eventKinds, lacks, refundPolicy, ticketStates } from "./states.ts";

export const saleStates = ["open", "soon", "sold_out", "closed", "cancelled"] as const;
export type SaleState = (typeof saleStates)[number];

const described = {
  id: c.uuid,
  title: z.string(),
  summary: z.string(),
  kind: z.enum(eventKinds),
  organiser: z.string(),
  venue: z.string(),
  address: z.string(),
  state: z.enum(saleStates),
  saleFrom: c.instant,
  saleUntil: c.instant,
  maxPerPerson: z.int(),
};

export const eventSummary = z.object({
  ...described,
  /** Of the sessions to come. */
  firstAt: c.instant,
  lastAt: c.instant,
  sessions: z.int(),
  /** The least and the most that a place costs. */
  fromCents: c.cents,
  toCents: c.cents,
  remaining: z.int(),
  seats: z.int(),
});
export type EventSummary = z.output<typeof eventSummary>;

const category = z.object({
  id: c.uuid,
  name: z.string(),
  priceCents: c.cents,
  ageMin: z.nullable(z.int()),
  ageMax: z.nullable(z.int()),
  student: z.boolean(),
  quotientMax: z.nullable(z.int()),
  /**
   * Conditions of this price that the holder of the card does not meet; empty where the price is for them.
   */
  lacks: z.array(z.enum(lacks)),
});

const session = z.object({
  id: c.uuid,
  startsAt: c.instant,
  endsAt: c.instant,
  seats: z.int(),
  remaining: z.int(),
  /** Seats left for a category that has a quota of its own; absent: only the session's counts. */
  left: z.record(z.string(), z.int()),
  /** Seats of this session that people wait for. */
  waiting: z.int(),
});

const event = z.object({
  ...described,
  policy: refundPolicy,
  categories: z.array(category),
  sessions: z.array(session),
  /** Tickets of this event that the caller has already, cart included. */
  ticketsHeld: z.int(),
});
export type EventView = z.output<typeof event>;

export const ticketTransfer = z.object({
  id: c.uuid,
  title: z.string(),
  startsAt: c.instant,
  venue: z.string(),
  category: z.string(),
  from: z.string(),
  /** Null while nobody opened the link by which it is offered. */
  toCardnumber: z.nullable(c.cardnumber),
  expiresAt: c.instant,
});
export type TicketTransfer = z.output<typeof ticketTransfer>;

export const ticket = z.object({
  id: c.uuid,
  /** Short reference that a holder can read aloud. */
  reference: z.string(),
  state: z.enum(ticketStates),
  title: z.string(),
  kind: z.enum(eventKinds),
  organiser: z.string(),
  venue: z.string(),
  address: z.string(),
  startsAt: c.instant,
  endsAt: c.instant,
  category: z.string(),
  priceCents: c.cents,
  holder: z.string(),
  cardnumber: c.cardnumber,
  /** Who transferred it to the holder, null when it was bought. */
  from: z.nullable(z.string()),
  /** Token of the QR code while the ticket is valid, else null. */
  token: z.nullable(z.string()),
  usedAt: z.nullable(c.instant),
  /** Offered and not answered yet; without a card while nobody opened the link that offers it. */
  transfer: z.nullable(
    z.object({ id: c.uuid, toCardnumber: z.nullable(c.cardnumber), expiresAt: c.instant }),
  ),
});
export type Ticket = z.output<typeof ticket>;

export const waitingListEntry = z.object({
  id: c.uuid,
  event: c.uuid,
  title: z.string(),
  startsAt: c.instant,
  category: z.string(),
  quantity: z.int(),
  /** Seats held for it: those of the offer or, while it waits, those gathered so far. */
  held: z.int(),
  /** Until then seats are gathered without a time limit; then those gathered are offered. */
  gatheredUntil: c.instant,
  state: z.enum(["waiting", "offered"]),
  /** How many people are ahead on the list. */
  before: z.int(),
  offeredUntil: z.nullable(c.instant),
});
export type WaitingListEntry = z.output<typeof waitingListEntry>;

const oneTicket = { ticket: c.uuid };
const oneTransfer = z.object({ id: c.uuid });

export const tickets = {
  billet: c.row({
    method: "POST",
    path: "/api/public/services/billet",
    access: "person",
    of: { cardnumber: "card" },
    reads: ["tickets"],
    summary: "The events on sale, as /services/E-Billet reads them",
    source: "spec §7; spec.md 4 and 12",
    input: z.object({ cardnumber: c.cardnumber }),
    output: z.object({ items: z.array(eventSummary) }),
    problems: [],
  }),
  event: c.row({
    method: "GET",
    path: "/api/tickets/events/:event",
    access: "holder",
    of: { cardnumber: "card", event: "anyone" },
    reads: ["tickets"],
    summary: "An event with its sessions and prices, what remains, and which prices are for a card",
    source: "server/tickets/README.md#events-and-sessions",
    input: z.object({ event: c.uuid, cardnumber: c.cardnumberInPath }),
    output: z.object({ event, now: c.instant }),
    problems: [],
  }),
  list: c.row({
    method: "GET",
    path: "/api/tickets",
    access: "holder",
    of: { cardnumber: "card" },
    reads: ["tickets", "family", "cards"],
    summary: "Tickets of a card, transfers that wait for its answer, its places on waiting lists",
    source: "server/tickets/README.md#delivery-of-tickets",
    input: z.object({ cardnumber: c.cardnumberInPath }),
    output: z.object({
      items: z.array(ticket),
      received: z.array(ticketTransfer),
      waitingList: z.array(waitingListEntry),
    }),
    problems: [],
  }),
  ...cartRows,
  order: c.row({
    method: "GET",
    path: "/api/tickets/orders/:order",
    access: "holder",
    of: { order: "ticketOrder" },
    reads: ["tickets"],
    summary: "What became of a cart: its tickets once paid",
    source: "server/tickets/README.md#delivery-of-tickets",
    input: z.object({ order: c.uuid }),
    output: z.object({ order: cart, tickets: z.array(ticket) }),
    problems: [],
  }),
  print: c.row({
    method: "GET",
    path: "/api/tickets/:ticket/ticket.pdf",
    access: "holder",
    of: { ticket: "ticket" },
    summary: "A ticket as a tagged PDF with its QR",
    source: "spec §2 Billet_public",
    input: z.object(oneTicket),
    output: c.document,
    reply: "pdf",
    rate: { max: 30, seconds: 60 },
    problems: ["ticket_state"],
  }),
  refund: c.row({
    method: "GET",
    path: "/api/tickets/:ticket/refund",
    access: "holder",
    of: { ticket: "ticket" },
    reads: ["tickets"],
    summary: "What a cancellation would give back now, by the policy frozen at purchase",
    source: "server/tickets/README.md#refunds-and-transfers-of-tickets",
    input: z.object(oneTicket),
    output: z.object({
      refundCents: c.cents,
      /** Aid that has expired since: it does not come back. */
      lostCents: c.cents,
      percent: z.int(),
      /** The wallets that paid, and what goes back to each. */
      to: z.array(z.object({ wallet: z.string(), amountCents: c.cents })),
      policy: refundPolicy,
    }),
    problems: ["ticket_state", "ticket_transferred"],
  }),
  cancel: c.row({
    method: "POST",
    path: "/api/tickets/:ticket/cancel",
    access: "holder",
    of: { ticket: "ticket" },
    changes: ["tickets", "wallets", "notices", "activity"],
    summary: "Cancels a ticket; the amount shown comes back to the wallet that paid",
    source: "server/tickets/README.md#refunds-and-transfers-of-tickets",
    input: z.object({ ...oneTicket, refundCents: z.int().check(z.minimum(0), z.maximum(1e9)) }),
    output: c.messageAnswer,
    problems: ["ticket_state", "ticket_transferred", "ticket_refund_changed", "ticket_late"],
  }),
  transfer: c.row({
    method: "POST",
    path: "/api/tickets/:ticket/transfer",
    access: "holder",
    of: { ticket: "ticket", toCardnumber: "number" },
    changes: ["tickets", "activity"],
    summary: "Offers a ticket to another card; says the same whether or not somebody has it",
    source: "server/tickets/README.md#refunds-and-transfers-of-tickets",
    input: z.object({ ...oneTicket, toCardnumber: c.cardnumber }),
    output: ticketTransfer,
    status: 201,
    rate: { max: 12, seconds: 600 },
    problems: [
      "ticket_state",
      "ticket_late",
      "ticket_transfer_open",
      "ticket_transfer_self",
      "ticket_transfers_full",
    ],
  }),
  transferByLink: c.row({
    method: "POST",
    path: "/api/tickets/:ticket/transfer/link",
    access: "holder",
    of: { ticket: "ticket" },
    changes: ["tickets", "activity"],
    summary: "Offers a ticket by a link to share; its address is in this answer and nowhere else",
    source: "server/tickets/README.md#refunds-and-transfers-of-tickets",
    input: z.object(oneTicket),
    output: z.object({ address: z.string() }),
    status: 201,
    rate: { max: 12, seconds: 600 },
    problems: ["ticket_state", "ticket_late", "ticket_transfer_open", "ticket_transfers_full"],
  }),
  claim: c.row({
    method: "POST",
    path: "/api/tickets/transfers/claim",
    access: "holder",
    of: { secret: "secret" },
    changes: ["tickets"],
    summary: "Opens a link: the ticket it offers then waits for the answer of this person alone",
    source: "server/tickets/README.md#refunds-and-transfers-of-tickets",
    input: z.object({ secret: c.linkSecret }),
    output: c.messageAnswer,
    rate: { max: 30, seconds: 600 },
    problems: ["ticket_transfer_over", "ticket_transfer_self"],
  }),
  withdraw: c.row({
    method: "POST",
    path: "/api/tickets/transfers/:id/withdraw",
    access: "holder",
    of: { id: "ticketSent" },
    changes: ["tickets"],
    summary: "Takes back a transfer that waits for its answer",
    source: "server/tickets/README.md#refunds-and-transfers-of-tickets",
    input: oneTransfer,
    output: c.messageAnswer,
    rate: { max: 12, seconds: 600 },
    problems: ["ticket_transfer_over"],
  }),
  accept: c.row({
    method: "POST",
    path: "/api/tickets/transfers/:id/accept",
    access: "holder",
    of: { id: "ticketReceived" },
    changes: ["tickets"],
    summary: "Accepts a ticket: the old QR is revoked, a new one is made",
    source: "server/tickets/README.md#refunds-and-transfers-of-tickets",
    input: oneTransfer,
    output: c.messageAnswer,
    problems: ["ticket_transfer_over", "ticket_transfer_reserved", "tickets_one_each"],
  }),
  decline: c.row({
    method: "POST",
    path: "/api/tickets/transfers/:id/decline",
    access: "holder",
    of: { id: "ticketReceived" },
    changes: ["tickets"],
    summary: "Declines a ticket",
    source: "server/tickets/README.md#refunds-and-transfers-of-tickets",
    input: oneTransfer,
    output: c.messageAnswer,
    problems: ["ticket_transfer_over"],
  }),
  scan: c.row({
    method: "POST",
    path: "/api/tickets/scan",
    access: "professional",
    right: "charge",
    of: { token: "secret" },
    summary: "Admits a ticket, once; for the partner of the event",
    source: "server/tickets/README.md#admission",
    input: z.object({ token: c.text(300, 1) }),
    output: z.object({
      title: z.string(),
      category: z.string(),
      holder: z.string(),
      startsAt: c.instant,
      reference: z.string(),
    }),
    problems: [
      "ticket_forged",
      "ticket_used",
      "ticket_revoked",
      "ticket_early",
      "ticket_late",
      "ticket_elsewhere",
    ],
  }),
} as const;
