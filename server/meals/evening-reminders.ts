// The reminder of the evening before a deadline: usual meals that nobody has ordered, one notice for each guardian
// and provider. It leads to the week with these meals ticked.
import { sql } from "kysely";
import { parisDay, parisTime, startOfDay, startOfWeek } from "#contract/days.ts";
import {
  firstName,
  formatDayInWords,
  formatTime,
  listInWords,
  plural,
  untilDay,
} from "#contract/french.ts";
import { reminderEvening } from "#contract/meals/limits.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import { announce } from "#server/notifications/notifications.ts";
import type { Deps } from "#server/process/deps.ts";
import { findMissingMeals, type MissingMeal } from "./usual-orderers.ts";

/** The meals that one person is reminded of at one provider, by day. */
interface Reminder {
  personId: number;
  providerId: number;
  meals: MissingMeal[];
}

/** Reminders that are sent in one transaction. */
const remindersAtOnce = 200;

/** The days that a reminder names one by one; of more it says the first, the last and how many. */
const namedDays = 5;

/**
 * Reminds of usual meals whose deadline is the next day; returns how many reminders were written. It may run again,
 * late or on several servers: each person is reminded of a registration and a deadline once, and nothing is sent
 * outside the hours of `reminderEvening`.
 */
export async function remindBeforeDeadlines(deps: Deps): Promise<number> {
  const at = deps.now();
  const time = parisTime(at);
  if (time < reminderEvening.from || time >= reminderEvening.until) return 0;
  const reminders = remindersOf(await findMissingMeals(deps.db, at));
  let count = 0;
  for (let first = 0; first < reminders.length; first += remindersAtOnce) {
    const some = reminders.slice(first, first + remindersAtOnce);
    count += await inTx(deps.db, (tx) => announceFresh(tx, deps, some, at));
  }
  return count;
}

/** By person, then provider: every server takes them in the same order. */
function remindersOf(missing: readonly MissingMeal[]): Reminder[] {
  const reminders = new Map<string, Reminder>();
  for (const meal of missing) {
    const { providerId } = meal.rules;
    for (const personId of meal.recipients) {
      const key = `${personId} ${providerId}`;
      const reminder = reminders.get(key) ?? { personId, providerId, meals: [] };
      reminder.meals.push(meal);
      reminders.set(key, reminder);
    }
  }
  return [...reminders.values()].toSorted(
    (one, other) => one.personId - other.personId || one.providerId - other.providerId,
  );
}

/** Announces those that were not announced before; returns how many. */
async function announceFresh(
  tx: Tx,
  deps: Deps,
  reminders: readonly Reminder[],
  at: Date,
): Promise<number> {
  const fresh = await recordFresh(tx, reminders, at);
  const pages = await pagesOf(tx, fresh);
  for (const [path, some] of Map.groupBy(fresh, (one) => pathOf(one, pages))) {
    const bodies = new Map(some.map((one) => [one.personId, bodyOf(one, at)]));
    for (const [title, alike] of Map.groupBy(some, titleOf)) {
      await announce(tx, deps, {
        about: "meal_reminder",
        to: alike.map(({ personId }) => personId),
        title,
        body: ({ id }) => bodies.get(id) ?? "",
        path,
        at,
        channels: "outside",
      });
    }
  }
  return fresh.length;
}

/**
 * Records each reminder by registration and day of the deadline; returns the reminders with the meals that were not
 * recorded yet. Whoever was reminded of the same week earlier that day (`remindOfMeals`) gets no second notice.
 */
