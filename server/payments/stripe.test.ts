// Top-ups through Stripe: its API simulated on the loopback, its webhooks signed by its own library.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { formatDateTime } from "#contract/french.ts";
import { verify } from "#server/ledger/ledger.ts";
import { schemeAccount, spend } from "#server/wallet/wallet.ts";
import { inTx } from "#server/db/db.ts";
import { cast, type CastName } from "#tests/cast.ts";
import { type Client, type TestServer, openTestServer } from "#tests/test-server.ts";
import { type PlayedSession, type PlayedStripe, playStripe } from "#tests/stripe-api.ts";
import { fundingTasks } from "#server/funding/funding.ts";
import { approve } from "#tests/approve.ts";
import { paymentCommands, paymentTasks } from "./payments.ts";
import { runByTwo } from "#tests/two-operators.ts";

let played: PlayedStripe;
let server: TestServer;
let guardian: Client;
let wallet: { id: number; objectID: string };

beforeAll(async () => {
  played = await playStripe();
  const { secretKey, webhookSecret, url: apiUrl } = played;
  server = await openTestServer({
    payments: "stripe",
    stripe: { secretKey, webhookSecret, apiUrl },
    publicUrl: "https://carte.exemple.fr",
    walletCapCents: 10_000_000,
  });
  guardian = await server.as("guardian");
  wallet = await mainOf("guardian");
});
beforeEach(() => {
  played.failing = null;
  server.deps.config.payments = "stripe";
});
afterAll(async () => {
  expect((await verify(server.deps.db)).checks.filter((check) => !check.ok)).toEqual([]);
  await server.close();
  await played.close();
});

async function mainOf(name: CastName) {
  return await server.deps.db
    .selectFrom("wallet as w")
    .innerJoin("card as c", "c.personId", "w.personId")
    .select(["w.id", "w.objectId as objectID"])
    .where("c.number", "=", cast[name].cardnumber)
    .executeTakeFirstOrThrow();
}
async function one<T>(text: string, values: unknown[] = []): Promise<T> {
  const { rows } = await server.deps.pool.query(text, values);
  return rows[0] as T;
}
const balance = async (id = wallet.id) =>
  (
    await one<{ cents: number }>(
      `select sum(a.balance)::bigint as cents from wallet_lot l
         join ledger_account a on a.id = l.account_id where l.wallet_id = $1`,
      [id],
    )
  ).cents;
const schemeBalance = async (name: string) =>
  (
    await one<{ balance: number }>(
      `select balance from ledger_account a join scheme_account s on s.account_id = a.id
        where s.name = $1`,
      [name],
    )
  ).balance;
const frozen = async (id: number) =>
  (
    await one<{ frozen: boolean }>(
      "select frozen_at is not null as frozen from wallet where id = $1",
      [id],
    )
  ).frozen;

/** Starts a top-up and gives it with the session that Stripe opened for it. */
async function begin(amountCents: number, objectID = wallet.objectID) {
  const { status, body } = await guardian.post(`/api/wallets/${objectID}/top-ups`, { amountCents });
  expect(status).toBe(201);
  const session = sessionOf(body.id);
  return { id: body.id as string, paymentUrl: body.paymentUrl as string, session };
}
const sessionOf = (topUp: string) =>
  [...played.sessions.values()].find(
    (session) => session.client_reference_id === topUp,
  ) as PlayedSession;
const seen = async (id: string) => (await guardian.get(`/api/top-ups/${id}`)).body;

async function onSettled(
  type: string,
  object: unknown,
  { id, at, secret, alter = (body: string) => body }: Heard = {},
) {
  const event = played.event(type, object, id);
  const answer = await server.app.inject({
    method: "POST",
    url: "/api/payments/stripe/webhooks",
    headers: {
      "content-type": "application/json; charset=utf-8",
      "stripe-signature": played.signature(event.body, at ?? server.clock.now(), secret),
    },
    payload: alter(event.body),
  });
  return { status: answer.statusCode, code: answer.json().code as string, id: event.id };
}
interface Heard {
  id?: string;
  at?: Date;
  secret?: string;
  alter?: (body: string) => string;
}
const outcomeOf = async (id: string) =>
  (
    await one<{ outcome: string } | undefined>(
      "select outcome from payment_event where provider = 'stripe' and event_id = $1",
      [id],
    )
  )?.outcome;
