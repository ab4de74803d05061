// The lots that may pay, in their order, and how amounts are divided among them.
import { sql } from "kysely";
import type { CardState } from "#contract/cards/rows.ts";
import { parisDay } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import type { Tx } from "#server/db/db.ts";

/** The acceptance group of the main wallet: valid everywhere (spec.md 13). */
export const mainGroup = 1;

/** An amount of money of one lot, in cents. */
export interface Fund {
  accountId: number;
  amountCents: number;
  /** It was put on hold before its lot expired, and may be spent all the same. */
  promised: boolean;
}

export interface SpendableLot {
  accountId: number;
  personId: number;
  groupId: number;
  /** The wallet in whose order it stands; null for named money. */
  payingId: number | null;
  /** Of a wallet that is asked to pay, not of the main one behind it. */
  own: boolean;
  /** False for a lot that has expired: locked with the others, never spent. */
  usable: boolean;
  frozen: boolean;
  /** Maximum number of cents taken from it; null: all that is there. */
  maxCents: number | null;
  cardState: CardState | null;
}

interface SpendingRequest {
  /** Each has an order of its own, which may end with the lots of another's. */
  walletIds: readonly number[];
  /** Other wallets of the same person that may pay as well. */
  beside?: readonly number[] | undefined;
  ownMoney?: boolean | undefined;
  at: Date;
}

/** The lots that may pay, in their order: those of wallets, or of the named money. */
export const lotsOf = (
  tx: Tx,
  { from, ...request }: SpendingRequest & { from?: readonly Fund[] | undefined },
): Promise<SpendableLot[]> =>
  from ? lotsOfFunds(tx, from, parisDay(request.at)) : spendingOrder(tx, request);

async function spendingOrder(
  tx: Tx,
  { walletIds, beside = [], ownMoney = false, at }: SpendingRequest,
): Promise<SpendableLot[]> {
  const { rows } = await sql<SpendableLot>`
    select ${lotColumns(parisDay(at))}, first.id as paying_id, requested.place is not null as own,
      null::bigint as max_cents
    from unnest(${[...walletIds]}::bigint[]) with ordinality as paying (id, turn)
    join wallet first on first.id = paying.id join wallet w on w.person_id = first.person_id
    left join lateral unnest(first.id || ${[...beside]}::bigint[]) with ordinality
      as requested (id, place) on requested.id = w.id
    join wallet_lot l on l.wallet_id = w.id
    where (l.kind = 'purchased' or not ${ownMoney})
      and (requested.place is not null or w.group_id = ${mainGroup})
    order by paying.turn, requested.place nulls last, l.kind = 'purchased', l.expires_on nulls last,
      l.account_id`.execute(tx);
  if (new Set(rows.map(({ payingId }) => payingId)).size < walletIds.length) {
    throw new Problem("not_found");
  }
  return rows;
}

async function lotsOfFunds(tx: Tx, from: readonly Fund[], today: string): Promise<SpendableLot[]> {
  const { rows } = await sql<SpendableLot & { promised: boolean }>`
    select ${lotColumns(today)}, null::bigint as paying_id, true as own, fund.cents as max_cents,
      fund.promised
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

/** The spendable amount of each account, in cents: one that stands in two orders is spent once. */
export const leftOf = (
  lots: readonly SpendableLot[],
  balances: readonly { spendableCents: number }[],
): Map<number, number> =>
  new Map(
    lots.map((lot, index) => {
      // A frozen main wallet adds nothing to another one.
      if (!lot.usable || lot.frozen) return [lot.accountId, 0];
      const cents = Math.max(0, balances[index]?.spendableCents ?? 0);
      return [lot.accountId, lot.maxCents === null ? cents : Math.min(cents, lot.maxCents)];
    }),
  );

/** An amount to be paid, in cents. */
export interface Due {
  amountCents: number;
  /** The wallet whose order pays it; named money pays without one. */
  walletId?: number | undefined;
  /** Whom it is for. */
  personId?: number | undefined;
}

/** What one lot pays of an amount, in cents. */
export interface Part {
  debitAccount: number;
  amountCents: number;
}

/**
 * Divides each amount among the lots of its wallet's order, one after the other, and takes it from `left`.
 * Named money goes to those whose it is; then whoever has nothing to pay for pays; what is still missing comes
 * from anybody's. Throws `insufficient_funds` with the missing amount.
 */
export function divide(
  items: readonly Due[],
  lots: readonly SpendableLot[],
  left: Map<number, number>,
): Part[][] {
  const missing = items.map(({ amountCents }) => amountCents);
  const divided = items.map((): Part[] => []);
  const served = new Set(items.map(({ personId }) => personId));
  const turns: ((item: Due, lot: SpendableLot) => boolean)[] = [
    ({ walletId }, { payingId }) => payingId !== null && payingId === walletId,
    ({ personId }, lot) => lot.payingId === null && lot.personId === personId,
    (_item, lot) => lot.payingId === null && !served.has(lot.personId),
    (_item, lot) => lot.payingId === null,
  ];
  for (const mayPay of turns) {
    for (const [index, item] of items.entries()) {
      for (const lot of lots) {
        const amountCents = Math.min(missing[index] ?? 0, left.get(lot.accountId) ?? 0);
        if (amountCents === 0 || !mayPay(item, lot)) continue;
        missing[index] = (missing[index] ?? 0) - amountCents;
        left.set(lot.accountId, (left.get(lot.accountId) ?? 0) - amountCents);
        divided[index]?.push({ debitAccount: lot.accountId, amountCents });
      }
    }
  }
  const missingCents = missing.reduce((sum, cents) => sum + cents, 0);
  if (missingCents > 0) throw new Problem("insufficient_funds", { missingCents });
  return divided;
}
