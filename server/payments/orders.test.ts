// Orders paid at the provider: settled once by their room with the money received, which stays in the wallet
// when they cannot be. Two hooks stand in for the room.
import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Problem } from "#contract/errors.ts";
import { orderPaymentProblems } from "#contract/payments/rows.ts";
import { payments } from "#contract/limits.ts";
import { inTx } from "#server/db/db.ts";
import { verify } from "#server/ledger/ledger.ts";
import { freezeWallet, schemeAccount, spend } from "#server/wallet/wallet.ts";
import { cast, type CastName } from "#tests/cast.ts";
import { type Client, type TestServer, openTestServer } from "#tests/test-server.ts";
import {
  onOrderPaid,
  onOrderPaymentEnded,
  type OrderPayment,
  paymentTasks,
  openOrderPayment,
  placeOrderPayment,
} from "./payments.ts";
import type { Charge, EventType } from "./provider.ts";
import { secretOf } from "./sandbox.ts";
import { sign } from "./signature.ts";

let server: TestServer;
let clients: Record<"guardian" | "stranger" | "child", Client>;
const ended: OrderPayment[] = [];
const paidBefore = { ...onOrderPaid };
const endedBefore = { ...onOrderPaymentEnded };
/** What the room does with the money; each test may change it. */
let honour: NonNullable<typeof onOrderPaid.tickets>;

beforeAll(async () => {
  server = await openTestServer();
  await server.app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = server.app.server.address() as AddressInfo;
  server.deps.config.publicUrl = `http://127.0.0.1:${port}`;
  clients = {
    guardian: await server.as("guardian"),
    stranger: await server.as("stranger"),
    child: await server.as("child"),
  };
  onOrderPaid.tickets = (tx, deps, payment) => honour(tx, deps, payment);
  onOrderPaymentEnded.tickets = async (_tx, _deps, payment) => void ended.push(payment);
});
beforeEach(() => {
  ended.length = 0;
  honour = async (tx, _deps, { orderId, amountCents, money, at }) => {
    const to = await schemeAccount(tx, "purchases");
    const key = `test-order:${orderId}`;
    const { walletId, funds: from } = money;
    await spend(tx, { walletId, amountCents, to, from, kind: "purchase", key, at });
    return "settled";
  };
});
afterAll(async () => {
  delete onOrderPaid.tickets;
  delete onOrderPaymentEnded.tickets;
  Object.assign(onOrderPaid, paidBefore);
  Object.assign(onOrderPaymentEnded, endedBefore);
  expect((await verify(server.deps.db)).checks.filter((check) => !check.ok)).toEqual([]);
  await server.close();
});

type Payer = "guardian" | "stranger" | "child";
async function personOf(name: CastName) {
  const { rows } = await sql<{ id: number; personId: number }>`
    select w.id, w.person_id from wallet w join card c on c.person_id = w.person_id
     where c.number = ${cast[name].cardnumber} and w.group_id = 1`.execute(server.deps.db);
  return rows[0] as { id: number; personId: number };
}
async function balance(name: CastName): Promise<number> {
  const { id } = await personOf(name);
  const { rows } = await sql<{ cents: number }>`
    select sum(a.balance)::bigint as cents from wallet_lot l
      join ledger_account a on a.id = l.account_id where l.wallet_id = ${id}`.execute(
    server.deps.db,
  );
  return rows[0]?.cents ?? 0;
}
const notices = async (payer: Payer) =>
  (await clients[payer].get("/api/notifications")).body.items as { title: string; body: string }[];

interface PaymentOptions {
  payer?: Payer;
  of?: CastName;
  amountCents?: number;
  orderId?: string;
}
async function start({
  payer = "guardian",
  of = payer,
  amountCents = 1250,
  orderId = randomUUID(),
}: PaymentOptions = {}) {
  const { personId } = await personOf(payer);
  const { id: walletId } = await personOf(of);
  const { cardnumber, type } = cast[payer];
  const payment = {
    caller: {
      sessionId: randomUUID(),
      objectId: randomUUID(),
      personId,
      cardnumber,
      type,
      name: payer,
      mustReset: false,
      company: null,
      siteOrigin: server.deps.config.publicUrl,
      address: "127.0.0.1",
    },
    walletId,
    amountCents,
    order: { kind: "tickets" as const, id: orderId, label: "2 places pour Le Lac", revision: null },
    returnPath: `/services/E-Billet?commande=${orderId}`,
    holdIds: [],
  };
  const placed = await inTx(server.deps.db, (tx) => placeOrderPayment(tx, server.deps, payment));
  return await openOrderPayment(server.deps, placed, "http://localhost:3000");
}
const press = async (paymentUrl: string | null, outcome: string) =>
  await server.app.inject({
    method: "POST",
    url: new URL(paymentUrl ?? "").pathname,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: `outcome=${outcome}`,
  });
