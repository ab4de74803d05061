// A cart paid at the provider's page: in time, refused, late, twice, or changed meanwhile.
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { verify } from "#server/ledger/ledger.ts";
import { cast } from "#tests/cast.ts";
import { makeEvent, type MadeEvent } from "#tests/events.ts";
import { type Client, type House, openHouse } from "#tests/house.ts";
import { ticketTasks } from "./tickets.ts";

let house: House;
let camille: Client;
let hugo: Client;
beforeAll(async () => {
  house = await openHouse();
  // The provider's news come over HTTP.
  await house.app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = house.app.server.address() as AddressInfo;
  house.deps.config.publicUrl = `http://127.0.0.1:${port}`;
});
afterAll(async () => {
  expect((await verify(house.deps.db)).ok).toBe(true);
  await house.close();
});
beforeEach(() => signIn());

const minutes = 60_000;
const [me, his]: number[] = [cast.guardian.cardnumber, cast.stranger.cardnumber];
const signIn = async () => {
  [camille, hugo] = await Promise.all([house.as("guardian"), house.as("stranger")]);
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
  camille.post("/api/tickets/cart/pay-online", {
    order: cart.id,
    objectID: (await walletOf(camille, me)).objectID,
    totalCents: cart.totalCents,
  });
const press = async (paymentUrl: string, outcome: string) =>
  await house.app.inject({
    method: "POST",
    url: new URL(paymentUrl).pathname,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: `outcome=${outcome}`,
  });
const cartNow = async () => (await camille.get("/api/tickets/cart")).body.cart;
const orderNow = async (id: string) => (await camille.get(`/api/tickets/orders/${id}`)).body;
const paymentNow = async (id: string) => (await camille.get(`/api/top-ups/${id}`)).body;

test("refused, the cart waits; paid at the second try, the tickets are there and the wallet is even", async () => {
  const event = await makeEvent(house);
  const before = await balance();
  const { cart } = (await put(camille, event, me, 2)).body;
  const first = await start(cart);
  expect(first).toMatchObject({ status: 201, body: { amountCents: 2400, state: "initiated" } });
  // A double click finds the same payment.
  expect((await start(cart)).body.id).toBe(first.body.id);
  await press(first.body.paymentUrl, "declined");
  expect(await cartNow()).toMatchObject({ state: "cart", payment: { state: "declined" } });
  const second = await start(cart);
  expect(second.body.id).not.toBe(first.body.id);
  const back = await press(second.body.paymentUrl, "duplicate");
  expect(back.headers.location).toContain(`/services/E-Billet?commande=${cart.id}&paiement=`);
  const { order, tickets } = await orderNow(cart.id);
  expect(order).toMatchObject({ state: "paid", totalCents: 2400 });
  expect(tickets).toHaveLength(2);
  expect(await balance()).toBe(before);
});

test("the bank takes its time: seats are held on, the cart does not change, then it is paid", async () => {
  const event = await makeEvent(house, { seats: 1 });
  const { cart } = (await put(camille, event, me, 1)).body;
  const { body } = await start(cart);
  await press(body.paymentUrl, "pending");
  expect((await paymentNow(body.id)).state).toBe("authorized");
  expect((await put(camille, event, me, 0)).body.code).toBe("cart_paying");
  expect((await camille.post("/api/tickets/cart/drop", { order: cart.id })).body.code).toBe(
    "cart_paying",
  );
  const wallet = await walletOf(camille, me);
  const pay = { order: cart.id, objectID: wallet.objectID, totalCents: 1200 };
  expect((await camille.post("/api/tickets/cart/pay", pay)).body.code).toBe("cart_paying");
  house.clock.advance(50 * minutes);
  await ticketTasks(house.deps).tidy_tickets();
  await signIn();
  expect((await put(hugo, event, his, 1)).body.code).toBe("tickets_sold_out");
  expect((await cartNow()).state).toBe("cart");
  await house.deps.pool.query(
    "update ticket_order set opened_at = opened_at - interval '3 hours', expires_at = now() - interval '1 day' where id = $1",
    [cart.id],
  );
  await ticketTasks(house.deps).tidy_tickets();
  // Beyond two hours the seat goes back, and is taken anew when the money comes.
  expect((await orderNow(cart.id)).order.state).toBe("expired");
  await house.runJobs();
  expect((await orderNow(cart.id)).order.state).toBe("paid");
});

test("late, the seat gone: the money stays in the wallet and it says so", async () => {
  const event = await makeEvent(house, { seats: 1 });
  const before = await balance();
  const { cart } = (await put(camille, event, me, 1)).body;
  const { body } = await start(cart);
  house.clock.advance(61 * minutes);
  await signIn();
  expect((await put(hugo, event, his, 1)).status).toBe(200);
  await press(body.paymentUrl, "success");
  const payment = await paymentNow(body.id);
  expect(payment).toMatchObject({ state: "credited", order: { outcome: "kept" } });
  expect(payment.reason).toContain("Il ne reste plus assez de places");
  expect(await balance()).toBe(before + 1200);
  expect((await orderNow(cart.id)).tickets).toEqual([]);
});

test("paid from the wallet meanwhile, or changed in another tab: no second ticket, the money is kept", async () => {
  const event = await makeEvent(house);
  const before = await balance();
  const { cart } = (await put(camille, event, me, 1)).body;
  const one = (await start(cart)).body;
  const wallet = await walletOf(camille, me);
  const pay = { order: cart.id, objectID: wallet.objectID, totalCents: 1200 };
  expect((await camille.post("/api/tickets/cart/pay", pay)).status).toBe(200);
  await press(one.paymentUrl, "success");
  expect((await orderNow(cart.id)).tickets).toHaveLength(1);
  expect(await balance()).toBe(before);
  const other = (await put(camille, event, me, 1)).body.cart;
  const two = (await start(other)).body;
  const changed = (await put(camille, event, me, 2)).body.cart;
  expect(changed).toMatchObject({ totalCents: 2400, expiresAt: expect.any(String) });
  expect(changed.id).not.toBe(other.id);
  await press(two.paymentUrl, "success");
  expect((await orderNow(other.id)).tickets).toEqual([]);
  expect((await cartNow()).id).toBe(changed.id);
  expect(await balance()).toBe(before + 1200);
});
