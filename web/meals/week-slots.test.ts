// What ticking several meals at once chooses, and the total that it shows.
import { expect, test } from "vitest";
import type { MealCell } from "#contract/meals/orders.ts";
import { chosenTotal, commonPrice, slotsOf, tickState, toTick, type Week } from "./week-slots.ts";

const monday = "2027-03-01";
const dayAt = (index: number) => `2027-03-0${index + 1}`;

const cell = (index: number, more: Partial<MealCell> = {}): MealCell => ({
  day: dayAt(index),
  closedWhy: index > 4 ? "Pas de service ce jour-là" : null,
  orderUntil: "2027-03-01T09:00:00.000Z",
  cancelUntil: null,
  priceCents: 345,
  priceReason: "",
  seatsLeft: 40,
  warning: null,
  order: null,
  custody: null,
  isElsewhere: false,
  chosen: false,
  problem: null,
  wait: null,
  canWait: false,
  ...more,
});

const person = (
  name: string,
  more: Partial<Week["people"][number]> = {},
  cells: Readonly<Record<number, Partial<MealCell>>> = {},
): Week["people"][number] => ({
  registration: `${name} at ${more.canteen ?? "École"}`,
  cardnumber: name === "Léo" ? 1_000_000_024 : 1_000_000_032,
  name,
  canteen: "École",
  className: "CP",
  diet: "standard",
  mealsLeft: null,
  ...more,
  cells: Array.from({ length: 7 }, (_, index) => cell(index, cells[index])),
});

const week = (people: Week["people"], request: Week["request"] = null): Week => ({
  now: "2027-02-26T08:00:00.000Z",
  monday,
  menus: [],
  people,
  request,
  usual: null,
});

/** « Léo 2 »: whose meal, and on which day of the month. */
const named = (people: Week["people"]) => {
  const slots = slotsOf(week(people), []);
  return toTick(slots, slots).map(
    ({ person: { name }, cell: { day } }) => `${name} ${day.slice(9)}`,
  );
};

const order = {
  id: "o",
  state: "reserved",
  priceCents: 345,
  orderedBy: null,
  canCancel: true,
} as const;

test("all that is open is ticked: not what is ordered, closed, late, full or refused", () => {
  const people = [
    person("Léo", {}, { 1: { closedWhy: "Travaux en cuisine" }, 2: { order } }),
    person(
      "Jade",
      {},
      {
        0: { orderUntil: "2027-02-26T07:00:00.000Z" },
        1: { canWait: true, problem: "Complet" },
        2: { problem: "Sans tarif" },
      },
    ),
  ];
  expect(named(people)).toEqual(["Léo 1", "Léo 4", "Léo 5", "Jade 4", "Jade 5"]);
});

test("the days of the other guardian are left to a press each", () => {
  const away = { custody: { name: "Thomas", own: false } };
  const own = { custody: { name: "Camille", own: true } };
  expect(named([person("Léo", {}, { 0: own, 1: away, 2: own, 3: away, 4: away })])).toEqual([
    "Léo 1",
    "Léo 3",
  ]);
  // Also where one's own are ordered already.
  expect(
    named([person("Léo", {}, { 0: { ...own, order }, 1: away, 2: away, 3: away, 4: away })]),
  ).toEqual([]);
});

test("one meal a day of somebody at two canteens, and no more than the rule for a week", () => {
  const atBoth = [
    person("Léo", { mealsLeft: 3 }),
    person("Léo", { canteen: "Centre" }, { 4: { order } }),
  ];
  expect(named(atBoth)).toEqual(["Léo 1", "Léo 2", "Léo 3", "Léo 4"]);
  // The meals that are chosen count.
  const chosen = person("Jade", { mealsLeft: 2 }, { 3: { chosen: true } });
  expect(named([chosen])).toEqual(["Jade 1"]);
});

test("a box shows none, some or all of what one press chooses", () => {
  const state = (...people: Week["people"]) => {
    const slots = slotsOf(week(people), []);
    return tickState(slots, slots);
  };
  const everyDay = (more: Partial<MealCell>) => ({ 0: more, 1: more, 2: more, 3: more, 4: more });
  expect(state(person("Léo"))).toBe("empty");
  expect(state(person("Léo", {}, { 0: { chosen: true } }))).toBe("some");
  expect(state(person("Léo", {}, everyDay({ chosen: true })))).toBe("all");
  expect(state(person("Léo", {}, everyDay({ order })))).toBe("none");
});

test("what is pressed counts before the server has saved it, in the order of the presses", () => {
  const leo = person("Léo", {}, { 0: { chosen: true } });
  const line = { registration: leo.registration, day: monday, priceCents: 345 };
  const other = { ...line, day: "2027-03-08", priceCents: 200 };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only what the total reads
  const request = { lines: [line, other], totalCents: 545 } as unknown as Week["request"];
  const meals = (...indexes: number[]) =>
    indexes.map((index) => ({ registration: leo.registration, day: dayAt(index) }));
  const pending = [
    { meals: meals(0), chosen: false, confirmed: false },
    { meals: meals(1, 2), chosen: true, confirmed: false },
    { meals: meals(2), chosen: false, confirmed: false },
  ];
  const now = week([leo], request);
  expect(chosenTotal(now, slotsOf(now, pending))).toEqual({
    count: 2,
    totalCents: 545,
    others: 1,
  });
});

test("a price is said once for the week where it is the same", () => {
  const priceOf = (...people: Week["people"]) => commonPrice(slotsOf(week(people), []));
  expect(priceOf(person("Léo"))).toBe("3,45\u202f€");
  expect(priceOf(person("Léo", {}, { 3: { priceCents: 400 } }))).toBe(null);
});
