// The terms of a meal for each registration and day: whether it is served, until when it can be ordered and
// cancelled, its price, the seats left. The week's grid, the choice and the payment use one reading of them.
import { sql } from "kysely";
import { type Deadline, deadlineOf } from "#contract/kitchen/deadlines.ts";
import { type AllergenWarning, warningWords } from "#contract/kitchen/dish-allergens.ts";
import type { Diet } from "#contract/kitchen/states.ts";
import type { MealOrderState } from "#contract/meals/states.ts";
import { addDays, daysBetween, instantOfParis, startOfWeek } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { firstName, formatDate, formatDayInWords, formatTime, ofName } from "#contract/french.ts";
import { atOnce, type Db, opaqueParameter } from "#server/db/db.ts";
import { warningsOf } from "./meal-warnings.ts";
import {
  type MealPrice,
  priceKey,
  pricesOn,
  type ServiceCalendar,
  serviceCalendars,
} from "#server/kitchen/kitchen.ts";
import { hasOffer, type OpenWait, openWaitsOf } from "./seat-offers.ts";

/** A registration with the rules of its canteen. */
export interface RegistrationRules {
  id: string;
  providerId: number;
  canteenId: string;
  canteen: string;
  personId: number;
  name: string;
  cardnumber: number;
  className: string;
  diet: Diet;
  accepted: boolean;
  /** The first and the last day on which it counts, null without. */
  fromOn: string | null;
  /** Whether the operator has frozen its provider, which sells nothing. */
  frozen: boolean;
  untilOn: string | null;
  servesFrom: string;
  servesUntil: string;
  seats: number;
  maxPerWeek: number | null;
  orderDeadline: Deadline;
  cancelDeadline: Deadline;
  lateCancelPercent: number;
  absencePercent: number;
}

/** The order of a registration on a day. */
export interface PlacedMeal {
  id: string;
  state: MealOrderState;
  priceCents: number;
  orderedById: number;
  orderedBy: string;
}

export interface MealTerms {
  closedWhy: string | null;
  orderUntil: Date | null;
  cancelUntil: Date | null;
  price: MealPrice | null;
  seatsLeft: number;
  /** The warning of the published menu for the person. */
  warning: AllergenWarning | null;
  order: PlacedMeal | null;
  wait: OpenWait | null;
}

/** The terms of some registrations over some days. */
export interface TermsBook {
  registrations: Map<string, RegistrationRules>;
  on(registrationId: string, day: string): MealTerms;
  /** Meals ordered for a registration in the week of a day. */
  orderedInWeek(registrationId: string, day: string): number;
}

/**
 * Reads the terms of registrations from one day to another, both ISO dates and included; prices only of the
 * days in `priced`, if given; no warnings of menus where not `warned`.
 */
export async function readTerms(
  db: Db,
  registrationIds: readonly string[],
  {
    from,
    to,
    priced,
    warned = true,
  }: { from: string; to: string; priced?: readonly string[]; warned?: boolean },
): Promise<TermsBook> {
  const days = { from, to };
  const [rules, prices, placed, waits] = await atOnce(db, [
    () => rulesOf(db, registrationIds),
    () => pricesOn(db, registrationIds, priced ?? daysOf(days)),
    () => placedMeals(db, registrationIds, days),
    () => openWaitsOf(db, registrationIds, days),
  ]);
  const registrations = new Map(rules.map((row) => [row.id, row]));
  const canteenIds = [...new Set(rules.map(({ canteenId }) => canteenId))];
  const [calendars, seatsLeft, warnings] = await atOnce(db, [
    () => serviceCalendars(db, canteenIds, from),
    () => seatsLeftOf(db, canteenIds, days),
    () => warningsOf(db, warned ? rules : [], days),
  ]);
  const orders = new Map(placed.map((row) => [`${row.registrationId} ${row.day}`, row]));
  const rulesFor = (id: string) => registrations.get(id) as RegistrationRules;
  return {
    registrations,
    on: (id, day) => {
      const row = rulesFor(id);
      const calendar = calendars.get(row.canteenId) as ServiceCalendar;
      const until = (rule: Deadline) =>
        deadlineOf(rule, { day, servesFrom: row.servesFrom }, calendar.closures);
      return {
        closedWhy: calendar.closedWhy(day),
        orderUntil: until(row.orderDeadline),
        cancelUntil: until(row.cancelDeadline),
        price: prices.get(priceKey(id, day)) ?? null,
        seatsLeft: seatsLeft.get(`${row.canteenId} ${day}`) ?? row.seats,
        warning: warnings.get(`${id} ${day}`) ?? null,
        order: orders.get(`${id} ${day}`) ?? null,
        wait: waits.get(`${id} ${day}`) ?? null,
      };
    },
    orderedInWeek: (id, day) => {
      const week = startOfWeek(day);
      return placed.filter((row) => row.registrationId === id && startOfWeek(row.day) === week)
        .length;
    },
  };
}

interface Days {
  from: string;
  to: string;
}

const daysOf = ({ from, to }: Days) =>
  Array.from({ length: daysBetween(from, to) + 1 }, (_, index) => addDays(from, index));