const creditsOf = async ({ id }: PlayedSession) =>
  (
    await server.deps.pool.query<{ amount: number }>(
      "select amount from transfer where key = $1 and kind = 'top_up'",
      [`charge:stripe:${id}`],
    )
  ).rows.map(({ amount }) => amount);

/** Paid at Stripe and received here. */
async function credited(amountCents: number, objectID = wallet.objectID) {
  const topUp = await begin(amountCents, objectID);
  await onSettled("checkout.session.completed", played.pay(topUp.session.id));
  return topUp;
}
const refundedCharge = (
  { payment_intent, amount_total }: PlayedSession,
  amount_refunded: number,
) => ({
  id: `ch_${payment_intent}`,
  payment_intent,
  amount: amount_total,
  amount_refunded,
});
const disputeOf = ({ payment_intent }: PlayedSession, amount: number, currency = "eur") => ({
  id: `dp_${payment_intent}`,
  payment_intent,
  amount,
  currency,
});

describe("starting", () => {
  test("POST top-ups: a Checkout session of that amount, its page, and the way back", async () => {
    const before = await balance();
    const { id, paymentUrl, session } = await begin(2_000);
    expect(paymentUrl).toBe(`${played.url}/c/pay/${session.id}`);
    const back = `https://carte.exemple.fr/services/${wallet.objectID}/principale/1?recharge=${id}`;
    expect(session).toMatchObject({ amount_total: 2_000, currency: "eur" });
    expect(session.sent).toMatchObject({
      mode: "payment",
      locale: "fr",
      success_url: back,
      cancel_url: back,
      "allowed_payment_method_types[0]": "card",
      "payment_intent_data[metadata][top_up]": id,
    });
    expect(await balance()).toBe(before);
    expect((await seen(id)).paymentUrl).toBe(paymentUrl);
  });

  test("ten clicks with one key: one session", async () => {
    const before = played.sessions.size;
    const start = () =>
      guardian.post(
        `/api/wallets/${wallet.objectID}/top-ups`,
        { amountCents: 1_500 },
        { "idempotency-key": "click" },
      );
    const answers = await Promise.all(Array.from({ length: 10 }, start));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.status).toBe(201);
    expect(played.sessions.size).toBe(before + 1);
  });

  test("Stripe down: 503, nothing to pay; the same key later opens the same top-up", async () => {
    played.failing = 500;
    const start = () =>
      guardian.post(
        `/api/wallets/${wallet.objectID}/top-ups`,
        { amountCents: 1_600 },
        { "idempotency-key": "later" },
      );
    expect(await start()).toMatchObject({ status: 503, body: { code: "payment_provider_down" } });
    played.failing = null;
    const { status, body } = await start();
    expect(status).toBe(201);
    expect(sessionOf(body.id).amount_total).toBe(1_600);
  });

  // proves: log-secrets
  test("a key that Stripe refuses: 503, and the key is in no log nor answer", async () => {
    const { stripe } = server.deps.config;
    server.deps.config.stripe = {
      ...(stripe as NonNullable<typeof stripe>),
      secretKey: "sk_test_bad",
    };
    const answer = await guardian.post(`/api/wallets/${wallet.objectID}/top-ups`, {
      amountCents: 1_000,
    });
    server.deps.config.stripe = stripe;
    expect(answer).toMatchObject({ status: 503, body: { code: "payment_provider_down" } });
    expect(answer.text).not.toContain("sk_test");
  });
});

