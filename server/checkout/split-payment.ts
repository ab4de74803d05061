// Split payment: the part of a price that wallets pay while a bank card pays the rest.
import { randomUUID } from "node:crypto";
import { type PaymentMethod, splitWithCard } from "#contract/checkout/rows.ts";
import { Problem } from "#contract/errors.ts";
import type { OrderKind } from "#contract/payments/rows.ts";
import type { Tx } from "#server/db/db.ts";
import type { Caller } from "#server/http/caller.ts";
import {
  mainGroup,
  reserve,
  type SchemeAccount,
  schemeAccount,
  spendableNow,
} from "#server/wallet/wallet.ts";
import type { OwnShares, PaymentWallet } from "./paying-wallets.ts";

interface SplitInput {
  caller: Caller;
  method: PaymentMethod;
  wallet: PaymentWallet;
  own: OwnShares;
  quote: { totalCents: number; label: string };
  /** The card's part as the caller saw it, with `both`. */
  cardCents: number | undefined;
  orderId: string;
  at: Date;
}

export interface SplitShares {
  /**
   * The wallet that the card's money passes through: beside a wallet the payer's own main wallet, where it
   * stays if it comes late; else the named one.
   */
  throughId: number;
  heldCents: number;
  holdIds: number[];
}

type SoldFor = { kind: OrderKind; account: SchemeAccount; ownMoney?: boolean };

/**
 * Holds what wallets pay of a price beside a bank card: own wallets what their people get; with `both` a
 * wallet, and the main one of the same person, what they can of the rest. Refuses `split_changed` where
 * nothing is left for the card, or something else than was seen, and what `reserve` refuses.
 */
export async function holdWalletShares(
  tx: Tx,
  sale: SoldFor,
  input: SplitInput,
): Promise<SplitShares> {
  const { caller, method, wallet, own, quote, orderId, at } = input;
  if (own.restCents <= 0) throw new Problem("split_changed");
  // The card pays alone; the payment checks the limits of the wallet that it passes through.
  if (method === "provider" && own.due.length === 0) {
    return { throughId: wallet.id, heldCents: 0, holdIds: [] };
  }
  const through = method === "both" ? await mainWalletOf(tx, caller.personId) : wallet;
  const cardCents = method === "both" ? await seenCardCents(tx, sale, input) : own.restCents;
  const ofRest = { walletId: wallet.id, amountCents: own.restCents - cardCents };
  const { personId, groupId } = through;
  const holds = await reserve(tx, {
    walletId: wallet.id,
    // Own wallets first: a main wallet that gives beside its own person's other one gives after it.
    items: [...own.due, ofRest]
      .filter(({ amountCents }) => amountCents > 0)
      .map((due) => ({
        ...due,
        key: `${sale.kind}:${orderId}:hold:${randomUUID()}`,
        memo: { label: quote.label },
      })),
    to: await schemeAccount(tx, sale.account),
    // A person's own money and card: their limits check both at once.
    beside: { personId, groupId, amountCents: cardCents },
    ...ownMoneyOf(sale),
    kind: "purchase",
    at,
  });
  return {
    throughId: through.id,
    heldCents: quote.totalCents - cardCents,
    holdIds: holds.flat(),
  };
}

/** What the card pays of the rest beside a wallet, in cents; `split_changed` unless that was seen. */
async function seenCardCents(
  tx: Tx,
  sale: SoldFor,
  { wallet, own, cardCents, at }: SplitInput,
): Promise<number> {
  const paid = { walletId: wallet.id, before: own.due, ...ownMoneyOf(sale), at };
  const now = await spendableNow(tx, paid);
  const split = splitWithCard(
    own.restCents,
    { main: wallet.groupId === mainGroup, projectedCents: now.walletCents },
    { projectedCents: now.mainCents, frozen: false },
  );
  if (!split || split.cardCents !== cardCents) throw new Problem("split_changed");
  return split.cardCents;
}

const ownMoneyOf = ({ ownMoney }: SoldFor) => (ownMoney ? { ownMoney: true } : {});

async function mainWalletOf(tx: Tx, personId: number): Promise<PaymentWallet> {
  const main = await tx
    .selectFrom("wallet")
    .select(["id", "personId", "groupId"])
    .where("personId", "=", personId)
    .where("groupId", "=", mainGroup)
    .executeTakeFirst();
  if (!main) throw new Problem("not_found");
  return main;
}
