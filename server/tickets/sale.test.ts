// A cart paid at the provider's page: in time, refused, late, twice, or changed meanwhile.
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { verify } from "#server/ledger/ledger.ts";
import { cast } from "#tests/cast.ts";
import { makeEvent, type MadeEvent } from "#tests/events.ts";
import { type Client, type TestServer, openTestServer } from "#tests/test-server.ts";
import { ticketTasks } from "./tickets.ts";

let server: TestServer;
let camille: Client;
let hugo: Client;
beforeAll(async () => {
  server = await openTestServer();
  // The provider's events come over HTTP.
  await server.app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = server.app.server.address() as AddressInfo;
  server.deps.config.publicUrl = `http://127.0.0.1:${port}`;
});
afterAll(async () => {
  expect((await verify(server.deps.db)).ok).toBe(true);
  await server.close();
});
beforeEach(() => signIn());

const minutes = 60_000;
const [me, his]: number[] = [cast.guardian.cardnumber, cast.stranger.cardnumber];
const signIn = async () => {
  [camille, hugo] = await Promise.all([server.as("guardian"), server.as("stranger")]);
};
const put = (who: Client, event: MadeEvent, cardnumber: number | undefined, quantity: number) =>
  who.post("/api/tickets/cart/lines", {
    session: event.session,
    category: event.full,
    cardnumber,
    quantity,
  });
const walletOf = async (who: Client, cardnumber: number | undefined) =>
  (await who.get(`/api/wallets?cardnumber=${cardnumber}`)).body.items[0];
const balance = async () => (await walletOf(camille, me)).balanceCents;
const start = async (cart: any) =>
  camille.post("/api/tickets/cart/pay", {
    method: "provider",
    order: cart.id,
    objectID: (await walletOf(camille, me)).objectID,
    totalCents: cart.totalCents,
  });
const press = async (paymentUrl: string, outcome: string) =>
  await server.app.inject({
    method: "POST",
    url: new URL(paymentUrl).pathname,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: `outcome=${outcome}`,
  });
const cartNow = async () => (await camille.get("/api/tickets/cart")).body.cart;
const orderNow = async (id: string) => (await camille.get(`/api/tickets/orders/${id}`)).body;
const paymentNow = async (id: string) => (await camille.get(`/api/top-ups/${id}`)).body;

test("refused, the cart waits; paid at the second try, the tickets are there and the wallet is even", async () => {
  const event = await makeEvent(server);
  const before = await balance();
  const { cart } = (await put(camille, event, me, 2)).body;
  const first = await start(cart);
  expect(first).toMatchObject({ status: 200, body: { payment: { topUp: expect.any(String) } } });
  // A double click finds the same payment.
  expect((await start(cart)).body.payment).toEqual(first.body.payment);
  await press(first.body.payment.paymentUrl, "declined");
  expect(await cartNow()).toMatchObject({ state: "cart", payment: { state: "declined" } });
  const second = await start(cart);
  expect(second.body.payment.topUp).not.toBe(first.body.payment.topUp);
  const back = await press(second.body.payment.paymentUrl, "duplicate");
  expect(back.headers.location).toContain(`/services/E-Billet?commande=${cart.id}&paiement=`);
  const { order, tickets } = await orderNow(cart.id);
  expect(order).toMatchObject({ state: "paid", totalCents: 2400 });
  expect(tickets).toHaveLength(2);
  expect(await balance()).toBe(before);
});

test("the bank takes its time: seats are held on, the cart does not change, then it is paid", async () => {
  const event = await makeEvent(server, { seats: 1 });
  const { cart } = (await put(camille, event, me, 1)).body;
  const started = (await start(cart)).body.payment;
  await press(started.paymentUrl, "pending");
  expect((await paymentNow(started.topUp)).state).toBe("authorized");
  expect((await put(camille, event, me, 0)).body.code).toBe("cart_paying");
  expect((await camille.post("/api/tickets/cart/drop", { order: cart.id })).body.code).toBe(
    "cart_paying",
  );
  const wallet = await walletOf(camille, me);
  const pay = {
    order: cart.id,
    method: "wallet",
    objectID: wallet.objectID,
    totalCents: 1200,
  };
  expect((await camille.post("/api/tickets/cart/pay", pay)).body.code).toBe(
    "order_payment_pending",
  );
  server.clock.advance(50 * minutes);
  await ticketTasks(server.deps).expire_tickets();
  await signIn();
  expect((await put(hugo, event, his, 1)).body.code).toBe("tickets_sold_out");
  expect((await cartNow()).state).toBe("cart");
  await server.deps.pool.query(
    "update ticket_order set opened_at = opened_at - interval '3 hours', expires_at = now() - interval '1 day' where id = $1",
    [cart.id],
  );
  await ticketTasks(server.deps).expire_tickets();
  // Beyond two hours the seat goes back, and is taken anew when the money comes.
  expect((await orderNow(cart.id)).order.state).toBe("expired");
  await server.runJobs();
  expect((await orderNow(cart.id)).order.state).toBe("paid");
});

// proves: late-ticket-payment
test("late, the seat gone: the money stays in the wallet and it says so", async () => {
  const event = await makeEvent(server, { seats: 1 });
  const before = await balance();
  const { cart } = (await put(camille, event, me, 1)).body;
  const started = (await start(cart)).body.payment;
  server.clock.advance(61 * minutes);
  await signIn();
  expect((await put(hugo, event, his, 1)).status).toBe(200);
  await press(started.paymentUrl, "success");
  const payment = await paymentNow(started.topUp);
  expect(payment).toMatchObject({ state: "credited", order: { outcome: "unapplied" } });
  expect(payment.reason).toContain("Il ne reste plus assez de places");
  expect(await balance()).toBe(before + 1200);
  expect((await orderNow(cart.id)).tickets).toEqual([]);
});

// proves: late-ticket-payment
test("paid from the wallet meanwhile, or changed in another tab: no second ticket, the money is kept", async () => {
  const event = await makeEvent(server);
  const before = await balance();
  const { cart } = (await put(camille, event, me, 1)).body;
  const one = (await start(cart)).body.payment;
  const wallet = await walletOf(camille, me);
  const pay = {
    order: cart.id,
    method: "wallet",
    objectID: wallet.objectID,
    totalCents: 1200,
  };
  expect((await camille.post("/api/tickets/cart/pay", pay)).status).toBe(200);
  await press(one.paymentUrl, "success");
  expect((await orderNow(cart.id)).tickets).toHaveLength(1);
  expect(await balance()).toBe(before);
  const other = (await put(camille, event, me, 1)).body.cart;
  const two = (await start(other)).body.payment;
  const changed = (await put(camille, event, me, 2)).body.cart;
  expect(changed).toMatchObject({ totalCents: 2400, expiresAt: expect.any(String) });
  expect(changed.id).not.toBe(other.id);
  await press(two.paymentUrl, "success");
  expect((await orderNow(other.id)).tickets).toEqual([]);
  expect((await cartNow()).id).toBe(changed.id);
  expect(await balance()).toBe(before + 1200);
});
