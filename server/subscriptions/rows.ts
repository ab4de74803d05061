// Rows of subscriptions: read by those who may act for the card, locked for changes, and the membership dates
// of a person, which are derived from them.
import { type RawBuilder, sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import type { SubscriptionState } from "#contract/subscriptions/states.ts";
import type { PriceLine } from "#contract/subscriptions/rows.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { mayActFor } from "#server/family/family.ts";
import { publishChange } from "#server/notifications/notifications.ts";
import { orderPaymentSql } from "#server/payments/payments.ts";

export interface SubscriptionRow {
  id: string;
  personId: number;
  holder: string;
  cardnumber: number;
  buyerId: number;
  state: SubscriptionState;
  step: "holder" | "options" | "price";
  revision: number;
  formula: string;
  formulaVersion: number;
  options: string[];
  /** Its provider payment that is under way, and the payer. */
  topUpId: string | null;
  payerId: number | null;
  paymentFailed: string | null;
  walletId: number | null;
  /** Owner of the wallet that paid. */
  walletOf: number | null;
  lines: PriceLine[] | null;
  paidCents: number | null;
  paidAt: Date | null;
  startsOn: string | null;
  endsOn: string | null;
  reason: string | null;
  changedAt: Date;
}

/** Rows `s` that match a condition, newest first. */
export async function subscriptionsWhere(
  db: Db,
  condition: RawBuilder<unknown>,
): Promise<SubscriptionRow[]> {
  const { rows } = await sql<SubscriptionRow>`
    select s.id, s.person_id, p.name as holder, coalesce(c.number, 0) as cardnumber,
      s.buyer_id, s.state, s.step, s.revision, s.formula,
      s.formula_version, s.options, payment.open_id as top_up_id, payment.payer_id,
      payment.failed as payment_failed, s.wallet_id,
      w.person_id as wallet_of, s.lines,
      s.paid_cents, s.paid_at, s.starts_on,
      s.ends_on, s.reason, s.changed_at
    from subscription s join person p on p.id = s.person_id
    left join lateral current_card(s.person_id) c on true left join wallet w on w.id = s.wallet_id
    ${orderPaymentSql("subscription", "s")}
    where ${condition} order by s.number desc limit 100`.execute(db);
  return rows;
}

/**
 * Whether the reader may see and cancel the payment: the buyer, and where the card's own wallet paid, those
 * who may act for the card. Another guardian's money is private (spec.md 18).
 */
export const isPayer = (
  { buyerId, walletOf, personId }: Pick<SubscriptionRow, "buyerId" | "walletOf" | "personId">,
  reader: number,
): boolean => buyerId === reader || walletOf === personId;

/** A paid subscription of which the caller is the payer; anyone else's is `not_found`. */
export function requirePayer(row: SubscriptionRow, reader: number): void {
  if (row.paidAt !== null && !isPayer(row, reader)) throw new Problem("not_found");
}

/** SQL: the subscription `s` of this id, where it is the person's or a child's of theirs. */
const isOf = (personId: number, id: string) =>
  sql<boolean>`s.id = ${id} and ${mayActFor(personId, sql.ref("s.person_id"))}`;

/** A subscription of the caller or of a child of theirs; anyone else's is `not_found`. */
export async function readSubscription(
  db: Db,
  personId: number,
  id: string,
): Promise<SubscriptionRow> {
  const [row] = await subscriptionsWhere(db, isOf(personId, id));
  if (!row) throw new Problem("not_found");
  return row;
}

/** The same, locked until the transaction ends. */
export async function lockSubscriptionOf(
  tx: Tx,
  personId: number,
  id: string,
): Promise<SubscriptionRow> {
  await lockWhere(tx, isOf(personId, id));
  return await readSubscription(tx, personId, id);
}

/** Any subscription, locked: for payments, jobs and the operator. Null when there is none. */
export async function lockSubscription(tx: Tx, id: string): Promise<SubscriptionRow | null> {
  await lockWhere(tx, sql`s.id = ${id}`);
  return (await subscriptionsWhere(tx, sql`s.id = ${id}`))[0] ?? null;
}

const lockWhere = (tx: Tx, condition: RawBuilder<unknown>) =>
  sql`select from subscription s where ${condition} for no key update`.execute(tx);

/** Last day of all current subscriptions of a person's card, null without any. */
export async function lastDayOf(db: Db, personId: number): Promise<string | null> {
  const { last } = await query(db).one(sql<{ last: string | null }>`
    select max(s.ends_on) as last from subscription_cover v
    join subscription s on s.id = v.subscription_id
    where v.person_id = ${personId} and s.state = 'active'`);
  return last;
}

/** Children whom a person is a guardian of, by name. */
export async function childrenOf(
  db: Db,
  personId: number,
): Promise<{ personId: number; name: string }[]> {
  const { rows } = await sql<{ personId: number; name: string }>`
    select p.id as person_id, p.name from current_ties() t join person p on p.id = t.member_id
    where t.guardian_id = ${personId} and t.role = 'child' order by p.name`.execute(db);
  return rows;
}

/** Names of everybody covered by each of these subscriptions, the holder first. */
export async function coversOf(db: Db, ids: readonly string[]): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ id: string; names: string[] }>`
    select v.subscription_id as id,
      array_agg(p.name order by p.id <> s.person_id, p.name) as names
    from subscription_cover v join person p on p.id = v.person_id
    join subscription s on s.id = v.subscription_id
    where v.subscription_id = any (${ids}::uuid[]) group by 1`.execute(db);
  return new Map(rows.map(({ id, names }) => [id, names]));
}

/**
 * Derives dateRenew, subExp and isc (spec §3) of every person covered by a subscription from the rows: the
 * end of the last day in Paris, and the day after it to renew. Past dates stay until the next purchase, so
 * that the screen can say since when.
 */
export async function syncMembershipDates(tx: Tx, subscriptionId: string): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    with covered as materialized (
      select p.id from person p join subscription_cover v on v.person_id = p.id
      where v.subscription_id = ${subscriptionId} order by p.id for no key update of p),
    ends as (
      select c.id, (select max(s.ends_on) from subscription_cover v
        join subscription s on s.id = v.subscription_id
        where v.person_id = c.id and s.state in ('active', 'expired')) as last
      from covered c)
    update person set subscription_renews_on = last + 1,
      subscription_expires_at =
        start_of_paris_day(last + 1) - interval '1 second'
    from ends where person.id = ends.id returning person.id`.execute(tx);
  if (rows.length === 0) return;
  await publishChange(
    tx,
    rows.map(({ id }) => id),
    "subscriptions",
  );
}
