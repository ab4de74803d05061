// Who usually orders a meal whose deadline is the next day, and has not ordered it: for the reminder of the evening
// before. Canteens are few and their deadlines are computed here; their families are found in one statement.
import { sql } from "kysely";
import { addDays, parisDay } from "#contract/days.ts";
import { type Deadline, deadlineOf } from "#contract/kitchen/deadlines.ts";
import { habit } from "#contract/meals/limits.ts";
import { type Db, opaqueParameter } from "#server/db/db.ts";
import { custodiansOver, guardiansOfEach } from "#server/family/family.ts";
import { countsOn, serviceCalendars } from "#server/kitchen/kitchen.ts";
import { type EvaluatedMeal, evaluateMeals, type RequestedMeal } from "./requests.ts";

/** A service that is ordered until some instant of the next day. */
interface ClosingService {
  canteenId: string;
  /** ISO date. */
  day: string;
  /** The last services of its weekday, the nearest first, ISO dates. */
  before: readonly string[];
}

/** A usual meal that nobody has ordered, and to whom that is said. */
export interface MissingMeal extends EvaluatedMeal {
  recipients: readonly number[];
}

/** Days after which no meal is searched: a deadline counts at most 60 working days and the closings among them. */
const searchedDays = 200;

/** Meals whose terms are read at once. */
const mealsAtOnce = 500;

/** The meals that a family usually orders, that can be ordered, and whose deadline is on the day after `at`. */
export async function findMissingMeals(db: Db, at: Date): Promise<MissingMeal[]> {
  const candidates = await missingMealsOf(db, await closingServices(db, at));
  const missing: MissingMeal[] = [];
  for (let first = 0; first < candidates.length; first += mealsAtOnce) {
    const some = candidates.slice(first, first + mealsAtOnce);
    const meals = await evaluateMeals(db, some, { at });
    missing.push(
      ...(await withRecipients(
        db,
        meals.filter(({ problem }) => problem === null),
      )),
    );
  }
  return missing;
}

/** The services of every canteen that takes orders, whose deadline is on the day after `at`. */
async function closingServices(db: Db, at: Date): Promise<ClosingService[]> {
  const today = parisDay(at);
  const deadlineDay = addDays(today, 1);
  const { rows } = await sql<{ id: string; servesFrom: string; orderDeadline: Deadline }>`
    select c.id, to_char(c.serves_from, 'HH24:MI') as serves_from, c.order_deadline
    from canteen c join canteen_provider v on v.id = c.provider_id
    join partner s on s.id = v.partner_id where s.frozen_at is null`.execute(db);
  const ids = rows.map(({ id }) => id);
  const calendars = await serviceCalendars(db, ids, today);
  const services: ClosingService[] = [];
  for (const { id, servesFrom, orderDeadline } of rows) {
    const calendar = calendars.get(id);
    if (!calendar) continue;
    const isServed = (day: string) => calendar.closedWhy(day) === null;
    for (let ahead = 0; ahead <= searchedDays; ahead++) {
      const day = addDays(deadlineDay, ahead);
      if (!isServed(day)) continue;
      const until = deadlineOf(orderDeadline, { day, servesFrom }, calendar.closures);
      // A later meal has no earlier deadline.
      if (until === null || parisDay(until) > deadlineDay) break;
      if (parisDay(until) < deadlineDay) continue;
      const sameWeekday = Array.from({ length: habit.weeks }, (_, n) => addDays(day, -7 * (n + 1)));
      const before = sameWeekday.filter(isServed).slice(0, habit.services);
      if (before.length >= habit.orderedServices) services.push({ canteenId: id, day, before });
    }
  }
  return services;
}

/**
 * The meals of these services that registrations ordered on `habit.orderedServices` of the last services of the
 * weekday, whoever ordered them: with a published menu, of a person whose card is in use and who is not announced
 * as ill, and without any order, even cancelled, of a service with the same deadline.
 */
async function missingMealsOf(
  db: Db,
  services: readonly ClosingService[],
): Promise<RequestedMeal[]> {
  if (services.length === 0) return [];
  const list = (values: readonly string[], type: string) => opaqueParameter(values, type);
  const earlier = services.flatMap(({ canteenId, day, before }) =>
    before.map((on) => ({ canteenId, day, on })),
  );
  const { rows } = await sql<{ registrationId: string; day: string }>`
    with closing as materialized (
      select * from unnest(${list(
        services.map(({ canteenId }) => canteenId),
        "uuid[]",
      )}, ${list(
        services.map(({ day }) => day),
        "date[]",
      )}) as s (canteen_id, on_day)
    ), earlier as materialized (
      select * from unnest(${list(
        earlier.map(({ canteenId }) => canteenId),
        "uuid[]",
      )}, ${list(
        earlier.map(({ day }) => day),
        "date[]",
      )}, ${list(
        earlier.map(({ on }) => on),
        "date[]",
      )}) as s (canteen_id, on_day, earlier_on)
    ), usual as materialized (
      select o.registration_id, e.on_day
      from earlier e join meal_order o on o.canteen_id = e.canteen_id and o.on_day = e.earlier_on
      where o.request_id is not null and o.state in ('reserved', 'validated', 'served', 'absent')
      group by 1, 2 having count(distinct o.on_day) >= ${habit.orderedServices}
    ), ordered as materialized (
      select distinct o.registration_id
      from closing s join meal_order o on o.canteen_id = s.canteen_id and o.on_day = s.on_day
    )
    select r.id as registration_id, to_char(u.on_day, 'YYYY-MM-DD') as day
    from usual u join canteen_registration r on r.id = u.registration_id
    join canteen c on c.id = r.canteen_id
    join canteen_menu m on m.provider_id = c.provider_id and m.on_day = u.on_day
    join person p on p.id = r.person_id
    cross join lateral current_card(r.person_id) known
    where ${countsOn("r", sql.ref("u.on_day"))} and m.published_at is not null
      and p.disabled_at is null and known.atf = 1
      and not exists (select from ordered where ordered.registration_id = u.registration_id)
      and not exists (select from meal_illness i where i.registration_id = u.registration_id
        and i.state <> 'withdrawn' and u.on_day between i.from_on and i.to_on)
    order by c.provider_id, r.id, u.on_day`.execute(db);
  // Warned of by the screen that the reminder opens, which ticks no meal with a warning.
  return rows.map((row) => ({ ...row, allergensConfirmed: true }));
}

/**
 * The guardians of whoever would eat, the person itself where it has none; of a day that the guardians of a child
 * have agreed on, the one with whom it is.
 */
async function withRecipients(db: Db, meals: readonly EvaluatedMeal[]): Promise<MissingMeal[]> {
  const days = meals.map(({ day }) => day).toSorted();
  const [from, to] = [days[0], days.at(-1)];
  if (from === undefined || to === undefined) return [];
  const people = [...new Set(meals.map(({ rules }) => rules.personId))];
  const [guardians, custodians] = await Promise.all([
    guardiansOfEach(db, people),
    custodiansOver(db, people, { from, to }),
  ]);
  return meals.map((meal) => {
    const { personId } = meal.rules;
    const custodian = custodians.get(`${personId} ${meal.day}`);
    const recipients = custodian ? [custodian.id] : (guardians.get(personId) ?? [personId]);
    return { ...meal, recipients };
  });
}
