import { expect, test } from "vitest";
import type { DayMeal, FamilyDay, PersonDay } from "#contract/portal/family-day.ts";
import { dayDate, dayTitle, mealsToOrder } from "./day-words.ts";

/** A Wednesday, 17:00 in Paris. */
const now = new Date("2027-03-10T16:00:00Z");

test.each([
  ["2027-03-10", "Aujourd’hui", "mercredi 10 mars"],
  ["2027-03-11", "Demain", "jeudi 11 mars"],
  ["2027-03-12", "Vendredi 12 mars", null],
  ["2027-03-15", "Lundi 15 mars", null],
])("%s is called as people call it, and dated where that is no date", (on, title, date) => {
  expect([dayTitle(on, now), dayDate(on, now)]).toEqual([title, date]);
});

const person = (name: string, meal: Partial<DayMeal>, own = false): PersonDay => ({
  cardnumber: 1_000_000_024,
  name,
  own,
  meal: {
    state: "open",
    canteen: "École des Embruns",
    dishes: [],
    warning: null,
    orderUntil: "2027-03-10T19:00:00Z",
    path: "/une",
    ...meal,
  },
  bus: null,
  tickets: [],
  custodian: null,
});
const buttons = (...people: PersonDay[]) => {
  const day: FamilyDay = { on: "2027-03-11", people };
  return mealsToOrder(day, now).map(({ label, before, path }) => [label, before, path]);
};

test("the meals of one week are ordered by one button, before the earliest deadline", () => {
  const ordered = { state: "ordered", orderUntil: null } as const;
  expect(buttons(person("Léo Moreau", {}), person("Jade Moreau", ordered))).toEqual([
    ["Commander le repas de Léo", "avant 20:00", "/une"],
  ]);
  expect(
    buttons(
      person("Léo Moreau", {}),
      person("Inès Moreau", { orderUntil: "2027-03-10T18:00:00Z" }),
    ),
  ).toEqual([["Commander pour Léo et Inès", "avant 19:00", "/une"]]);
  expect(buttons(person("Léo Moreau", {}), person("Camille Moreau", {}, true))).toEqual([
    ["Commander pour Léo et vous", "avant 20:00", "/une"],
  ]);
  const three = ["Léo", "Jade", "Inès"].map((name) => person(name, {}));
  expect(buttons(...three)).toEqual([["Commander 3 repas", "avant 20:00", "/une"]]);
});

test("two canteens have a button each; a deadline of another day is told with it", () => {
  const other = { path: "/autre", orderUntil: "2027-03-11T08:00:00Z" };
  expect(buttons(person("Léo Moreau", {}), person("Camille Moreau", other, true))).toEqual([
    ["Commander le repas de Léo", "avant 20:00", "/une"],
    ["Commander mon repas", "avant demain, 09:00", "/autre"],
  ]);
});

test("meals that are ordered, served or missed have no button", () => {
  const states = ["ordered", "served", "missed"] as const;
  expect(buttons(...states.map((state) => person("Léo Moreau", { state })))).toEqual([]);
});
