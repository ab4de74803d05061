// Plays Stripe's API on the loopback for the tests: sessions, refunds, idempotency keys, and webhooks
// signed by the library's own means. It knows nothing of the portal but the address of its webhooks.
import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Stripe } from "stripe";

export interface PlayedSession {
  id: string;
  object: "checkout.session";
  client_reference_id: string;
  amount_total: number;
  currency: string;
  status: "open" | "complete" | "expired";
  payment_status: "paid" | "unpaid";
  payment_intent: string | null;
  url: string | null;
  /** The further fields of the session, as the portal sent them. */
  sent: Record<string, string>;
}

export interface PlayedStripe {
  url: string;
  secretKey: string;
  webhookSecret: string;
  sessions: Map<string, PlayedSession>;
  /** Payments made without anybody there, by their id. */
  intents: Map<string, Record<string, unknown>>;
  /** The bank refuses what is charged without anybody there. */
  refusing: boolean;
  /** Does what a call asks, and cuts the line before it answers. */
  losing: boolean;
  /** The sum refunded, in cents, of each payment. */
  refunded: Map<string, number>;
  /** `METHOD /path` of every call, oldest first. */
  calls: string[];
  /** Answers this status to every call until it is set back to null. */
  failing: number | null;
  /** The card pays: what Stripe then tells. */
  pay(id: string, change?: Partial<PlayedSession>): PlayedSession;
  /** An event of Stripe's own form. */
  event(type: string, object: unknown, id?: string): { id: string; body: string };
  /** The header that signs a body, by the library. */
  signature(body: string, at?: Date, secret?: string): string;
  close(): Promise<void>;
}

const unique = (kind: string) => `${kind}_${randomBytes(12).toString("hex")}`;

export async function playStripe(): Promise<PlayedStripe> {
  const answered = new Map<string, { sent: string; made: unknown }>();
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await read(request);
    played.calls.push(`${request.method} ${request.url?.split("?")[0]}`);
    if (played.failing !== null) return fail(response, played.failing, "api_error");
    if (request.headers.authorization !== `Bearer ${played.secretKey}`) {
      return fail(response, 401, "invalid_request_error");
    }
    const key = request.headers["idempotency-key"];
    const known = typeof key === "string" ? answered.get(key) : undefined;
    if (known && known.sent !== body) return fail(response, 400, "idempotency_error");
    const made = known?.made ?? handle(played, request, new URLSearchParams(body));
    if (made === null) return fail(response, 404, "invalid_request_error");
    if (made === "refused") return fail(response, 400, "invalid_request_error");
    if (isRefusal(made)) return reply(response, 402, made);
    if (typeof key === "string") answered.set(key, { sent: body, made });
    if (played.losing) return void response.destroy();
    reply(response, 200, made);
  };
  const server = createServer((request, response) => void answer(request, response));
  const played: PlayedStripe = {
    url: "",
    secretKey: `sk_test_${randomBytes(12).toString("hex")}`,
    webhookSecret: `whsec_${randomBytes(16).toString("hex")}`,
    sessions: new Map(),
    intents: new Map(),
    refusing: false,
    losing: false,
    refunded: new Map(),
    calls: [],
    failing: null,
    pay(id, change = {}) {
      const session = played.sessions.get(id) as PlayedSession;
      const paid = { payment_status: "paid", status: "complete", url: null } as const;
      return Object.assign(session, { payment_intent: unique("pi") }, paid, change);
    },
    event(type, object, id = unique("evt")) {
      const data = { object };
      return { id, body: JSON.stringify({ id, object: "event", type, livemode: false, data }) };
    },
    signature: (payload, at = new Date(), secret = played.webhookSecret) =>
      Stripe.webhooks.generateTestHeaderString({
        payload,
        secret,
        timestamp: Math.floor(at.getTime() / 1000),
      }),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  played.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return played;
}

