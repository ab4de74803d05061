// The wallets that a payment names: one for the price, and own wallets, each for what its person gets. Who
// may use them, and which amount each of them pays.
import { isAccepted } from "#contract/checkout/rows.ts";
import { Problem } from "#contract/errors.ts";
import type { Tx } from "#server/db/db.ts";
import type { Caller } from "#server/http/caller.ts";
import type { Deps } from "#server/process/deps.ts";
import { lockTiesOfWallets, walletOf } from "#server/wallet/wallet.ts";
import type { AnyOrder, Quote, Sale } from "./sale.ts";

/** A wallet that a payment names. */
export interface PaymentWallet {
  id: number;
  personId: number;
  groupId: number;
}

/** The wallets as a payment names them, by their public ids. */
export interface NamedWallets {
  caller: Caller;
  objectID: string;
  ownWallets?: readonly string[] | undefined;
}

/** What of a price the wallets of those for whom something is bought pay, in cents. */
export interface OwnShares {
  /** By person. */
  wallets: ReadonlyMap<number, number>;
  /** In the order of persons. */
  due: readonly { walletId: number; amountCents: number }[];
  /** What is left for the wallet that pays the rest, and for a card. */
  restCents: number;
}

/** What a code for these wallets approves beside the rest: the own ones, in whichever order they are named. */
export const boundWallets = ({ ownWallets = [] }: NamedWallets): string[] => ownWallets.toSorted();

/** The first locks of a payment: the ties by which the caller may spend from each wallet. */
export const lockPayerTies = (
  tx: Tx,
  { caller, objectID, ownWallets = [] }: NamedWallets,
): Promise<void> => lockTiesOfWallets(tx, caller.personId, [objectID, ...ownWallets]);

/** The wallets that a payment names; `not_found` for one that is neither the caller's nor a child's. */
export async function namedWalletsOf(
  tx: Tx,
  { now }: Pick<Deps, "now">,
  { caller, objectID, ownWallets = [] }: NamedWallets,
): Promise<{ wallet: PaymentWallet; own: PaymentWallet[] }> {
  const db = { db: tx, now };
  const wallet = await walletOf(db, caller.personId, objectID);
  const own: PaymentWallet[] = [];
  for (const one of ownWallets) own.push(await walletOf(db, caller.personId, one));
  return { wallet, own: own.toSorted((a, b) => a.personId - b.personId) };
}

/**
 * What each own wallet pays of a price, in cents, and what is left of it for `wallet`. Refuses
 * `wallet_not_accepted` for a wallet of somebody for whom nothing is bought, for two of one person, and for a
 * wallet outside its acceptance group.
 */
export function ownSharesOf<Order extends AnyOrder, Q extends Quote>(
  sale: Sale<Order, Q>,
  quote: Q,
  { wallet, own }: { wallet: { groupId: number }; own: readonly PaymentWallet[] },
): OwnShares {
  const wallets = new Map(own.map(({ personId, id }) => [personId, id]));
  if (wallets.size < own.length) throw new Problem("wallet_not_accepted");
  const due = own.map(({ id, personId, groupId }) => {
    requireAccepted({ groupId }, quote.groupId);
    const amountCents = sale.priceFor?.(quote, personId) ?? null;
    if (amountCents === null) throw new Problem("wallet_not_accepted");
    return { walletId: id, amountCents };
  });
  const restCents = quote.totalCents - due.reduce((sum, { amountCents }) => sum + amountCents, 0);
  if (restCents > 0) requireAccepted(wallet, quote.groupId);
  return { wallets, due, restCents };
}

/** Refuses `wallet_not_accepted` for a restricted wallet outside its group (spec.md 30). */
export function requireAccepted(wallet: { groupId: number }, saleGroup: number | null): void {
  if (!isAccepted(wallet.groupId, saleGroup)) throw new Problem("wallet_not_accepted");
}
