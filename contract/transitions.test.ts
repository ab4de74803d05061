// The tables of states are consistent: no state is forgotten or unreachable, final states stay final, and
// whatever a screen offers leads to a state of the table.
import { describe, expect, test } from "vitest";
import { cardCan, cardStates, cardTransitions } from "./cards/rows.ts";
import {
  passCan,
  passOrderCan,
  passOrderStates,
  passOrderTransitions,
  passStates,
  passTransitions,
} from "./passes/states.ts";
import {
  illnessCan,
  illnessStates,
  illnessTransitions,
  mealOrderCan,
  mealOrderStates,
  mealOrderTransitions,
} from "./meals/states.ts";
import {
  documentStates,
  documentTransitions,
  paymentStates,
  paymentTransitions,
} from "./invoices/states.ts";
import { membershipCan, membershipStates, membershipTransitions } from "./memberships/states.ts";
import { topUpCan, topUpStates, topUpTransitions } from "./payments/rows.ts";
import {
  subscriptionCan,
  subscriptionStates,
  subscriptionTransitions,
} from "./subscriptions/states.ts";
import { ticketCan, ticketStates, ticketTransitions } from "./tickets/states.ts";

type Table = Readonly<Record<string, readonly string[]>>;
type Permissions = Readonly<Record<string, (one: { state: never }) => boolean>>;

interface Machine {
  states: readonly string[];
  table: Table;
  /** The initial state. */
  first: string;
  can: Permissions;
  /** The state that each permission leads to, where it changes the state. */
  leadsTo: Readonly<Record<string, string>>;
}

const machines: Record<string, Machine> = {
  card: {
    states: cardStates,
    table: cardTransitions,
    first: "requested",
    can: cardCan,
    leadsTo: {
      suspend: "suspended",
      resume: "active",
      oppose: "opposed",
      activate: "active",
      reportDamage: "damaged",
    },
  },
  "document of an invoice": {
    states: documentStates,
    table: documentTransitions,
    first: "draft",
    can: {},
    leadsTo: {},
  },
  "payment of an invoice": {
    states: paymentStates,
    table: paymentTransitions,
    first: "unpaid",
    can: {},
    leadsTo: {},
  },
  "top-up": {
    states: topUpStates,
    table: topUpTransitions,
    first: "initiated",
    can: topUpCan,
    leadsTo: { pay: "credited" },
  },
  pass: {
    states: passStates,
    table: passTransitions,
    first: "pending",
    can: passCan,
    leadsTo: { suspend: "suspended", resume: "active", duplicate: "replaced" },
  },
  "pass order": {
    states: passOrderStates,
    table: passOrderTransitions,
    first: "draft",
    can: passOrderCan,
    leadsTo: { pay: "paid", cancel: "cancelled" },
  },
  subscription: {
    states: subscriptionStates,
    table: subscriptionTransitions,
    first: "draft",
    can: subscriptionCan,
    leadsTo: { fill: "active", review: "active", withdraw: "cancelled" },
  },
  "meal order": {
    states: mealOrderStates,
    table: mealOrderTransitions,
    first: "reserved",
    can: mealOrderCan,
    leadsTo: { validate: "validated", serve: "served", refuse: "refused", cancel: "cancelled" },
  },
  illness: {
    states: illnessStates,
    table: illnessTransitions,
    first: "announced",
    can: illnessCan,
    leadsTo: { prove: "sent", answer: "accepted", withdraw: "withdrawn" },
  },
  membership: {
    states: membershipStates,
    table: membershipTransitions,
    first: "draft",
    can: membershipCan,
    leadsTo: {
      submit: "submitted",
      takeUp: "review",
      ask: "clarification",
      answer: "review",
      approve: "approved",
      reject: "rejected",
    },
  },
  ticket: {
    states: ticketStates,
    table: ticketTransitions,
    first: "held",
    can: ticketCan,
    leadsTo: { use: "used", transfer: "transferred", cancel: "cancelled" },
  },
};

const allowed = (can: Permissions, name: string, state: string) =>
  can[name]?.({ state: state as never }) === true;

describe.each(Object.entries(machines))("%s", (_, { states, table, first, can, leadsTo }) => {
  test("every state stands in the table, and leads to states only", () => {
    expect(Object.keys(table).toSorted()).toEqual([...states].toSorted());
    expect(
      Object.values(table)
        .flat()
        .filter((next) => !states.includes(next)),
    ).toEqual([]);
  });

  test("every state can be reached from the first", () => {
    const reached = new Set([first]);
    for (const state of reached) for (const next of table[state] ?? []) reached.add(next);
    expect(states.filter((state) => !reached.has(state))).toEqual([]);
  });

  // proves: payment-news
  test("what may be done leads where the table allows, and from a last state nowhere", () => {
    const astray = Object.entries(leadsTo).flatMap(([name, to]) =>
      states
        .filter((state) => allowed(can, name, state) && !table[state]?.includes(to))
        .map((state) => `${name} from ${state} to ${to}`),
    );
    expect(astray).toEqual([]);
  });

  test("each permission is given in some state, none in all", () => {
    const counts = Object.keys(can).map((name) => ({
      name,
      times: states.filter((state) => allowed(can, name, state)).length,
    }));
    expect(counts.filter(({ times }) => times === 0 || times === states.length)).toEqual([]);
  });
});

test("nobody spends with a card out of use, rides with a pass or enters with a ticket that is not active", () => {
  expect(cardStates.filter((state) => cardCan.spend({ state }))).toEqual(["active", "damaged"]);
  expect(passStates.filter((state) => passCan.ride({ state }))).toEqual(["active"]);
  const { giveBack, ...acts } = ticketCan;
  for (const may of Object.values(acts))
    expect(ticketStates.filter((state) => may({ state }))).toEqual(["issued"]);
  // Of a cancelled event whose session is not over: people who have entered are refunded too.
  expect(ticketStates.filter((state) => giveBack({ state }))).toEqual(["issued", "used"]);
});