describe("what is paid", () => {
  // proves: stripe
  test("completed and paid: credited once however often it is told, with notice and receipt", async () => {
    const before = await balance();
    const { id, session } = await begin(2_500);
    const paid = played.pay(session.id);
    const first = await onSettled("checkout.session.completed", paid);
    expect(first.status).toBe(200);
    await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        onSettled("checkout.session.completed", paid, n % 2 === 0 ? { id: first.id } : {}),
      ),
    );
    expect(await balance()).toBe(before + 2_500);
    expect(await creditsOf(session)).toEqual([2_500]);
    expect(await seen(id)).toMatchObject({ state: "credited", paymentUrl: null });
    const { body: notices } = await guardian.get("/api/notifications");
    expect(notices.items[0].title).toBe("Recharge créditée");
    const receipt = await guardian.get(`/api/top-ups/${id}/receipt.pdf`);
    expect(receipt.text.slice(0, 5)).toBe("%PDF-");
    expect(await schemeBalance("payments:stripe")).toBeLessThanOrEqual(-2_500);
  });

  test("the browser that returns proves nothing: still initiated until Stripe tells", async () => {
    const { id, session } = await begin(1_100);
    played.pay(session.id);
    expect((await seen(id)).state).toBe("initiated");
    expect(await creditsOf(session)).toEqual([]);
  });

  test("completed but not yet paid: authorized, then credited or declined", async () => {
    for (const [type, state] of [
      ["checkout.session.async_payment_succeeded", "credited"],
      ["checkout.session.async_payment_failed", "declined"],
    ] as const) {
      const { id, session } = await begin(900);
      await onSettled(
        "checkout.session.completed",
        played.pay(session.id, { payment_status: "unpaid" }),
      );
      expect((await seen(id)).state).toBe("authorized");
      const paid = state === "credited" ? "paid" : "unpaid";
      await onSettled(type, played.pay(session.id, { payment_status: paid }));
      expect((await seen(id)).state).toBe(state);
      expect(await creditsOf(session)).toEqual(state === "credited" ? [900] : []);
    }
  });

  test("the page expired: declined because of time, not because of the bank", async () => {
    const { id, session } = await begin(700);
    await onSettled("checkout.session.expired", { ...session, status: "expired" });
    const { state, reason } = await seen(id);
    expect(state).toBe("declined");
    expect(reason).toContain("délai");
  });

  test("another amount, another currency: the wallet is untouched", async () => {
    const before = await balance();
    const suspense = await schemeBalance("suspense");
    const { id, session } = await begin(1_000);
    const wrong = { ...played.pay(session.id), amount_total: 999 };
    expect(await outcomeOf((await onSettled("checkout.session.completed", wrong)).id)).toBe(
      "suspense",
    );
    expect((await seen(id)).state).toBe("review");
    expect(await schemeBalance("suspense")).toBe(suspense + 999);
    const other = await begin(1_000);
    const dollars = { ...played.pay(other.session.id), currency: "usd" };
    expect(await outcomeOf((await onSettled("checkout.session.completed", dollars)).id)).toBe(
      "parked",
    );
    expect((await seen(other.id)).state).toBe("initiated");
    expect(await balance()).toBe(before);
    // Refunded whole, the money in suspense leaves it, and no wallet changes.
    await onSettled("charge.refunded", refundedCharge(session, 999));
    // The simulated session still has the requested amount: only the paid amount can leave.
    session.amount_total = 999;
    await onSettled("charge.refunded", refundedCharge(session, 999));
    expect((await seen(id)).state).toBe("refunded");
    expect(await schemeBalance("suspense")).toBe(suspense);
    expect(await balance()).toBe(before);
  });

  test("a session that is not ours is kept for a person", async () => {
    const { status, id } = await onSettled("checkout.session.completed", {
      ...(await begin(500)).session,
      id: "cs_test_shop",
      client_reference_id: null,
      payment_status: "paid",
    });
    expect(status).toBe(200);
    expect(await outcomeOf(id)).toBe("parked");
  });
});

