// The classes of a day at the counter, with how many of their meals are served.
import { expect, test } from "vitest";
import type { CounterPerson } from "#contract/meal-service/counter.ts";
import { classesOf, classWords } from "./day-classes.ts";

const eater = (name: string, room: string, state?: "reserved" | "served"): CounterPerson => ({
  registration: name,
  name,
  class: room,
  diet: "standard",
  pai: false,
  allergens: [],
  warning: null,
  photo: null,
  cards: [],
  order: state ? { id: name, number: 1, state, servedAt: null } : null,
  otherDay: null,
  walkInCents: null,
});

test("classes stand in the order of the canteen, with their counts; whoever is served comes last", () => {
  const people = [
    eater("Ana", "CE1", "served"),
    eater("Basile", "CE1"),
    eater("Chloé", "CE1", "reserved"),
    eater("Driss", "CP", "served"),
    eater("Elsa", "Accueil", "reserved"),
    eater("Fanny", ""),
  ];
  const classes = classesOf(people, ["CP", "CE1", "CM2"]);
  expect(classes.map(classWords)).toEqual([
    "CP · 1 sur 1",
    "CE1 · 1 sur 2",
    "Accueil · 0 sur 1",
    "Sans classe · 0 sur 0",
  ]);
  expect(classes[1]?.people.map(({ name }) => name)).toEqual(["Chloé", "Basile", "Ana"]);
});