const seen = async (id: string, payer: Payer = "guardian") =>
  (await clients[payer].get(`/api/top-ups/${id}`)).body;

async function chargeOf(topUpId: string): Promise<Charge> {
  const row = await server.deps.db
    .selectFrom("sandboxCharge")
    .selectAll()
    .where("reference", "=", topUpId)
    .executeTakeFirstOrThrow();
  return { ref: row.id, reference: topUpId, amountCents: row.amountCents, state: "succeeded" };
}
async function webhook(type: EventType, charge: Charge, id = randomUUID()) {
  const body = JSON.stringify({ id, type, charge });
  const signature = sign(await secretOf(server.deps.db), body, server.clock.now());
  const answer = await server.app.inject({
    method: "POST",
    url: "/api/payments/sandbox/webhooks",
    headers: { "content-type": "application/json", "x-sandbox-signature": signature },
    payload: body,
  });
  expect(answer.statusCode).toBe(200);
}
const rejects = async (work: Promise<unknown>) =>
  await work.then(
    () => null,
    (error: unknown) => (error instanceof Problem ? error.code : error),
  );

describe("paying an order at the provider", () => {
  test("paid: settled once from the money that came, the browser sent back to the order", async () => {
    const before = await balance("guardian");
    const noticeCount = (await notices("guardian")).length;
    const orderId = randomUUID();
    const started = await start({ orderId });
    expect(started).toMatchObject({ state: "initiated", amountCents: 1250 });
    const page = await server.app.inject(new URL(started.paymentUrl ?? "").pathname);
    expect(page.body).toContain("2 places pour Le Lac");
    const back = await press(started.paymentUrl, "duplicate");
    expect(back.headers.location).toBe(
      `/services/E-Billet?commande=${orderId}&paiement=${started.id}`,
    );
    expect(await seen(started.id)).toMatchObject({
      state: "credited",
      reason: null,
      order: {
        kind: "tickets" as const,
        id: orderId,
        label: "2 places pour Le Lac",
        outcome: "settled",
      },
    });
    expect(await balance("guardian")).toBe(before);
    expect((await notices("guardian")).length).toBe(noticeCount);
    expect(ended).toEqual([]);
    const receipt = await clients.guardian.get(`/api/top-ups/${started.id}/receipt.pdf`);
    expect(receipt.status).toBe(200);
  });

  // proves: order-payments
  test("news repeated and shuffled, ten at once: one credit, one settlement", async () => {
    const before = await balance("guardian");
    let settled = 0;
    const once = honour;
    honour = async (...args) => {
      settled++;
      return await once(...args);
    };
    const { id } = await start();
    const charge = await chargeOf(id);
    await webhook("charge.declined", charge);
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        webhook(index % 3 === 0 ? "charge.authorized" : "charge.succeeded", charge),
      ),
    );
    expect(await seen(id)).toMatchObject({ state: "credited", order: { outcome: "settled" } });
    expect(settled).toBe(1);
    expect(await balance("guardian")).toBe(before);
  });

  // proves: order-payments
  test("late success of an order that is gone: the money stays in the wallet, and it is told", async () => {
    const before = await balance("guardian");
    honour = async () => "unapplied";
    const { id, paymentUrl } = await start();
    await press(paymentUrl, "declined");
    expect((await seen(id)).state).toBe("declined");
    await webhook("charge.succeeded", await chargeOf(id));
    expect(await seen(id)).toMatchObject({ state: "credited", order: { outcome: "unapplied" } });
    expect(await balance("guardian")).toBe(before + 1250);
    expect((await notices("guardian"))[0]).toMatchObject({
      title: "Commande non réglée",
      body: expect.stringContaining("12,50\u202f€ pour «\u00a02 places pour Le Lac\u00a0»"),
    });
  });

  // proves: order-payments
  test("refused while it settles: what the room wrote is undone, the refusal is the reason", async () => {
    const before = await balance("guardian");
    const spends = honour;
    honour = async (tx, deps, payment) => {
      await spends(tx, deps, payment);
      throw new Problem("card_opposed");
    };
    const { id, paymentUrl } = await start();
    await press(paymentUrl, "success");
    const after = await seen(id);
    expect(after).toMatchObject({ state: "credited", order: { outcome: "unapplied" } });
    expect(after.reason).toContain(new Problem("card_opposed").message);
    expect(await balance("guardian")).toBe(before + 1250);
  });

  // proves: order-payments
  test("an error of the room's own, even of the database: the credit stands all the same", async () => {
    const before = await balance("guardian");
    honour = async (tx) => {
      await sql`select 1 / 0`.execute(tx);
      return "settled";
    };
    const { id, paymentUrl } = await start();
    await press(paymentUrl, "success");
    expect(await seen(id)).toMatchObject({ state: "credited", order: { outcome: "unapplied" } });
    expect(await balance("guardian")).toBe(before + 1250);
  });

  test("the wallet was frozen meanwhile: the order is not settled, the money waits there", async () => {
    const { id: walletId } = await personOf("stranger");
    const before = await balance("stranger");
    const { id, paymentUrl } = await start({ payer: "stranger" });
    await inTx(server.deps.db, (tx) =>
      freezeWallet(tx, walletId, { why: "test", at: server.clock.now() }),
    );
    await press(paymentUrl, "success");
    expect(await seen(id, "stranger")).toMatchObject({
      state: "credited",
      order: { outcome: "unapplied" },
    });
    expect(await balance("stranger")).toBe(before + 1250);
    expect(await rejects(start({ payer: "stranger" }))).toBe("wallet_frozen");
  });

  test("declined, and never paid: the room frees what it kept; a late refusal changes nothing", async () => {
    const orderId = randomUUID();
    const { id, paymentUrl } = await start({ orderId });
    await press(paymentUrl, "declined");
    const { personId, id: walletId } = await personOf("guardian");
    expect(ended).toMatchObject([{ orderId, topUpId: id, personId, walletId, amountCents: 1250 }]);
    expect((await notices("guardian"))[0]).toMatchObject({ title: "Paiement refusé" });
    await webhook("charge.declined", await chargeOf(id));
    expect(ended).toHaveLength(1);
    const left = await start();
    server.clock.advance((payments.pageLifeSeconds + 60) * 1000);
    await paymentTasks(server.deps).reconcile_payments();
    expect((await seen(left.id)).state).toBe("declined");
    expect(ended.at(-1)?.topUpId).toBe(left.id);
  });

  test("paid and contested in one piece of news: the order is not settled, the room is told", async () => {
    let calls = 0;
    honour = async () => {
      calls++;
      return "settled";
    };
    const { id } = await start();
    const charge = await chargeOf(id);
    await webhook("charge.refunded", { ...charge, state: "refunded" });
    expect(await seen(id)).toMatchObject({ state: "refunded", order: { outcome: "unapplied" } });
    expect(calls).toBe(0);
    expect(ended.map((one) => one.topUpId)).toEqual([id]);
  });

  test("another amount than asked: suspense, nothing settled, the room is told", async () => {
    const before = await balance("guardian");
    const { id } = await start();
    await webhook("charge.succeeded", { ...(await chargeOf(id)), amountCents: 1000 });
    expect(await seen(id)).toMatchObject({ state: "review", order: { outcome: null } });
    expect(await balance("guardian")).toBe(before);
    expect(ended.map((one) => one.topUpId)).toEqual([id]);
  });
});

