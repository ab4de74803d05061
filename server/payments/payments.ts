// Payments own top-ups from their start to where they rest, and every event that a provider tells. A
// charge credits once for ever; they refuse unsigned news, and drop none: what they cannot place is
// parked, what does not add up goes to suspense, and a person looks.
import { Problem } from "#contract/errors.ts";
import type { Deps } from "#server/deps.ts";
import { type PaymentCommand, type PaymentDesk, paymentCommandsOf } from "./desk.ts";
import { takeEvent } from "./events.ts";
import { openOrderPayment, type OrderToPay } from "./orders.ts";
import type { Provider, ProviderName } from "./provider.ts";
import { reconcile } from "./reconcile.ts";
import { deliver, deliverTask, sandbox } from "./sandbox.ts";
import { stripe } from "./stripe.ts";
import type { Started } from "./top-ups.ts";

/** The provider that the settings name; null when top-ups are closed (décision 20). */
export const providerOf = (deps: Deps): Provider | null =>
  deps.config.payments === "none" ? null : heardProvider(deps, deps.config.payments);

/**
 * A provider that is still heard and asked: the one of the settings, and Stripe for as long as its
 * keys are there, so that its disputes reach us after top-ups were closed.
 */
function heardProvider(deps: PaymentDesk, name: ProviderName): Provider | null {
  const { config } = deps;
  if (name === "sandbox") return config.payments === "sandbox" ? sandbox(deps) : null;
  return config.stripe ? stripe(deps, config.stripe) : null;
}

/**
 * Starts the payment of an order at the provider, from `payments.orderMinCents` cents on and without
 * a wallet's cap, and answers where to pay. `GET /api/top-ups/:id` follows it; once paid, the money is
 * credited to the wallet and `onOrderPaid` settles the order from it. The same key, or the same
 * unpaid order, answers the same payment; another amount or wallet replaces it. The label is shown to
 * the payer. Throws `not_found` for a wallet that is not the caller's or their child's, and
 * `orderPaymentProblems`.
 */
export const startOrderPayment = (deps: Deps, asked: OrderToPay): Promise<Started> =>
  openOrderPayment(deps, providerOf(deps), asked);
export { onOrderPaid, onOrderPaymentEnded } from "./orders.ts";
export type { OrderPayment } from "./orders.ts";

/** A webhook: checks its signature, takes its event. Throws `webhook_signature`. */
export async function takeWebhook(
  deps: Deps,
  name: ProviderName,
  request: { rawBody: Buffer | null; headers: Record<string, string | string[] | undefined> },
): Promise<{ received: true }> {
  const provider = heardProvider(deps, name);
  if (!provider) throw new Problem("webhook_signature");
  const event = await provider.verify(request.rawBody, request.headers);
  await takeEvent(deps, provider.name, event);
  return { received: true };
}

/** What the operator can do about payments. */
export const paymentCommands: readonly PaymentCommand[] = paymentCommandsOf(heardProvider);
export type { PaymentCommand };

/** The jobs of this room. */
export function paymentTasks(deps: Deps) {
  return {
    reconcile_payments: async () => {
      for (const name of ["sandbox", "stripe"] as const) {
        const provider = heardProvider(deps, name);
        if (provider) await reconcile(deps, provider);
      }
    },
    [deliverTask]: (payload: Record<string, unknown>) => deliver(deps, String(payload["event"])),
  };
}

/** When they run by themselves (UTC). */
export const paymentRoutines = [{ task: "reconcile_payments", cron: "* * * * *" }] as const;
