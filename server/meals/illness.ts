// A sick child announced by the family: meals are cancelled and their seats released, the money is refunded
// by the canteen's rule. What stays due or waits for a certificate is held until it is settled.
import { type RawBuilder, sql } from "kysely";
import type { IllnessPreview, IllnessView } from "#contract/meals/illness.ts";
import { illnessCan } from "#contract/meals/states.ts";
import { addDays, parisDay } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { formatDate, formatMoney, ofName, plural } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { requireSamePrice } from "#server/checkout/checkout.ts";
import {
  guardiansOf,
  holderFor,
  mayActFor,
  requireMayActFor,
  requireNotMinor,
} from "#server/family/family.ts";
import type { AuditedCall, PersonCall } from "#server/http/caller.ts";
import { auditAct } from "#server/identity/identity.ts";
import type { Deps } from "#server/process/deps.ts";
import { announceMeal, announceProvider } from "./announcements.ts";
import {
  type IllnessDays,
  type IllnessPlan,
  planIllness,
  requireIllnessDays,
  sumsOf,
} from "./illness-plan.ts";
import { illnessesWhere } from "./illness-views.ts";
import { lockMealsWithSeats, type MealOrder, pushMealChanges } from "./ordered-meals.ts";
import { cancelMeals, type MealCost } from "./orders.ts";
import { freeSeats } from "./services.ts";

type IllnessAnnouncement = IllnessDays & { cardnumber: number };

/** The illnesses of the family of three months, and who of it has a meal today or tomorrow. */
export async function readIllnesses({ deps, caller }: PersonCall<unknown>) {
  const { db } = deps;
  const at = deps.now();
  const items = await illnessesWhere(
    db,
    sql`${mayActFor(caller.personId, sql.ref("r.person_id"))}
      and i.to_on >= ${addDays(parisDay(at), -90)}::date`,
    at,
  );
  if ((await guardiansOf(db, caller.personId)).length > 0) return { soon: [], items };
  const today = parisDay(at);
  const { rows: soon } = await sql<{ cardnumber: number; name: string; day: string }>`
    select known.number as cardnumber, p.name, to_char(min(o.on_day), 'YYYY-MM-DD') as day
    from meal_order o join person p on p.id = o.person_id
    cross join lateral current_card(p.id) known
    where o.state in ('reserved', 'validated') and ${mayActFor(caller.personId, sql.ref("o.person_id"))}
      and o.on_day between ${today}::date and ${addDays(today, 1)}::date
    group by known.number, p.name order by p.name, known.number`.execute(db);
  return { soon, items };
}

/** Previews what an illness would refund and leave due now. Refuses as its row lists. */
export async function previewIllness({
  deps,
  caller,
  input,
}: PersonCall<IllnessAnnouncement>): Promise<IllnessPreview> {
  const at = deps.now();
  const holder = await holderFor(deps.db, caller.personId, input.cardnumber);
  await requireNotMinor(deps.db, { actor: caller.personId, owner: holder.id });
  requireIllnessDays(input, at);
  const plans = await planIllness(deps.db, holder.id, input, at);
  const meals = plans.flatMap((plan) => plan.meals);
  if (meals.length === 0) throw new Problem("illness_no_meals");
  const until = plans.flatMap(({ certificateUntil }) => certificateUntil ?? []);
  const [first] = until.toSorted((a, b) => a.getTime() - b.getTime());
  return { meals, ...sumsOf(meals), certificateUntil: first?.toISOString() ?? null };
}

/**
 * Announces an illness of oneself or a child for the sums that were seen, one for each canteen. Refuses
 * `illness_dates`, `illness_no_meals`, `price_changed`, and `family_minor` to the child itself.
 */
export async function announceIllness({
  deps,
  caller,
  input,
  origin,
}: AuditedCall<IllnessAnnouncement & { dueCents: number; proofCents: number }>) {
  const at = deps.now();
  requireIllnessDays(input, at);
  const ids = await inTx(deps.db, async (tx) => {
    const holder = await holderFor(tx, caller.personId, input.cardnumber);
    const who = { actor: caller.personId, owner: holder.id };
    await requireNotMinor(tx, who);
    // Both guardians may announce at once: the second finds nothing left to refund.
    await sql`select from canteen_registration r where person_id = ${holder.id}
      and ${mayActFor(caller.personId, sql.ref("r.person_id"))} order by id
      for no key update`.execute(tx);
    const before = await planIllness(tx, holder.id, input, at);
    const locked = await lockMealsWithSeats(
      tx,
      before.flatMap(({ meals }) => meals.map(({ order }) => order)),
    );
    await requireMayActFor(tx, who);
    const orders = new Map(locked.map((order) => [order.id, order]));
    const plans = (await planIllness(tx, holder.id, input, at))
      .map((plan) => ({ ...plan, meals: plan.meals.filter(({ order }) => orders.has(order)) }))
      .filter(({ meals }) => meals.length > 0);
    const meals = plans.flatMap((plan) => plan.meals);
    if (meals.length === 0) throw new Problem("illness_no_meals");
    const { dueCents, proofCents } = sumsOf(meals);
    requireSamePrice(input.dueCents + input.proofCents, dueCents + proofCents);
    requireSamePrice(input.dueCents, dueCents);
    const made = [];
    for (const plan of plans) {
      const id = await writeIllness(tx, { plan, days: input, by: caller.personId, at });
      const costs = plan.meals.map(({ order, costCents }) => ({
        order: orders.get(order) as MealOrder,
        costCents,
      }));
      await endForIllness(tx, deps, costs, at);
      await tellOfIllness(tx, deps, { plan, days: input, holder, at });
      await auditAct(tx, { caller, origin }, "meal.illness", {
        personId: holder.id,
        details: { from: input.from, to: input.to, meals: plan.meals.length },
        at,
      });
      made.push(id);
    }
    return made;
  });
  return { items: await illnessesWhere(deps.db, sql`i.id = any (${ids}::uuid[])`, at) };
}