describe("starting", () => {
  // proves: order-payments
  test("clicked five times at once: one payment; another amount replaces it", async () => {
    const orderId = randomUUID();
    const all = await Promise.all(Array.from({ length: 5 }, () => start({ orderId })));
    expect(new Set(all.map((one) => one.id)).size).toBe(1);
    const dearer = await start({ orderId, amountCents: 1400 });
    expect(dearer.id).not.toBe(all[0]?.id);
    expect((await seen(all[0]?.id ?? "")).state).toBe("declined");
    expect(ended).toEqual([]);
    // The replaced payment is paid after all: the first money received settles the order.
    await press(all[0]?.paymentUrl ?? "", "success");
    expect((await seen(all[0]?.id ?? "")).order.outcome).toBe("settled");
  });

  test("while the bank thinks: no second payment", async () => {
    const orderId = randomUUID();
    const { id } = await start({ orderId });
    await webhook("charge.authorized", { ...(await chargeOf(id)), state: "pending" });
    expect(await rejects(start({ orderId }))).toBe("order_payment_pending");
    expect(await rejects(start({ orderId, amountCents: 900 }))).toBe("order_payment_pending");
  });

  test("the wallet is another's, the amount too small, payments closed: refused", async () => {
    expect(await rejects(start({ payer: "child", of: "guardian" }))).toBe("not_found");
    expect(await rejects(start({ amountCents: payments.orderMinCents - 1 }))).toBe(
      "amount_too_small",
    );
    expect((await start({ of: "child" })).state).toBe("initiated");
    server.deps.config.payments = "none";
    const refusal = await rejects(start());
    server.deps.config.payments = "sandbox";
    expect(refusal).toBe("payments_off");
    // Rows that pay an order list what it can refuse from here.
    expect(orderPaymentProblems).toContain(refusal);
  });

  test("neither the minimum of a top-up nor the cap of a wallet holds an order back", async () => {
    server.deps.config.walletCapCents = 1;
    const { id, paymentUrl } = await start({ amountCents: 150 });
    await press(paymentUrl, "success");
    expect((await seen(id)).order.outcome).toBe("settled");
  });
});
