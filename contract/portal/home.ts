// The home of a person: what waits for an answer, the children with their money, what comes next. One
// answer, so that the first screen asks for it once.
import * as z from "zod/mini";
import { cardStates } from "../cards/rows.ts";
import * as c from "../endpoint.ts";
import { familyDay, homeStop } from "./family-day.ts";

/** Open items that the person should deal with. */
export const toDoKinds = [
  "till",
  "closing",
  "invitation",
  "money_request",
  "custody",
  "ticket_received",
  "ticket_offered",
  "meal_offered",
  "meal_warned",
  "cart",
  "pass_order",
  "subscription",
  "membership",
  "employer",
  "proof_refused",
  "proof_ending",
  "answer",
  "card_refused",
] as const;
export type ToDoKind = (typeof toDoKinds)[number];

const toDo = z.object({
  kind: z.enum(toDoKinds),
  /** Id of the invitation, the transfer, the purchase, the proof… */
  id: z.string(),
  /** Whom it is about: oneself or a child. */
  cardnumber: c.cardnumber,
  name: z.string(),
  own: z.boolean(),
  /** Who asks, null where nobody does. */
  from: z.nullable(z.string()),
  /**
   * The cents that a till asks, the kind of proof, the title of the event, the product, the network, the
   * subject, the day of a meal or of a closing; of a request for money, what `readRequestToDo` reads.
   */
  what: z.nullable(z.string()),
  /** Until when it can be done, or ends. */
  until: z.nullable(c.instant),
  /** Where it is done. */
  path: z.string(),
});
export type ToDoView = z.output<typeof toDo>;

const child = z.object({
  cardnumber: c.cardnumber,
  name: z.string(),
  state: z.enum(cardStates),
  avatar: z.nullable(z.string()),
  /** The main wallet: null where the card has none. */
  wallet: z.nullable(
    z.object({
      objectID: c.uuid,
      slug: z.string(),
      idgroup: z.int(),
      frozen: z.boolean(),
      /** The main figure beside a wallet's name: the money in it, what is booked included. */
      balanceCents: c.cents,
      /** What can still be spent. */
      projectedCents: c.cents,
    }),
  ),
});
export type HomeChild = z.output<typeof child>;

const coming = z.object({
  kind: z.enum(["ticket", "pass"]),
  id: z.string(),
  title: z.string(),
  /** Holders of the tickets for one session. */
  holders: z.array(z.string()),
  cardnumber: c.cardnumber,
  place: z.nullable(z.string()),
  idgroup: z.nullable(z.int()),
  /** How many tickets. */
  count: z.int(),
  from: c.instant,
  /** For a pass, the first instant at which it is no longer valid. */
  until: c.instant,
  suspended: z.boolean(),
});
export type HomeComing = z.output<typeof coming>;

const serviceFacts = z.object({
  /** The money in the main wallet, what is booked included; null for a card without one. */
  balanceCents: z.nullable(c.cents),
  /** The last day of the yearly subscription that runs. */
  subscribedUntil: z.nullable(c.day),
  /** Tickets of the next session; those of one's children too. */
  tickets: z.nullable(z.object({ count: z.int(), from: c.instant })),
  /** A pass that is valid now, one's own before a child's. */
  pass: z.nullable(
    z.object({
      /** Whose it is; null for the card's own. */
      holder: z.nullable(z.string()),
      lastOn: c.day,
      /** The next bus from the stop that was chosen with the pass. */
      next: z.nullable(z.object({ line: z.string(), at: c.instant, onRequest: z.boolean() })),
    }),
  ),
  /** Partners that the directory lists. */
  partners: z.int(),
});
export type ServiceFacts = z.output<typeof serviceFacts>;

export const home = {
  read: c.row({
    method: "GET",
    path: "/api/home",
    access: "person",
    of: { cardnumber: "card" },
    reads: [
      "wallets",
      "cards",
      "tickets",
      "meals",
      "passes",
      "grants",
      "subscriptions",
      "memberships",
      "enrolments",
      "family",
      "custody",
      "entitlements",
      "commuting",
      "contact",
      "privacy",
      "allergies",
      "till",
      "registrations",
      "menus",
      "closings",
      "favourites",
      "person",
      "money_requests",
    ],
    summary:
      "What a person has to do, their children with what each can spend, their next day, what comes later",
    source: "spec §2 dashboard; server/portal/README.md#home-of-a-holder",
    input: z.object({ cardnumber: c.cardnumberInPath }),
    output: z.object({
      toDos: z.array(toDo),
      /** Children that one is a guardian of, by name; none while acting for one of them. */
      children: z.array(child),
      /** Tickets to come, by date, then passes that are valid or will be. */
      coming: z.array(coming),
      /** Whether one of them is or was registered at a canteen: only then are meals read. */
      canteen: z.boolean(),
      day: familyDay,
      /** Whether the tour of the first day is offered and was neither walked nor skipped; false while acting for a child. */
      tour: z.boolean(),
      /** Null without a favourite stop that has buses; null while acting for a child. */
      stop: z.nullable(homeStop),
    }),
    problems: [],
  }),
  services: c.row({
    method: "GET",
    path: "/api/home/services",
    access: "person",
    of: { cardnumber: "card" },
    reads: ["wallets", "tickets", "meals", "passes", "cards"],
    summary: "What the tiles of the services say of a card today",
    source: "spec §2 services_list_local; server/partners/README.md#services",
    input: z.object({ cardnumber: c.cardnumberInPath }),
    output: serviceFacts,
    problems: [],
  }),
} as const;
export type Home = z.output<(typeof home)["read"]["output"]>;
