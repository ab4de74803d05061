// The next meals of a family on its home page: of each person the one that is ordered, else the one that can or could
// be, at the canteens where they are registered.
import { sql } from "kysely";
import { addDays, startOfWeek } from "#contract/days.ts";
import { dishesServed } from "#contract/kitchen/served-dishes.ts";
import type { MenuView } from "#contract/kitchen/menus.ts";
import { homeDay } from "#contract/limits.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { type DayMeal, dayMealStates } from "#contract/portal/family-day.ts";
import type { Db } from "#server/db/db.ts";
import { menusOf, priceKey, pricesOn } from "#server/kitchen/kitchen.ts";
import type { HolderHome, HomeDayFact, HomeDays } from "#server/portal/portal.ts";
import {
  type MealTerms,
  readTerms,
  type RegistrationRules,
  requireOrderable,
  type TermsBook,
} from "./meal-terms.ts";
import { problemOf } from "./requests.ts";

interface Registration {
  id: string;
  providerId: number;
  slug: string;
  idgroup: number;
}

/**
 * The meals of the first of these days on which anybody has one, at a canteen that serves. Prices take longest
 * to read: only those of a day on which a meal may be open are.
 */
export async function mealsOfDays(
  db: Db,
  { people, at }: HolderHome,
  { from, to }: HomeDays,
): Promise<HomeDayFact[]> {
  const registrations = await registrationsIn(db, people, { from, to });
  if (registrations.length === 0) return [];
  const ids = registrations.map(({ id }) => id);
  const [book, menus] = await Promise.all([
    readTerms(db, ids, { from, to, priced: [] }),
    publishedMenus(db, registrations, { from, to }),
  ]);
  for (let day = from; day <= to; day = addDays(day, 1)) {
    const meals = await mealsOn(db, day, { registrations, book, menus, at });
    if (meals.length > 0) return meals;
  }
  return [];
}

interface KnownTerms {
  registrations: readonly Registration[];
  book: TermsBook;
  menus: ReadonlyMap<string, MenuView>;
  at: Date;
}

async function mealsOn(
  db: Db,
  day: string,
  { registrations, book, menus, at }: KnownTerms,
): Promise<HomeDayFact[]> {
  const withRules = registrations.flatMap((row) => {
    const rules = book.registrations.get(row.id);
    return rules ? [{ ...row, rules, terms: book.on(row.id, day) }] : [];
  });
  const unpriced = withRules.filter(
    ({ rules, terms }) => orderProblem(rules, day, terms, at) === "meal_price_missing",
  );
  const prices = await pricesOn(
    db,
    unpriced.map(({ id }) => id),
    [day],
  );
  const facts = withRules.flatMap(({ id, slug, idgroup, providerId, rules, terms }) => {
    const priced = { ...terms, price: prices.get(priceKey(id, day)) ?? null };
    const state = mealState(rules, day, priced, { at, inWeek: book.orderedInWeek(id, day) });
    if (!state) return [];
    const { orderUntil, warning } = terms;
    const meal: DayMeal = {
      state,
      canteen: rules.canteen,
      dishes: dishNames(menus.get(`${providerId} ${day}`), rules),
      warning,
      orderUntil: state === "open" ? (orderUntil?.toISOString() ?? null) : null,
      path: linkTo(paths.canteenProvider, { name: slug, idgroup }, { week: startOfWeek(day) }),
    };
    return [{ personId: rules.personId, day, meal, servesFrom: rules.servesFrom }];
  });
  return oneOfEach(facts);
}

/** Of somebody who is registered at two canteens one meal: an ordered one first, then the earliest. */
function oneOfEach(
  facts: readonly (HomeDayFact & { meal: DayMeal; servesFrom: string })[],
): HomeDayFact[] {
  const rank = ({ meal }: { meal: DayMeal }) => dayMealStates.indexOf(meal.state);
  const inOrder = facts.toSorted(
    (one, other) => rank(one) - rank(other) || one.servesFrom.localeCompare(other.servesFrom),
  );
  return [...Map.groupBy(inOrder, ({ personId }) => personId).values()].flatMap(([first]) =>
    first ? [{ personId: first.personId, day: first.day, meal: first.meal }] : [],
  );
}

const orderProblem = (rules: RegistrationRules, day: string, terms: MealTerms, at: Date) =>
  problemOf(() => requireOrderable(rules, day, terms, { at, allergensConfirmed: true }))?.code;

/** Null where there is no meal to tell of: the canteen is closed, the person is not registered that day. */
function mealState(
  rules: RegistrationRules,
  day: string,
  terms: MealTerms,
  { at, inWeek }: { at: Date; inWeek: number },
): DayMeal["state"] | null {
  if (terms.order?.state === "absent") return null;
  if (terms.order) return terms.order.state === "served" ? "served" : "ordered";
  const problem = orderProblem(rules, day, terms, at);
  if (problem === "meal_too_late" || problem === "meals_full") return "missed";
  const isWeekFull = rules.maxPerWeek !== null && inWeek >= rules.maxPerWeek;
  return problem || isWeekFull ? null : "open";
}

/** The main dish and its side, else the first dishes; none for somebody who brings their own meal. */
function dishNames(menu: MenuView | undefined, { diet }: RegistrationRules): string[] {
  if (!menu || diet === "packed") return [];
  const served = dishesServed(menu.dishes, diet);
  const inCourse = (course: "main" | "side") => served.filter((dish) => dish.course === course);
  const plate = [...inCourse("main"), ...inCourse("side")];
  return (plate.length > 0 ? plate : served).slice(0, homeDay.dishes).map(({ name }) => name);
}

/** « provider day » → its published menu. */
async function publishedMenus(
  db: Db,
  registrations: readonly Registration[],
  { from, to }: HomeDays,
): Promise<Map<string, MenuView>> {
  const providers = [...new Set(registrations.map(({ providerId }) => providerId))];
  const menus = await Promise.all(
    providers.map(async (id) =>
      (await menusOf(db, id, from, to, { published: true })).map((menu): [string, MenuView] => [
        `${id} ${menu.day}`,
        menu,
      ]),
    ),
  );
  return new Map(menus.flat());
}

/** Accepted registrations of people at any canteen that may count on one of the days. */
async function registrationsIn(
  db: Db,
  people: readonly number[],
  { from, to }: HomeDays,
): Promise<Registration[]> {
  const { rows } = await sql<Registration>`
    select r.id, c.provider_id, g.slug, g.id as idgroup
    from canteen_registration r join canteen c on c.id = r.canteen_id
    join canteen_provider v on v.id = c.provider_id join acceptance_group g on g.id = v.group_id
    where r.person_id = any(${people}::bigint[]) and r.state = 'accepted'
      and (r.from_on is null or r.from_on <= ${to}::date)
      and (r.until_on is null or r.until_on >= ${from}::date)
    order by r.requested_at, r.id`.execute(db);
  return rows;
}
