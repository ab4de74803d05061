// Stripe as a provider: Checkout, its own page to which the browser is redirected, so that the portal has no
// card field. Payments, refunds and disputes are read only from signed webhooks and from Stripe's answers,
// never from the returning browser.
import type Stripe from "stripe";
import * as z from "zod/mini";
import { Problem } from "#contract/errors.ts";
import { payments } from "#contract/limits.ts";
import type { StripeSettings } from "#server/process/config.ts";
import type { Deps } from "#server/process/deps.ts";
import { requireLocalPath } from "../http/site.ts";
import {
  chargeOffSession,
  retrieveIntentCharge,
  intentCharge,
  findIntentCharge,
  isIntent,
  savedMethodOf,
  intentEventTypes,
} from "./stripe-off-session.ts";
import type { Charge, EventType, OtherNews, Provider, ProviderEvent } from "./provider.ts";

const timeoutMs = 8_000;
const currency = "eur";

type Needs = Pick<Deps, "config" | "now" | "log">;

/** The fields of a Checkout session, in an answer or in an event of another version of the API. */
const session = z.object({
  id: z.string().check(z.maxLength(255)),
  client_reference_id: z.nullish(z.string().check(z.maxLength(255))),
  amount_total: z.nullish(z.int()),
  currency: z.nullish(z.string()),
  status: z.nullish(z.string()),
  payment_status: z.string(),
});
type Session = z.output<typeof session>;

/** The fields of a refunded charge, and of a dispute: which payment, and how much. */
const refundedCharge = z.object({
  payment_intent: z.nullish(z.string()),
  amount_refunded: z.int(),
});
const dispute = z.object({
  payment_intent: z.nullish(z.string()),
  amount: z.int(),
  currency: z.string(),
});

/** The event type of a session's event when its payment is complete, and when it is not yet. */
const sessionEventTypes: Readonly<Record<string, { paid: EventType; unpaid: EventType }>> = {
  "checkout.session.completed": { paid: "charge.succeeded", unpaid: "charge.authorized" },
  "checkout.session.async_payment_succeeded": {
    paid: "charge.succeeded",
    unpaid: "charge.authorized",
  },
  "checkout.session.async_payment_failed": { paid: "charge.succeeded", unpaid: "charge.declined" },
  "checkout.session.expired": { paid: "charge.succeeded", unpaid: "charge.expired" },
};
/** Money that came back to the scheme: a person decides about the wallet. */
const forPerson = new Set(["refund.failed", "charge.dispute.funds_reinstated"]);

/** Stripe as a provider, with the settings of this installation. */
export function stripe(deps: Needs, settings: StripeSettings): Provider {
  const { publicUrl } = deps.config;
  return {
    name: "stripe",
    async start({ reference, amountCents, label, keep, returnPath }) {
      const api = await clientOf(settings);
      const back = new URL(requireLocalPath(returnPath), publicUrl).href;
      const checkoutSession = await api.checkout.sessions.create(
        {
          mode: "payment",
          client_reference_id: reference,
          line_items: [
            {
              quantity: 1,
              price_data: {
                currency,
                unit_amount: amountCents,
                product_data: { name: label ?? "Recharge de cagnotte Ma carte" },
              },
            },
          ],
          // The screens and the receipt say « carte bancaire ».
          allowed_payment_method_types: ["card"],
          payment_intent_data: {
            metadata: { top_up: reference },
            ...(keep ? { setup_future_usage: "off_session" as const } : {}),
          },
          // A payment method is saved for a customer: Stripe creates one, and says on its page what it is
          // for.
          ...(keep ? { customer_creation: "always" as const } : {}),
          locale: "fr",
          success_url: back,
          cancel_url: back,
        },
        // The same parameters under the same key: Stripe answers the session that it opened first.
        { idempotencyKey: `top-up:${reference}` },
      );
      if (!checkoutSession.url) throw new Error(`the session ${checkoutSession.id} has no page`);
      return { ref: checkoutSession.id, path: checkoutSession.url };
    },
    async ask({ reference, ref, offSession }) {
      // A page whose id never reached the portal was never shown to anyone: nobody could pay it.
      if (ref === null && !offSession) return null;
      const api = await clientOf(settings);
      if (ref === null) return await findIntentCharge(api, reference);
      if (isIntent(ref)) return await retrieveIntentCharge(api, ref);
      const found = await api.checkout.sessions
        .retrieve(ref, { expand: ["payment_intent.latest_charge"] })
        .catch(nullWhenUnknown);
      return found && checkoutCharge(found);
    },
    savedMethod: async (ref) => await savedMethodOf(await clientOf(settings), ref),
    charge: async (input) => await chargeOffSession(await clientOf(settings), input),
    async forget(ref) {
      await (await clientOf(settings)).paymentMethods.detach(ref).catch(nullWhenUnknown);
    },
    async close(ref) {
      if (isIntent(ref)) return void (await (await clientOf(settings)).paymentIntents.cancel(ref));

      await (await clientOf(settings)).checkout.sessions.expire(ref);
    },
    async refund(ref, amountCents) {
      const api = await clientOf(settings);
      const { payment_intent: paid } = isIntent(ref)
        ? { payment_intent: ref }
        : await api.checkout.sessions.retrieve(ref);
      if (!paid) throw new Error(`nothing was paid in ${ref}`);
      await api.refunds.create(
        {
          payment_intent: typeof paid === "string" ? paid : paid.id,
          ...(amountCents !== undefined && { amount: amountCents }),
        },
        { idempotencyKey: `refund:${ref}${amountCents === undefined ? "" : `:${amountCents}`}` },
      );
    },
    async verify(rawBody, headers) {
      return await newsOf(deps, settings, await signedEvent(deps, settings, rawBody, headers));
    },
  };
}

