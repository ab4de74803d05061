// Off-session payments at Stripe: a saved payment method and the payments made from it. Their reference is
// the id of their PaymentIntent, where others have that of their Checkout session.
import type Stripe from "stripe";
import * as z from "zod/mini";
import type { Charge, EventType, SavedPaymentMethod, Provider } from "./provider.ts";

const currency = "eur";

export const isIntent = (ref: string): boolean => ref.startsWith("pi_");

/** Event types of such payments; those of a session's payment come with the session. */
export const intentEventTypes: Readonly<Record<string, EventType>> = {
  "payment_intent.succeeded": "charge.succeeded",
  "payment_intent.processing": "charge.authorized",
  "payment_intent.payment_failed": "charge.declined",
  "payment_intent.canceled": "charge.declined",
};

const intent = z.object({
  id: z.string().check(z.maxLength(255)),
  amount: z.int(),
  currency: z.string(),
  status: z.string(),
  metadata: z.object({ top_up: z.string().check(z.maxLength(255)), automatic: z.literal("1") }),
});

const stateOf = (status: string): Charge["state"] =>
  status === "succeeded" ? "succeeded" : status === "processing" ? "pending" : "declined";

/** The charge that a PaymentIntent stands for; null unless it was made from a saved payment method. */
export function intentCharge(payload: unknown): Charge | null {
  const seen = z.safeParse(intent, payload).data;
  if (!seen || seen.currency !== currency) return null;
  const { id: ref, amount: amountCents, metadata, status } = seen;
  return { ref, reference: metadata.top_up, amountCents, state: stateOf(status) };
}

/** The state of such a payment, with its refunds. */
export async function retrieveIntentCharge(api: Stripe, ref: string): Promise<Charge | null> {
  const found = await api.paymentIntents
    .retrieve(ref, { expand: ["latest_charge"] })
    .catch((error: unknown) => {
      if ((error as Stripe.errors.StripeError).statusCode === 404) return null;
      throw error;
    });
  const charge = intentCharge(found);
  const paid = found?.latest_charge;
  if (!charge || typeof paid !== "object" || !paid) return charge;
  if (paid.disputed) return { ...charge, state: "disputed" };
  if (paid.amount_refunded === 0) return charge;
  return { ...charge, state: "refunded", takenCents: paid.amount_refunded };
}

/** Finds the payment made for a top-up when the answer with its id was lost; null when none was made. */
export async function findIntentCharge(api: Stripe, reference: string): Promise<Charge | null> {
  const { data } = await api.paymentIntents.search({
    query: `metadata["top_up"]:"${reference}" AND metadata["automatic"]:"1"`,
  });
  const found = data.map(intentCharge).find((charge) => charge?.reference === reference);
  return found ? await retrieveIntentCharge(api, found.ref) : null;
}

/**
 * Charges a saved payment method; a refusal by the bank, or its request for authentication, is a declined
 * charge.
 */
export async function chargeOffSession(
  api: Stripe,
  { reference, amountCents, paymentMethod }: Parameters<Provider["charge"]>[0],
): Promise<Charge> {
  const made = await api.paymentIntents
    .create(
      {
        amount: amountCents,
        currency,
        payment_method: paymentMethod.ref,
        ...(paymentMethod.customer === null ? {} : { customer: paymentMethod.customer }),
        allowed_payment_method_types: ["card"],
        off_session: true,
        confirm: true,
        description: "Recharge automatique Ma carte",
        metadata: { top_up: reference, automatic: "1" },
      },
      { idempotencyKey: `charge:${reference}` },
    )
    .catch((error: unknown) => {
      const refused = error as Stripe.errors.StripeError;
      if (refused.type === "StripeCardError") return refused.payment_intent ?? null;
      throw error;
    });
  const ref = made?.id ?? `refused:${reference}`;
  return { ref, reference, amountCents, state: made ? stateOf(made.status) : "declined" };
}

/** The payment method saved when a session was paid. */
export async function savedMethodOf(api: Stripe, ref: string): Promise<SavedPaymentMethod | null> {
  const found = await api.checkout.sessions.retrieve(ref, {
    expand: ["payment_intent.payment_method"],
  });
  const paid = found.payment_intent;
  const method = typeof paid === "object" ? paid?.payment_method : null;
  if (typeof method !== "object" || !method || !paid || typeof paid !== "object") return null;
  if (paid.setup_future_usage !== "off_session") return null;
  const customer = typeof found.customer === "string" ? found.customer : found.customer?.id;
  const card = method.card;
  const label = card
    ? `${card.brand.toUpperCase()} \u2022\u2022\u2022\u2022 ${card.last4}`
    : "Moyen de paiement enregistré";
  return { ref: method.id, customer: customer ?? null, label };
}
