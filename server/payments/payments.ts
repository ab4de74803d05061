// Payments: top-ups until they are credited, refused or refunded, and every event of a provider. A charge
// credits once; unsigned events are refused, and no signed event is dropped: those without a place are
// parked, amounts that do not match go to suspense, and a person decides.
import { Problem } from "#contract/errors.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import type { OperatorCommand } from "#server/process/room.ts";
import { paymentCommandsOf } from "./operator.ts";
import { keepTask, returnTask, takeEvent } from "./events.ts";
import { chargeTask, forgetPaymentMethod as forget } from "./saved-methods.ts";
import { chargePlaced, savePaymentMethod, placeOnPage } from "./payment-methods.ts";
import {
  openPlaced,
  type OrderToPay,
  type PaymentDeps,
  placeIn,
  type PlacedPayment,
} from "./orders.ts";
import type { Provider, ProviderName } from "./provider.ts";
import { reconcile, returnBeyondCap } from "./reconcile.ts";
import { deliver, deliverTask, sandbox } from "./sandbox.ts";
import { stripe } from "./stripe.ts";
import { rows, type Started, startedOf } from "./top-ups.ts";

/** The provider that the settings name; null when top-ups are closed (spec.md 20). */
export const providerOf = (deps: Deps): Provider | null =>
  deps.config.payments === "none" ? null : findProvider(deps, deps.config.payments);

/**
 * A provider whose events are accepted and that is queried: the one of the settings, and Stripe for as long
 * as its keys are configured, so that its disputes are received after top-ups were closed.
 */
function findProvider(deps: PaymentDeps, name: ProviderName): Provider | null {
  const { config } = deps;
  if (name === "sandbox") return config.payments === "sandbox" ? sandbox(deps) : null;
  return config.stripe ? stripe(deps, config.stripe) : null;
}

/**
 * Writes the payment of an order at the provider, from `payments.orderMinCents` cents on and without a
 * wallet's cap, in the transaction that holds the order. Once paid, the money is credited to the wallet and
 * `onOrderPaid` settles the order from it. The same unpaid order at the same price finds the same payment;
 * another amount, wallet or revision replaces it. The label is shown to the payer. Throws `not_found` for a
 * wallet that is not the caller's or their child's, and `orderPaymentProblems`.
 */
export async function placeOrderPayment(
  tx: Tx,
  deps: Deps,
  request: OrderToPay,
): Promise<PlacedPayment> {
  const provider = providerOf(deps);
  if (!provider) throw new Problem("payments_off");
  return await placeIn(tx, deps, provider, request);
}

/**
 * Where to pay the payment that `placeOrderPayment` wrote, once that transaction has committed; `GET
 * /api/top-ups/:id` gives its state. Throws `payment_provider_down`, `payments_off`.
 */
export async function openOrderPayment(
  deps: Deps,
  placed: PlacedPayment,
  siteOrigin: string,
): Promise<Started> {
  const provider = findProvider(deps, placed.topUp.provider);
  if (!provider) throw new Problem("payments_off");
  return await openPlaced(deps, provider, placed, siteOrigin);
}
export { onOrderPaid, onOrderPaymentEnded } from "./orders.ts";
export type { OrderPayment, PaidPayment, PaymentDeps, PlacedPayment } from "./orders.ts";

export {
  releaseHolds,
  hasOtherPayment,
  isAtBank,
  orderAwaitsMoneySql,
  orderPaymentSql,
  type OrderRef,
  requireNotAtBank,
} from "./order-payment.ts";
export { owedOf } from "./debts.ts";
export { onTopUpSettled, type SettledTopUp } from "./origins.ts";
export { lockWallet, promisedSql, requireWithinCap } from "./cap.ts";
export { paymentMethodsOf } from "./saved-methods.ts";
export { placeCharge } from "./payment-methods.ts";

/** `placeOnPage` with the provider of the settings; throws `payments_off`. */
export async function placePayment(
  tx: Tx,
  deps: Deps,
  placing: Parameters<typeof placeOnPage>[2],
): Promise<string> {
  const provider = providerOf(deps);
  if (!provider) throw new Problem("payments_off");
  return await placeOnPage(tx, provider, placing);
}

/** Where to pay the top-up that `placePayment` wrote. Throws `payment_provider_down`, `payments_off`. */
export async function payPlaced(deps: Deps, id: string, siteOrigin: string): Promise<Started> {
  const topUp = await rows(deps.db).where("t.id", "=", id).executeTakeFirstOrThrow();
  const provider = findProvider(deps, topUp.provider);
  if (!provider) throw new Problem("payments_off");
  return await startedOf(deps, provider, topUp, siteOrigin);
}

/** Stores the payment method saved when a top-up was paid and gives its id; null when none was saved. */
export const keepPaymentMethod = (deps: Deps, topUpId: string): Promise<string | null> =>
  savePaymentMethod(deps, (name) => findProvider(deps, name), topUpId);

/**
 * Deletes a saved payment method of one's own; `not_found` for another's. `forgotten` runs in the
 * transaction. The provider is told afterwards, as best effort: nothing is charged either way.
 */
export async function forgetPaymentMethod(
  deps: Deps,
  personId: number,
  id: string,
  forgotten: (tx: Tx) => Promise<void>,
): Promise<void> {
  const paymentMethod = await inTx(deps.db, async (tx) => {
    const found = await forget(tx, personId, id, deps.now());
    await forgotten(tx);
    return found;
  });
  await findProvider(deps, paymentMethod.provider)
    ?.forget?.(paymentMethod.ref)
    .catch((error: unknown) => {
      deps.log.warn({ err: error }, "a payment method was not forgotten by the provider");
    });
}

/** A webhook: checks its signature, takes in its event. Throws `webhook_signature`. */
export async function takeWebhook(
  deps: Deps,
  name: ProviderName,
  request: { rawBody: Buffer | null; headers: Record<string, string | string[] | undefined> },
): Promise<{ received: true }> {
  const provider = findProvider(deps, name);
  if (!provider) throw new Problem("webhook_signature");
  const event = await provider.verify(request.rawBody, request.headers);
  await takeEvent(deps, provider.name, event);
  return { received: true };
}

/** Operator commands of payments. */
export const paymentCommands: readonly OperatorCommand[] = paymentCommandsOf(findProvider);

/** The jobs of this room. */
export function paymentTasks(deps: Deps) {
  return {
    reconcile_payments: async () => {
      for (const name of ["sandbox", "stripe"] as const) {
        const provider = findProvider(deps, name);
        if (provider) await reconcile(deps, provider);
      }
    },
    [chargeTask]: (payload: Record<string, unknown>) =>
      chargePlaced(deps, (name) => findProvider(deps, name), String(payload["topUp"])),
    [keepTask]: async (payload: Record<string, unknown>) => {
      await keepPaymentMethod(deps, String(payload["topUp"]));
    },
    [returnTask]: (payload: Record<string, unknown>) =>
      returnBeyondCap(deps, (name) => findProvider(deps, name), String(payload["topUp"])),
    [deliverTask]: (payload: Record<string, unknown>) => deliver(deps, String(payload["event"])),
  };
}

/** Schedule of the jobs (UTC). */
export const paymentRoutines = [{ task: "reconcile_payments", cron: "* * * * *" }] as const;
