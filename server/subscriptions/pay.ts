// Paying a file: from a main wallet at once, or at the provider, whose money enters the wallet and pays
// from there. Paid, it runs; with papers to check it waits for the operator first.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { formatDate, formatMoney } from "#contract/french.ts";
import { subscriptionCan } from "#contract/subscription-states.ts";
import { type SubscriptionFile, subscriptionPath } from "#contract/subscriptions.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import type { Deps } from "#server/deps.ts";
import type { Caller, Origin } from "#server/http/caller.ts";
import { audit, requireCode } from "#server/identity/identity.ts";
import { type OrderPayment, startOrderPayment } from "#server/payments/payments.ts";
import {
  mainGroup,
  refuseCardState,
  schemeAccount,
  spend,
  walletOf,
} from "#server/wallet/wallet.ts";
import { type Facts, factsOf, fileSeen, refuseMissing, refuseUnfit } from "./files.ts";
import { childrenOf, keepTrue, lockedRow, lockedRowOf, type Row, rowOf } from "./rows.ts";
import { tell } from "./tell.ts";

export interface Payment {
  id: string;
  means: "wallet" | "provider";
  objectID: string;
  totalCents: number;
  revision: number;
  challenge?: string | undefined;
  code?: string | undefined;
}

interface Asked {
  deps: Deps;
  caller: Caller;
  origin: Origin;
  input: Payment;
  siteOrigin: string;
}

/** Under this key the ledger knows what a subscription cost. */
export const paidUnder = (id: string): string => `subscription:${id}`;

/**
 * Pays a file. Already paid, it answers as it is: a second click, another tab and a repeated call
 * change nothing. Refuses what its row lists: `subscription_changed` and `subscription_price` when it
 * is not what was read, `code_required` from `config.transferCodeFromCents` on from a wallet
 * (décision 14; at the provider the bank asks).
 */
export async function pay(asked: Asked): Promise<SubscriptionFile> {
  const { deps, caller, input } = asked;
  const row = await rowOf(deps.db, caller.personId, input.id);
  if (!subscriptionCan.fill(row)) return await settled(deps, row, caller);
  const wallet = await walletOf(deps, caller.personId, input.objectID);
  if (wallet.groupId !== mainGroup) throw new Problem("subscription_wallet");
  if (wallet.frozen) throw new Problem("wallet_frozen");
  refuseCardState(wallet.cardState);
  await inTx(deps.db, (tx) => refuseChanged(tx, row, input, deps.now()));
  if (input.means === "provider") return await payOutside(asked, row, wallet.id);
  const spendable = wallet.lots.reduce((sum, lot) => sum + lot.balanceCents - lot.heldCents, 0);
  if (spendable < input.totalCents) {
    throw new Problem("insufficient_funds", { missingCents: input.totalCents - spendable });
  }
  const approve = await approvalOf(asked, row);
  await inTx(deps.db, async (tx) => {
    const now = await lockedRowOf(tx, caller.personId, input.id);
    if (!subscriptionCan.fill(now)) return;
    await approve?.(tx);
    const facts = await refuseChanged(tx, now, input, deps.now());
    const buyer = { walletId: wallet.id, buyerId: caller.personId, at: deps.now() };
    await settle(tx, deps, now, facts, buyer);
  });
  const after = await rowOf(deps.db, caller.personId, input.id);
  return await fileSeen(deps, after, caller);
}

/** What a payment of an already paid file answers; one given up or over is closed. */
async function settled(deps: Deps, row: Row, caller: Caller): Promise<SubscriptionFile> {
  if (row.state !== "review" && row.state !== "active") throw new Problem("subscription_closed");
  return await fileSeen(deps, row, caller);
}

/** Refuses what is not as it was read, or may not be bought; gives the facts of this moment. */
async function refuseChanged(
  tx: Tx,
  row: Row,
  read: Pick<Payment, "revision" | "totalCents">,
  at: Date,
): Promise<Facts> {
  if (row.revision !== read.revision) throw new Problem("subscription_changed");
  const facts = await factsOf(tx, row, at);
  refuseUnfit(facts, at);
  await refuseMissing(tx, row, at);
  if (facts.quote.totalCents !== read.totalCents) {
    throw new Problem("subscription_price", { total: formatMoney(facts.quote.totalCents) });
  }
  return facts;
}

async function approvalOf({ deps, caller, input }: Asked, row: Row) {
  if (input.totalCents < deps.config.transferCodeFromCents) return null;
  const { id, objectID, totalCents, challenge, code } = input;
  return await requireCode(deps, caller, {
    purpose: "subscription",
    binding: [id, objectID, totalCents],
    what: `payer ${formatMoney(totalCents)} pour l’abonnement de ${row.holder}`,
    challenge,
    code,
  });
}

