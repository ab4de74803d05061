// Choosing many meals at once: weekdays over a period, and the week that a family usually orders. A child's
// days with the other guardian are left out.
import { sql } from "kysely";
import {
  addDays,
  addMonths,
  daysBetween,
  parisDay,
  startOfWeek,
  weekdayOf,
} from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { firstName } from "#contract/french.ts";
import { habit } from "#contract/meals/limits.ts";
import { type Db, inTx, type Tx } from "#server/db/db.ts";
import { custodiansOver } from "#server/family/family.ts";
import type { PersonCall } from "#server/http/caller.ts";
import type { MealTerms } from "./meal-terms.ts";
import { hasItsDay } from "#server/kitchen/kitchen.ts";
import { overlap, sameTimeMeals } from "./same-time.ts";
import {
  addLines,
  evaluateMeals,
  type EvaluatedMeal,
  keyOf,
  lockToChange,
  readRequest,
  registrationsOf,
  requireProviderOf,
  requireRegistrationsOf,
  readRequestedMeals,
} from "./requests.ts";

interface Template {
  idgroup: number;
  registrations: string[];
  weekdays: number[];
  from: string;
  to: string;
  otherGuardianToo?: boolean | undefined;
}

/**
 * Chooses weekdays over a period (ISO dates, a year at most) for several people; what cannot be ordered is
 * left out and counted by its reason, and so are the days that a child spends with the other guardian
 * unless `otherGuardianToo`. Refuses `meal_period`.
 */
export async function chooseWeeks({ deps, caller, input }: PersonCall<Template>) {
  const at = deps.now();
  const providerId = await requireProviderOf(deps.db, input.idgroup);
  const { from, to } = input;
  if (from > to || from < parisDay(at) || to > addMonths(from, 12))
    throw new Problem("meal_period");
  const weekdays = new Set(input.weekdays);
  const days = Array.from({ length: daysBetween(from, to) + 1 }, (_, n) => addDays(from, n));
  const candidates = days
    .filter((day) => weekdays.has(weekdayOf(day)))
    .flatMap((day) =>
      [...new Set(input.registrations)].map((registrationId) => ({
        registrationId,
        day,
        allergensConfirmed: false,
      })),
    );
  const results = await inTx(deps.db, async (tx) => {
    const id = await lockToChange(tx, caller.personId, providerId, at);
    await requireRegistrationsOf(
      tx,
      { personId: caller.personId, providerId },
      input.registrations,
    );
    const before = new Set((await readRequestedMeals(tx, id)).map(keyOf));
    const fresh = candidates.filter((meal) => !before.has(keyOf(meal)));
    const evaluatedMeals = await evaluateMeals(tx, fresh, { at });
    const isOfDay = hasItsDay([...new Set(evaluatedMeals.map(({ rules }) => rules))]);
    const all = evaluatedMeals.filter(({ rules, day }) => isOfDay(rules, day));
    const elsewhere = input.otherGuardianToo
      ? new Map<string, string>()
      : await findOtherGuardianDays(tx, caller.personId, all, { from, to });
    const answers = all.map((meal): Answer => {
      const other = elsewhere.get(`${meal.rules.personId} ${meal.day}`);
      // A meal that cannot be ordered anyway keeps its own reason.
      const why = meal.problem ? reasonOf(meal.terms, meal.problem) : (other ?? null);
      return { meal, why };
    });
    await leaveOutSameTime(tx, id, answers);
    const able = answers.filter(({ why }) => why === null).map(({ meal }) => meal);
    if (able.length > 0) await addLines(tx, id, able);
    return answers;
  });
  const refused = results.filter(({ why }) => why !== null);
  const reasons = Map.groupBy(refused, ({ why }) => why ?? "");
  return {
    request: await readRequest(deps.db, caller.personId, providerId, at),
    added: results.length - refused.length,
    leftOut: [...reasons].map(([why, some]) => ({ why, count: some.length })),
  };
}

interface Answer {
  meal: EvaluatedMeal;
  /** Why it is left out; null where it is not. */
  why: string | null;
}

/**
 * Keeps only the first of several meals of a person at one time, and none beside a meal that is ordered or
 * chosen already.
 */
async function leaveOutSameTime(tx: Tx, requestId: string, answers: Answer[]): Promise<void> {
  const able = answers.filter(({ why }) => why === null);
  const before = await sameTimeMeals(
    tx,
    able.map(({ meal }) => meal),
    requestId,
  );
  const mealsByDay = new Map<string, EvaluatedMeal[]>();
  for (const answer of able) {
    const { meal } = answer;
    const beside = mealsByDay.get(`${meal.rules.personId} ${meal.day}`) ?? [];
    const twin = beside.find(({ rules }) => overlap(rules, meal.rules));
    const canteen = before.get(keyOf(meal)) ?? twin?.rules.canteen;
    if (canteen === undefined)
      mealsByDay.set(`${meal.rules.personId} ${meal.day}`, [...beside, meal]);
    else answer.why = `Déjà un repas à la même heure (${canteen}), à confirmer jour par jour`;
  }
}

