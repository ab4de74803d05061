// Reads on which transfers are decided, for many requests at once: both parties, a snapshot of their state,
// and the earlier outcome of an Idempotency-Key.
import { sql } from "kysely";
import type { CardState } from "#contract/cards/rows.ts";
import { parisDay } from "#contract/days.ts";
import type { Output, Parsed } from "#contract/endpoint.ts";
import { money } from "#contract/limits.ts";
import type { wallets } from "#contract/wallet/rows.ts";
import { type Db, prepared, type Tx } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import type { Caller, Origin } from "#server/http/caller.ts";
import {
  actsForSql,
  isFamilyOf,
  type LimitsLeft,
  limitsLeftSql,
  mayActFor,
} from "#server/family/family.ts";
import { lockAccounts } from "#server/ledger/ledger.ts";
import type { Notice } from "#server/notifications/notifications.ts";
import { lockOutgoing, outgoingAtMostSql } from "./outgoing.ts";

type TransferInput = Parsed<typeof wallets.transfer>;
export type Sent = Output<typeof wallets.transfer>;

export interface TransferCall {
  caller: Caller;
  origin: Origin;
  input: TransferInput;
  /** The client's Idempotency-Key. */
  key: string | null;
  /** What the transfer settles in the same transaction; such a transfer is made alone, never in a batch. */
  settles?: Settled;
}

/** A record of a later room that one transfer settles: both are written or neither. */
export interface Settled {
  /** The first locks of the transaction: ties, before wallets. */
  lockTies: (tx: Tx) => Promise<void>;
  /** Under the locks of the wallets, before the transfer is decided: locks the record, throws where it is settled. */
  requireOpen: (tx: Tx) => Promise<void>;
  onSent: (tx: Tx, sent: Sent) => Promise<void>;
  /** In place of the receiver's notice of a transfer. */
  notice: (sent: Sent) => Pick<Notice, "title" | "body" | "path" | "changed">;
}

/** Sender and receiver of a transfer that the caller may make: data that does not change meanwhile. */
export interface Parties {
  fromId: number;
  fromPersonId: number;
  fromName: string;
  fromAccount: number;
  toId: number;
  toObjectId: string;
  toPersonId: number;
  toName: string;
  toAccount: number;
}

/** A requested transfer, with its parties. */
export interface TransferRequest {
  call: TransferCall;
  parties: Parties;
}

/** The money of a wallet, expired lots left out of the spendable amounts. */
export interface WalletBalance {
  balanceCents: number;
  /** The spendable amount, and of it the purchased money: granted aid stays with its beneficiary. */
  spendableCents: number;
  sendableCents: number;
}

/** The state of both parties at the moment of the decision. */
export interface Snapshot {
  fromFrozen: boolean;
  toFrozen: boolean;
  fromCard: CardState;
  toCard: CardState;
  from: WalletBalance;
  to: WalletBalance;
  /** An identical transfer was made within the last minute. */
  repeated: boolean;
  /** Upper bound of the outgoing money, in 24 h, of the people for whom the caller acts; their ids. */
  outgoingCents: number;
  reachedIds: number[];
  /** The rest of the limits of a sender who sends for themself. */
  limits: LimitsLeft | null;
  /** The earlier outcome of the key. */
  before: Before | null;
}

type Row = Omit<Snapshot, "from" | "to"> &
  Record<`${"from" | "to"}${"Balance" | "Spendable" | "Sendable"}`, number>;

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
 * Planner and lock settings of the deciding transaction, called before the reads below. Generic plans are
 * made once per connection, since planning these joins costs ten times running them, and without sequential
 * scans, hashes and merges of whole tables they use the indexes even if a table was empty when they were
 * made. The lock time-out keeps one wallet locked by others from holding up a whole batch.
 */
export async function setDecisionPlannerOptions(tx: Tx): Promise<void> {
  await sql`select set_config('plan_cache_mode', 'force_generic_plan', true),
    set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
    set_config('enable_mergejoin', 'off', true), set_config('lock_timeout', '1s', true)`.execute(
    tx,
  );
}

/**
 * The parties of each call, undefined where the caller may not reach one of them, whichever it is. With
 * `offset 0` each is looked up by its key: a plan made before the tables were analysed joined all wallets
 * with all lots.
 */
export async function readParties(
  db: Db,
  all: readonly TransferCall[],
): Promise<(Parties | undefined)[]> {
  const [me, card, from] = ["q.me", "q.card", "q.from_wallet"].map((name) => sql.ref(name));
  const { rows } = await sql<Parties & { ord: number }>`${prepared("transfer-parties")}
    select q.ord::int as ord, f.id as from_id, f.person_id as from_person_id, f.name as from_name,
      f.account_id as from_account,
      t.id as to_id, t.object_id as to_object_id, t.person_id as to_person_id, t.name as to_name,
      t.account_id as to_account
    from unnest(${all.map(({ caller }) => caller.personId)}::bigint[],
      ${all.map(({ input }) => input.fromWallet)}::uuid[],
      ${all.map(({ input }) => input.toCardnumber)}::bigint[])
      with ordinality as q (me, from_wallet, card, ord)
    cross join lateral (
      select w.id, w.person_id, p.name, l.account_id
      from wallet w join person p on p.id = w.person_id
      join wallet_lot l on l.wallet_id = w.id and l.kind = 'purchased'
      where w.object_id = ${from} offset 0) f
    cross join lateral (
      select w.id, w.object_id, w.person_id, p.name, l.account_id
      from card c join wallet w on w.person_id = c.person_id and w.group_id = 1
      join person p on p.id = w.person_id
      join wallet_lot l on l.wallet_id = w.id and l.kind = 'purchased'
      where c.number = ${card} and c.state in ('active', 'suspended', 'damaged', 'opposed') offset 0) t
    where ${mayActFor(me!, sql.ref("f.person_id"))}
      and (t.person_id = ${me} or ${isFamilyOf(me!, sql.ref("t.person_id"))})`.execute(db);
  const found: (Parties | undefined)[] = all.map(() => undefined);
  for (const { ord, ...parties } of rows) found[ord - 1] = parties;
  return found;
}