/** Meals ordered in the weeks of these days. */
async function placedMeals(db: Db, registrationIds: readonly string[], { from, to }: Days) {
  const [firstDay, lastDay] = [startOfWeek(from), addDays(startOfWeek(to), 6)];
  const { rows } = await sql<PlacedMeal & { registrationId: string; day: string }>`
    select o.id, o.registration_id, to_char(o.on_day, 'YYYY-MM-DD') as day, o.state,
      o.price_cents, o.ordered_by as ordered_by_id, by.name as ordered_by
    from meal_order o join person by on by.id = o.ordered_by
    where o.registration_id = any (${[...registrationIds]}::uuid[])
      and o.on_day between ${firstDay} and ${lastDay}
      and o.state in ('reserved', 'validated', 'served', 'absent')`.execute(db);
  return rows;
}

/** « canteen day » → seats, where a day has any taken or set. */
async function seatsLeftOf(db: Db, canteenIds: readonly string[], { from, to }: Days) {
  const { rows } = await sql<{ canteenId: string; day: string; left: number }>`
    select canteen_id, to_char(on_day, 'YYYY-MM-DD') as day,
      greatest(0, seats - taken) as left
    from canteen_day where canteen_id = any (${canteenIds}::uuid[])
      and on_day between ${from} and ${to}`.execute(db);
  return new Map(rows.map(({ canteenId, day, left }) => [`${canteenId} ${day}`, left]));
}

async function rulesOf(db: Db, registrationIds: readonly string[]): Promise<RegistrationRules[]> {
  const { rows } = await sql<RegistrationRules>`
    select r.id, c.provider_id, c.id as canteen_id, c.name as canteen,
      r.person_id, p.name, known.number as cardnumber, r.class as class_name, r.diet,
      r.state = 'accepted' as accepted, s.frozen_at is not null as frozen,
      to_char(r.from_on, 'YYYY-MM-DD') as from_on, to_char(r.until_on, 'YYYY-MM-DD') as until_on,
      to_char(c.serves_from, 'HH24:MI') as serves_from,
      to_char(c.serves_until, 'HH24:MI') as serves_until, c.seats, c.max_per_week,
      c.order_deadline, c.cancel_deadline,
      c.late_cancel_percent, c.absence_percent
    from canteen_registration r join canteen c on c.id = r.canteen_id
    join canteen_provider v on v.id = c.provider_id join partner s on s.id = v.partner_id
    join person p on p.id = r.person_id cross join lateral current_card(p.id) known
    where r.id = any (${opaqueParameter([...registrationIds], "uuid[]")})
    order by p.name, r.id`.execute(db);
  return rows;
}

/**
 * Throws the problem that keeps a meal from being ordered at an instant: `meal_not_registered`,
 * `meal_registration_later`, `meal_registration_over`, `meal_provider_frozen`, `meal_closed`,
 * `meal_already_ordered`, `meal_order_off`, `meal_too_late`, `meal_price_missing`, `meals_full` unless a seat
 * is offered, `meal_allergens`, `meal_allergens_undeclared`. `late`: its money is there already, so only the
 * beginning of the service is too late.
 */
export function requireOrderable(
  row: RegistrationRules,
  day: string,
  terms: MealTerms,
  moment: { at: Date; late?: boolean; allergensConfirmed: boolean },
): MealPrice {
  const price = requireServed(row, day, terms, moment);
  if (terms.seatsLeft < 1 && !hasOffer(terms.wait, moment)) throw new Problem("meals_full");
  if (terms.warning && !moment.allergensConfirmed) throwAllergenProblem(terms.warning, row, day);
  return price;
}

function throwAllergenProblem(
  warning: AllergenWarning,
  { name }: RegistrationRules,
  on: string,
): never {
  const day = formatDayInWords(on);
  if (warning.allergens.length === 0) {
    throw new Problem("meal_allergens_undeclared", { day, name });
  }
  throw new Problem("meal_allergens", { day, allergens: warningWords(warning), name });
}

/** The part of these checks that depends neither on a seat nor on allergens. */
export function requireServed(
  row: RegistrationRules,
  day: string,
  terms: MealTerms,
  moment: { at: Date; late?: boolean },
): MealPrice {
  const on = formatDayInWords(day);
  requireRegistered(row, day);
  if (row.frozen) throw new Problem("meal_provider_frozen");
  if (terms.closedWhy !== null) throw new Problem("meal_closed", { day: on, why: terms.closedWhy });
  if (terms.order) throw new Problem("meal_already_ordered", { day: on });
  if (terms.orderUntil === null) throw new Problem("meal_order_off");
  const isOver = moment.late
    ? instantOfParis(day, row.servesFrom) <= moment.at
    : terms.orderUntil < moment.at;
  if (isOver) {
    const until = `${formatDayInWords(terms.orderUntil)} à ${formatTime(terms.orderUntil)}`;
    throw new Problem("meal_too_late", { day: on, until });
  }
  if (terms.price === null) throw new Problem("meal_price_missing");
  return terms.price;
}

function requireRegistered(
  { name, accepted, fromOn, untilOn }: RegistrationRules,
  day: string,
): void {
  if (!accepted) throw new Problem("meal_not_registered");
  const whose = ofName(firstName(name));
  if (fromOn !== null && day < fromOn) {
    throw new Problem("meal_registration_later", { whose, from: formatDate(fromOn) });
  }
  if (untilOn !== null && day > untilOn) {
    throw new Problem("meal_registration_over", { whose, until: formatDate(untilOn) });
  }
}
