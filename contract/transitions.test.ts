// What each state permits, told state by state: the tables that the server refuses by and the screens
// grey out by. A change of a table is a change here, seen and meant.
import { describe, expect, test } from "vitest";
import { cardCan, type CardState, cardStates, cardTransitions } from "./cards.ts";
import { isCardnumber } from "./endpoint.ts";
import {
  passCan,
  passOrderCan,
  passOrderStates,
  passOrderTransitions,
  type PassState,
  passStates,
  passTransitions,
} from "./pass-states.ts";
import { topUpCan, type TopUpState, topUpStates, topUpTransitions } from "./payments.ts";
import {
  subscriptionCan,
  subscriptionStates,
  subscriptionTransitions,
} from "./subscription-states.ts";

const lines = (table: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(table).map(([state, next]) => `${state} → ${next.join(", ") || "nothing"}`);

/** The names of what a table of permissions allows in a state. */
const allowed = <State extends string>(
  can: Readonly<Record<string, (one: { state: State }) => boolean>>,
  state: State,
) =>
  Object.entries(can)
    .filter(([, may]) => may({ state }))
    .map(([name]) => name);

describe("cards", () => {
  test("the table of transitions", () => {
    expect(lines(cardTransitions)).toEqual([
      "requested → approved",
      "approved → in_production",
      "in_production → shipped",
      "shipped → received, active",
      "received → active",
      "active → suspended, opposed, damaged, expired",
      "suspended → active, opposed, expired",
      "opposed → replaced",
      "damaged → replaced",
      "expired → replaced",
      "replaced → nothing",
    ]);
    expect(Object.keys(cardTransitions)).toEqual([...cardStates]);
  });

  const permitted: Partial<Record<CardState, string[]>> = {
    shipped: ["activate"],
    received: ["activate"],
    active: ["suspend", "oppose", "spend"],
    suspended: ["resume", "oppose"],
  };
  test.each(cardStates)("what may be done with a card that is %s", (state) => {
    expect(allowed(cardCan, state)).toEqual(permitted[state] ?? []);
  });
});

describe("top-ups", () => {
  test("the table of transitions", () => {
    expect(lines(topUpTransitions)).toEqual([
      "initiated → authorized, credited, declined, review",
      "authorized → credited, declined, review",
      "declined → credited, review",
      "review → credited, declined, refunded",
      "credited → refunded, disputed",
      "refunded → nothing",
      "disputed → nothing",
    ]);
    expect(Object.keys(topUpTransitions).sort()).toEqual([...topUpStates].sort());
  });

  const permitted: Record<TopUpState, string[]> = {
    initiated: ["pay"],
    authorized: [],
    credited: ["rest", "receipt"],
    declined: ["rest"],
    review: ["rest"],
    refunded: ["rest"],
    disputed: ["rest"],
  };
  test.each(topUpStates)("what may be done with a top-up that is %s", (state) => {
    expect(allowed(topUpCan, state)).toEqual(permitted[state]);
  });
});

describe("passes", () => {
  test("the tables of transitions", () => {
    expect(lines(passTransitions)).toEqual([
      "pending → active",
      "active → suspended, expired, replaced",
      "suspended → active, replaced",
      "expired → nothing",
      "replaced → nothing",
    ]);
    expect(Object.keys(passTransitions)).toEqual([...passStates]);
    expect(lines(passOrderTransitions)).toEqual([
      "draft → awaiting_payment, paid, cancelled",
      "awaiting_payment → paid, draft, cancelled",
      "paid → nothing",
      "cancelled → nothing",
    ]);
  });

  const permitted: Record<PassState, string[]> = {
    pending: ["show"],
    active: ["ride", "show", "suspend", "duplicate"],
    suspended: ["resume", "duplicate"],
    expired: [],
    replaced: [],
  };
  test.each(passStates)("what may be done with a pass that is %s", (state) => {
    expect(allowed(passCan, state)).toEqual(permitted[state]);
  });

  const orders = {
    draft: ["change", "pay", "cancel"],
    awaiting_payment: ["pay", "cancel"],
    paid: [],
    cancelled: [],
  };
  test.each(passOrderStates)("what may be done with a purchase that is %s", (state) => {
    expect(allowed(passOrderCan, state)).toEqual(orders[state]);
  });
});

describe("isCardnumber", () => {
  test.each([1_000_000_016, 1_000_000_024, 2_000_000_014, 1_987_654_322, 2_999_999_994])(
    "%i is one",
    (number) => {
      expect(isCardnumber(number)).toBe(true);
    },
  );

  test.each([
    ["another kind", 3_000_000_004],
    ["nine digits", 100_000_008],
    ["eleven digits that pass the sum", 10_000_000_009],
    ["twelve digits that pass the sum", 591_000_000_016],
    ["negative", -1_000_000_016],
    ["not whole", 1_000_000_016.5],
    ["not a number", Number.NaN],
    ["zero", 0],
  ])("%s is none", (_, number) => {
    expect(isCardnumber(number)).toBe(false);
  });

  test("of the ten numbers that share nine digits exactly one is right", () => {
    for (const nine of [100_000_001, 198_765_432, 200_000_001, 299_999_999, 155_555_555]) {
      const right = Array.from({ length: 10 }, (_, digit) => nine * 10 + digit).filter(
        isCardnumber,
      );
      expect(right).toHaveLength(1);
    }
  });

  test("one wrong digit, or two neighbours swapped, is always seen", () => {
    const right = "1987654322";
    for (let at = 1; at < right.length; at++) {
      for (let digit = 0; digit < 10; digit++) {
        if (String(digit) === right[at]) continue;
        expect(isCardnumber(Number(right.slice(0, at) + digit + right.slice(at + 1)))).toBe(false);
      }
      if (right[at - 1] === right[at]) continue;
      const swapped = right.split("");
      [swapped[at - 1], swapped[at]] = [swapped[at] as string, swapped[at - 1] as string];
      expect(isCardnumber(Number(swapped.join("")))).toBe(false);
    }
  });
});

describe("subscriptions", () => {
  test("the table of transitions", () => {
    expect(lines(subscriptionTransitions)).toEqual([
      "draft → review, active, abandoned",
      "review → active, refused, cancelled",
      "active → expired, cancelled",
      "expired → nothing",
      "refused → nothing",
      "cancelled → nothing",
      "abandoned → nothing",
    ]);
    expect(Object.keys(subscriptionTransitions)).toEqual([...subscriptionStates]);
  });

  test("what each state permits", () => {
    const permitted = subscriptionStates.map((state) => [state, allowed(subscriptionCan, state)]);
    expect(Object.fromEntries(permitted)).toEqual({
      draft: ["fill"],
      review: ["judge", "withdraw", "receipt"],
      active: ["withdraw", "receipt"],
      expired: ["receipt"],
      refused: ["receipt"],
      cancelled: ["receipt"],
      abandoned: [],
    });
  });
});
