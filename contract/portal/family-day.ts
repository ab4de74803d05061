// The next day of a family on its home page: who eats what, which bus, which ticket, with whom each child is.
import * as z from "zod/mini";
import * as c from "../endpoint.ts";
import { allergenWarning } from "../kitchen/dish-allergens.ts";
import { departure, lineBadge, nextDepartures } from "../transit/rows.ts";

/** `missed`: none is ordered, and none can be any more. */
export const dayMealStates = ["ordered", "served", "open", "missed"] as const;

/** The meal of a person at the canteen where they are registered, on a day on which it serves. */
const dayMeal = z.object({
  state: z.enum(dayMealStates),
  canteen: z.string(),
  /**
   * The main dish and its side as the person is served them, at most three names. None until the menu is published,
   * and for a person who brings their own meal.
   */
  dishes: z.array(z.string()),
  /** Which of the person's allergens the menu contains, null for no warning. */
  warning: z.nullable(allergenWarning),
  /** Until when it can be ordered; null unless `open`. */
  orderUntil: z.nullable(c.instant),
  /** The week in which it is ordered or cancelled. */
  path: z.string(),
});
export type DayMeal = z.output<typeof dayMeal>;

const boarding = z.object({
  line: lineBadge,
  /** Where it goes. */
  to: z.string(),
  stop: z.string(),
  /** Departures of that day, the nearest first, at most three: from now on, from 07:00 of a later day. */
  next: z.array(departure).check(z.minLength(1)),
});
export type Boarding = z.output<typeof boarding>;

const dayTicket = z.object({
  /** Id of the session. */
  id: z.string(),
  title: z.string(),
  place: z.nullable(z.string()),
  from: c.instant,
  count: z.int(),
});
export type DayTicket = z.output<typeof dayTicket>;

const personDay = z.object({
  cardnumber: c.cardnumber,
  name: z.string(),
  own: z.boolean(),
  meal: z.nullable(dayMeal),
  /** The bus from the stop chosen with a pass that is valid that day. */
  bus: z.nullable(boarding),
  /** For sessions that begin that day or are left of today, and are not over; the nearest first. */
  tickets: z.array(dayTicket),
  /** Who has the child that day by agreement of its guardians. */
  custodian: z.nullable(z.object({ name: z.string(), own: z.boolean() })),
});
export type PersonDay = z.output<typeof personDay>;

export const familyDay = z.object({
  /**
   * Today before 14:00 in Paris, tomorrow afterwards; the next day within a week with a meal or a ticket where
   * that one has none.
   */
  on: c.day,
  /** The children by name, then the holder if something is theirs. None where nothing is known of the day. */
  people: z.array(personDay),
});
export type FamilyDay = z.output<typeof familyDay>;

/** The favourite stop chosen first of those that have buses within seven days. */
export const homeStop = z.object({
  id: z.int(),
  name: z.string(),
  /** The server's clock, so that « dans 4 min » is right on any device. */
  now: c.instant,
  /** The two lines and directions whose buses leave first. */
  items: z.array(nextDepartures).check(z.minLength(1)),
});
export type HomeStop = z.output<typeof homeStop>;