/**
 * The statements that lock everything the requests touch until the transaction ends: wallets in id order, the
 * main one of each caller among them (`lockOutgoing`), then their accounts of purchased money, as separate
 * statements before any read on which a decision depends.
 */
export function locksOf(
  tx: Tx,
  requests: readonly TransferRequest[],
): [() => Promise<void>, () => Promise<void>] {
  const walletIds = requests.flatMap(({ parties }) => [parties.fromId, parties.toId]);
  const personIds = requests.map(({ call }) => call.caller.personId);
  const accounts = requests.flatMap(({ parties }) => [parties.fromAccount, parties.toAccount]);
  return [() => lockOutgoing(tx, { personIds, walletIds }), () => lockAccounts(tx, accounts)];
}

/**
 * The snapshot of each request; under the locks of `locksOf` it is still true when the transfer is written.
 * Each part is looked up by itself, never joined: on a plan made while a table was empty, a join or an
 * `exists` would read all transfers of the day for every request. The check for an identical recent transfer
 * compares without an index (`is not distinct from`), which would read all transfers that the person ever
 * sent.
 */
export async function readSnapshots(
  { now: clock }: Deps,
  db: Db,
  requests: readonly TransferRequest[],
): Promise<Snapshot[]> {
  const now = clock();
  const since = new Date(now.getTime() - money.repeatWindowSeconds * 1000);
  const today = parisDay(now);
  const column = <T>(read: (request: TransferRequest) => T) => requests.map(read);
  const balance = (wallet: string) => sql`(
    select sum(a.balance) as balance,
      coalesce(sum(a.balance - a.held) filter (
        where l.expires_on is null or l.expires_on >= ${today}::date), 0) as spendable,
      coalesce(sum(a.balance - a.held) filter (where l.kind = 'purchased'), 0) as sendable
    from wallet_lot l join ledger_account a on a.id = l.account_id
    where l.wallet_id = ${sql.ref(wallet)})`;
  const { rows } = await sql<Row>`${prepared("transfer-snapshots")}
    select f.frozen_at is not null as from_frozen, t.frozen_at is not null as to_frozen,
      (select state from current_card(f.person_id)) as from_card,
      (select c.state from card c where c.number = q.card) as to_card,
      fb.balance::float8 as from_balance, fb.spendable::float8 as from_spendable,
      fb.sendable::float8 as from_sendable,
      tb.balance::float8 as to_balance, tb.spendable::float8 as to_spendable,
      tb.sendable::float8 as to_sendable,
      coalesce((select true from wallet_transfer r where r.from_wallet = q.from_id and r.at > ${since}
        and r.to_wallet = q.to_id and r.amount_cents = q.cents
        and r.person_id is not distinct from q.me limit 1), false) as repeated,
      reach.cents::float8 as outgoing_cents, reach.ids as reached_ids,
      case when f.person_id = q.me then ${limitsLeftSql(sql.ref("q.me"), now)} end as limits,
      (select jsonb_build_object('id', s.id, 'amountCents', s.amount_cents, 'toName', s.to_name,
          'toCardnumber', s.to_cardnumber, 'balanceCents', s.balance_after_cents, 'at', s.at,
          'fromWallet', (select sw.object_id from wallet sw where sw.id = s.from_wallet))
        from wallet_transfer s
        where s.person_id = q.me and s.idempotency_key = q.key) as before
    from unnest(${column(({ call }) => call.caller.personId)}::bigint[],
      ${column(({ parties }) => parties.fromId)}::bigint[], ${column(({ parties }) => parties.toId)}::bigint[],
      ${column(({ call }) => call.input.toCardnumber)}::bigint[],
      ${column(({ call }) => call.input.amountCents)}::bigint[],
      ${column(({ call }) => call.key)}::text[])
      with ordinality as q (me, from_id, to_id, card, cents, key, ord)
    join wallet f on f.id = q.from_id
    join wallet t on t.id = q.to_id
    cross join lateral ${balance("f.id")} fb cross join lateral ${balance("t.id")} tb
    cross join lateral (
      select json_agg(distinct r.id) as ids, coalesce(sum(${outgoingAtMostSql(now)}), 0) as cents
      from (${actsForSql(sql.ref("q.me"))}) r (id)
      left join wallet w on w.person_id = r.id
      left join wallet_lot l on l.wallet_id = w.id
      left join ledger_account a on a.id = l.account_id) reach
    order by q.ord`.execute(db);
  return rows.map((row) => ({
    ...row,
    from: {
      balanceCents: row.fromBalance,
      spendableCents: row.fromSpendable,
      sendableCents: row.fromSendable,
    },
    to: {
      balanceCents: row.toBalance,
      spendableCents: row.toSpendable,
      sendableCents: row.toSendable,
    },
  }));
}