async function writeIllness(
  tx: Tx,
  { plan, days, by, at }: { plan: IllnessPlan; days: IllnessDays; by: number; at: Date },
): Promise<string> {
  const { id } = await query(tx).one(sql<{ id: string }>`
    insert into meal_illness (registration_id, from_on, to_on, declared_by, declared_at, state,
      paid_days_left, certificate_until)
    values (${plan.registrationId}, ${days.from}, ${days.to}, ${by}, ${at},
      ${plan.certificateUntil ? "awaited" : "announced"}, ${plan.paidDaysLeft},
      ${plan.certificateUntil})
    returning id`);
  await sql`insert into meal_illness_meal (order_id, illness_id, terms, cost_cents)
    select order_id, ${id}::uuid, terms, cost from unnest(
      ${plan.meals.map(({ order }) => order)}::uuid[], ${plan.meals.map(({ terms }) => terms)}::text[],
      ${plan.meals.map(({ costCents }) => costCents)}::int[]) as t (order_id, terms, cost)`.execute(
    tx,
  );
  return id;
}

/** Reason shown for a meal that an illness cancelled: nothing of health stays in the accounts. */
const endReason = "Absence signalée";

/** Cancels meals; what each may cost stays on hold until it is settled. */
async function endForIllness(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  meals: readonly MealCost[],
  at: Date,
): Promise<void> {
  const isFree = ({ costCents }: MealCost) => costCents === 0;
  await cancelMeals(tx, deps, meals.filter(isFree), { reason: endReason, at });
  const unsettled = meals.filter((meal) => !isFree(meal)).map(({ order }) => order);
  if (unsettled.length === 0) return;
  await sql`update meal_order set state = 'cancelled', ended_at = ${at}, end_reason = ${endReason}
    where id = any (${unsettled.map(({ id }) => id)}::uuid[])`.execute(tx);
  await freeSeats(tx, deps, unsettled, at);
  await pushMealChanges(tx, unsettled);
}

/** « du 23/11/2026 au 25/11/2026 », or « le 23/11/2026 ». */
export const illnessDaysInWords = ({ from, to }: IllnessDays): string =>
  from === to ? `le ${formatDate(from)}` : `du ${formatDate(from)} au ${formatDate(to)}`;

async function tellOfIllness(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  {
    plan,
    days,
    holder,
    at,
  }: { plan: IllnessPlan; days: IllnessDays; holder: { id: number; name: string }; at: Date },
): Promise<void> {
  const { freeCents, dueCents, proofCents } = sumsOf(plan.meals);
  const when = illnessDaysInWords(days);
  const meals = plural(plan.meals.length, "repas annulé", "repas annulés");
  const sums = [
    freeCents > 0 ? `${formatMoney(freeCents)} rendus.` : null,
    dueCents > 0 ? `${formatMoney(dueCents)} restent dus.` : null,
    proofCents > 0 && plan.certificateUntil
      ? `${formatMoney(proofCents)} seront rendus avec un certificat, à envoyer avant le ${formatDate(plan.certificateUntil)}.`
      : null,
  ].filter((sentence) => sentence !== null);
  await announceMeal(tx, deps, [holder.id], {
    title: "Absence pour maladie signalée",
    body: `${holder.name}, ${when} (${plan.canteen})\u202f: ${meals}. ${sums.join(" ")}`,
    at,
  });
  await announceProvider(tx, deps, plan.providerId, {
    title: "Enfant malade",
    body: `Absence ${ofName(holder.name)} ${when} (${plan.canteen})\u202f: ${meals}.`,
    path: linkTo(paths.canteenDesk, {}, { tab: "absences" }),
    at,
  });
}

/** An illness as its transitions need it, locked. */
export interface IllnessRow {
  id: string;
  state: IllnessView["state"];
  registrationId: string;
  personId: number;
  name: string;
  canteenId: string;
  canteen: string;
  providerId: number;
  from: string;
  to: string;
  declaredAt: Date;
  certificateUntil: Date | null;
}

/** Locks an illness of a registration `r` under a condition; null where there is none. */
export async function lockIllness(
  tx: Tx,
  id: string,
  condition: RawBuilder<boolean> = sql<boolean>`true`,
): Promise<IllnessRow | null> {
  return await query(tx).maybeOne(sql<IllnessRow>`
    select i.id, i.state, i.registration_id, r.person_id, p.name,
      c.id as canteen_id, c.name as canteen, c.provider_id,
      to_char(i.from_on, 'YYYY-MM-DD') as "from", to_char(i.to_on, 'YYYY-MM-DD') as "to",
      i.declared_at, i.certificate_until
    from meal_illness i join canteen_registration r on r.id = i.registration_id
    join canteen c on c.id = r.canteen_id join person p on p.id = r.person_id
    where i.id = ${id} and ${condition} for no key update of i`);
}

/** An illness of oneself or a child, locked; `not_found` for any other, `family_minor` to a child. */
export async function lockOwnIllness(tx: Tx, actor: number, id: string): Promise<IllnessRow> {
  const illness = await lockIllness(tx, id, mayActFor(actor, sql.ref("r.person_id")));
  if (!illness) throw new Problem("not_found");
  const who = { actor, owner: illness.personId };
  await requireMayActFor(tx, who);
  await requireNotMinor(tx, who);
  return illness;
}

/** Refuses `illness_state` unless the state permits it. */
export function requireIllnessCan(illness: IllnessRow, act: keyof typeof illnessCan): void {
  if (!illnessCan[act](illness)) throw new Problem("illness_state");
}
