// Spending from a wallet: in which order its lots pay, at once (`spend`) or later (`reserve`).
import { sql } from "kysely";
import { cardCan, type CardState } from "#contract/cards/rows.ts";
import { parisDay } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import type { Tx } from "#server/db/db.ts";
import { requireWithinLimits } from "#server/family/family.ts";
import {
  holdAll,
  lockedBalances,
  type Memo,
  post,
  type Posted,
  postedUnder,
} from "#server/ledger/ledger.ts";

/** The acceptance group of the main wallet: valid everywhere (spec.md 13). */
export const mainGroup = 1;

/** An amount of money of one lot, in cents. */
export interface Fund {
  accountId: number;
  amountCents: number;
  /** It was put on hold before its lot expired, and may be spent all the same. */
  promised: boolean;
}

/**
 * Pays `to` (a ledger account) from a wallet, then from those `beside` it in their order, then from the main
 * wallet of the same person for the rest: in each, granted lots before purchased money, the earliest expiry
 * first. All parts or none under one key (spec.md 17). Amount in cents. `from` names the money that pays
 * instead, in its order, whoever owns it; `ownMoney` leaves aids out. The same key again answers the first
 * outcome. Throws `insufficient_funds`, `wallet_frozen`, `card_suspended`, `card_opposed`, `card_state`,
 * `limit_day`, `limit_week`, `limit_place`, `idempotency_mismatch`.
 */
export async function spend(
  tx: Tx,
  payment: {
    walletId: number;
    /** Other wallets of the same person that may pay as well. */
    beside?: readonly number[];
    amountCents: number;
    to: number;
    from?: readonly Fund[];
    ownMoney?: boolean;
    kind: "purchase" | "meal";
    key: string;
    memo?: Memo;
    at: Date;
  },
): Promise<Posted[]> {
  const lots = await lotsOf(tx, payment);
  // Locked before the key is looked up: of two calls with one key, the second sees the effect of the first.
  const balances = await lockedBalances(
    tx,
    lots.map((lot) => lot.accountId),
  );
  const before = await postedUnder(tx, payment.key);
  if (before.length > 0) {
    const total = before.reduce((sum, part) => sum + part.amountCents, 0);
    const same =
      total === payment.amountCents &&
      before.every((part) => part.creditAccount === payment.to && part.kind === payment.kind) &&
      before.every((part) => lots.some((lot) => lot.accountId === part.debitAccount));
    if (!same) throw new Problem("idempotency_mismatch");
    return before;
  }
  requireSpendable(lots, payment.from);
  if (!payment.from) await requireGroupsWithinLimits(tx, lots, payment);
  const [parts = []] = divide([payment.amountCents], lots, balances);
  if (payment.from) await requirePartsWithinLimits(tx, lots, { parts, at: payment.at });
  const { to, kind, key, memo, at } = payment;
  return await post(
    tx,
    parts.map((part) => ({ ...part, creditAccount: to, kind, key, at, ...(memo ? { memo } : {}) })),
  );
}

/** Money of a wallet put on hold for one purpose. */
export interface Reservation {
  /** Unique: for the same key and amount, the existing holds are answered. */
  key: string;
  amountCents: number;
  memo?: Memo;
}

/**
 * Puts money of a wallet on hold for several purposes, in the order in which `spend` takes it; answers the
 * ids of the ledger's holds of each, none for a free one. All or none. `to` is the ledger account that
 * receives the money once it is spent. Throws as `spend`.
 */