/** The answer of a call; null when it names nothing, "refused" when the state forbids it. */
function handle(played: PlayedStripe, request: IncomingMessage, form: URLSearchParams): unknown {
  const { pathname, searchParams } = new URL(request.url ?? "", "http://stripe");
  const at = `${request.method} ${pathname}`;
  if (at === "POST /v1/checkout/sessions") return open(played, form);
  if (at === "GET /v1/checkout/sessions") {
    const paymentIntent = searchParams.get("payment_intent");
    const data = [...played.sessions.values()].filter(
      (one) => one.payment_intent === paymentIntent,
    );
    return { object: "list", data, has_more: false, url: pathname };
  }
  if (at === "POST /v1/payment_intents") return chargeOffSession(played, form);
  if (at === "GET /v1/payment_intents/search") {
    const query = searchParams.get("query") ?? "";
    const data = [...played.intents.values()].filter((one) =>
      query.includes((one["metadata"] as { top_up: string }).top_up),
    );
    return { object: "search_result", data, has_more: false, url: pathname };
  }
  const [, intentId] = /^GET \/v1\/payment_intents\/(\w+)$/.exec(at) ?? [];
  if (intentId) return played.intents.get(intentId) ?? null;
  const [, detached] = /^POST \/v1\/payment_methods\/(\w+)\/detach$/.exec(at) ?? [];
  if (detached) return { id: detached, object: "payment_method" };
  if (at === "POST /v1/refunds") {
    const intent = form.get("payment_intent") ?? "";
    const session = [...played.sessions.values()].find((one) => one.payment_intent === intent);
    if (!session) return null;
    const before = played.refunded.get(intent) ?? 0;
    const amount = Number(form.get("amount") ?? session.amount_total - before);
    played.refunded.set(intent, before + amount);
    return { id: unique("re"), object: "refund", status: "succeeded" };
  }
  const [, id = "", expire] = /^\/v1\/checkout\/sessions\/(\w+)(\/expire)?$/.exec(pathname) ?? [];
  const session = played.sessions.get(id);
  if (!session) return null;
  if (expire) {
    if (session.status !== "open") return "refused";
    return Object.assign(session, { status: "expired", url: null });
  }
  if (!searchParams.has("expand[0]") || session.payment_intent === null) return session;
  if (searchParams.get("expand[0]") === "payment_intent.payment_method")
    return withPaymentMethod(session);
  const amount_refunded = played.refunded.get(session.payment_intent) ?? 0;
  const latest_charge = { id: unique("ch"), disputed: false, amount_refunded };
  return { ...session, payment_intent: { id: session.payment_intent, latest_charge } };
}

/** A session with the payment method that was saved when it was paid, if that was requested. */
function withPaymentMethod(session: PlayedSession): unknown {
  const setupFutureUsage = session.sent["payment_intent_data[setup_future_usage]"] ?? null;
  const card = { brand: "visa", last4: "4242" };
  const payment_method = { id: "pm_saved", object: "payment_method", card };
  const payment_intent = {
    id: session.payment_intent,
    setup_future_usage: setupFutureUsage,
    payment_method,
  };
  return { ...session, customer: "cus_saved", payment_intent };
}

const isRefusal = (made: unknown): boolean =>
  typeof made === "object" && made !== null && "error" in made;

function chargeOffSession(played: PlayedStripe, form: URLSearchParams): unknown {
  const made = {
    id: unique("pi"),
    object: "payment_intent",
    amount: Number(form.get("amount")),
    currency: form.get("currency"),
    status: played.refusing ? "requires_payment_method" : "succeeded",
    customer: form.get("customer"),
    off_session: form.get("off_session"),
    metadata: {
      top_up: form.get("metadata[top_up]"),
      automatic: form.get("metadata[automatic]"),
    },
  };
  played.intents.set(made.id, made);
  if (!played.refusing) return made;
  const error = { type: "card_error", code: "card_declined", message: "declined" };
  return { error: { ...error, payment_intent: made } };
}

function open(played: PlayedStripe, form: URLSearchParams): PlayedSession {
  const id = unique("cs_test");
  const session: PlayedSession = {
    id,
    object: "checkout.session",
    client_reference_id: form.get("client_reference_id") ?? "",
    amount_total: Number(form.get("line_items[0][price_data][unit_amount]")),
    currency: form.get("line_items[0][price_data][currency]") ?? "",
    status: "open",
    payment_status: "unpaid",
    payment_intent: null,
    url: `${played.url}/c/pay/${id}`,
    sent: Object.fromEntries(form),
  };
  played.sessions.set(id, session);
  return session;
}

async function read(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request) body += String(chunk);
  return body;
}

function fail(response: ServerResponse, status: number, type: string): void {
  reply(response, status, { error: { type, message: `played ${type}` } });
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json", "request-id": unique("req") });
  response.end(JSON.stringify(body));
}
