// Alerts on a low balance. Once a minute a job compares each watched wallet with the side of the
// threshold where the last run found it, in one statement: payments do no extra work
// (server/funding/README.md#balance-alerts).
import { sql } from "kysely";
import { parisDay } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { formatMoney } from "#contract/french.ts";
import { channels } from "#contract/notifications/kinds.ts";
import { type Db, inTx, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { Deps } from "#server/process/deps.ts";
import { mayActFor } from "#server/family/family.ts";
import { contactsOf } from "#server/identity/identity.ts";
import { automationsPath, announceFunding, walletWords } from "./announcements.ts";

export interface Alert {
  thresholdCents: number;
  email: boolean;
  sms: boolean;
}

/** What can be spent today from a wallet alone, holds deducted, in cents. */
export const spendableSql = (walletId: ReturnType<typeof sql>, today: string) => sql<number>`(
  select coalesce(sum(a.balance - a.held), 0)::bigint
    from wallet_lot l join ledger_account a on a.id = l.account_id
   where l.wallet_id = ${walletId} and (l.expires_on is null or l.expires_on >= ${today}::date))`;

/** A person's own alert on a wallet, null when there is none. */
export async function alertOf(db: Db, walletId: number, personId: number): Promise<Alert | null> {
  return await query(db).maybeOne(sql<Alert>`
    select threshold_cents, by_email as email, by_sms as sms
    from wallet_alert where wallet_id = ${walletId} and person_id = ${personId}`);
}

/**
 * Sets a person's own alert, or removes it. A balance that is low already is no crossing: only the next
 * one is announced. Throws `no_channel` for a channel that the person has no address for.
 */
export async function setAlert(
  { db, now }: Deps,
  { walletId, personId, alert }: { walletId: number; personId: number; alert: Alert | null },
): Promise<void> {
  if (alert === null) {
    await sql`delete from wallet_alert
      where wallet_id = ${walletId} and person_id = ${personId}`.execute(db);
    return;
  }
  const { email, phonenumber } = await contactsOf(db, personId);
  if ((alert.email && !email) || (alert.sms && !phonenumber)) throw new Problem("no_channel");
  const { thresholdCents, email: byEmail, sms: bySms } = alert;
  const below = sql`${spendableSql(sql`${walletId}`, parisDay(now()))} < ${thresholdCents}`;
  await sql`
    insert into wallet_alert (wallet_id, person_id, threshold_cents, by_email, by_sms, below)
    values (${walletId}, ${personId}, ${thresholdCents}, ${byEmail}, ${bySms}, ${below})
    on conflict (wallet_id, person_id) do update set threshold_cents = excluded.threshold_cents,
      by_email = excluded.by_email, by_sms = excluded.by_sms, below = excluded.below`.execute(db);
}

interface Crossing {
  walletId: number;
  personId: number;
  cents: number;
  thresholdCents: number;
  email: boolean;
  sms: boolean;
}

/**
 * The job: announces every wallet that went below its threshold since the last run. Of two processes
 * at once the second waits for the first's rows and finds no crossing left.
 */
export async function watchBalances(deps: Deps): Promise<number> {
  return await inTx(deps.db, async (tx) => {
    const at = deps.now();
    const { rows } = await sql<Crossing & { below: boolean }>`
      with watched as (
        select al.wallet_id, al.person_id, coalesce(sum(a.balance - a.held) filter (
          where l.expires_on is null or l.expires_on >= ${parisDay(at)}::date), 0)::bigint as cents
        from wallet_alert al join wallet_lot l on l.wallet_id = al.wallet_id
        join ledger_account a on a.id = l.account_id
        group by al.wallet_id, al.person_id)
      update wallet_alert al set below = not al.below
      from watched w
      where w.wallet_id = al.wallet_id and w.person_id = al.person_id
        and al.below <> (w.cents < al.threshold_cents)
      returning al.wallet_id, al.person_id, w.cents, al.below,
        al.threshold_cents, al.by_email as email, al.by_sms as sms`.execute(tx);
    const crossed = rows.filter(({ below }) => below);
    for (const crossing of crossed) await announceLowBalance(tx, deps, crossing, at);
    return crossed.length;
  });
}

/** Announces a low balance, except to a person who may no longer act for the wallet. */
async function announceLowBalance(tx: Tx, deps: Deps, crossing: Crossing, at: Date): Promise<void> {
  const { walletId, personId, cents, thresholdCents, ...chosen } = crossing;
  const { rows } = await sql`select from wallet w join person p on p.id = ${personId}
    where w.id = ${walletId} and p.disabled_at is null
      and ${mayActFor(personId, sql.ref("w.person_id"))}`.execute(tx);
  if (rows.length === 0) return;
  const { objectID, words } = await walletWords(tx, walletId, personId);
  await announceFunding(tx, deps, {
    personId,
    title: "Solde bas",
    body:
      `Il reste ${formatMoney(cents)} dans ${words}, ` +
      `sous votre seuil de ${formatMoney(thresholdCents)}.`,
    path: automationsPath(objectID),
    at,
    channels: channels.filter((channel) => chosen[channel]),
  });
}
