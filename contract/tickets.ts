// E-tickets: events with their sessions, tickets, transfers; the cart is in ticket-cart.ts.
import * as z from "zod/mini";
import { cart, cartRows } from "./ticket-cart.ts";
import * as c from "./endpoint.ts";
import { eventKinds, refundPolicy, ticketStates } from "./ticket-states.ts";

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
  mostEach: z.int(),
};

export const offerLine = z.object({
  ...described,
  /** Of the sessions to come. */
  firstAt: c.instant,
  lastAt: c.instant,
  sessions: z.int(),
  fromCents: c.cents,
  remaining: z.int(),
  seats: z.int(),
});
export type OfferLine = z.output<typeof offerLine>;

const category = z.object({
  id: c.uuid,
  name: z.string(),
  priceCents: c.cents,
  ageMin: z.nullable(z.int()),
  ageMax: z.nullable(z.int()),
  student: z.boolean(),
  quotientMax: z.nullable(z.int()),
  /** Whether the price is for the person of the card asked about. */
  eligible: z.boolean(),
});

const session = z.object({
  id: c.uuid,
  startsAt: c.instant,
  endsAt: c.instant,
  seats: z.int(),
  remaining: z.int(),
  /** What is left for a category that has a quota of its own; absent: only the session's counts. */
  left: z.record(z.string(), z.int()),
  /** People who wait for seats of this session. */
  waiting: z.int(),
});

const offer = z.object({
  ...described,
  policy: refundPolicy,
  categories: z.array(category),
  sessions: z.array(session),
  /** Tickets of this event that the caller has already, cart included. */
  mine: z.int(),
});
export type Offer = z.output<typeof offer>;

export const ticketTransfer = z.object({
  id: c.uuid,
  title: z.string(),
  startsAt: c.instant,
  venue: z.string(),
  category: z.string(),
  from: z.string(),
  toCardnumber: c.cardnumber,
  expiresAt: c.instant,
});
export type TicketTransfer = z.output<typeof ticketTransfer>;

export const ticket = z.object({
  id: c.uuid,
  /** What is read aloud at a desk. */
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
  /** What the QR holds, while the ticket is good. */
  token: z.nullable(z.string()),
  usedAt: z.nullable(c.instant),
  transfer: z.nullable(z.object({ id: c.uuid, toCardnumber: c.cardnumber, expiresAt: c.instant })),
});
export type Ticket = z.output<typeof ticket>;

export const ticketWait = z.object({
  id: c.uuid,
  offer: c.uuid,
  title: z.string(),
  startsAt: c.instant,
  category: z.string(),
  quantity: z.int(),
  state: z.enum(["waiting", "offered"]),
  /** How many people are before. */
  before: z.int(),
  offeredUntil: z.nullable(c.instant),
});
export type TicketWait = z.output<typeof ticketWait>;

const oneTicket = { ticket: c.uuid };
const oneTransfer = z.object({ id: c.uuid });

