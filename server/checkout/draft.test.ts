// State of an order while, and after, it is paid at the provider, and which changes it allows: the same for
// all that is sold, read from its payments.
import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { inTx } from "#server/db/db.ts";
import { demoFares } from "#server/demo/fares.ts";
import { verify } from "#server/ledger/ledger.ts";
import { putOnSale } from "#server/passes/passes.ts";
import { secretOf } from "#server/payments/sandbox.ts";
import { sign } from "#server/payments/signature.ts";
import { freezeWallet } from "#server/wallet/wallet.ts";
import { cast } from "#tests/cast.ts";
import { type ReadyOrder, readyOrders } from "#tests/ready-orders.ts";
import { type Client, type TestServer, openTestServer } from "#tests/test-server.ts";
import { purchasedLot } from "#tests/wallet-money.ts";

let server: TestServer;
let camille: Client;
let objectID: string;
let ready: ReturnType<typeof readyOrders>;
const own: number = cast.guardian.cardnumber;

beforeAll(async () => {
  server = await openTestServer();
  await server.app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = server.app.server.address() as AddressInfo;
  server.deps.config.publicUrl = `http://127.0.0.1:${port}`;
  server.deps.config.codeFromCents = 1_000_000;
  await inTx(server.deps.db, (tx) => putOnSale(tx, demoFares));
  ready = readyOrders(server, () => camille);
});
beforeEach(async () => {
  camille = await server.as("guardian");
  objectID = (await camille.get(`/api/wallets?cardnumber=${own}`)).body.items[0].objectID;
});
afterAll(async () => {
  expect((await verify(server.deps.db)).checks.filter(({ ok }) => !ok)).toEqual([]);
  await server.close();
});

const pay = ({ path, body }: ReadyOrder, more: object = {}) =>
  camille.post(path, { ...body, method: "provider", objectID, ...more });
async function begin(order: ReadyOrder, more: object = {}) {
  const begun = await pay(order, more);
  expect(begun.status, begun.text).toBe(200);
  return begun.body.payment as { topUp: string; paymentUrl: string };
}
const press = (url: string, outcome: string) =>
  server.app.inject({
    method: "POST",
    url: new URL(url).pathname,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: `outcome=${outcome}`,
  });
const topUp = async (id: string) => (await camille.get(`/api/top-ups/${id}`)).body;

/** A webhook of the provider: a charge, as it is in its books or with another amount. */
async function deliverWebhook(type: string, id: string, more: object = {}): Promise<void> {
  const charge = await server.deps.db
    .selectFrom("sandboxCharge")
    .selectAll()
    .where("reference", "=", id)
    .executeTakeFirstOrThrow();
  const state = type === "charge.authorized" ? "pending" : "succeeded";
  const chargeData = {
    ref: charge.id,
    reference: id,
    amountCents: charge.amountCents,
    state,
    ...more,
  };
  const payload = JSON.stringify({ id: randomUUID(), type, charge: chargeData });
  const answer = await server.app.inject({
    method: "POST",
    url: "/api/payments/sandbox/webhooks",
    headers: {
      "content-type": "application/json",
      "x-sandbox-signature": sign(await secretOf(server.deps.db), payload, server.clock.now()),
    },
    payload,
  });
  expect(answer.statusCode).toBe(200);
}

/** The address of an order that is paid at this one. */
const addressOf = ({ path }: ReadyOrder) => path.replace(/\/pay$/, "");
const read = async (order: ReadyOrder) => (await camille.get(addressOf(order))).body;

/** The order's payment succeeds, and nothing can be bought with its money. */
async function payUnfulfillable(paymentUrl: string): Promise<void> {
  const { id: walletId } = await purchasedLot(server, objectID);
  const at = server.deps.now();
  await inTx(server.deps.db, (tx) => freezeWallet(tx, walletId, { why: "test", at }));
  await press(paymentUrl, "success");
  await sql`update wallet set frozen_at = null, frozen_why = null`.execute(server.deps.db);
}