async function recordFresh(tx: Tx, reminders: readonly Reminder[], at: Date): Promise<Reminder[]> {
  const lines = reminders.flatMap(({ personId, providerId, meals }) =>
    [...new Map(meals.map((meal) => [aboutOf(meal), meal])).values()].map((meal) => ({
      personId,
      about: aboutOf(meal),
      week: `reminder ${providerId} ${startOfWeek(meal.day)}`,
    })),
  );
  const { rows } = await sql<{ personId: number; about: string }>`
    insert into meal_notice (person_id, about, notified_at)
    select n.person_id, n.about, ${at}
    from unnest(${lines.map(({ personId }) => personId)}::bigint[],
      ${lines.map(({ about }) => about)}::text[], ${lines.map(({ week }) => week)}::text[])
      as n (person_id, about, week)
    where not exists (select from meal_notice t where t.person_id = n.person_id
      and t.about = n.week and t.notified_at >= ${startOfDay(parisDay(at))})
    order by n.person_id, n.about
    on conflict do nothing returning person_id, about`.execute(tx);
  const recorded = new Set(rows.map(({ personId, about }) => `${personId} ${about}`));
  return reminders.flatMap(({ meals, ...reminder }) => {
    const some = meals.filter((meal) => recorded.has(`${reminder.personId} ${aboutOf(meal)}`));
    return some.length > 0 ? [{ ...reminder, meals: some }] : [];
  });
}

const aboutOf = (meal: MissingMeal): string =>
  `deadline ${meal.registrationId} ${parisDay(untilOf(meal))}`;

/** Until when a meal is ordered; those that are missing have a deadline. */
const untilOf = ({ terms }: MissingMeal): Date => terms.orderUntil as Date;

/** The page of each provider, by its id. */
async function pagesOf(tx: Tx, reminders: readonly Reminder[]) {
  const ids = [...new Set(reminders.map(({ providerId }) => providerId))];
  const { rows } = await sql<{ id: number; name: string; idgroup: number }>`
    select v.id, g.slug as name, g.id as idgroup
    from canteen_provider v join acceptance_group g on g.id = v.group_id
    where v.id = any (${ids}::int[])`.execute(tx);
  return new Map(rows.map(({ id, ...page }) => [id, page]));
}

/** The week of the first day, its usual meals ticked. */
function pathOf(
  { providerId, meals }: Reminder,
  pages: ReadonlyMap<number, { name: string; idgroup: number }>,
): string {
  const page = pages.get(providerId);
  const [first] = daysOf(meals);
  if (!page || first === undefined) return paths.canteenProviders;
  return linkTo(paths.canteenProvider, page, { week: startOfWeek(first), usual: "1" });
}

const daysOf = (meals: readonly MissingMeal[]): string[] =>
  [...new Set(meals.map(({ day }) => day))].toSorted();

const firstUntil = (meals: readonly MissingMeal[]): Date =>
  new Date(Math.min(...meals.map((meal) => untilOf(meal).getTime())));

/** Names the day, not « demain »: it is also read the next morning. */
function titleOf({ meals }: Reminder): string {
  const until = firstUntil(meals);
  const [weekday = ""] = formatDayInWords(until).split(" ");
  return `Cantine\u202f: repas à commander avant ${weekday} ${formatTime(until)}`;
}

function bodyOf({ meals }: Reminder, at: Date): string {
  const until = firstUntil(meals);
  const ticked = "Vos repas habituels sont cochés dans la semaine qui s’ouvre.";
  return (
    `Pas encore de commande pour ${listInWords(peopleInWords(meals))}. ` +
    `Commandez ${untilDay(until, at)} ${formatTime(until)} (${formatDayInWords(until)}). ${ticked}`
  );
}

/** « Jade et Léo (mardi 1er décembre) »: people with the same days stand together. */
function peopleInWords(meals: readonly MissingMeal[]): string[] {
  const names = meals.map(({ rules }) => rules.name);
  const byPerson = Map.groupBy(meals, ({ rules }) => rules.personId);
  const byDays = Map.groupBy([...byPerson.values()], (some) => daysInWords(daysOf(some)));
  return [...byDays].map(([days, people]) => {
    const who = people.map(([meal]) => firstName(meal?.rules.name ?? "", names));
    return `${listInWords(who.toSorted())} (${days})`;
  });
}

function daysInWords(days: readonly string[]): string {
  const words = days.map(formatDayInWords);
  if (words.length <= namedDays) return listInWords(words);
  return `${plural(days.length, "jour")} du ${words[0]} au ${words.at(-1)}`;
}
