// Spending from wallets, at once (`spend`) or later (`reserve`), by those who may and within their limits.
import { cardCan, type CardState } from "#contract/cards/rows.ts";
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
import {
  divide,
  type Due,
  type Fund,
  leftOf,
  lotsOf,
  type Part,
  type SpendableLot,
} from "./lots.ts";

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
  const { walletId, amountCents } = payment;
  const lots = await lotsOf(tx, { ...payment, walletIds: [walletId] });
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
  const [parts = []] = divide([{ walletId, amountCents }], lots, leftOf(lots, balances));
  if (payment.from) await requirePartsWithinLimits(tx, lots, { parts, at: payment.at });
  const { to, kind, key, memo, at } = payment;
  return await post(
    tx,
    parts.map((part) => ({ ...part, creditAccount: to, kind, key, at, ...(memo ? { memo } : {}) })),
  );
}

/** Money of a wallet put on hold for one purpose. */
export interface Reservation extends Due {
  /** Unique: for the same key and amount, the existing holds are answered. */
  key: string;
  memo?: Memo;
}

/** What a bank card pays in a person's name in the same purchase: their limits count both. */
interface PaidBeside {
  personId: number;
  /** The place: the group of the wallet that its money passes through. */
  groupId: number;
  amountCents: number;
}

/**
 * Puts money on hold for several purposes, in the order in which `spend` takes it, each from the wallet that
 * it names, else from that of the payment; answers the ids of the ledger's holds of each, none for a free one.
 * All or none. `to` is the ledger account that receives the money once it is spent. `from` names the money
 * instead, and an item's person whose money pays it first (`divide`). Limits count for each person the sum of
 * what their wallets pay, and what a card pays `beside`. Throws as `spend`.
 */
export async function reserve(
  tx: Tx,
  payment: {
    walletId: number;
    items: readonly Reservation[];
    to: number;
    from?: readonly Fund[];
    beside?: PaidBeside;
    ownMoney?: boolean;
    kind: "purchase" | "meal";
    at: Date;
  },
): Promise<number[][]> {
  const { to, from, ownMoney, beside, kind, at } = payment;
  const items = payment.items.map((item) => ({
    ...item,
    walletId: item.walletId ?? payment.walletId,
  }));
  // A wallet that gives nothing is not looked at, unless none gives anything.
  const giving = items.filter(({ amountCents }) => amountCents > 0);
  const walletIds = [
    ...new Set(giving.length > 0 ? giving.map(({ walletId }) => walletId) : [payment.walletId]),
  ];
  const lots = await lotsOf(tx, { walletIds, ownMoney, from, at });
  const balances = await lockedBalances(
    tx,
    lots.map((lot) => lot.accountId),
  );
  requireSpendable(lots, from);
  if (!from) await requireSumsWithinLimits(tx, lots, { items, beside, at });
  const parts = divide(items, lots, leftOf(lots, balances)).flatMap((some, item) =>
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
 * once other wallets have paid what is due `before`; the accounts of all of them are locked until the
 * transaction ends. Without aids where only the holder's own money may pay. Throws as `spend` for those
 * others, limits aside.
 */
export async function spendableNow(
  tx: Tx,
  {
    walletId,
    before = [],
    ownMoney,
    at,
  }: { walletId: number; before?: readonly Due[]; ownMoney?: boolean; at: Date },
): Promise<{ walletCents: number; mainCents: number }> {
  const others = before.flatMap((due) => due.walletId ?? []);
  const walletIds = [...new Set([walletId, ...others])];
  const lots = await lotsOf(tx, { walletIds, ownMoney, at });
  const balances = await lockedBalances(
    tx,
    lots.map((lot) => lot.accountId),
  );
  requireSpendable(lots.filter(({ payingId }) => others.some((other) => other === payingId)));
  const left = leftOf(lots, balances);
  divide(before, lots, left);
  const order = lots.filter(({ payingId }) => payingId === walletId);
  const sum = (isOwn: boolean) =>
    order.reduce((cents, { own, accountId }) => {
      return cents + (own === isOwn ? (left.get(accountId) ?? 0) : 0);
    }, 0);
  return { walletCents: sum(true), mainCents: sum(false) };
}

/** Requires that each paying wallet may spend; for named money, each wallet that has a part of it. */
function requireSpendable(lots: readonly SpendableLot[], from?: readonly Fund[]): void {
  for (const { frozen, cardState } of from ? lots : firstLots(lots)) {
    if (frozen) throw new Problem("wallet_frozen");
    requireUsableCard(cardState);
  }
}

/** The first lot of each paying wallet. */
const firstLots = (lots: readonly SpendableLot[]): SpendableLot[] =>
  lots.filter(({ payingId }, place) => payingId !== lots[place - 1]?.payingId);

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

/**
 * The same for wallets of several people: each person by the sum of what their wallets pay, in the group of
 * each of these, person by person in one order.
 */
async function requireSumsWithinLimits(
  tx: Tx,
  lots: readonly SpendableLot[],
  { items, beside, at }: { items: readonly Due[]; beside: PaidBeside | undefined; at: Date },
): Promise<void> {
  const payments = firstLots(lots).map(({ personId, groupId, payingId }) => {
    const due = items.filter(({ walletId }) => walletId === payingId);
    return { personId, groupId, amountCents: due.reduce((sum, one) => sum + one.amountCents, 0) };
  });
  if (beside) payments.push(beside);
  for (const [personId, some] of byPerson(payments)) {
    const amountCents = some.reduce((sum, one) => sum + one.amountCents, 0);
    for (const groupId of new Set(some.map((one) => one.groupId))) {
      await requireWithinLimits(tx, { personId, groupId, amountCents, at });
    }
  }
}

/** In one order, in which limits are locked. */
const byPerson = <One extends { personId: number }>(all: readonly One[]): [number, One[]][] =>
  [...Map.groupBy(all, ({ personId }) => personId)].toSorted(([a], [b]) => a - b);

/** The same for money of several people: each by the part of their own lots. */
async function requirePartsWithinLimits(
  tx: Tx,
  lots: readonly SpendableLot[],
  { parts, at }: { parts: readonly Part[]; at: Date },
): Promise<void> {
  for (const [, some] of byPerson(lots)) {
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