export const tickets = {
  billet: c.row({
    method: "POST",
    path: "/api/public/services/billet",
    access: "person",
    scope: "card",
    summary: "The events on sale, as /services/E-Billet reads them",
    source: "spec §7, décisions 4 and 12",
    input: z.object({ cardnumber: c.cardnumber }),
    output: z.object({ items: z.array(offerLine) }),
    problems: [],
  }),
  offer: c.row({
    method: "GET",
    path: "/api/tickets/offers/:offer",
    access: "holder",
    scope: "card",
    summary: "An event with its sessions and prices, what remains, and which prices are for a card",
    source: "product decision: e-tickets",
    input: z.object({ offer: c.uuid, cardnumber: c.cardnumberInPath }),
    output: z.object({ offer, now: c.instant }),
    problems: [],
  }),
  list: c.row({
    method: "GET",
    path: "/api/tickets",
    access: "holder",
    scope: "card",
    summary: "Tickets of a card, transfers that wait for its answer, its places on waiting lists",
    source: "product decision: e-tickets",
    input: z.object({ cardnumber: c.cardnumberInPath }),
    output: z.object({
      items: z.array(ticket),
      received: z.array(ticketTransfer),
      waits: z.array(ticketWait),
    }),
    problems: [],
  }),
  ...cartRows,
  order: c.row({
    method: "GET",
    path: "/api/tickets/orders/:order",
    access: "holder",
    scope: "own",
    summary: "What became of a cart: its tickets once paid",
    source: "product decision: e-tickets",
    input: z.object({ order: c.uuid }),
    output: z.object({ order: cart, tickets: z.array(ticket) }),
    problems: [],
  }),
  print: c.row({
    method: "GET",
    path: "/api/tickets/:ticket/ticket.pdf",
    access: "holder",
    scope: "ticket",
    summary: "A ticket as a tagged PDF with its QR",
    source: "spec §2 Billet_public",
    input: z.object(oneTicket),
    output: c.document,
    reply: "pdf",
    problems: ["ticket_state"],
  }),
  refund: c.row({
    method: "GET",
    path: "/api/tickets/:ticket/refund",
    access: "holder",
    scope: "ticket",
    summary: "What a cancellation would give back now, by the policy frozen at purchase",
    source: "product decision: e-tickets",
    input: z.object(oneTicket),
    output: z.object({
      refundCents: c.cents,
      /** Aid that has expired since: it does not come back. */
      lostCents: c.cents,
      percent: z.int(),
      to: z.string(),
      policy: refundPolicy,
    }),
    problems: ["ticket_state", "ticket_given"],
  }),
  cancel: c.row({
    method: "POST",
    path: "/api/tickets/:ticket/cancel",
    access: "holder",
    scope: "ticket",
    summary: "Cancels a ticket; the amount shown comes back to the wallet that paid",
    source: "product decision: e-tickets",
    input: z.object({ ...oneTicket, refundCents: z.int().check(z.minimum(0), z.maximum(1e9)) }),
    output: c.done,
    problems: ["ticket_state", "ticket_given", "ticket_refund_changed", "ticket_late"],
  }),
  transfer: c.row({
    method: "POST",
    path: "/api/tickets/:ticket/transfer",
    access: "holder",
    scope: "ticket",
    summary: "Offers a ticket to another card; says the same whether or not somebody has it",
    source: "product decision: e-tickets",
    input: z.object({ ...oneTicket, toCardnumber: c.cardnumber }),
    output: ticketTransfer,
    status: 201,
    problems: [
      "ticket_state",
      "ticket_late",
      "ticket_transfer_open",
      "ticket_transfer_self",
      "ticket_transfers_full",
    ],
  }),
  withdraw: c.row({
    method: "POST",
    path: "/api/tickets/transfers/:id/withdraw",
    access: "holder",
    scope: "own",
    summary: "Takes back a transfer that waits for its answer",
    source: "product decision: e-tickets",
    input: oneTransfer,
    output: c.done,
    problems: ["ticket_transfer_over"],
  }),
  accept: c.row({
    method: "POST",
    path: "/api/tickets/transfers/:id/accept",
    access: "holder",
    scope: "own",
    summary: "Accepts a ticket: the old QR is revoked, a new one is made",
    source: "product decision: e-tickets",
    input: oneTransfer,
    output: c.done,
    problems: ["ticket_transfer_over", "tickets_profile", "tickets_one_each"],
  }),
  decline: c.row({
    method: "POST",
    path: "/api/tickets/transfers/:id/decline",
    access: "holder",
    scope: "own",
    summary: "Declines a ticket",
    source: "product decision: e-tickets",
    input: oneTransfer,
    output: c.done,
    problems: ["ticket_transfer_over"],
  }),
  scan: c.row({
    method: "POST",
    path: "/api/tickets/scan",
    access: "professional",
    scope: "own",
    summary: "Lets a ticket in, once; for the partner of the event",
    source: "product decision: e-tickets",
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
  revocations: c.row({
    method: "GET",
    path: "/api/tickets/revocations",
    access: "professional",
    scope: "own",
    summary: "Signed list of the QR codes that must not be let in, for controls without network",
    source: "product decision: e-tickets",
    input: c.nothing,
    output: z.object({
      /** JSON {at, until, revoked: [[ticket id, first good revision or 0], …]}, exactly as signed. */
      payload: z.string(),
      /** Ed25519, base64url, over "ma-carte ticket revocations 1\0" followed by the payload. */
      signature: z.string(),
      keyId: z.string(),
      /** SPKI, base64url. */
      publicKey: z.string(),
    }),
    problems: [],
  }),
} as const;
