// Reminders before a deadline: of meals that were chosen and not ordered, and of a usual week that no wallet
// of the family can pay. Once for each person, provider and week.
import { sql } from "kysely";
import { addDays, parisDay, startOfWeek } from "#contract/days.ts";
import { firstName, formatDate, formatDateTime, formatMoney, plural } from "#contract/french.ts";
import { habit } from "#contract/meals/limits.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import { spendableIn } from "#server/wallet/wallet.ts";
import { announceMeal } from "./announcements.ts";
import { usualMeals } from "./periods.ts";
import { evaluateMeals, type EvaluatedMeal, readRequestedMeals } from "./requests.ts";

interface ReminderTarget {
  personId: number;
  providerId: number;
  groupId: number;
  slug: string;
  /** The open request, with meals that they chose and have not paid. */
  requestId: string | null;
}

/** Weeks ahead in which a deadline may fall within the reminder time. */
const weeksAhead = 4;

/** Reminds people who would miss a deadline of the next hours; returns how many. */
export async function remindOfMeals(deps: Deps): Promise<number> {
  let count = 0;
  for (const orderer of await orderersOf(deps)) {
    const deadline = await findUpcomingDeadline(deps, orderer);
    if (deadline && (await inTx(deps.db, (tx) => remind(tx, deps, orderer, deadline)))) count += 1;
  }
  return count;
}

/** Who has meals waiting to be ordered, or ordered some lately. */
async function orderersOf(deps: Deps): Promise<ReminderTarget[]> {
  const at = deps.now();
  const since = addDays(parisDay(at), -7 * habit.weeks);
  const { rows } = await sql<ReminderTarget>`
    select known.person_id, v.id as provider_id, v.group_id, g.slug,
      q.id as request_id
    from (
      select person_id, provider_id from meal_request where state = 'open'
      union
      select o.ordered_by, c.provider_id from meal_order o join canteen c on c.id = o.canteen_id
      where o.on_day >= ${since} and o.request_id is not null) known
    join canteen_provider v on v.id = known.provider_id
    join acceptance_group g on g.id = v.group_id
    left join meal_request q on q.person_id = known.person_id and q.provider_id = v.id
      and q.state = 'open' and exists (select from meal_request_line l where l.request_id = q.id)
    order by known.person_id, v.id`.execute(deps.db);
  return rows;
}

/** Meals whose order deadline is near. */
interface UpcomingDeadline {
  kind: "chosen" | "usual";
  meals: readonly EvaluatedMeal[];
  until: Date;
  totalCents: number;
  /** What the wallet with the most money lacks. */
  missingCents: number;
}

async function findUpcomingDeadline(
  deps: Deps,
  orderer: ReminderTarget,
): Promise<UpcomingDeadline | null> {
  const { db } = deps;
  const at = deps.now();
  const { personId, providerId, requestId } = orderer;
  const requestedMeals = requestId ? await readRequestedMeals(db, requestId) : [];
  if (requestedMeals.length > 0) {
    const allMeals = await evaluateMeals(db, requestedMeals, { at });
    const meals = allMeals.filter(({ problem }) => problem === null);
    return await toUpcomingDeadline(deps, orderer, { kind: "chosen", meals });
  }
  for (let week = 0; week < weeksAhead; week++) {
    const day = addDays(parisDay(at), 7 * week);
    const meals = await usualMeals(db, { personId, providerId, day, at });
    const missed = await toUpcomingDeadline(deps, orderer, { kind: "usual", meals });
    // With enough money, the family may well have other plans: no reminder is sent.
    if (missed) return missed.missingCents > 0 ? missed : null;
  }
  return null;
}

async function toUpcomingDeadline(
  deps: Deps,
  { personId, groupId }: ReminderTarget,
  { kind, meals }: Pick<UpcomingDeadline, "kind" | "meals">,
): Promise<UpcomingDeadline | null> {
  const deadlines = meals.map(({ terms }) => terms.orderUntil?.getTime() ?? Infinity);
  const until = Math.min(...deadlines);
  if (until > deps.now().getTime() + habit.remindHours * 3_600_000) return null;
  const totalCents = meals.reduce((sum, { terms }) => sum + (terms.price?.priceCents ?? 0), 0);
  const owners = [...new Set([personId, ...meals.map(({ rules }) => rules.personId)])];
  const cents = await spendableIn(deps, owners, groupId);
  const missingCents = Math.max(0, totalCents - Math.max(0, ...cents.values()));
  return { kind, meals, until: new Date(until), totalCents, missingCents };
}

/** Reminds unless it was done already; returns whether it did. */
async function remind(
  tx: Tx,
  deps: Deps,
  { personId, providerId, groupId, slug }: ReminderTarget,
  { kind, meals, until, totalCents, missingCents }: UpcomingDeadline,
): Promise<boolean> {
  const at = deps.now();
  const monday = startOfWeek(meals[0]?.day ?? parisDay(at));
  const { rows } = await sql`insert into meal_notice (person_id, about, notified_at)
    values (${personId}, ${`reminder ${providerId} ${monday}`}, ${at})
    on conflict do nothing returning about`.execute(tx);
  if (rows.length === 0) return false;
  const names = [...new Set(meals.map(({ rules }) => firstName(rules.name)))].join(" et ");
  const count = plural(meals.length, "repas", "repas");
  const price = formatMoney(totalCents);
  const before = `avant le ${formatDateTime(until)}`;
  const way =
    deps.config.payments === "none"
      ? "le service clients peut y ajouter de l’argent, puis commandez"
      : "payez par carte ou rechargez, puis commandez";
  const missing = `Il manque ${formatMoney(missingCents)} sur votre cagnotte\u202f: ${way}`;
  const what =
    kind === "chosen"
      ? `${count} pour ${names}, ${price}, ${meals.length > 1 ? "sont choisis et ne sont pas commandés" : "est choisi et n’est pas commandé"}.`
      : `D’habitude vous commandez ${count} pour ${names}, ${price}, et rien ne l’est pour la semaine du ${formatDate(monday)}.`;
  const page = { name: slug, idgroup: groupId };
  await announceMeal(tx, deps, [personId], {
    title:
      missingCents > 0
        ? `Il manque ${formatMoney(missingCents)} pour vos repas`
        : "Vos repas attendent d’être commandés",
    body: `${what} ${missingCents > 0 ? missing : "Commandez"} ${before}.`,
    path: linkTo(
      paths.canteenProvider,
      page,
      kind === "chosen" ? { step: "commander" } : { week: monday },
    ),
    at,
    alsoOutside: true,
  });
  return true;
}