async function signedEvent(
  deps: Needs,
  settings: StripeSettings,
  rawBody: Buffer | null,
  headers: Record<string, unknown>,
): Promise<Stripe.Event> {
  const { webhooks } = await clientOf(settings);
  const header = headers["stripe-signature"];
  if (rawBody === null || typeof header !== "string") throw new Problem("webhook_signature");
  try {
    return webhooks.constructEvent(
      rawBody,
      header,
      settings.webhookSecret,
      payments.webhookToleranceSeconds,
      undefined,
      deps.now().getTime(),
    );
  } catch {
    throw new Problem("webhook_signature");
  }
}

async function newsOf(
  deps: Needs,
  settings: StripeSettings,
  event: Stripe.Event,
): Promise<ProviderEvent | OtherNews> {
  const { id, type } = event;
  const payload: unknown = event.data.object;
  const other = (needed: boolean): OtherNews => ({
    id,
    type: "other",
    eventName: type,
    about: z.safeParse(z.object({ id: z.string() }), payload).data?.id ?? "",
    forPerson: needed,
  });
  const words = sessionEventTypes[type];
  if (words) {
    const seen = z.safeParse(session, payload);
    const charge = seen.success ? chargeOf(seen.data) : null;
    if (!seen.success || !charge) return other(true);
    return { id, type: isPaid(seen.data) ? words.paid : words.unpaid, charge };
  }
  const intentType = intentEventTypes[type];
  if (intentType) {
    const charge = intentCharge(payload);
    return charge ? { id, type: intentType, charge } : other(false);
  }
  if (type === "charge.refunded") {
    const seen = z.safeParse(refundedCharge, payload);
    const charge = seen.success && (await chargePaidBy(deps, settings, seen.data.payment_intent));
    if (!seen.success || !charge) return other(true);
    const takenCents = seen.data.amount_refunded;
    return { id, type, charge: { ...charge, state: "refunded", takenCents } };
  }
  if (type === "charge.dispute.created") {
    const seen = z.safeParse(dispute, payload);
    const charge = seen.success && (await chargePaidBy(deps, settings, seen.data.payment_intent));
    if (!seen.success || !charge) return other(true);
    // A bank may dispute in its own currency: then the whole amount is disputed.
    const taken = seen.data.currency === currency ? { takenCents: seen.data.amount } : {};
    return { id, type: "charge.disputed", charge: { ...charge, state: "disputed", ...taken } };
  }
  return other(forPerson.has(type));
}

/** Refunds and disputes name the payment, not the session: Stripe is asked for the session. */
async function chargePaidBy(
  deps: Needs,
  settings: StripeSettings,
  paymentIntent: string | null | undefined,
) {
  if (!paymentIntent) return null;
  const api = await clientOf(settings);
  const { data } = await api.checkout.sessions
    .list({ payment_intent: paymentIntent, limit: 1 })
    .catch((error: unknown) => {
      // Answered 503, Stripe sends it again for three days.
      deps.log.warn({ err: error }, "Stripe could not be asked about a payment");
      throw new Problem("unavailable");
    });
  const found = z.safeParse(session, data[0]);
  if (found.success) return chargeOf(found.data);
  // Charged off-session: the payment is the charge.
  return await retrieveIntentCharge(api, paymentIntent);
}

const isPaid = (seen: Session) => seen.payment_status !== "unpaid";

/** Null when it is not a charge of the portal: another currency, or without our reference. */
function chargeOf(seen: Session): Charge | null {
  const { id, client_reference_id: reference, amount_total: amountCents } = seen;
  if (!reference || typeof amountCents !== "number" || seen.currency !== currency) return null;
  return { ref: id, reference, amountCents, state: stateOf(seen) };
}

function stateOf(seen: Session): Charge["state"] {
  if (seen.status === "open") return "open";
  if (isPaid(seen)) return "succeeded";
  return seen.status === "expired" ? "expired" : "pending";
}

function checkoutCharge(found: Stripe.Checkout.Session): Charge | null {
  const seen = z.safeParse(session, found);
  const charge = seen.success ? chargeOf(seen.data) : null;
  const intent = found.payment_intent;
  const paid = typeof intent === "object" ? intent?.latest_charge : null;
  if (!charge || typeof paid !== "object" || !paid) return charge;
  if (paid.disputed) return { ...charge, state: "disputed" };
  if (paid.amount_refunded === 0) return charge;
  return { ...charge, state: "refunded", takenCents: paid.amount_refunded };
}

function nullWhenUnknown(error: unknown): null {
  if ((error as Stripe.errors.StripeError).statusCode === 404) return null;
  throw error;
}

// One client for an installation's settings, loaded at first use: most have none.
const clients = new WeakMap<StripeSettings, Promise<Stripe>>();

function clientOf(settings: StripeSettings): Promise<Stripe> {
  const known = clients.get(settings) ?? openClient(settings);
  clients.set(settings, known);
  return known;
}

async function openClient({ secretKey, apiUrl }: StripeSettings): Promise<Stripe> {
  const { default: Client } = await import("stripe");
  const api = apiUrl === null ? null : new URL(apiUrl);
  return new Client(secretKey, {
    timeout: timeoutMs,
    maxNetworkRetries: 1,
    telemetry: false,
    ...(api
      ? {
          protocol: api.protocol === "http:" ? ("http" as const) : ("https" as const),
          host: api.hostname,
          port: api.port || (api.protocol === "http:" ? 80 : 443),
        }
      : {}),
  });
}