describe("signatures", () => {
  // proves: stripe
  test("forged, altered, stale or absent: 400, nothing noted, nothing moved", async () => {
    const before = await balance();
    const { id, session } = await begin(1_300);
    const paid = played.pay(session.id);
    const event = randomUUID();
    const forged: Heard[] = [
      { secret: "whsec_another_secret" },
      { alter: (body) => body.replace("1300", "9300") },
      { alter: (body) => `${body} ` },
      { at: new Date(server.clock.now().getTime() - 301_000) },
    ];
    for (const how of forged) {
      expect(
        await onSettled("checkout.session.completed", paid, { id: event, ...how }),
      ).toMatchObject({
        status: 400,
        code: "webhook_signature",
      });
    }
    const bare = await server.anonymous.post("/api/payments/stripe/webhooks", { id: event });
    expect(bare).toMatchObject({ status: 400, body: { code: "webhook_signature" } });
    expect(await outcomeOf(event)).toBeUndefined();
    expect((await seen(id)).state).toBe("initiated");
    expect(await balance()).toBe(before);
    expect((await onSettled("checkout.session.completed", paid, { id: event })).status).toBe(200);
    expect(await balance()).toBe(before + 1_300);
  });

  test("the sandbox is not heard where payments are real, and its page is not there", async () => {
    const answer = await server.anonymous.post("/api/payments/sandbox/webhooks", { id: "x" });
    expect(answer).toMatchObject({ status: 400, body: { code: "webhook_signature" } });
    const page = await server.app.inject(`/paiement/sandbox/${randomUUID()}`);
    expect(page.statusCode).toBe(404);
  });

  test("top-ups closed by the settings: what was paid before is still credited", async () => {
    const { session } = await begin(1_200);
    server.deps.config.payments = "none";
    const refused = await guardian.post(`/api/wallets/${wallet.objectID}/top-ups`, {
      amountCents: 1_000,
    });
    expect(refused.body.code).toBe("payments_off");
    await onSettled("checkout.session.completed", played.pay(session.id));
    expect(await creditsOf(session)).toEqual([1_200]);
  });
});

