// A purchase is paid, from a wallet at once or by a payment at the provider, and becomes a pass in the
// same transaction: never money without a pass, never a pass without its money.
import type { Output, Parsed } from "#contract/endpoint.ts";
import type { passes } from "#contract/passes.ts";
import { Problem } from "#contract/errors.ts";
import { formatMoney } from "#contract/french.ts";
import { passes as limits } from "#contract/limits.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import type { Deps } from "#server/deps.ts";
import type { Caller, Origin } from "#server/http/caller.ts";
import { audit, requireCode } from "#server/identity/identity.ts";
import { mainGroup, walletOf } from "#server/wallet/wallet.ts";
import { payAtProvider } from "./at-provider.ts";
import { productOf } from "./catalogue.ts";
import { lockedOrder, orderOf, orderSeen, type OrderRow } from "./orders.ts";
import { decide, lockHolder, settle, tellIssued } from "./settle.ts";

export interface Paying {
  caller: Caller;
  origin: Origin;
  wanted: Parsed<typeof passes.pay>;
  siteOrigin: string;
}

type Paid = Output<typeof passes.pay>;

/**
 * Pays a purchase, amounts in cents. From a wallet: money and pass in one transaction, with a code from
 * `limits.codeFromCents` on (décision 14). Paid already, it answers that: repeating is safe. What was
 * shown (`revision`, `totalCents`) must still hold. Refuses as its row lists.
 */
export async function payOrder(deps: Deps, paying: Paying): Promise<Paid> {
  const { caller, wanted } = paying;
  const order = await orderOf(deps.db, caller.personId, wanted.order);
  if (order.state === "paid") return await answer(deps, caller, order.id, null);
  const walletId = await payingWallet(deps, caller, wanted.wallet, order);
  if (wanted.by === "provider" && wanted.totalCents > 0) {
    const url = await payAtProvider(deps, {
      caller,
      walletId,
      wanted,
      siteOrigin: paying.siteOrigin,
    });
    return await answer(deps, caller, order.id, url);
  }
  const useCode = await codeFor(deps, paying, order, walletId);
  await inTx(deps.db, async (tx) => {
    const locked = await lockedOrder(tx, caller.personId, order.id);
    if (locked.state === "paid") return;
    await lockHolder(tx, locked.holderId);
    const { product, price } = await decide(deps, tx, locked, wanted);
    await useCode?.(tx);
    const at = deps.now();
    const issued = await settle(tx, { order: locked, product, price, walletId, at });
    await tellIssued(deps, tx, locked, product, { ...issued, at });
    await audit(tx, {
      personId: caller.personId,
      action: "pass.buy",
      actor: "person",
      address: paying.origin.address,
      details: { name: product.name, amountCents: price.totalCents },
      at,
    });
  });
  return await answer(deps, caller, order.id, null);
}

async function answer(
  deps: Deps,
  caller: Caller,
  id: string,
  paymentUrl: string | null,
): Promise<Paid> {
  const order = await orderOf(deps.db, caller.personId, id);
  return { order: await orderSeen(deps, deps.db, order), paymentUrl };
}

/** The wallet that pays: a main one, or one of the very group whose lines are ridden. */
async function payingWallet(
  deps: Deps,
  caller: Caller,
  objectID: string,
  order: OrderRow,
): Promise<number> {
  const wallet = await walletOf(deps, caller.personId, objectID);
  const { groupId } = await productOf(deps.db, order.productId);
  if (wallet.groupId !== mainGroup && wallet.groupId !== groupId) throw new Problem("pass_wallet");
  return wallet.id;
}

async function codeFor(
  deps: Deps,
  { caller, wanted }: Paying,
  order: OrderRow,
  walletId: number,
): Promise<((tx: Tx) => Promise<void>) | null> {
  if (wanted.totalCents < limits.codeFromCents) return null;
  if (wanted.code === undefined) await rehearse(deps, order, { ...wanted, walletId });
  const { name } = await productOf(deps.db, order.productId);
  return await requireCode(deps, caller, {
    purpose: "pass",
    binding: [order.id, wanted.revision, wanted.totalCents, wanted.wallet],
    what: `payer « ${name} », ${formatMoney(wanted.totalCents)}`,
    challenge: wanted.challenge,
    code: wanted.code,
  });
}

/** Everything that would be refused anyway is refused before a code leaves: done, and undone. */
async function rehearse(
  deps: Deps,
  order: OrderRow,
  wanted: { revision: number; totalCents: number; walletId: number },
): Promise<void> {
  const undone = new Error("rehearsed");
  const trial = inTx(deps.db, async (tx) => {
    const { product, price } = await decide(deps, tx, order, wanted);
    await settle(tx, { order, product, price, walletId: wanted.walletId, at: deps.now() });
    throw undone;
  });
  await trial.catch((error: unknown) => {
    if (error !== undone) throw error;
  });
}
