// The card: its number, its states, what each state permits, its QR.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";

export const cardStates = [
  "requested",
  "approved",
  "in_production",
  "shipped",
  "received",
  "active",
  "suspended",
  "opposed",
  "damaged",
  "expired",
  "replaced",
] as const;
export type CardState = (typeof cardStates)[number];

/** French names of the states, for screens and PDFs. */
export const cardStateNames: Readonly<Record<CardState, string>> = {
  requested: "Demandée",
  approved: "Acceptée",
  in_production: "En fabrication",
  shipped: "Expédiée",
  received: "Reçue",
  active: "Active",
  suspended: "Suspendue",
  opposed: "En opposition",
  damaged: "Abîmée",
  expired: "Expirée",
  replaced: "Remplacée",
};

/** The one table of transitions, used by the server to refuse and by the screen to grey out. */
export const cardTransitions: Readonly<Record<CardState, readonly CardState[]>> = {
  requested: ["approved"],
  approved: ["in_production"],
  in_production: ["shipped"],
  // A card is often activated before anyone said that it arrived. Those of an order whose parcel was lost
  // begin again as accepted ones, with their order and no other way (server/card-orders).
  shipped: ["received", "active"],
  received: ["active"],
  active: ["suspended", "opposed", "damaged", "expired"],
  suspended: ["active", "opposed", "expired"],
  opposed: ["replaced"],
  // It still pays where it can be read; its replacement is on order whatever becomes of it meanwhile.
  damaged: ["opposed", "expired", "replaced"],
  expired: ["replaced"],
  replaced: [],
};

const may = (card: { state: CardState }, next: CardState) =>
  cardTransitions[card.state].includes(next);

/** What may be done with a card in its state. */
export const cardCan = {
  suspend: (card: { state: CardState }) => may(card, "suspended"),
  resume: (card: { state: CardState }) => card.state === "suspended",
  oppose: (card: { state: CardState }) => may(card, "opposed"),
  reportDamage: (card: { state: CardState }) => may(card, "damaged"),
  activate: (card: { state: CardState }) => card.state !== "suspended" && may(card, "active"),
  /** A holder's first card logs in once it was sent; the password then chosen activates it. */
  logInFirst: (card: { state: CardState }) => cardCan.activate(card),
  /** A card that nobody carries yet gets its bearer before it is first used. */
  assign: (card: { state: CardState }) =>
    ["requested", "approved", "in_production", "shipped", "received"].includes(card.state),
  spend: (card: { state: CardState }) => card.state === "active" || card.state === "damaged",
  /** Its number logs in from its activation until another card has replaced it (spec.md 22). */
  logIn: (card: { state: CardState }) =>
    ["active", "suspended", "opposed", "damaged", "expired"].includes(card.state),
};

/** How a card relates to the person who asks; `employee`: of the company that they manage. */
export const relations = ["self", "child", "guardian", "relative", "employee"] as const;

export const card = z.object({
  cardnumber: c.cardnumber,
  name: z.string(),
  relation: z.enum(relations),
  state: z.enum(cardStates),
  /** 1 usable (active or damaged), 0 suspended or opposed (spec §4). */
  atf: z.int(),
  validUntil: z.nullable(c.day),
  /** Whether the person who asks resumes it once suspended: not a child, nor who carries a company's. */
  canResume: z.boolean(),
  /** The card that takes this one's place, once it is asked for. */
  replacement: z.nullable(z.object({ cardnumber: c.cardnumber, state: z.enum(cardStates) })),
});
export type Card = z.output<typeof card>;

const oneCard = z.object({ cardnumber: c.cardnumberInPath });

export const cards = {
  list: c.row({
    method: "GET",
    path: "/api/cards",
    access: "person",
    of: "self",
    reads: ["cards", "family"],
    summary: "One's own card and those of the family",
    source: "server/cards/README.md#cards-of-the-family",
    input: c.emptyObject,
    output: z.object({ items: z.array(card) }),
    problems: [],
  }),
  qr: c.row({
    method: "GET",
    path: "/api/cards/:cardnumber/qr",
    access: "person",
    of: { cardnumber: "card" },
    reads: ["cards"],
    summary: "A signed token for the card's QR, valid 60 seconds",
    source: "spec.md 24",
    input: oneCard,
    output: z.object({ token: z.string(), expiresAt: c.instant }),
    problems: ["card_suspended", "card_opposed", "card_state"],
  }),
  suspend: c.row({
    method: "POST",
    path: "/api/cards/:cardnumber/suspend",
    access: "person",
    of: { cardnumber: "card" },
    changes: ["cards", "wallets", "passes", "tickets", "pro_cards", "notices", "activity"],
    summary: "Sets atf to 0: the card spends nothing until it is resumed",
    source: "spec §4",
    input: oneCard,
    output: card,
    rate: { max: 60, seconds: 3600 },
    problems: ["card_state", "card_opposed"],
  }),
  resume: c.row({
    method: "POST",
    path: "/api/cards/:cardnumber/resume",
    access: "person",
    of: { cardnumber: "card" },
    changes: ["cards", "wallets", "passes", "tickets", "pro_cards", "notices", "activity"],
    summary:
      "Sets atf back to 1; a child's card by a guardian only, a company's by its responsible",
    source: "server/cards/README.md#suspended-and-opposed-cards; spec.md 25 and 31",
    input: oneCard,
    output: card,
    rate: { max: 60, seconds: 3600 },
    problems: ["card_state", "card_opposed", "family_minor", "pro_card_resume"],
  }),
  oppose: c.row({
    method: "POST",
    path: "/api/cards/:cardnumber/oppose",
    access: "person",
    of: { cardnumber: "card" },
    changes: ["cards", "wallets", "passes", "tickets", "pro_cards", "notices", "activity"],
    summary: "Opposition, final: other sessions end, a replacement with a new number is requested",
    source: "spec.md 22",
    input: z.object({
      cardnumber: c.cardnumberInPath,
      reason: z.enum(["lost", "stolen", "fraud"]),
    }),
    output: card,
    problems: ["card_state", "card_opposed"],
  }),
  reportDamage: c.row({
    method: "POST",
    path: "/api/cards/:cardnumber/damage",
    access: "person",
    of: { cardnumber: "card" },
    changes: ["cards", "wallets", "passes", "tickets", "pro_cards", "notices", "activity"],
    summary:
      "Says that a card is damaged: a free replacement is requested, this one pays until it is active",
    source: "server/cards/README.md#damaged-cards",
    input: z.object({
      cardnumber: c.cardnumberInPath,
      reason: z.enum(["unreadable", "broken"]),
    }),
    output: card,
    problems: ["card_state", "card_opposed"],
  }),
  activate: c.row({
    method: "POST",
    path: "/api/cards/:cardnumber/activate",
    access: "person",
    of: { cardnumber: "card" },
    changes: ["cards", "wallets", "passes", "tickets", "pro_cards", "notices", "activity"],
    summary:
      "Activates the replacement received; that of a card which somebody else suspended, by whoever may resume it",
    source: "server/cards/README.md#suspended-and-opposed-cards; spec.md 22",
    input: oneCard,
    output: card,
    problems: ["card_state", "family_minor", "pro_card_resume"],
  }),
} as const;