describe("what is given back", () => {
  // proves: stripe
  test("in parts, told out of order and twice: each cent leaves the wallet once", async () => {
    const before = await balance();
    const { id, session } = await credited(3_000);
    await onSettled("charge.refunded", refundedCharge(session, 1_200));
    // An older event, and the same again.
    await onSettled("charge.refunded", refundedCharge(session, 500));
    await onSettled("charge.refunded", refundedCharge(session, 1_200));
    expect(await balance()).toBe(before + 1_800);
    expect(await seen(id)).toMatchObject({
      state: "credited",
      reason: "12,00\u202f€ de cette recharge ont été rendus à la carte bancaire qui a payé.",
    });
    await onSettled("charge.refunded", refundedCharge(session, 3_000));
    expect(await balance()).toBe(before);
    expect((await seen(id)).state).toBe("refunded");
    expect(await frozen(wallet.id)).toBe(false);
    const { body: notices } = await guardian.get("/api/notifications");
    expect(notices.items[0].body).toContain("18,00\u202f€");
  });

  test("Stripe out of reach while a refund is told: 503, and it counts when told again", async () => {
    const before = await balance();
    const { session } = await credited(1_000);
    played.failing = 500;
    const charge = refundedCharge(session, 1_000);
    const missed = await onSettled("charge.refunded", charge);
    expect(missed).toMatchObject({ status: 503, code: "unavailable" });
    expect(await balance()).toBe(before + 1_000);
    played.failing = null;
    expect((await onSettled("charge.refunded", charge, { id: missed.id })).status).toBe(200);
    expect(await balance()).toBe(before);
  });

  test("contested: what is left goes back, what was spent is owed, the wallet is frozen", async () => {
    const child = await mainOf("child");
    const had = await balance(child.id);
    const disputes = await schemeBalance("disputes");
    const { id, session } = await credited(2_000, child.objectID);
    await inTx(server.deps.db, async (tx) => {
      const to = await schemeAccount(tx, "purchases");
      const at = server.clock.now();
      const amountCents = had + 500;
      return spend(tx, { walletId: child.id, amountCents, to, kind: "purchase", key: "s", at });
    });
    await onSettled("charge.dispute.created", disputeOf(session, 2_000));
    await onSettled("charge.dispute.created", disputeOf(session, 2_000));
    expect((await seen(id)).state).toBe("disputed");
    expect(await balance(child.id)).toBe(0);
    expect(await schemeBalance("disputes")).toBe(disputes - 500);
    expect(await frozen(child.id)).toBe(true);
    // Refund and dispute exclude each other: a person decides.
    const { id: refund } = await onSettled("charge.refunded", refundedCharge(session, 2_000));
    expect(await outcomeOf(refund)).toBe("parked");
    const won = await onSettled("charge.dispute.funds_reinstated", disputeOf(session, 2_000));
    expect(await outcomeOf(won.id)).toBe("parked");
    expect(await schemeBalance("disputes")).toBe(disputes - 500);
  });

  test("contested in the bank's own currency: the whole; after a part was given back: the rest", async () => {
    const other = await mainOf("secondChild");
    const had = await balance(other.id);
    const { session } = await credited(1_000, other.objectID);
    await onSettled("charge.refunded", refundedCharge(session, 400));
    await onSettled("charge.dispute.created", disputeOf(session, 1_150, "chf"));
    expect(await balance(other.id)).toBe(had);
  });

  test("news of no concern is noted and changes nothing", async () => {
    const before = await balance();
    const { id } = await onSettled("payment_intent.created", { id: "pi_1", amount: 5_000 });
    expect(await outcomeOf(id)).toBe("ignored");
    const unknown = await onSettled("charge.refunded", {
      payment_intent: "pi_shop",
      amount_refunded: 5,
    });
    expect(await outcomeOf(unknown.id)).toBe("parked");
    expect(await balance()).toBe(before);
  });
});

describe("the operator", () => {
  const operate = (name: string, ...args: string[]) => {
    const command = paymentCommands.find((known) => known.name === `payments ${name}`);
    if (!command) throw new Error(`no command ${name}`);
    return command.run(server.deps, args, "test");
  };
  const refund = (id: string) =>
    runByTwo(
      server.deps,
      paymentCommands.find(({ name }) => name === "payments refund"),
      [id],
    );

  test("payments list shows what waits for a person, and answers 1 for it", async () => {
    const { id, session } = await begin(4_400);
    await onSettled("checkout.session.completed", {
      ...played.pay(session.id),
      amount_total: 4_300,
    });
    const won = await onSettled("charge.dispute.funds_reinstated", { id: "dp_1" });
    const { ok, lines } = await operate("list");
    expect(ok).toBe(false);
    expect(lines.find((line) => line.startsWith(id))).toMatch(
      new RegExp(`À vérifier .*44,00.*${formatDateTime(server.clock.now()).slice(0, 10)} `),
    );
    expect(lines.find((line) => line.startsWith(won.id))).toContain("dp_1");
  });

  test("payments refund gives the money back once; spent money is not given back", async () => {
    const before = await balance();
    const { id, session } = await credited(1_000);
    expect((await refund(id)).ok).toBe(true);
    expect((await refund(id)).ok).toBe(true);
    expect(played.refunded.get(session.payment_intent ?? "")).toBe(1_000);
    expect(played.calls.filter((call) => call === "POST /v1/refunds").length).toBe(2);
    expect(await balance()).toBe(before + 1_000);
    await onSettled("charge.refunded", refundedCharge(session, 1_000));
    expect(await balance()).toBe(before);
    expect((await refund(id)).lines[0]).toContain("n'a rien à rendre");
    const spent = await credited(5_000);
    await inTx(server.deps.db, async (tx) => {
      const to = await schemeAccount(tx, "purchases");
      const [walletId, amountCents, at] = [wallet.id, (await balance()) - 100, server.clock.now()];
      return spend(tx, { walletId, amountCents, to, kind: "purchase", key: "all", at });
    });
    expect((await refund(spent.id)).lines[0]).toContain("49,00\u202f€ de cette recharge");
    expect(played.refunded.has(spent.session.payment_intent ?? "")).toBe(false);
    expect((await refund(randomUUID())).lines).toEqual(["Cette recharge n'existe pas."]);
    expect((await refund("1; drop table")).ok).toBe(false);
  });

  test("payments ask takes in what Stripe says now, and says when it does not answer", async () => {
    const { id, session } = await begin(1_000);
    expect((await operate("ask", id)).lines).toEqual(["Rien de nouveau : Commencée."]);
    played.pay(session.id);
    played.failing = 500;
    expect((await operate("ask", id)).ok).toBe(false);
    played.failing = null;
    expect((await operate("ask", id)).lines).toEqual(["Mise à jour : Créditée."]);
    expect(await creditsOf(session)).toEqual([1_000]);
  });
});