/** The same content and price lead to the same payment, until it has failed. */
async function payOutside(
  { deps, caller, input, siteOrigin }: Asked,
  row: Row,
  walletId: number,
): Promise<SubscriptionFile> {
  const { id, totalCents } = input;
  const { now } = await factsOf(deps.db, row, deps.now());
  const started = await startOrderPayment(deps, {
    caller,
    walletId,
    amountCents: totalCents,
    order: { kind: "subscription", id, label: `Abonnement ${now.name}` },
    returnPath: `${subscriptionPath}?dossier=${id}`,
    key: `subscription:${id}:${row.revision}:${totalCents}:${walletId}:${row.paymentAttempt}`,
    siteOrigin,
  });
  await sql`update subscription set top_up_id = ${started.id}, payment_by = ${caller.personId},
      payment_failed = null
    where id = ${id} and state = 'draft' and revision = ${row.revision}`.execute(deps.db);
  const seen = await fileSeen(deps, await rowOf(deps.db, caller.personId, id), caller);
  const payment = seen.payment && { ...seen.payment, paymentUrl: started.paymentUrl };
  return { ...seen, payment };
}

interface Buyer {
  walletId: number;
  buyerId: number;
  /** Money that came for this order is spent on it, and no aid beside it. */
  from?: "purchased";
  at: Date;
}

/** Spends, writes down what was bought, covers whom it covers, and tells them. */
async function settle(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  row: Row,
  facts: Facts,
  { walletId, buyerId, from, at }: Buyer,
): Promise<void> {
  const { quote, now, needed } = facts;
  const state = needed.length > 0 ? "review" : "active";
  await sql`update subscription set state = ${state}, formula_version = ${now.version},
      buyer_id = ${buyerId}, wallet_id = ${walletId}, lines = ${JSON.stringify(quote.lines)}::jsonb,
      paid_cents = ${quote.totalCents}, paid_at = ${at}, starts_on = ${quote.startsOn},
      ends_on = ${quote.endsOn}, payment_failed = null, changed_at = ${at}
    where id = ${row.id}`.execute(tx);
  const covered = [row.personId];
  if (now.coversChildren) {
    covered.push(...(await childrenOf(tx, row.personId)).map(({ personId }) => personId));
  }
  await sql`insert into subscription_cover (subscription_id, person_id)
    select ${row.id}::uuid, unnest(${covered}::bigint[])`.execute(tx);
  if (state === "active") await keepTrue(tx, row.id);
  if (quote.totalCents > 0) {
    await spend(tx, {
      walletId,
      amountCents: quote.totalCents,
      to: await schemeAccount(tx, "subscriptions"),
      kind: "purchase",
      ...(from ? { from } : {}),
      key: paidUnder(row.id),
      memo: { label: `Abonnement ${now.name}`, holder: row.holder },
      at,
    });
  }
  const details = { formula: row.formula, amountCents: quote.totalCents };
  const line = { personId: buyerId, action: "subscription.buy", actor: "person", address: null };
  await audit(tx, { ...line, details, at });
  const until = formatDate(quote.endsOn);
  await tell(tx, deps, row, {
    title: state === "active" ? "Abonnement souscrit" : "Abonnement payé, en vérification",
    body:
      state === "active"
        ? `L’abonnement ${now.name} de ${row.holder} court jusqu’au ${until}.`
        : `Nous vérifions les justificatifs de ${row.holder}. Nous vous dirons quand l’abonnement ${now.name} commence.`,
    at,
    outside: true,
  });
}

type Heard = Pick<Deps, "send" | "config">;

/**
 * The provider's money is in the wallet: it pays the file if that still stands at this price, else it
 * stays there (`kept`): paid meanwhile from elsewhere, given up, changed, or no longer allowed.
 */
export async function orderPaid(
  tx: Tx,
  deps: Heard,
  paid: OrderPayment,
): Promise<"settled" | "kept"> {
  const row = await lockedRow(tx, paid.orderId);
  if (!row || !subscriptionCan.fill(row)) return "kept";
  const read = { revision: row.revision, totalCents: paid.amountCents };
  const facts = await refuseChanged(tx, row, read, paid.at);
  const { walletId, personId: buyerId, at } = paid;
  await settle(tx, deps, row, facts, { walletId, buyerId, from: "purchased", at });
  return "settled";
}

/** A payment that came to nothing: the file says so, and the next try is a new payment. */
export async function orderPaymentEnded(
  tx: Tx,
  _deps: Heard,
  { orderId, topUpId }: OrderPayment,
): Promise<void> {
  await sql`update subscription set top_up_id = null, payment_attempt = payment_attempt + 1,
      payment_failed = 'Il a été refusé ou abandonné, et rien n’a été débité.'
    where id = ${orderId} and state = 'draft' and top_up_id = ${topUpId}`.execute(tx);
}
