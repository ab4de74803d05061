// Ledger postings of payments. Keys contain the charge: however often it is announced, it is posted once.
import { type RawBuilder, sql } from "kysely";
import type { OrderKind, TopUpState } from "#contract/payments/rows.ts";
import type { Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { lockedBalances, post, type Transfer } from "#server/ledger/ledger.ts";
import { freezeWallet, schemeAccount } from "#server/wallet/wallet.ts";
import type { Charge, ProviderName } from "./provider.ts";

export interface CreditedTopUp {
  id: string;
  walletId: number;
  /** Accounts of the ledger between which it is credited: read with the row, never looked up again. */
  purchasedAccount: number;
  providerAccount: number;
  amountCents: number;
  state: TopUpState;
  provider: ProviderName;
  providerRef: string | null;
  refundedCents: number;
  /** The part beyond the cap, which is refunded to the payer. */
  returnCents: number;
  /** The wallet's owner, and the payer: a guardian tops up a child's. */
  ownerId: number;
  ownerName: string;
  payerId: number;
  payerName: string;
  objectID: string;
  slug: string;
  idgroup: number;
  /** Holds of the ledger that keep the wallets' part of the order aside. */
  holdIds: number[];
  order: PaidOrder | null;
  /** Origin of a top-up that nobody typed. */
  origin: "rule" | "link" | null;
  originId: string | null;
  originLabel: string | null;
  /** Charged off-session with a saved payment method. */
  automatic: boolean;
  /** Whether the provider was asked to save the payment method. */
  keepPaymentMethod: boolean;
  returnPath: string | null;
}

/** The order that a payment settles once its money is in the wallet. */
export interface PaidOrder {
  kind: OrderKind;
  id: string;
  label: string;
  path: string;
  revision: number | null;
}

/**
 * Credits the paid amount to the wallet as purchased money, in one round trip, whatever the cap.
 * `topUp.returnCents` of it are set aside for the payer.
 */
export async function credit(tx: Tx, topUp: CreditedTopUp, charge: Charge, at: Date) {
  const { order, originLabel, amountCents, returnCents } = topUp;
  const debitAccount = topUp.providerAccount;
  const common = { key: chargeKey(topUp, charge), debitAccount, at };
  const label = order
    ? `Paiement par carte bancaire\u202f: ${order.label}`
    : (originLabel ?? "Recharge par carte bancaire");
  const received: Transfer = {
    ...common,
    creditAccount: topUp.purchasedAccount,
    amountCents: amountCents - returnCents,
    kind: "top_up",
    memo: { label },
  };
  if (returnCents === 0) return void (await post(tx, [received]));
  const creditAccount = await schemeAccount(tx, "returns");
  const returned = { ...common, creditAccount, amountCents: returnCents, kind: "return" };
  await post(tx, received.amountCents > 0 ? [received, returned] : [returned]);
}

/** The paid amount is not the requested one: it goes to suspense for a person to decide. */
export async function park(tx: Tx, topUp: CreditedTopUp, charge: Charge, at: Date) {
  if (charge.amountCents <= 0) return;
  await post(tx, [
    {
      key: chargeKey(topUp, charge),
      debitAccount: topUp.providerAccount,
      creditAccount: await schemeAccount(tx, "suspense"),
      amountCents: charge.amountCents,
      kind: "suspense",
      memo: { expectedCents: topUp.amountCents },
      at,
    },
  ]);
}

/** The key of the credit of a charge; keys of later postings for it begin with it. */
export const chargeKey = (
  { provider, providerRef }: Pick<CreditedTopUp, "provider" | "providerRef">,
  charge?: Charge,
): string => `charge:${provider}:${charge?.ref ?? providerRef}`;

/** The key of the money returned by a dispute that was won. */
export const reinstatedKey = (topUp: CreditedTopUp): string => `${chargeKey(topUp)}:reinstated`;

/** The money of a top-up under review that is still in suspense, in cents. */
export async function suspendedOf(tx: Tx, topUp: CreditedTopUp, charge?: Charge): Promise<number> {
  const { cents } = await query(tx).one(sql<{ cents: number }>`
    select coalesce(sum(t.amount), 0)::bigint as cents from transfer t
    where t.key = ${chargeKey(topUp, charge)} and t.kind = 'suspense'
      and not exists (select from transfer r where r.reverses = t.id)`);
  return cents;
}

/** Credits the money in suspense to the wallet after all, as purchased money. */
export async function acceptSuspended(tx: Tx, topUp: CreditedTopUp, at: Date): Promise<void> {
  await post(tx, [
    {
      key: `${chargeKey(topUp)}:accepted`,
      debitAccount: await schemeAccount(tx, "suspense"),
      creditAccount: topUp.purchasedAccount,
      amountCents: topUp.amountCents,
      kind: "top_up",
      memo: { label: topUp.originLabel ?? "Recharge par carte bancaire" },
      at,
    },
  ]);
}

/** Posts that the money in suspense was refunded to the payer. */
export async function releaseSuspended(
  tx: Tx,
  topUp: CreditedTopUp,
  { amountCents, at }: { amountCents: number; at: Date },
  charge?: Charge,
): Promise<void> {
  if (amountCents === 0) return;
  await post(tx, [
    {
      key: `${chargeKey(topUp, charge)}:refunded`,
      debitAccount: await schemeAccount(tx, "suspense"),
      creditAccount: topUp.providerAccount,
      amountCents,
      kind: "refund",
      memo: { label: "Recharge remboursée" },
      at,
    },
  ]);
}

/** The amount still set aside for the payer of the top-up `t`, in cents. */
export const pendingReturnCentsSql: RawBuilder<number> = sql<number>`greatest(0,
  t.return_cents - t.refunded_cents - coalesce((select sum(x.amount) from transfer x
    join scheme_account s on s.account_id = x.debit_account and s.name = 'returns'
    where x.key = 'charge:' || t.provider || ':' || t.provider_ref || ':disputed'
      and not exists (select from transfer u where u.reverses = x.id)), 0))::bigint`;

/**
 * Posts that the amount set aside for the payer of a disputed payment was refunded: no wallet changes. False,
 * and nothing posted, for more than that.
 */
export async function settlePendingReturn(
  tx: Tx,
  topUp: CreditedTopUp,
  charge: Charge,
  { amountCents, at }: { amountCents: number; at: Date },
): Promise<boolean> {
  const found = await query(tx).maybeOne(sql<{ cents: number }>`
    select ${pendingReturnCentsSql} as cents from top_up t where t.id = ${topUp.id}`);
  if (amountCents > (found?.cents ?? 0)) return false;
  await post(tx, [
    {
      key: `${chargeKey(topUp, charge)}:refunded-${topUp.refundedCents + amountCents}`,
      debitAccount: await schemeAccount(tx, "returns"),
      creditAccount: topUp.providerAccount,
      amountCents,
      kind: "refund",
      memo: { label: "Recharge remboursée" },
      at,
    },
  ]);
  return true;
}

/**
 * The provider took the money back. The part still there leaves the wallet; the spent part becomes a debt, on
 * the account of disputes. A dispute freezes the wallet, and so does a refund of spent money (spec.md 19).
 * Money in suspense leaves suspense, money set aside for the payer its own account, and neither any wallet.
 * Gives the debt, in cents.
 */
export async function takeBack(
  tx: Tx,
  topUp: CreditedTopUp,
  charge: Charge,
  { to, amountCents, at }: { to: "refunded" | "disputed"; amountCents: number; at: Date },
): Promise<number> {
  // The wallet's row is locked first, as transfers do: nothing leaves it between the read and the posting.
  await sql`select from wallet where id = ${topUp.walletId} for no key update`.execute(tx);
  const disputes = await schemeAccount(tx, "disputes");
  const inReview = topUp.state === "review";
  if (inReview) {
    // The part that an operator took out of suspense meanwhile has left already.
    const suspendedCents = await suspendedOf(tx, topUp, charge);
    const rest = { amountCents: Math.min(amountCents, suspendedCents), at };
    await releaseSuspended(tx, topUp, rest, charge);
    return 0;
  }
  const from = topUp.purchasedAccount;
  const returns = await schemeAccount(tx, "returns");
  const [source] = await lockedBalances(tx, [from, topUp.providerAccount, disputes, returns]);
  const waiting = Math.max(0, topUp.returnCents - topUp.refundedCents);
  // The refunded part is the payer's whatever is disputed: a partial dispute takes the wallet's part first.
  const remainingCents = topUp.amountCents - Math.max(topUp.returnCents, topUp.refundedCents);
  const beyond = to === "disputed" ? Math.max(0, amountCents - remainingCents) : amountCents;
  const fromReturns = Math.min(beyond, waiting);
  const left = Math.min(amountCents - fromReturns, Math.max(0, source?.spendableCents ?? 0));
  const spent = amountCents - fromReturns - left;
  // Each partial refund has its own key, with the total so far.
  const part = to === "refunded" && amountCents < topUp.amountCents;
  const sum = part ? `-${topUp.refundedCents + amountCents}` : "";
  const common = {
    key: `${chargeKey(topUp, charge)}:${to}${sum}`,
    creditAccount: topUp.providerAccount,
    kind: to === "disputed" ? "dispute" : "refund",
    memo: { label: to === "disputed" ? "Paiement contesté" : "Recharge remboursée" },
    at,
  };
  const parts: Transfer[] = [
    { ...common, debitAccount: returns, amountCents: fromReturns },
    { ...common, debitAccount: from, amountCents: left },
    { ...common, debitAccount: disputes, amountCents: spent },
  ];
  await post(
    tx,
    parts.filter((one) => one.amountCents > 0),
  );
  if (to === "disputed" || spent > 0) await freezeWallet(tx, topUp.walletId, { why: to, at });
  return spent;
}