describe("when nobody tells", () => {
  const reconcile = () => paymentTasks(server.deps).reconcile_payments();

  // proves: stripe
  test("Stripe is asked: paid is credited once, also when the news comes after", async () => {
    const { id, session } = await begin(1_400);
    const paid = played.pay(session.id);
    server.clock.advance(121_000);
    guardian = await server.as("guardian");
    await Promise.all([reconcile(), reconcile()]);
    expect((await seen(id)).state).toBe("credited");
    await onSettled("checkout.session.completed", paid);
    expect(await creditsOf(session)).toEqual([1_400]);
  });

  test("never paid: the page is closed over there before it is called expired here", async () => {
    const { id, session } = await begin(1_000);
    const lost = await begin(1_000);
    await server.deps.db
      .updateTable("topUp")
      .set({ providerRef: null, paymentUrl: null })
      .where("id", "=", lost.id)
      .execute();
    server.clock.advance(1_801_000);
    guardian = await server.as("guardian");
    played.failing = 500;
    await reconcile();
    expect((await seen(id)).state).toBe("initiated");
    played.failing = null;
    server.clock.advance(121_000);
    await reconcile();
    expect(session.status).toBe("expired");
    const { state, reason } = await seen(id);
    expect({ state, late: reason.includes("délai") }).toEqual({ state: "declined", late: true });
    // Its id never reached the portal, so nobody was ever sent to its page.
    expect((await seen(lost.id)).state).toBe("declined");
  });
});

