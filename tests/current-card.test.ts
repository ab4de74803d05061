// One person, one card, whichever screen names it: from a suspension through an opposition to the
// replacement in use, every answer shows the same number after each step (spec.md 22).
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { formatCardnumber } from "#contract/french.ts";
import { cardCommands } from "#server/cards/operator.ts";
import { inTx } from "#server/db/db.ts";
import { demoFares } from "#server/demo/fares.ts";
import { paymentTasks } from "#server/payments/payments.ts";
import { putOnSale } from "#server/passes/passes.ts";
import { approve } from "./approve.ts";
import { cast, castPassword } from "./cast.ts";
import { makeEvent } from "./events.ts";
import { type Client, type TestServer, openTestServer } from "./test-server.ts";
import { wordsOf } from "./pdf-words.ts";

let server: TestServer;
let camille: Client;
let thomas: Client;
let hugo: Client;
const own: number = cast.guardian.cardnumber;
const owned = { pass: "", order: "", tickets: "", topUp: "", subscription: "" };

beforeAll(async () => {
  server = await openTestServer();
  await server.app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = server.app.server.address() as AddressInfo;
  server.deps.config.publicUrl = `http://127.0.0.1:${port}`;
  [camille, thomas, hugo] = await Promise.all([
    server.as("guardian"),
    server.as("coGuardian"),
    server.as("stranger"),
  ]);
  await buyOneOfEach();
});
afterAll(() => server.close());

const ok = async (call: Promise<{ status: number; text: string; body: any }>) => {
  const { status, text, body } = await call;
  expect(status, text).toBeLessThan(300);
  return body;
};
const get = (path: string, client = camille) => ok(client.get(path));
const post = (path: string, body?: unknown) => ok(camille.post(path, body));

/** A credited top-up, a pass, a draft of another, a ticket, a cart, an invitation sent. */
async function buyOneOfEach(): Promise<void> {
  await inTx(server.deps.db, (tx) => putOnSale(tx, demoFares));
  const [{ objectID }] = (await get(`/api/wallets?cardnumber=${own}`)).items;
  const topUp = await post(`/api/wallets/${objectID}/top-ups`, { amountCents: 2500 });
  await server.app.inject({
    method: "POST",
    url: new URL(topUp.paymentUrl).pathname,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: "outcome=success",
  });
  const due = await server.deps.db.selectFrom("sandboxEvent").select("id").execute();
  for (const { id } of due) await paymentTasks(server.deps).sandbox_deliver({ event: id });
  owned.topUp = topUp.id;

  const draft = async (product: string) => {
    const { id, start } = await post("/api/passes/orders", { product, cardnumber: own });
    return await post(`/api/passes/orders/${id}`, { startOn: start.from });
  };
  const { id, revision, price } = await draft("lagon-mois");
  const { totalCents } = price;
  const payment = { revision, totalCents, objectID, method: "wallet" };
  owned.pass = (await post(`/api/passes/orders/${id}/pay`, payment)).order.pass;
  owned.order = (await draft("lagon-ticket")).id;

  const event = await makeEvent(server);
  const seat = { session: event.session, category: event.full, cardnumber: own, quantity: 1 };
  const { cart } = await post("/api/tickets/cart/lines", seat);
  const paid = { order: cart.id, objectID, totalCents: cart.totalCents, method: "wallet" };
  await ok(approve(server, camille, "/api/tickets/cart/pay", paid));
  owned.tickets = cart.id;
  await post("/api/tickets/cart/lines", seat);
  owned.subscription = (await get(`/api/subscriptions?cardnumber=${own}`)).items[0].id;
  const invitation = { cardnumber: cast.stranger.cardnumber, role: "relative" };
  await post("/api/family/invitations", invitation);
}

/**
 * Each screen that names Camille's card, and the number it shows; `addressNumber` is the one in the address.
 */
