// Meals that a person chose to order at a provider and has not paid: one open request for each, changed line
// by line or by weeks. It is priced anew whenever it is read and once more when it is paid.
import { sql } from "kysely";
import type { MealLine, MealRequest } from "#contract/meals/orders.ts";
import { addDays, parisDay, weekdayOf } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { firstName, formatDayInWords } from "#contract/french.ts";
import { canteen as limits } from "#contract/limits.ts";
import { reviseOrder } from "#server/checkout/checkout.ts";
import { type Db, inTx, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { mayActFor } from "#server/family/family.ts";
import type { PersonCall } from "#server/http/caller.ts";
import { orderPaymentSql } from "#server/payments/payments.ts";
import { sameTimeMeals } from "./same-time.ts";
import {
  type MealTerms,
  readTerms,
  type RegistrationRules,
  requireOrderable,
  type TermsBook,
} from "./meal-terms.ts";

export interface RequestRow {
  id: string;
  personId: number;
  providerId: number;
  groupId: number;
  /** The group's name in addresses. */
  slug: string;
  state: "open" | "paid";
  revision: number;
}

export const requestColumns = sql`q.id, q.person_id, q.provider_id,
  v.group_id, (select slug from acceptance_group where id = v.group_id) as slug, q.state, q.revision`;

/** A meal that a request asks for. */
export interface RequestedMeal {
  registrationId: string;
  day: string;
  allergensConfirmed: boolean;
}

/** A requested meal with its terms and the problem that keeps it from being ordered. */
export interface EvaluatedMeal extends RequestedMeal {
  rules: RegistrationRules;
  terms: MealTerms;
  problem: Problem | null;
}

/** The provider of an acceptance group; `not_found` for any other. */
export async function requireProviderOf(db: Db, groupId: number): Promise<number> {
  const found = await query(db).maybeOne(sql<{ id: number }>`
    select id from canteen_provider where group_id = ${groupId}`);
  if (!found) throw new Problem("not_found");
  return found.id;
}

/** Ids of the registrations of the person and their children at a provider, only those that count. */
export async function registrationsOf(
  db: Db,
  personId: number,
  providerId: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select r.id from canteen_registration r join canteen c on c.id = r.canteen_id
    where c.provider_id = ${providerId} and r.state = 'accepted'
      and ${mayActFor(personId, sql.ref("r.person_id"))}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Refuses `not_found` unless all these registrations are among them. */
export async function requireRegistrationsOf(
  db: Db,
  { personId, providerId }: { personId: number; providerId: number },
  ids: readonly string[],
): Promise<void> {
  const known = new Set(await registrationsOf(db, personId, providerId));
  if (ids.some((id) => !known.has(id))) throw new Problem("not_found");
}

/** Requested meals in the order of their days, each evaluated at an instant. */
export async function evaluateMeals(
  db: Db,
  meals: readonly RequestedMeal[],
  { at, late = false }: { at: Date; late?: boolean },
): Promise<EvaluatedMeal[]> {
  const days = meals.map(({ day }) => day).toSorted();
  const [from = parisDay(at)] = days;
  const to = days.at(-1) ?? from;
  const ids = [...new Set(meals.map(({ registrationId }) => registrationId))];
  const book = await readTerms(db, ids, { from, to, priced: days });
  const inWeek = weekCounter(book);
  return meals.map((meal) => {
    const rules = book.registrations.get(meal.registrationId);
    if (!rules) throw new Problem("not_found");
    const terms = book.on(meal.registrationId, meal.day);
    const problem = problemOf(() => {
      requireOrderable(rules, meal.day, terms, { ...meal, at, late });
      const max = rules.maxPerWeek;
      if (max !== null && inWeek(meal) > max) throw new Problem("meal_week_max", { max });
    });
    return { ...meal, rules, terms, problem };
  });
}

/** Counts the meals of a registration's weeks: those ordered, and those evaluated so far. */
function weekCounter(book: TermsBook): (meal: RequestedMeal) => number {
  const counts = new Map<string, number>();
  return ({ registrationId, day }) => {
    const week = `${registrationId} ${addDays(day, -weekdayOf(day))}`;
    const count = (counts.get(week) ?? book.orderedInWeek(registrationId, day)) + 1;
    counts.set(week, count);
    return count;
  };
}

/** The problem that a check throws; null when it throws none. */
export function problemOf(check: () => void): Problem | null {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

/** The meals of a request, by day then name, of the people whom its person still acts for. */
export async function readRequestedMeals(db: Db, requestId: string): Promise<RequestedMeal[]> {
  const { rows } = await sql<RequestedMeal>`
    select l.registration_id, to_char(l.on_day, 'YYYY-MM-DD') as day,
      l.allergens_confirmed
    from meal_request_line l join canteen_registration r on r.id = l.registration_id
    join person p on p.id = r.person_id join meal_request q on q.id = l.request_id
    where q.id = ${requestId} and ${ordererMayAct}
    order by l.on_day, p.name, l.registration_id`.execute(db);
  return rows;
}

/** SQL condition: whoever opened the request `q` may still act for the person of the registration `r`. */
const ordererMayAct = mayActFor(sql.ref("q.person_id"), sql.ref("r.person_id"));

/** The open request of a person at a provider as screens show it; null while nothing is chosen. */
export async function readRequest(
  db: Db,
  personId: number,
  providerId: number,
  at: Date,
): Promise<MealRequest | null> {
  const row = await query(db).maybeOne(sql<RequestRow & { topUp: string | null }>`
    select ${requestColumns}, payment.open_id as top_up
    from meal_request q join canteen_provider v on v.id = q.provider_id
    ${orderPaymentSql("meals", "q")}
    where q.person_id = ${personId} and q.provider_id = ${providerId} and q.state = 'open'`);
  if (!row) return null;
  const meals = await evaluateMeals(db, await readRequestedMeals(db, row.id), { at });
  if (meals.length === 0) return null;
  const lines = meals.map((meal) => toLineView(meal, at));
  const totalCents = lines.reduce((sum, line) => sum + line.priceCents, 0);
  return { id: row.id, revision: row.revision, lines, totalCents, topUp: row.topUp };
}

const toLineView = (
  { registrationId, day, rules, terms, problem }: EvaluatedMeal,
  at: Date,
): MealLine => ({
  registration: registrationId,
  cardnumber: rules.cardnumber,
  name: rules.name,
  canteen: rules.canteen,
  day,
  priceCents: terms.price?.priceCents ?? 0,
  priceReason: terms.price?.reason ?? "",
  cancelUntil: terms.cancelUntil && terms.cancelUntil > at ? terms.cancelUntil.toISOString() : null,
  problem: problem?.message ?? null,
  warning: terms.warning,
});

/**
 * The open request, locked to be changed, opened when there is none, without meals of people who are no
 * longer one's child. A change of its meals counts its revision (`revise`).
 */
export async function lockToChange(
  tx: Tx,
  personId: number,
  providerId: number,
  at: Date,
): Promise<string> {
  // The update locks the open request; if it is paid meanwhile it is no longer open, and another is opened.
  const { id } = await query(tx).one(sql<{ id: string }>`
    insert into meal_request (person_id, provider_id, opened_at)
    values (${personId}, ${providerId}, ${at})
    on conflict (person_id, provider_id) where state = 'open'
      do update set opened_at = meal_request.opened_at returning id`);
  await sql`delete from meal_request_line l using meal_request q, canteen_registration r
    where l.request_id = ${id} and q.id = l.request_id and r.id = l.registration_id
      and not ${ordererMayAct}`.execute(tx);
  return id;
}

interface Choice {
  idgroup: number;
  meals: { registration: string; day: string }[];
  chosen: boolean;
  allergensConfirmed?: boolean | undefined;
  sameTimeConfirmed?: boolean | undefined;
  sameTimeLeftOut?: boolean | undefined;
}

/** Adds meals to the open request, all or none, or removes them. Refuses as its row lists. */
export async function chooseMeals({ deps, caller, input }: PersonCall<Choice>) {
  const at = deps.now();
  const providerId = await requireProviderOf(deps.db, input.idgroup);
  const meals = input.meals.map(({ registration, day }) => ({
    registrationId: registration,
    day,
    allergensConfirmed: input.allergensConfirmed ?? false,
  }));
  await inTx(deps.db, async (tx) => {
    const id = await lockToChange(tx, caller.personId, providerId, at);
    const registrationIds = input.meals.map(({ registration }) => registration);
    await requireRegistrationsOf(tx, { personId: caller.personId, providerId }, registrationIds);
    if (input.chosen) {
      await addLines(tx, id, meals);
      // Together with the meals already chosen: a week has a maximum.
      const chosen = new Set(meals.map(keyOf));
      const allMeals = await evaluateMeals(tx, await readRequestedMeals(tx, id), { at });
      const refused = allMeals.find((meal) => chosen.has(keyOf(meal)) && meal.problem);
      if (refused?.problem) throw refused.problem;
      if (!input.sameTimeConfirmed) {
        const added = allMeals.filter((meal) => chosen.has(keyOf(meal)));
        await settleSameTime(tx, id, added, input.sameTimeLeftOut ?? false);
      }
    } else await removeLines(tx, id, meals);
  });
  return { request: await readRequest(deps.db, caller.personId, providerId, at) };
}

/** Of meals at the same time as another of their person: takes them out again, or refuses them all. */
async function settleSameTime(
  tx: Tx,
  id: string,
  meals: readonly EvaluatedMeal[],
  areLeftOut: boolean,
): Promise<void> {
  const others = await sameTimeMeals(tx, meals, id);
  const doubles = meals.filter((meal) => others.has(keyOf(meal)));
  const [first] = doubles;
  if (!first) return;
  if (areLeftOut) return await removeLines(tx, id, doubles);
  const where = {
    day: formatDayInWords(first.day),
    name: firstName(first.rules.name),
    canteen: others.get(keyOf(first)) ?? "",
  };
  if (doubles.length === 1) throw new Problem("meal_same_time", where);
  throw new Problem("meals_same_time", { ...where, count: doubles.length });
}

export const keyOf = ({ registrationId, day }: RequestedMeal): string => `${registrationId} ${day}`;

const revise = (tx: Tx, id: string): Promise<void> =>
  reviseOrder(tx, { kind: "meals", table: "meal_request", id });

/** Adds meals to a locked request; refuses `meal_request_full`, and as `reviseOrder`. */
export async function addLines(tx: Tx, id: string, meals: readonly RequestedMeal[]): Promise<void> {
  await sql`
    insert into meal_request_line (request_id, registration_id, on_day, allergens_confirmed)
    select ${id}::uuid, * from unnest(${meals.map(({ registrationId }) => registrationId)}::uuid[],
      ${meals.map(({ day }) => day)}::date[],
      ${meals.map(({ allergensConfirmed }) => allergensConfirmed)}::boolean[])
    on conflict (request_id, registration_id, on_day)
      do update set allergens_confirmed = excluded.allergens_confirmed`.execute(tx);
  const { count } = await query(tx).one(sql<{ count: number }>`select count(*)::int as count
    from meal_request_line where request_id = ${id}`);
  const max = limits.maxMealsPerOrder;
  if (count > max) throw new Problem("meal_request_full", { max });
  await revise(tx, id);
}

async function removeLines(tx: Tx, id: string, meals: readonly RequestedMeal[]): Promise<void> {
  await sql`delete from meal_request_line l using unnest(
      ${meals.map(({ registrationId }) => registrationId)}::uuid[],
      ${meals.map(({ day }) => day)}::date[]) as gone (registration_id, on_day)
    where l.request_id = ${id} and l.registration_id = gone.registration_id
      and l.on_day = gone.on_day`.execute(tx);
  await revise(tx, id);
}

/** Empties the open request. */
export async function dropRequest({ deps, caller, input }: PersonCall<{ idgroup: number }>) {
  const providerId = await requireProviderOf(deps.db, input.idgroup);
  await inTx(deps.db, async (tx) => {
    const id = await lockToChange(tx, caller.personId, providerId, deps.now());
    await sql`delete from meal_request_line where request_id = ${id}`.execute(tx);
    await revise(tx, id);
  });
  return { message: "Votre choix est vidé." };
}