describe("without anybody before the page", () => {
  const path = () => `/api/wallets/${wallet.objectID}/rules`;
  const newRule = {
    when: { trigger: "day", day: 5 },
    mode: "amount",
    amountCents: 2000,
    monthlyCents: 9000,
    paymentMethodId: null,
    consent: true,
  };
  const due = () => one("update top_up_rule set next_on = '2020-01-05' where state = 'active'");
  const charged = () =>
    server.deps.pool
      .query<{ state: string; ref: string }>(
        `select state, provider_ref as ref from top_up where payment_method_id is not null
          order by created_at`,
      )
      .then(({ rows }) => rows);

  // proves: automatic-top-ups
  test("a payment method is kept with the first payment, then charged once for a date", async () => {
    const { body } = await approve(server, guardian, path(), newRule);
    const session = sessionOf(body.topUp);
    expect(session.sent).toMatchObject({
      "payment_intent_data[setup_future_usage]": "off_session",
      customer_creation: "always",
    });
    await onSettled("checkout.session.completed", played.pay(session.id));
    await server.runJobs();
    const { body: seenNow } = await guardian.get(`/api/wallets/${wallet.objectID}/automations`);
    expect(seenNow.rules[0]).toMatchObject({ state: "active", paymentMethod: "VISA •••• 4242" });
    const before = await balance();
    await due();
    await Promise.all([1, 2, 3].map(() => fundingTasks(server.deps).run_rules()));
    await server.runJobs();
    expect(await balance()).toBe(before + 2000);
    const [paid] = await charged();
    const intent = played.intents.get(paid?.ref ?? "");
    expect(intent).toMatchObject({ amount: 2000, customer: "cus_saved", off_session: "true" });
    // Stripe sends the event as well: it counts once.
    await onSettled("payment_intent.succeeded", intent);
    expect(await balance()).toBe(before + 2000);
    const refund = { payment_intent: paid?.ref, amount_refunded: 2000 };
    await onSettled("charge.refunded", refund);
    expect(await balance()).toBe(before);
    expect((await charged())[0]?.state).toBe("refunded");
  });

  test("an answer that was lost: the charge is found again, never called expired nor made twice", async () => {
    const place = async (amountCents: number) => {
      const { items } = (await guardian.get("/api/payment-methods")).body;
      const order = { amountCents, paymentMethod: items[0].id };
      const { status, body } = await guardian.post(
        `/api/wallets/${wallet.objectID}/top-ups`,
        order,
      );
      expect(status).toBe(201);
      return body.id as string;
    };
    const intentsOf = (amount: number) =>
      [...played.intents.values()].filter((made) => made["amount"] === amount).length;
    const later = async (seconds: number) => {
      server.clock.advance(seconds * 1000);
      guardian = await server.as("guardian");
      await paymentTasks(server.deps).reconcile_payments();
    };
    const before = await balance();
    played.losing = true;
    const soon = await place(2_101);
    await server.runJobs().catch(() => {});
    expect([intentsOf(2_101), (await seen(soon)).state]).toEqual([1, "initiated"]);
    played.failing = 500;
    await later(1_801);
    expect((await seen(soon)).state).toBe("initiated");
    played.failing = null;
    played.losing = false;
    await later(121);
    expect((await seen(soon)).state).toBe("credited");
    expect([intentsOf(2_101), await balance()]).toEqual([1, before + 2_101]);
    // Once Stripe has forgotten the key, its records are searched.
    played.losing = true;
    const late = await place(2_202);
    await server.runJobs().catch(() => {});
    played.losing = false;
    await server.deps.pool.query(
      "delete from graphile_worker._private_jobs where key like 'charge:%'",
    );
    const never = await place(2_303);
    await server.deps.pool.query(
      "delete from graphile_worker._private_jobs where key like 'charge:%'",
    );
    await later(25 * 3600);
    expect([(await seen(late)).state, (await seen(never)).state]).toEqual(["credited", "declined"]);
    expect([intentsOf(2_202), intentsOf(2_303)]).toEqual([1, 0]);
    expect(await balance()).toBe(before + 2_101 + 2_202);
  });

  // proves: automatic-top-ups
  test("the bank refuses: declined, nothing credited, tried again later", async () => {
    const before = await balance();
    played.refusing = true;
    await due();
    await fundingTasks(server.deps).run_rules();
    await server.runJobs();
    played.refusing = false;
    expect((await charged()).at(-1)?.state).toBe("declined");
    expect(await balance()).toBe(before);
    const { body } = await guardian.get(`/api/wallets/${wallet.objectID}/automations`);
    expect(body.rules[0].nextTryAt).not.toBeNull();
  });

  test("the payment of a session told by its own name moves nothing", async () => {
    const { session } = await begin(1000);
    const before = await balance();
    const { id } = await onSettled("payment_intent.succeeded", {
      id: "pi_of_a_session",
      amount: 1000,
      currency: "eur",
      status: "succeeded",
      metadata: { top_up: session.client_reference_id },
    });
    expect(await outcomeOf(id)).toBe("ignored");
    expect(await balance()).toBe(before);
  });
});