async function shownNumbers(addressNumber: number): Promise<Record<string, number>> {
  const of = `cardnumber=${addressNumber}`;
  const mine = (items: any[]) => items.find(({ name }) => name === cast.guardian.name).cardnumber;
  const login = await ok(
    server.anonymous.post("/api/login", { login: addressNumber, password: castPassword }),
  );
  const wallets = (await get(`/api/wallets?${of}`)).items;
  const passes = (await get(`/api/passes?${of}`)).items;
  const tickets = (await get(`/api/tickets?${of}`)).items;
  const cart = (await get("/api/tickets/cart")).cart;
  return {
    login: login.data.cardnumber,
    session: (await get("/api/session")).data.cardnumber,
    profile: (await get("/api/profile")).cardnumber,
    dashboard: mine((await get("/api/cards")).items),
    "dashboard of another guardian": mine((await get("/api/cards", thomas)).items),
    family: mine((await get("/api/family", thomas)).members),
    invitation: (await get("/api/family", hugo)).received[0].fromCardnumber,
    rights: mine((await get("/api/family/rights")).people),
    wallet: wallets[0].cardnumber,
    pass: passes[0].cardnumber,
    "one pass": (await get(`/api/passes/${owned.pass}`)).cardnumber,
    "pass order": (await get(`/api/passes/orders/${owned.order}`)).cardnumber,
    ticket: tickets[0].cardnumber,
    "ticket order": (await get(`/api/tickets/orders/${owned.tickets}`)).tickets[0].cardnumber,
    cart: cart.lines[0].cardnumber,
    subscriptions: (await get(`/api/subscriptions?${of}`)).holder.cardnumber,
    "subscription offer": (await get(`/api/subscriptions/offer?${of}`)).holder.cardnumber,
    subscription: (await get(`/api/subscriptions/${owned.subscription}`)).holder.cardnumber,
    "top-up receipt": await printed(`/api/top-ups/${owned.topUp}/receipt.pdf`),
    "subscription receipt": await printed(`/api/subscriptions/${owned.subscription}/receipt.pdf`),
  };
}

/** The card that a PDF names. */
async function printed(path: string): Promise<number> {
  const { statusCode, rawPayload } = await server.app.inject({
    url: path,
    headers: { authorization: `Bearer ${camille.token}` },
  });
  expect(statusCode).toBe(200);
  const words = wordsOf(rawPayload);
  const cards = await server.deps.db.selectFrom("card").select("number").execute();
  return cards.find(({ number }) => words.includes(formatCardnumber(number)))?.number ?? 0;
}

async function everyScreenNames(number: number): Promise<void> {
  const screens = await shownNumbers(number);
  expect(screens).toEqual(Object.fromEntries(Object.keys(screens).map((name) => [name, number])));
}

test(
  "after each step of a suspension and an opposition every screen names the same card",
  {
    timeout: 90_000,
  },
  async () => {
    await everyScreenNames(own);
    await post(`/api/cards/${own}/suspend`);
    await everyScreenNames(own);
    const { replacement } = await post(`/api/cards/${own}/oppose`, { reason: "lost" });
    const next: number = replacement.cardnumber;
    // The other sessions ended; the one that opposed goes on.
    await everyScreenNames(own);
    for (const step of ["approve", "produce", "ship", "receive"]) {
      const command = cardCommands.find(({ name }) => name === `cards ${step}`);
      expect((await command?.run(server.deps, [String(next)], "test"))?.ok, step).toBe(true);
      await everyScreenNames(own);
    }
    await post(`/api/cards/${next}/activate`);
    await everyScreenNames(next);
  },
);

test("a screen opened before the replacement still finds its person, under the new number", async () => {
  const { body } = await camille.get(`/api/subscriptions?cardnumber=${own}`);
  expect(body.holder.cardnumber).not.toBe(own);
  expect((await hugo.get(`/api/passes?cardnumber=${own}`)).status).toBe(404);
});

test("a first card that is still awaited is the card its guardian sees", async () => {
  const { pool } = server.deps;
  const leo: number = cast.child.cardnumber;
  await pool.query(
    "update card set state = 'in_production', activated_at = null where number = $1",
    [leo],
  );
  const { items } = await get("/api/cards");
  expect(items.find((card: any) => card.cardnumber === leo)).toMatchObject({
    state: "in_production",
    replacement: null,
  });
  expect((await get(`/api/wallets?cardnumber=${leo}`)).items[0].cardnumber).toBe(leo);
});

test("the function is inlined: the statement looks the card up by its person's index", async () => {
  const { rows } = await server.deps.pool.query<{ "QUERY PLAN": string }>(
    "explain select (select number from current_card(p.id)) from person p",
  );
  const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
  expect(plan).toContain("on card c");
  expect(plan).not.toContain("Function Scan");
});