describe("the bank examines the payment", () => {
  // proves: order-payment-state
  test("an application is not changed until it has answered", async () => {
    const order = await ready.subscription();
    const { topUp: id } = await begin(order);
    await deliverWebhook("charge.authorized", id);
    const before = await read(order);
    expect(before).toMatchObject({ payment: { topUp: id }, chosen: [] });
    const options = [before.options[0].code];
    const changed = await camille.post(`${addressOf(order)}/options`, { options });
    expect([changed.status, changed.body.code]).toEqual([409, "order_payment_pending"]);
    const chosen = await camille.post("/api/subscriptions", {
      cardnumber: own,
      formula: "essentiel",
    });
    expect(chosen.body.code).toBe("order_payment_pending");
    expect(await read(order)).toEqual(before);
    await deliverWebhook("charge.succeeded", id);
    expect((await topUp(id)).order.outcome).toBe("settled");
  });
});

describe("the payment came to nothing", () => {
  // proves: order-payment-state
  test("said until the content changes: it was another one that was refused", async () => {
    const order = await ready.subscription();
    const { paymentUrl } = await begin(order);
    await press(paymentUrl, "declined");
    const failed = await read(order);
    expect(failed).toMatchObject({ payment: null, paymentFailed: expect.stringMatching(/refusé/) });
    const options = [failed.options[0].code];
    await camille.post(`${addressOf(order)}/options`, { options });
    expect(await read(order)).toMatchObject({ payment: null, paymentFailed: null });
  });

  test("the provider cannot be reached: nothing is under way, and nothing was refused", async () => {
    const order = await ready.subscription();
    const { pool } = server.owner;
    await pool.query("alter table sandbox_charge rename to sandbox_charge_gone");
    expect((await pay(order)).body.code).toBe("payment_provider_down");
    await pool.query("alter table sandbox_charge_gone rename to sandbox_charge");
    expect(await read(order)).toMatchObject({ payment: null, paymentFailed: null });
    const { topUp: id } = await begin(order);
    expect(await read(order)).toMatchObject({ payment: { topUp: id }, paymentFailed: null });
  });

  // proves: order-payment-state
  test("another amount than asked: a person looks, and nobody says that nothing was debited", async () => {
    const order = await ready.subscription();
    const { topUp: id } = await begin(order);
    await deliverWebhook("charge.succeeded", id, { amountCents: 1 });
    expect((await topUp(id)).state).toBe("review");
    expect(await read(order)).toMatchObject({ payment: null, paymentFailed: null });
  });
});

describe("its money stayed in the wallet", () => {
  test("an application is open again: no payment is under way", async () => {
    const order = await ready.subscription();
    const { topUp: id, paymentUrl } = await begin(order);
    await payUnfulfillable(paymentUrl);
    expect((await topUp(id)).order.outcome).toBe("unapplied");
    expect(await read(order)).toMatchObject({ state: "draft", payment: null, paymentFailed: null });
  });

  test("a pass is a draft again and may begin on another day", async () => {
    const order = await ready.pass();
    const { paymentUrl } = await begin(order);
    const { startOn } = await read(order);
    await payUnfulfillable(paymentUrl);
    expect(await read(order)).toMatchObject({ state: "draft", topUp: null });
    expect((await camille.post(addressOf(order), { startOn })).status).toBe(200);
  });

  test("a cart is changed as it is, and is the order that is paid", async () => {
    const order = await ready.tickets();
    const { paymentUrl } = await begin(order);
    await payUnfulfillable(paymentUrl);
    const { cart } = (await camille.get("/api/tickets/cart")).body;
    const [line] = cart.lines;
    const { session, category } = line;
    const more = { session, category, cardnumber: own, quantity: 2 };
    const changed = (await camille.post("/api/tickets/cart/lines", more)).body.cart;
    expect([changed.id, changed.totalCents]).toEqual([cart.id, 2 * cart.totalCents]);
    await camille.post("/api/tickets/cart/drop", { order: cart.id });
  });

  // proves: order-payment-state
  test("of a payment that another one replaced: the order waits for that one", async () => {
    const order = await ready.pass();
    const first = await begin(order);
    const child = (await camille.get(`/api/wallets?cardnumber=${cast.child.cardnumber}`)).body;
    const second = await begin(order, { objectID: child.items[0].objectID });
    expect((await topUp(first.topUp)).state).toBe("declined");
    await payUnfulfillable(first.paymentUrl);
    expect((await topUp(first.topUp)).order.outcome).toBe("unapplied");
    expect(await read(order)).toMatchObject({ state: "awaiting_payment", topUp: second.topUp });
    await press(second.paymentUrl, "declined");
    expect(await read(order)).toMatchObject({ state: "draft", topUp: null });
  });
});
