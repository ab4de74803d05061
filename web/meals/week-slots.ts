// The meals of a week, one slot for each person and day: what can be done with it, and what ticking several at once
// chooses.
import type { api } from "#contract/api.ts";
import type { MealCell } from "#contract/meals/orders.ts";
import type { Output } from "#contract/endpoint.ts";
import { startOfWeek } from "#contract/days.ts";
import { firstName, formatMoney } from "#contract/french.ts";

export type Week = Output<typeof api.canteen.week>;

/** Somebody of the week; `label` names their canteen too where the family eats at several. */
export type Person = Week["people"][number] & { label: string };

export interface Meal {
  registration: string;
  /** ISO date. */
  day: string;
}

/** Meals to choose together, or to take out of the choice. */
export interface MealChoice {
  meals: readonly Meal[];
  chosen: boolean;
  /** The person confirms what the menus hold. */
  confirmed: boolean;
  /** Of meals at the same time as another: confirmed, or left out; else the server asks. */
  sameTime?: "confirmed" | "left out";
}

/**
 * `elsewhere`: the day counts for another registration of the person; `unavailable`: for another reason, which the
 * cell's problem says.
 */
export type SlotState =
  | "elsewhere"
  | "closed"
  | "late"
  | "unavailable"
  | "full"
  | "open"
  | "chosen"
  | "ordered";

export interface Slot {
  person: Person;
  cell: MealCell;
  state: SlotState;
  /** It was pressed and the server has not answered yet. */
  isPending: boolean;
}

/** The people of a week, by their first names. */
export function peopleOf(week: Week): Person[] {
  const canteens = new Set(week.people.map(({ canteen }) => canteen));
  const names = week.people.map(({ name }) => name);
  return week.people.map((person) => {
    const label = firstName(person.name, names);
    return { ...person, label: canteens.size > 1 ? `${label} · ${person.canteen}` : label };
  });
}

/** Every slot of a week, as it will be once the choices that the server has not answered are saved. */
export function slotsOf(week: Week, pending: readonly MealChoice[]): Slot[] {
  return peopleOf(week).flatMap((person) =>
    person.cells.map((cell) => {
      const { registration } = person;
      const last = pending.findLast(({ meals }) =>
        meals.some((meal) => meal.registration === registration && meal.day === cell.day),
      );
      const state = stateOf(cell, week.now);
      return {
        person,
        cell,
        state: last && isChoice({ state }) ? (last.chosen ? "chosen" : "open") : state,
        isPending: last !== undefined,
      };
    }),
  );
}

function stateOf(cell: MealCell, now: string): SlotState {
  if (cell.order) return "ordered";
  if (cell.isElsewhere) return "elsewhere";
  if (cell.chosen) return "chosen";
  if (cell.closedWhy !== null) return "closed";
  if (cell.orderUntil !== null && cell.orderUntil < now) return "late";
  if (cell.canWait || (cell.wait?.state === "waiting" && cell.problem !== null)) return "full";
  return cell.problem === null ? "open" : "unavailable";
}

/** Whether a press chooses the meal or takes it out of the choice. */
export const isChoice = ({ state }: Pick<Slot, "state">): boolean =>
  state === "open" || state === "chosen";

/** Whether nobody else has the child that day. */
const isOwnDay = ({ cell: { custody } }: Slot): boolean => custody === null || custody.own;

const ofDay = ({ person, cell }: Slot) => `${person.cardnumber} ${cell.day}`;

/**
 * Of some slots of a week those that one press chooses: not a child's days with the other guardian, one meal a day
 * for each person, and no more than the canteen's rule for a week.
 */
export function toTick(some: readonly Slot[], week: readonly Slot[]): Slot[] {
  const taken = new Set(
    week.filter(({ state }) => state === "ordered" || state === "chosen").map(ofDay),
  );
  const chosen = new Map<string, number>();
  for (const { person, state } of week) {
    if (state !== "chosen") continue;
    chosen.set(person.registration, (chosen.get(person.registration) ?? 0) + 1);
  }
  return some.filter((slot) => {
    const { registration, mealsLeft } = slot.person;
    const count = chosen.get(registration) ?? 0;
    if (slot.state !== "open" || taken.has(ofDay(slot))) return false;
    if (!isOwnDay(slot) || (mealsLeft !== null && count >= mealsLeft)) return false;
    taken.add(ofDay(slot));
    chosen.set(registration, count + 1);
    return true;
  });
}

/** What a box over some slots shows: `none` is no box, where nothing can be chosen. */
export function tickState(
  some: readonly Slot[],
  week: readonly Slot[],
): "none" | "empty" | "some" | "all" {
  const hasChosen = some.some(({ state }) => state === "chosen");
  const hasMore = toTick(some, week).length > 0;
  if (!hasChosen) return hasMore ? "empty" : "none";
  return hasMore ? "some" : "all";
}

/** « 1,45 € · Quotient jusqu’à 700 », where the price of a person's meals to choose is the same; null elsewhere. */
export function commonPrice(slots: readonly Slot[]): string | null {
  const prices = new Set(slots.filter(isChoice).map(priceWords));
  const [price] = prices;
  return price !== undefined && prices.size === 1 ? price : null;
}

/** What a meal costs, and why. */
export function priceWords({ cell }: Slot): string {
  const price = formatMoney(cell.priceCents ?? 0);
  return cell.priceReason === "" ? price : `${price} · ${cell.priceReason}`;
}

/** The meals chosen at the provider, their price in cents, and how many are of other weeks. */
export function chosenTotal(
  { monday, request }: Week,
  slots: readonly Slot[],
): { count: number; totalCents: number; others: number } {
  const lines = request?.lines ?? [];
  const others = lines.filter(({ day }) => startOfWeek(day) !== monday).length;
  const saved = { count: lines.length, totalCents: request?.totalCents ?? 0, others };
  return slots.reduce((sum, { cell, state }) => {
    const change = Number(state === "chosen") - Number(cell.chosen && isChoice({ state }));
    return {
      ...sum,
      count: sum.count + change,
      totalCents: sum.totalCents + change * (cell.priceCents ?? 0),
    };
  }, saved);
}

export const mealOf = ({ person, cell }: Slot): Meal => ({
  registration: person.registration,
  day: cell.day,
});
