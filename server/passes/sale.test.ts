// A pass paid at the provider: made once from the money received; a purchase that cannot be honoured leaves
// the money in the wallet; a refused payment leaves the purchase as it was.
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { inTx } from "#server/db/db.ts";
import { demoFares } from "#server/demo/fares.ts";
import { verify } from "#server/ledger/ledger.ts";
import { approveIfRequired } from "#tests/approve.ts";
import { cast } from "#tests/cast.ts";
import { openTestServer, type Client, type TestServer } from "#tests/test-server.ts";
import { putOnSale } from "./passes.ts";
import { passCommands } from "./operator.ts";

let server: TestServer;
let camille: Client;
let wallet: string;
const own: number = cast.guardian.cardnumber;

beforeAll(async () => {
  server = await openTestServer();
  await server.app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = server.app.server.address() as AddressInfo;
  server.deps.config.publicUrl = `http://127.0.0.1:${port}`;
  await inTx(server.deps.db, (tx) => putOnSale(tx, demoFares));
  camille = await server.as("guardian");
  wallet = (await camille.get(`/api/wallets?cardnumber=${own}`)).body.items[0].objectID;
});
beforeEach(async () => {
  await server.deps.pool.query("delete from pass; delete from pass_order");
});
afterAll(async () => {
  expect((await verify(server.deps.db)).ok).toBe(true);
  await server.close();
});

const balance = async () =>
  (await camille.get(`/api/wallets?cardnumber=${own}`)).body.items[0].balanceCents as number;
const press = (paymentUrl: string, outcome: string) =>
  server.app.inject({
    method: "POST",
    url: new URL(paymentUrl).pathname,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: `outcome=${outcome}`,
  });
async function paying(product = "lagon-mois", cardnumber = own) {
  const begun = await camille.post("/api/passes/orders", { product, cardnumber });
  const path = `/api/passes/orders/${begun.body.id}`;
  const { body: order } = await camille.post(path, { startOn: begun.body.start.from });
  const payment = {
    revision: order.revision,
    totalCents: order.price.totalCents,
    objectID: wallet,
    method: "provider",
  };
  const paid = await camille.post(`${path}/pay`, payment);
  expect(paid.status, paid.text).toBe(200);
  return { path, payment, url: paid.body.payment.paymentUrl as string, order: paid.body.order };
}
const passes = async () => (await camille.get(`/api/passes?cardnumber=${own}`)).body.items;

// proves: pass-payment
test("paid: the pass is there, the wallet as before, the browser back at the purchase", async () => {
  const before = await balance();
  const { path, payment, url, order } = await paying();
  expect(order).toMatchObject({ state: "awaiting_payment", topUp: expect.any(String) });
  const again = await camille.post(`${path}/pay`, payment);
  expect(again.body.payment.paymentUrl).toBe(url);
  expect((await camille.post(path, { startOn: null })).body.code).toBe("pass_order_state");
  const back = await press(url, "duplicate");
  expect(back.headers.location).toBe(
    `/Abonnement/ligne/purchase/abonnement?commande=${order.id}&paiement=${order.topUp}`,
  );
  const { body: done } = await camille.get(path);
  expect(done).toMatchObject({ state: "paid", pass: expect.any(String) });
  expect(await passes()).toMatchObject([{ id: done.pass, state: "active" }]);
  expect(await balance()).toBe(before);
  expect((await camille.get(`/api/top-ups/${order.topUp}`)).body).toMatchObject({
    state: "credited",
    order: { kind: "pass", outcome: "settled" },
  });
});

test("refused: the purchase is a draft again and may be paid otherwise; a late success is not lost", async () => {
  const before = await balance();
  const { path, url, order } = await paying();
  await press(url, "declined");
  const { body: draft } = await camille.get(path);
  expect(draft).toMatchObject({ state: "draft", startOn: order.startOn });
  const other = { revision: draft.revision, totalCents: 4400, objectID: wallet, method: "wallet" };
  const paid = await approveIfRequired(server, camille, `${path}/pay`, other);
  expect(paid.body.order, paid.text).toMatchObject({ state: "paid" });
  expect(await balance()).toBe(before - 4400);
  expect(await passes()).toHaveLength(1);
});

// proves: pass-payment
test("given up while the payment was under way: the money stays in the wallet, and it is told", async () => {
  const before = await balance();
  const { path, url, order } = await paying();
  expect((await camille.post(`${path}/cancel`)).status).toBe(200);
  await press(url, "success");
  expect(await passes()).toEqual([]);
  expect(await balance()).toBe(before + 4400);
  expect((await camille.get(`/api/top-ups/${order.topUp}`)).body.order.outcome).toBe("unapplied");
  expect((await camille.get(path)).body.state).toBe("cancelled");
});

// proves: pass-payment
test("paid from the wallet meanwhile: one pass, and the second money stays", async () => {
  const before = await balance();
  const { path, payment, url } = await paying();
  const again = { ...payment, method: "wallet" };
  const paid = await approveIfRequired(server, camille, `${path}/pay`, again);
  expect(paid.body.order).toMatchObject({ state: "paid" });
  await press(url, "success");
  expect(await passes()).toHaveLength(1);
  expect(await balance()).toBe(before);
});

test("let off the late fee while paying: the fee stays in the wallet", async () => {
  const { pool } = server.deps;
  await pool.query("update fare_product set late_after = '01-01' where id = 'scolaire-an'");
  const { path, url, order } = await paying("scolaire-an", cast.child.cardnumber);
  expect(order.price.totalCents).toBe(10_500);
  await camille.post(`${path}/exemption`, { reason: "Nous avons déménagé cet automne." });
  const { rows } = await pool.query("select number from pass_order where exemption = 'requested'");
  const exempt = passCommands.find(({ name }) => name === "passes exempt");
  expect(await exempt?.run(server.deps, [String(rows[0].number)], "test")).toMatchObject({
    ok: true,
  });
  const before = await balance();
  await press(url, "success");
  expect((await camille.get(path)).body).toMatchObject({ state: "paid" });
  expect(await balance()).toBe(before + 1500);
});

test("where payments are off the purchase stays a draft", async () => {
  const { payments } = server.deps.config;
  server.deps.config.payments = "none";
  const begun = await camille.post("/api/passes/orders", {
    product: "lagon-ticket",
    cardnumber: own,
  });
  const path = `/api/passes/orders/${begun.body.id}`;
  const payment = { revision: 1, totalCents: 170, objectID: wallet, method: "provider" };
  expect((await camille.post(`${path}/pay`, payment)).body.code).toBe("payments_off");
  expect((await camille.get(path)).body).toMatchObject({ state: "draft" });
  server.deps.config.payments = payments;
});
