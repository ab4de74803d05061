// Jobs of subscriptions: reminders before the end, expiry, deletion of stale applications.
import { type RawBuilder, sql } from "kysely";
import { addDays, dayMs, daysBetween, parisDay } from "#contract/days.ts";
import { formatDate, ofName } from "#contract/french.ts";
import { subscriptions as limits } from "#contract/limits.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import { eachRow } from "#server/db/each-row.ts";
import type { Deps } from "#server/process/deps.ts";
import { abandonLocked } from "./applications.ts";
import { formulaAt } from "./formulas.ts";
import { syncMembershipDates, lastDayOf, lockSubscription, type SubscriptionRow } from "./rows.ts";
import { announceSubscription } from "./announcements.ts";

/** Expires subscriptions past their last day, each in its own transaction with one notice. */
export async function expireSubscriptions(deps: Deps): Promise<void> {
  const today = parisDay(deps.now());
  const due = sql<boolean>`state = 'active' and ends_on < ${today}::date`;
  await eachSubscription(deps, due, async (tx, row, at) => {
    // Cancelled since it was listed: nothing is left to do.
    if (row.state !== "active" || (row.endsOn ?? today) >= today) return;
    await sql`update subscription set state = 'expired', ended_at = ${at}
        where id = ${row.id}`.execute(tx);
    await syncMembershipDates(tx, row.id);
    // A following subscription has begun: nothing ends for the card.
    if ((await lastDayOf(tx, row.personId)) !== null) return;
    const { name } = await formulaAt(tx, row.formula, row.formulaVersion);
    const body = `L’abonnement ${name} ${ofName(row.holder)} a pris fin le ${formatDate(row.endsOn ?? today)}. Souscrivez-en un autre pour le retrouver.`;
    await announceSubscription(tx, deps, row, { title: "Abonnement terminé", body, at });
  });
}

/** Reminds 30, 7 and 1 days before the end, once each, unless the subscription is renewed already. */
export async function remindBeforeEnd(deps: Deps): Promise<void> {
  const today = parisDay(deps.now());
  const farthest = Math.max(...limits.reminders);
  const near = sql<boolean>`state = 'active' and ends_on between ${today}::date
    and ${addDays(today, farthest)}::date`;
  await eachSubscription(deps, near, async (tx, row, at) => {
    if (row.state !== "active" || row.endsOn === null) return;
    const left = daysBetween(today, row.endsOn);
    // After an outage only the nearest one is sent, not all that were missed.
    const due = limits.reminders.findLast((days) => left <= days);
    const { rows: marked } = await sql`update subscription set reminded_days = ${due ?? null}
        where id = ${row.id} and ${due ?? null}::int is not null
          and (reminded_days is null or reminded_days > ${due ?? 0}) returning id`.execute(tx);
    if (marked.length === 0) return;
    if ((await lastDayOf(tx, row.personId)) !== row.endsOn) return;
    await remind(tx, deps, row, left, at);
  });
}

async function remind(
  tx: Tx,
  deps: Deps,
  row: SubscriptionRow,
  left: number,
  at: Date,
): Promise<void> {
  const { name } = await formulaAt(tx, row.formula, row.formulaVersion);
  const when = left === 0 ? "aujourd’hui" : left === 1 ? "demain" : `dans ${left} jours`;
  await announceSubscription(tx, deps, row, {
    title: "Votre abonnement se termine bientôt",
    body: `L’abonnement ${name} ${ofName(row.holder)} se termine ${when}, le ${formatDate(row.endsOn ?? "")}. Prolongez-le dès maintenant : les jours qui restent sont gardés.`,
    at,
    sms: row.options.includes("sms"),
  });
}

/** Abandons the applications that nobody changed for 60 days and deletes their proofs. */
export async function deleteStaleApplications(deps: Deps): Promise<void> {
  const before = new Date(deps.now().getTime() - limits.draftDays * dayMs);
  const stale = sql<boolean>`state = 'draft' and changed_at < ${before}`;
  await eachSubscription(deps, stale, async (tx, row, at) => {
    if (row.state === "draft" && row.changedAt < before) await abandonLocked(tx, row.id, at);
  });
}

/** Calls `act` with each subscription that matches a condition, locked, in a transaction of its own. */
function eachSubscription(
  deps: Deps,
  condition: RawBuilder<boolean>,
  act: (tx: Tx, row: SubscriptionRow, at: Date) => Promise<void>,
): Promise<void> {
  const read = async (after: string | null, limit: number) => {
    const { rows } = await sql<{ id: string }>`select id from subscription
      where ${condition} and (${after}::uuid is null or id > ${after}::uuid)
      order by id limit ${limit}`.execute(deps.db);
    return rows;
  };
  return eachRow(read, ({ id }) =>
    inTx(deps.db, async (tx) => {
      const row = await lockSubscription(tx, id);
      if (row) await act(tx, row, deps.now());
    }),
  );
}