export async function reserve(
  tx: Tx,
  payment: {
    walletId: number;
    items: readonly Reservation[];
    to: number;
    from?: readonly Fund[];
    ownMoney?: boolean;
    kind: "purchase" | "meal";
    at: Date;
  },
): Promise<number[][]> {
  const { items, to, from, kind, at } = payment;
  const lots = await lotsOf(tx, payment);
  const balances = await lockedBalances(
    tx,
    lots.map((lot) => lot.accountId),
  );
  requireSpendable(lots, from);
  const amounts = items.map(({ amountCents }) => amountCents);
  const amountCents = amounts.reduce((sum, cents) => sum + cents, 0);
  if (!from) await requireWithinMemberLimits(tx, lots, { amountCents, at });
  const parts = divide(amounts, lots, balances).flatMap((some, item) =>
    some.map((part, place) => ({ ...part, place, item })),
  );
  if (from) await requirePartsWithinLimits(tx, lots, { parts, at });
  const holds = await holdAll(
    tx,
    parts.map(({ item, place, ...part }) => {
      const { key, memo } = items[item] as Reservation;
      return {
        ...part,
        key: `${key}:${place}`,
        creditAccount: to,
        kind,
        at,
        ...(memo && { memo }),
      };
    }),
  );
  return items.map((_, item) =>
    holds.filter((_hold, index) => parts[index]?.item === item).map(({ id }) => id),
  );
}

/**
 * The amount that a wallet could pay now and that the main wallet of the same person could add, in cents,
 * locked until the transaction ends; without aids where only the holder's own money may pay.
 */
export async function spendableNow(
  tx: Tx,
  { walletId, ownMoney, at }: { walletId: number; ownMoney?: boolean; at: Date },
): Promise<{ walletCents: number; mainCents: number }> {
  const lots = await spendingOrder(tx, { walletId, ownMoney, at });
  const balances = await lockedBalances(
    tx,
    lots.map((lot) => lot.accountId),
  );
  const left = leftOf(lots, balances);
  const sum = (own: boolean) =>
    lots.reduce((cents, lot, index) => cents + (lot.own === own ? (left[index] ?? 0) : 0), 0);
  return { walletCents: sum(true), mainCents: sum(false) };
}

/** The spendable amount of each lot, in cents. */
const leftOf = (
  lots: readonly SpendableLot[],
  balances: readonly { spendableCents: number }[],
): number[] =>
  lots.map((lot, index) => {
    // A frozen main wallet adds nothing to another one.
    if (!lot.usable || lot.frozen) return 0;
    const cents = Math.max(0, balances[index]?.spendableCents ?? 0);
    return lot.maxCents === null ? cents : Math.min(cents, lot.maxCents);
  });

/**
 * Divides each amount among the lots, one after the other; throws `insufficient_funds` with the missing
 * amount.
 */
function divide(
  amounts: readonly number[],
  lots: readonly SpendableLot[],
  balances: readonly { spendableCents: number }[],
): Part[][] {
  const left = leftOf(lots, balances);
  let missingCents = 0;
  const divided = amounts.map((dueCents) => {
    let missing = dueCents;
    const parts = lots.flatMap((lot, index) => {
      const amountCents = Math.min(missing, left[index] ?? 0);
      missing -= amountCents;
      left[index] = (left[index] ?? 0) - amountCents;
      return amountCents > 0 ? [{ debitAccount: lot.accountId, amountCents }] : [];
    });
    missingCents += missing;
    return parts;
  });
  if (missingCents > 0) throw new Problem("insufficient_funds", { missingCents });
  return divided;
}

interface Part {
  debitAccount: number;
  amountCents: number;
}

interface SpendableLot {
  accountId: number;
  personId: number;
  groupId: number;
  /** Of a wallet that is asked to pay, not of the main one behind it. */
  own: boolean;
  /** False for a lot that has expired: locked with the others, never spent. */
  usable: boolean;
  frozen: boolean;
  /** Maximum number of cents taken from it; null: all that is there. */
  maxCents: number | null;
  cardState: CardState | null;
}

/** The lots that may pay, in their order: those of a wallet, or of the named money. */
const lotsOf = (
  tx: Tx,
  { from, ...request }: SpendingRequest & { from?: readonly Fund[] },
): Promise<SpendableLot[]> =>
  from ? lotsOfFunds(tx, from, parisDay(request.at)) : spendingOrder(tx, request);

interface SpendingRequest {
  walletId: number;
  beside?: readonly number[] | undefined;
  ownMoney?: boolean | undefined;
  at: Date;
}

