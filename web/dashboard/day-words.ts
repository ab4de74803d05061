// The words of the family's next day: its title, and until when its meals are ordered.
import { daysBetween, parisDay } from "#contract/days.ts";
import {
  firstName,
  formatDayInWords,
  formatTime,
  listInWords,
  ofName,
  plural,
  spokenDay,
} from "#contract/french.ts";
import type { DayMeal, FamilyDay, PersonDay } from "#contract/portal/family-day.ts";

/** « Aujourd’hui », « Demain », « Lundi 30 novembre »: the heading of a day. */
export function dayTitle(on: string, now: Date): string {
  const near = daysBetween(parisDay(now), on);
  const words = near === 0 || near === 1 ? spokenDay(on, now) : formatDayInWords(on);
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** A day near enough to be called otherwise is dated beside its heading. */
export const dayDate = (on: string, now: Date): string | null =>
  dayTitle(on, now).includes(" ") ? null : formatDayInWords(on);

interface MealsToOrder {
  path: string;
  label: string;
  /** « avant 20:00 », « avant demain, 10:00 »; null where the deadline is unknown. */
  before: string | null;
}

/** The meals that can still be ordered, together where one week orders them. */
export function mealsToOrder({ people }: FamilyDay, now: Date): MealsToOrder[] {
  const open = people.flatMap(({ name, own, meal }) =>
    meal?.state === "open" ? [{ name, own, meal }] : [],
  );
  return [...Map.groupBy(open, ({ meal }) => meal.path)].map(([path, some]) => ({
    path,
    label: orderLabel(some),
    before: earliest(
      some.map(({ meal }) => meal),
      now,
    ),
  }));
}

function orderLabel(some: readonly Pick<PersonDay, "name" | "own">[]): string {
  const [first] = some;
  if (some.length > 2) return `Commander ${plural(some.length, "repas", "repas")}`;
  if (some.length === 1 && first?.own) return "Commander mon repas";
  const among = some.map(({ name }) => name);
  const names = some.map(({ name, own }) => (own ? "vous" : firstName(name, among)));
  return some.length === 1
    ? `Commander le repas ${ofName(names[0] ?? "")}`
    : `Commander pour ${listInWords(names)}`;
}

function earliest(meals: readonly DayMeal[], now: Date): string | null {
  const [until] = meals.flatMap(({ orderUntil }) => orderUntil ?? []).toSorted();
  if (!until) return null;
  const day = spokenDay(until, now);
  return `avant ${day === "aujourd’hui" ? "" : `${day}, `}${formatTime(until)}`;
}
