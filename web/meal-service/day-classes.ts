// The people of a day by class, each class with how many of its meals are served.
import type { CounterPerson } from "#contract/meal-service/counter.ts";

export interface DayClass {
  /** Empty for people without one. */
  name: string;
  /** Meals that are ordered, those without an order once they are handed. */
  meals: number;
  served: number;
  /** Those to serve first, then who has no order; those served last. */
  people: readonly CounterPerson[];
}

/** Those to serve come before whoever has no order, and those served come last. */
export const rank = ({ order }: CounterPerson): number =>
  !order ? 1 : order.state === "served" ? 2 : 0;

/** Classes in the order of the canteen, then those that it does not list, then people without a class. */
export function classesOf(
  people: readonly CounterPerson[],
  order: readonly string[],
): readonly DayClass[] {
  const byName = Map.groupBy(people, (person) => person.class);
  const place = (name: string): number => {
    if (name === "") return order.length + 1;
    const found = order.indexOf(name);
    return found === -1 ? order.length : found;
  };
  return [...byName]
    .toSorted(([a], [b]) => place(a) - place(b) || a.localeCompare(b, "fr"))
    .map(([name, all]) => ({
      name,
      meals: all.filter((person) => person.order).length,
      served: all.filter((person) => person.order?.state === "served").length,
      people: all.toSorted((a, b) => rank(a) - rank(b)),
    }));
}

/** « CE1 · 12 sur 24 »: how many meals of a class are served. */
export const classWords = ({ name, served, meals }: DayClass): string =>
  `${name || "Sans classe"} · ${served} sur ${meals}`;
