// Split payment: the part of a price that a wallet pays while a bank card pays the rest.
import { randomUUID } from "node:crypto";
import { splitWithCard } from "#contract/checkout/rows.ts";
import { Problem } from "#contract/errors.ts";
import type { OrderKind } from "#contract/payments/rows.ts";
import type { Tx } from "#server/db/db.ts";
import { requireWithinLimits } from "#server/family/family.ts";
import type { Caller } from "#server/http/caller.ts";
import { reserve, type SchemeAccount, schemeAccount, spendableNow } from "#server/wallet/wallet.ts";

/** The wallet that a payment names. */
export interface PaymentWallet {
  id: number;
  personId: number;
  groupId: number;
}

interface SplitInput {
  caller: Caller;
  wallet: PaymentWallet;
  quote: { totalCents: number; label: string };
  /** The card's part as the caller saw it. */
  cardCents: number | undefined;
  orderId: string;
  at: Date;
}

export interface SplitShares {
  /**
   * The wallet that the card's money passes through: the payer's own main wallet, where it stays if it comes
   * late.
   */
  throughId: number;
  heldCents: number;
  holdIds: number[];
}

/** The card pays alone, through the named wallet; the payment checks its limits (`placeOrderPayment`). */
export const noHoldShares = ({ id }: PaymentWallet): SplitShares => ({
  throughId: id,
  heldCents: 0,
  holdIds: [],
});

/**
 * Holds what a wallet, and the main one of the same person, can pay of a price; the card pays the rest.
 * Refuses `split_changed` unless that rest is what was seen, and what `reserve` refuses.
 */
export async function holdWalletShare(
  tx: Tx,
  sale: { kind: OrderKind; account: SchemeAccount; ownMoney?: boolean },
  { caller, wallet, quote, cardCents, orderId, at }: SplitInput,
): Promise<SplitShares> {
  const { totalCents, label } = quote;
  const only = sale.ownMoney ? { ownMoney: true } : {};
  const now = await spendableNow(tx, { walletId: wallet.id, ...only, at });
  const split = splitWithCard(
    totalCents,
    { main: wallet.groupId === 1, projectedCents: now.walletCents },
    { projectedCents: now.mainCents, frozen: false },
  );
  if (!split || split.cardCents !== cardCents) throw new Problem("split_changed");
  const { personId, groupId } = wallet;
  // One's own money and one's own card: the limits check both at once.
  if (personId === caller.personId) {
    await requireWithinLimits(tx, { personId, groupId, amountCents: totalCents, at });
  }
  const heldCents = totalCents - split.cardCents;
  const [holdIds = []] = await reserve(tx, {
    walletId: wallet.id,
    items: [
      {
        key: `${sale.kind}:${orderId}:hold:${randomUUID()}`,
        amountCents: heldCents,
        memo: { label },
      },
    ],
    to: await schemeAccount(tx, sale.account),
    ...only,
    kind: "purchase",
    at,
  });
  return { throughId: await mainWalletIdOf(tx, caller.personId), heldCents, holdIds };
}

async function mainWalletIdOf(tx: Tx, personId: number): Promise<number> {
  const main = await tx
    .selectFrom("wallet")
    .select("id")
    .where("personId", "=", personId)
    .where("groupId", "=", 1)
    .executeTakeFirst();
  if (!main) throw new Problem("not_found");
  return main.id;
}