async function spendingOrder(
  tx: Tx,
  { walletId, beside = [], ownMoney = false, at }: SpendingRequest,
): Promise<SpendableLot[]> {
  const { rows } = await sql<SpendableLot>`
    select ${lotColumns(parisDay(at))}, requested.place is not null as own, null::bigint as max_cents
    from wallet first join wallet w on w.person_id = first.person_id
    left join unnest(${[walletId, ...beside]}::bigint[]) with ordinality as requested (id, place)
      on requested.id = w.id
    join wallet_lot l on l.wallet_id = w.id
    where first.id = ${walletId} and (l.kind = 'purchased' or not ${ownMoney})
      and (requested.place is not null or w.group_id = ${mainGroup})
    order by requested.place nulls last, l.kind = 'purchased', l.expires_on nulls last, l.account_id`.execute(
    tx,
  );
  if (rows.length === 0) throw new Problem("not_found");
  return rows;
}

async function lotsOfFunds(tx: Tx, from: readonly Fund[], today: string): Promise<SpendableLot[]> {
  const { rows } = await sql<SpendableLot & { promised: boolean }>`
    select ${lotColumns(today)}, true as own, fund.cents as max_cents, fund.promised
    from (select account_id, sum(cents)::bigint as cents, bool_or(promised) as promised,
        min(place) as place
      from unnest(${from.map(({ accountId }) => accountId)}::bigint[],
        ${from.map(({ amountCents }) => amountCents)}::bigint[],
        ${from.map(({ promised }) => promised)}::boolean[])
        with ordinality as named (account_id, cents, promised, place)
      group by account_id) fund
    join wallet_lot l on l.account_id = fund.account_id join wallet w on w.id = l.wallet_id
    order by fund.place`.execute(tx);
  return rows.map((lot) => ({ ...lot, usable: lot.usable || lot.promised }));
}

const lotColumns = (today: string) => sql`l.account_id, w.person_id,
  w.group_id, w.frozen_at is not null as frozen,
  (l.expires_on is null or l.expires_on >= ${today}::date) as usable,
  (select state from current_card(w.person_id)) as card_state`;

/** Requires that the paying wallet may spend; for named money, each wallet that has a part of it. */
function requireSpendable(lots: readonly SpendableLot[], from?: readonly Fund[]): void {
  for (const { frozen, cardState } of from ? lots : lots.slice(0, 1)) {
    if (frozen) throw new Problem("wallet_frozen");
    requireUsableCard(cardState);
  }
}

/** The limits that guardians set: the place is the group of the paying wallet. */
async function requireWithinMemberLimits(
  tx: Tx,
  lots: readonly SpendableLot[],
  { amountCents, at }: { amountCents: number; at: Date },
): Promise<void> {
  const { personId, groupId } = lots[0] as SpendableLot;
  await requireWithinLimits(tx, { personId, groupId, amountCents, at });
}

/** The same for the group of each wallet that pays. */
async function requireGroupsWithinLimits(
  tx: Tx,
  lots: readonly SpendableLot[],
  payment: { amountCents: number; at: Date },
): Promise<void> {
  const payingLots = lots.filter(({ own }, place) => own || place === 0);
  for (const some of Map.groupBy(payingLots, ({ groupId }) => groupId).values()) {
    await requireWithinMemberLimits(tx, some, payment);
  }
}

/** The same for money of several people: each by the part of their own lots. */
async function requirePartsWithinLimits(
  tx: Tx,
  lots: readonly SpendableLot[],
  { parts, at }: { parts: readonly Part[]; at: Date },
): Promise<void> {
  for (const some of Map.groupBy(lots, ({ personId }) => personId).values()) {
    const own = new Set(some.map(({ accountId }) => accountId));
    const amountCents = parts
      .filter(({ debitAccount }) => own.has(debitAccount))
      .reduce((sum, part) => sum + part.amountCents, 0);
    if (amountCents > 0) await requireWithinMemberLimits(tx, some, { amountCents, at });
  }
}

/** Throws the problem of a card that may not spend in this state (spec.md 22). */
export function requireUsableCard(state: CardState | null): void {
  if (state === "suspended") throw new Problem("card_suspended");
  if (state === "opposed") throw new Problem("card_opposed");
  if (state === null || !cardCan.spend({ state })) throw new Problem("card_state");
}