interface UsualWeek {
  personId: number;
  providerId: number;
  /** A day of the week, ISO date. */
  day: string;
  at: Date;
  /**
   * As a reminder counts: orders of anybody for the registration, and each day that has no order of its own, also
   * in a week that is ordered in part.
   */
  reminder?: boolean | undefined;
}

/**
 * The meals that a person usually orders of the week of a day and has not: weekdays of a registration
 * ordered in at least two of the six weeks before, in a week where nothing of it was ordered or refused,
 * those only that can be ordered now. Days that a child spends with the other guardian are left out.
 */
export async function usualMeals(db: Db, week: UsualWeek): Promise<EvaluatedMeal[]> {
  return (await evaluateUsualMeals(db, week)).filter(({ problem }) => problem === null);
}

/** The same, those that cannot be ordered too. */
async function evaluateUsualMeals(
  db: Db,
  { personId, providerId, day, at, reminder = false }: UsualWeek,
): Promise<EvaluatedMeal[]> {
  const monday = startOfWeek(day);
  const ids = await registrationsOf(db, personId, providerId);
  const { rows } = await sql<{ registrationId: string; weekday: number }>`
    select registration_id, extract(isodow from on_day)::int - 1 as weekday
    from meal_order o where (${reminder} or ordered_by = ${personId}) and request_id is not null
      and registration_id = any (${ids}::uuid[])
      and on_day between ${addDays(monday, -7 * habit.weeks)} and ${addDays(monday, -1)}
      and state in ('reserved', 'validated', 'served', 'absent')
      and not exists (select from meal_order now where now.registration_id = o.registration_id
        and now.on_day between ${monday} and ${addDays(monday, 6)}
        and (not ${reminder} or extract(isodow from now.on_day) = extract(isodow from o.on_day)))
    group by 1, 2 having count(distinct on_day) >= ${habit.times}`.execute(db);
  const candidates = rows
    .map(({ registrationId, weekday }) => ({
      registrationId,
      day: addDays(monday, weekday),
      allergensConfirmed: false,
    }))
    .toSorted((a, b) => keyOf(a).localeCompare(keyOf(b)));
  if (candidates.length === 0) return [];
  const meals = await evaluateMeals(db, candidates, { at });
  const period = { from: monday, to: addDays(monday, 6) };
  const elsewhere = await findOtherGuardianDays(db, personId, meals, period);
  return meals.filter(({ rules, day: on }) => !elsewhere.has(`${rules.personId} ${on}`));
}

const warnings: ReadonlySet<string> = new Set(["meal_allergens", "meal_allergens_undeclared"]);

/**
 * Adds the usual meals of a week to what is chosen; of a reminder (`UsualWeek.reminder`), unless something is chosen
 * already. Meals whose menu warns are counted and left out.
 */
export async function chooseUsual({
  deps,
  caller,
  input,
}: PersonCall<{ idgroup: number; day: string; reminder?: boolean | undefined }>) {
  const at = deps.now();
  const { day, reminder } = input;
  const { personId } = caller;
  const providerId = await requireProviderOf(deps.db, input.idgroup);
  const usual = await inTx(deps.db, async (tx) => {
    const id = await lockToChange(tx, personId, providerId, at);
    if (reminder && (await readRequestedMeals(tx, id)).length > 0) return [];
    const meals = await evaluateUsualMeals(tx, { personId, providerId, day, at, reminder });
    const able = meals.filter(({ problem }) => problem === null);
    if (able.length > 0) await addLines(tx, id, able);
    return meals;
  });
  const added = usual.filter(({ problem }) => problem === null);
  return {
    request: await readRequest(deps.db, personId, providerId, at),
    added: added.map((meal) => ({ registration: meal.registrationId, day: meal.day })),
    warnedCount: usual.filter(({ problem }) => problem && warnings.has(problem.code)).length,
  };
}

/** « person day » → why a child's day is the other guardian's to order; nothing for the child itself. */
async function findOtherGuardianDays(
  db: Db,
  caller: number,
  meals: readonly EvaluatedMeal[],
  period: { from: string; to: string },
): Promise<Map<string, string>> {
  const children = [...new Set(meals.map(({ rules }) => rules.personId))];
  const others = children.filter((id) => id !== caller);
  const custodians = await custodiansOver(db, others, period);
  return new Map(
    [...custodians]
      .filter(([, { id }]) => id !== caller)
      .map(([key, { name }]) => [key, `Chez ${firstName(name)}`]),
  );
}

/** Why meals of a period are left out, worded alike for all days with one reason. */
function reasonOf(terms: MealTerms, problem: Problem | null): string {
  if (terms.closedWhy !== null) return terms.closedWhy;
  if (problem?.code === "meal_already_ordered") return "Déjà commandé";
  if (problem?.code === "meal_too_late") return "Commandes closes";
  if (problem?.code === "meals_full") return "Service complet";
  if (problem?.code === "meal_allergens") return "Allergène au menu, à confirmer jour par jour";
  if (problem?.code === "meal_allergens_undeclared") {
    return "Allergènes non renseignés au menu, à confirmer jour par jour";
  }
  return problem?.message ?? "";
}
