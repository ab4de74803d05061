// What transfers read before they decide, for many at once: both ends, how they stand, and what an
// Idempotency-Key has already done.
import { sql } from "kysely";
import type { CardState } from "#contract/cards.ts";
import { money } from "#contract/limits.ts";
import { type Db, prepared, type Tx } from "#server/db/db.ts";
import type { Deps } from "#server/deps.ts";
import { isFamilyOf, mayActFor } from "#server/family/family.ts";
import { lockAccounts } from "#server/ledger/ledger.ts";
import { parisDay } from "./days.ts";
import type { Asked } from "./transfers.ts";

/** Both ends of a transfer that the caller may make: what does not change while it is made. */
export interface Ends {
  fromId: number;
  fromName: string;
  fromAccount: number;
  toId: number;
  toPersonId: number;
  toName: string;
  toAccount: number;
}

/** A transfer asked for, with its ends. */
export interface Wish {
  asked: Asked;
  ends: Ends;
}

/** The money of a wallet, lots that have expired left out of what can be spent. */
export interface Purse {
  balanceCents: number;
  /** What can be spent, and of it the purchased money: granted aid stays with its beneficiary. */
  spendableCents: number;
  sendableCents: number;
}

/** How both ends of a wish stand at the moment of deciding. */
export interface Situation {
  fromFrozen: boolean;
  toFrozen: boolean;
  fromCard: CardState;
  toCard: CardState;
  from: Purse;
  to: Purse;
  /** An identical transfer was made within the last minute. */
  repeated: boolean;
  /** What the key has already done. */
  before: Before | null;
}

export interface Before {
  id: string;
  amountCents: number;
  toName: string;
  toCardnumber: number;
  balanceCents: number;
  at: string;
  fromWallet: string;
}

/**
 * Before the reads below, in the transaction that decides: their plans are made once for a connection
 * (many joins cost the planner ten times what they cost to run) and use the keys even if a table was
 * still empty then; and one wallet that others keep locked does not hold up a whole batch.
 */
export async function readyToDecide(tx: Tx): Promise<void> {
  await sql`select set_config('plan_cache_mode', 'force_generic_plan', true),
    set_config('enable_seqscan', 'off', true), set_config('lock_timeout', '1s', true)`.execute(tx);
}

/** Both ends of each, undefined where the caller does not reach one of them, whichever it was. */
export async function endsOf(db: Db, all: readonly Asked[]): Promise<(Ends | undefined)[]> {
  const [me, card, from] = ["q.me", "q.card", "q.from_wallet"].map((name) => sql.ref(name));
  const { rows } = await sql<Ends & { ord: number }>`${prepared("transfer-ends")}
    select q.ord::int as ord, f.id as "fromId", fp.name as "fromName", fl.account_id as "fromAccount",
      t.id as "toId", tp.id as "toPersonId", tp.name as "toName", tl.account_id as "toAccount"
    from unnest(${all.map(({ caller }) => caller.personId)}::bigint[],
      ${all.map(({ wanted }) => wanted.fromWallet)}::uuid[],
      ${all.map(({ wanted }) => wanted.toCardnumber)}::bigint[])
      with ordinality as q (me, from_wallet, card, ord)
    join wallet f on f.object_id = ${from}
    join person fp on fp.id = f.person_id
    join wallet_lot fl on fl.wallet_id = f.id and fl.kind = 'purchased'
    join card c on c.number = ${card}
    join wallet t on t.person_id = c.person_id and t.group_id = 1
    join person tp on tp.id = t.person_id
    join wallet_lot tl on tl.wallet_id = t.id and tl.kind = 'purchased'
    where ${mayActFor(me!, sql.ref("f.person_id"))}
      and c.state in ('active', 'suspended', 'opposed')
      and (c.person_id = ${me} or ${isFamilyOf(me!, sql.ref("c.person_id"))})`.execute(db);
  const found: (Ends | undefined)[] = all.map(() => undefined);
  for (const { ord, ...ends } of rows) found[ord - 1] = ends;
  return found;
}

/**
 * Locks what the wishes touch until the transaction ends: wallets in id order, then their accounts of
 * purchased money, as statements of their own before anything is read to decide.
 */
export async function lockEnds(tx: Tx, wishes: readonly Wish[]): Promise<void> {
  const ids = wishes.flatMap(({ ends }) => [ends.fromId, ends.toId]);
  await sql`${prepared("transfer-lock")} select from wallet where id = any (${ids}::bigint[])
    order by id for no key update`.execute(tx);
  await lockAccounts(
    tx,
    wishes.flatMap(({ ends }) => [ends.fromAccount, ends.toAccount]),
  );
}

/** How each wish stands; under the locks of `lockEnds`, as it will stand when it is written. */
export async function situationsOf(
  { now: clock }: Deps,
  db: Db,
  wishes: readonly Wish[],
): Promise<Situation[]> {
  const now = clock();
  const since = new Date(now.getTime() - money.repeatWindowSeconds * 1000);
  const today = parisDay(now);
  const column = <T>(read: (wish: Wish) => T) => wishes.map(read);
  const purse = (wallet: string) => sql`(
    select jsonb_build_object('balanceCents', sum(a.balance),
      'spendableCents', coalesce(sum(a.balance - a.held) filter (
        where l.expires_on is null or l.expires_on >= ${today}::date), 0),
      'sendableCents', coalesce(sum(a.balance - a.held) filter (where l.kind = 'purchased'), 0))
    from wallet_lot l join ledger_account a on a.id = l.account_id
    where l.wallet_id = ${sql.ref(wallet)})`;
  const { rows } = await sql<Situation>`${prepared("transfer-situations")}
    select f.frozen_at is not null as "fromFrozen", t.frozen_at is not null as "toFrozen",
      (select c.state from card c where c.person_id = f.person_id
        order by (c.state in ('active', 'suspended')) desc, (c.state = 'opposed') desc,
          c.requested_at desc limit 1) as "fromCard",
      (select c.state from card c where c.number = q.card) as "toCard",
      ${purse("f.id")} as "from", ${purse("t.id")} as "to",
      exists (select from wallet_transfer r where r.from_wallet = q.from_id and r.at > ${since}
        and r.to_wallet = q.to_id and r.amount_cents = q.cents
        and r.person_id = q.me) as repeated,
      (select jsonb_build_object('id', s.id, 'amountCents', s.amount_cents, 'toName', s.to_name,
          'toCardnumber', s.to_cardnumber, 'balanceCents', s.balance_after_cents, 'at', s.at,
          'fromWallet', sw.object_id)
        from wallet_transfer s join wallet sw on sw.id = s.from_wallet
        where s.person_id = q.me and s.idempotency_key = q.key) as before
    from unnest(${column(({ asked }) => asked.caller.personId)}::bigint[],
      ${column(({ ends }) => ends.fromId)}::bigint[], ${column(({ ends }) => ends.toId)}::bigint[],
      ${column(({ asked }) => asked.wanted.toCardnumber)}::bigint[],
      ${column(({ asked }) => asked.wanted.amountCents)}::bigint[],
      ${column(({ asked }) => asked.key)}::text[])
      with ordinality as q (me, from_id, to_id, card, cents, key, ord)
    join wallet f on f.id = q.from_id
    join wallet t on t.id = q.to_id
    order by q.ord`.execute(db);
  return rows;
}
