// A wallet without enough money pays together with a bank card: held while the card is charged, settled in
// the transaction that credits, released when the charge fails; never one without the other.
import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { addDays, parisDay, todayInParis } from "#contract/days.ts";
import { payments } from "#contract/limits.ts";
import { workingDaysAfter } from "#contract/working-days.ts";
import { inTx } from "#server/db/db.ts";
import { demoFares } from "#server/demo/fares.ts";
import { verify } from "#server/ledger/ledger.ts";
import { putOnSale } from "#server/passes/passes.ts";
import { paymentTasks } from "#server/payments/payments.ts";
import { secretOf } from "#server/payments/sandbox.ts";
import { sign } from "#server/payments/signature.ts";
import { freezeWallet, grant, openWallet } from "#server/wallet/wallet.ts";
import { approve } from "#tests/approve.ts";
import { makeCanteen, type MadeCanteen } from "#tests/canteens.ts";
import { cast, type CastName } from "#tests/cast.ts";
import { makeEvent } from "#tests/events.ts";
import { type ReadyOrder, readyOrders } from "#tests/ready-orders.ts";
import { type Client, type TestServer, openTestServer } from "#tests/test-server.ts";
import { leaveToSpend, purchasedLot } from "#tests/wallet-money.ts";

let server: TestServer;
let camille: Client;
let canteen: MadeCanteen;
let ready: ReturnType<typeof readyOrders> & { meals: () => Promise<ReadyOrder> };
let day = 2;

beforeAll(async () => {
  server = await openTestServer();
  await server.app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = server.app.server.address() as AddressInfo;
  server.deps.config.publicUrl = `http://127.0.0.1:${port}`;
  await inTx(server.deps.db, (tx) => putOnSale(tx, demoFares));
  canteen = await makeCanteen(server, { kind: "staff", classes: [], seats: 100 });
  ready = { ...readyOrders(server, () => camille), meals: readyMeals };
});
beforeEach(async () => {
  server.deps.config.codeFromCents = 1_000_000;
  server.deps.config.payments = "sandbox";
  await sql`update wallet set frozen_at = null, frozen_why = null`.execute(server.deps.db);
  camille = await server.as("guardian");
  await camille.post("/api/canteen/requests/drop", { idgroup: canteen.groupId });
  const { cart } = (await camille.get("/api/tickets/cart")).body;
  if (cart) await camille.post("/api/tickets/cart/drop", { order: cart.id });
});
afterAll(async () => {
  expect((await verify(server.deps.db)).checks.filter(({ ok }) => !ok)).toEqual([]);
  await server.close();
});

async function readyMeals(): Promise<ReadyOrder> {
  const on = () => workingDaysAfter(todayInParis(server.deps.now()), (day += 1));
  const registration = canteen.registrations.child;
  const { request } = (
    await camille.post("/api/canteen/requests/lines", {
      idgroup: canteen.groupId,
      meals: [on(), on()].map((one) => ({ registration, day: one })),
      chosen: true,
    })
  ).body;
  const { id, revision, totalCents } = request;
  return { path: "/api/canteen/requests/pay", body: { request: id, revision, totalCents } };
}

interface Seen {
  objectID: string;
  idgroup: number;
  balanceCents: number;
  projectedCents: number;
}
const walletsOf = async (name: CastName = "guardian"): Promise<Seen[]> =>
  (await camille.get(`/api/wallets?cardnumber=${cast[name].cardnumber}`)).body.items;
const mainOf = async (name: CastName = "guardian") => (await walletsOf(name))[0] as Seen;
/** Spendable money, and money held for payments under way (not for meals), in cents. */
const moneyOf = async (objectID: string, name: CastName = "guardian") => {
  const found = (await walletsOf(name)).find((one) => one.objectID === objectID);
  const { rows } = await sql<{ kind: string; cents: number }>`
    select h.kind, sum(h.amount)::bigint as cents from hold h
    join wallet_lot l on l.account_id = h.debit_account join wallet w on w.id = l.wallet_id
    where h.state = 'pending' and w.object_id = ${objectID} group by 1`.execute(server.deps.db);
  const held = rows.reduce((sum, { cents }) => sum + cents, 0);
  expect(found?.balanceCents).toBe((found?.projectedCents ?? 0) + held);
  return [found?.projectedCents, rows.find(({ kind }) => kind === "purchase")?.cents ?? 0];
};

const leave = (objectID: string, cents: number) => leaveToSpend(server, objectID, cents);

const payBoth = (
  { path, body }: ReadyOrder,
  objectID: string,
  cardCents: number,
  client: Client = camille,
) => client.post(path, { ...body, method: "both", objectID, cardCents });

const press = (url: string, outcome: string) =>
  server.app.inject({
    method: "POST",
    url: new URL(url).pathname,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: `outcome=${outcome}`,
  });
const topUp = async (id: string) => (await camille.get(`/api/top-ups/${id}`)).body;

/** The provider says that it was paid after all. */
async function succeeds(id: string): Promise<void> {
  const charge = await server.deps.db
    .selectFrom("sandboxCharge")
    .selectAll()
    .where("reference", "=", id)
    .executeTakeFirstOrThrow();
  const chargeData = { ref: charge.id, reference: id, amountCents: charge.amountCents };
  const event = { id: randomUUID(), type: "charge.succeeded" };
  const payload = JSON.stringify({ ...event, charge: { ...chargeData, state: "succeeded" } });
  const signature = sign(await secretOf(server.deps.db), payload, server.clock.now());
  const answer = await server.app.inject({
    method: "POST",
    url: "/api/payments/sandbox/webhooks",
    headers: { "content-type": "application/json", "x-sandbox-signature": signature },
    payload,
  });
  expect(answer.statusCode).toBe(200);
}

/** Begins a payment of a wallet that holds so much; the card pays the rest. */
async function begin(order: ReadyOrder, inWallet: number) {
  const { objectID } = await mainOf();
  await leave(objectID, inWallet);
  const begun = await payBoth(order, objectID, order.body.totalCents - inWallet);
  expect(begun.status, begun.text).toBe(200);
  return { objectID, ...(begun.body.payment as { topUp: string; paymentUrl: string }) };
}

describe.each(["pass", "tickets", "subscription", "meals"] as const)("%s", (kind) => {
  // proves: wallet-and-card
  test("what is missing is paid by card, the rest set aside until then; the wallet ends at 0", async () => {
    const order = await ready[kind]();
    const { totalCents } = order.body;
    const { objectID, topUp: id, paymentUrl } = await begin(order, 200);
    expect(await moneyOf(objectID)).toEqual([0, 200]);
    expect(await topUp(id)).toMatchObject({
      state: "initiated",
      amountCents: totalCents - 200,
      holds: [{ objectID, amountCents: 200 }],
    });
    const mails = server.outbox.length;
    await press(paymentUrl, "duplicate");
    expect(await topUp(id)).toMatchObject({
      state: "credited",
      reason: null,
      order: { outcome: "settled" },
      holds: [],
    });
    // A meal is paid when it is served: until then its price is kept aside.
    expect(await moneyOf(objectID)).toEqual([0, 0]);
    if (kind === "meals") {
      const { rows } = await sql<{
        cents: number;
      }>`select sum(h.amount)::bigint as cents from hold h
        join meal_order o on h.id = any (o.hold_ids)
        where o.request_id = ${order.body["request"]}::uuid`.execute(server.deps.db);
      expect(rows[0]?.cents).toBe(totalCents);
    }
    const messages = server.outbox.slice(mails).map(({ body }) => body);
    expect(messages.join("\n")).toMatch(
      /(Payé avec|Mis de côté sur) Cagnotte principale.* : 2,00\s€/,
    );
    expect(messages.join("\n")).toMatch(/Payé par carte bancaire : \d+,\d\d\s€/);
    const again = await payBoth(order, objectID, totalCents - 200);
    expect([again.status, again.body.payment ?? null]).toEqual([200, null]);
  });

  test("declined: everything is free again, nothing is bought; the next try pays", async () => {
    const order = await ready[kind]();
    const { objectID, topUp: id, paymentUrl } = await begin(order, 200);
    await press(paymentUrl, "declined");
    expect((await topUp(id)).state).toBe("declined");
    expect(await moneyOf(objectID)).toEqual([200, 0]);
    const fresh = await payBoth(order, objectID, order.body.totalCents - 200);
    expect(fresh.status, fresh.text).toBe(200);
    expect(fresh.body.payment.topUp).not.toBe(id);
    await press(fresh.body.payment.paymentUrl, "success");
    expect((await topUp(fresh.body.payment.topUp)).order.outcome).toBe("settled");
  });

  test("given up or changed: what was set aside is free at once; its late money stays in the wallet", async () => {
    const order = await ready[kind]();
    const { objectID, topUp: id } = await begin(order, 200);
    const { path, body } = {
      pass: { path: order.path.replace(/pay$/, "cancel"), body: {} },
      tickets: { path: "/api/tickets/cart/drop", body: { order: order.body["order"] } },
      subscription: { path: order.path.replace(/pay$/, "abandon"), body: {} },
      meals: { path: "/api/canteen/requests/drop", body: { idgroup: canteen.groupId } },
    }[kind];
    const done = await camille.post(path, body);
    expect(done.status, done.text).toBe(200);
    expect(await moneyOf(objectID)).toEqual([200, 0]);
    await succeeds(id);
    const { totalCents } = order.body;
    // Seats that are still there are taken again for money that comes late.
    const outcome = (await topUp(id)).order.outcome;
    const left = outcome === "unapplied" ? totalCents : 0;
    expect(await moneyOf(objectID)).toEqual([left, 0]);
    expect(outcome).toBe("unapplied");
  });
});

describe("while the card is asked", () => {
  // proves: wallet-and-card
  test("three presses at once and one later: one payment, one sum set aside", async () => {
    const order = await ready.tickets();
    const { objectID } = await mainOf();
    await leave(objectID, 300);
    const cardCents = order.body.totalCents - 300;
    const all = await Promise.all([1, 2, 3].map(() => payBoth(order, objectID, cardCents)));
    all.push(await payBoth(order, objectID, cardCents));
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(all.map(({ body }) => body.payment.topUp)).size).toBe(1);
    expect(await moneyOf(objectID)).toEqual([0, 300]);
    await Promise.all([1, 2].map(() => succeeds(all[0]?.body.payment.topUp)));
    expect(await moneyOf(objectID)).toEqual([0, 0]);
  });

  // proves: wallet-and-card
  test("two orders at once share one wallet: each cent is set aside once", async () => {
    const [tickets, pass] = [await ready.tickets(), await ready.pass()];
    const { objectID } = await mainOf();
    await leave(objectID, 300);
    const answers = await Promise.all(
      [tickets, pass].map((order) => payBoth(order, objectID, order.body.totalCents - 300)),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe("split_changed");
    expect(await moneyOf(objectID)).toEqual([0, 300]);
    await camille.post(pass.path.replace(/pay$/, "cancel"));
    await camille.post("/api/tickets/cart/drop", { order: tickets.body["order"] });
    expect(await moneyOf(objectID)).toEqual([300, 0]);
  });

  test("the balance moved since it was seen: refused, nothing set aside, no payment begun", async () => {
    const order = await ready.tickets();
    const { objectID } = await mainOf();
    await leave(objectID, 300);
    const { totalCents } = order.body;
    for (const cardCents of [totalCents - 299, totalCents - 301, totalCents]) {
      const refused = await payBoth(order, objectID, cardCents);
      expect([refused.status, refused.body.code]).toEqual([409, "split_changed"]);
    }
    await leave(objectID, totalCents);
    expect((await payBoth(order, objectID, totalCents - 300)).body.code).toBe("split_changed");
    await leave(objectID, 0);
    expect((await payBoth(order, objectID, totalCents)).body.code).toBe("split_changed");
    const { rows } = await sql`select from top_up
      where order_id = ${order.body["order"]}::uuid`.execute(server.deps.db);
    expect(rows).toEqual([]);
    expect(await moneyOf(objectID)).toEqual([0, 0]);
  });

  test("less is missing than the provider takes: the card pays its least, the wallet keeps the rest", async () => {
    const order = await ready.tickets();
    const { objectID } = await mainOf();
    const { totalCents } = order.body;
    await leave(objectID, totalCents - 1);
    expect((await payBoth(order, objectID, 1)).body.code).toBe("split_changed");
    const begun = await payBoth(order, objectID, payments.orderMinCents);
    await press(begun.body.payment.paymentUrl, "success");
    expect(await moneyOf(objectID)).toEqual([payments.orderMinCents - 1, 0]);
  });

  test("paid from the wallet instead: the order is paid once, the card's money stays", async () => {
    const order = await ready.tickets();
    const { totalCents } = order.body;
    const { objectID, topUp: id } = await begin(order, 300);
    await leave(objectID, totalCents - 300);
    const payment = { ...order.body, method: "wallet", objectID };
    expect((await camille.post(order.path, payment)).status).toBe(200);
    expect(await moneyOf(objectID)).toEqual([0, 0]);
    await succeeds(id);
    expect((await topUp(id)).order.outcome).toBe("unapplied");
    expect(await moneyOf(objectID)).toEqual([totalCents - 300, 0]);
  });

  test("replaced by the whole on the card: the wallet is free; whichever is paid first settles", async () => {
    const order = await ready.tickets();
    const { totalCents } = order.body;
    const { objectID, topUp: id } = await begin(order, 300);
    const whole = await camille.post(order.path, { ...order.body, method: "provider", objectID });
    expect(whole.status, whole.text).toBe(200);
    expect((await topUp(id)).state).toBe("declined");
    expect(await moneyOf(objectID)).toEqual([300, 0]);
    await succeeds(id);
    expect((await topUp(id)).order.outcome).toBe("settled");
    expect(await moneyOf(objectID)).toEqual([0, 0]);
    await succeeds(whole.body.payment.topUp);
    expect((await topUp(whole.body.payment.topUp)).order.outcome).toBe("unapplied");
    expect(await moneyOf(objectID)).toEqual([totalCents, 0]);
  });

  // proves: wallet-and-card
  test("the page expires: free again; late money settles with what is still there, else it stays", async () => {
    for (const spent of [0, 1]) {
      const order = await ready.pass();
      const { totalCents } = order.body;
      const { objectID, topUp: id } = await begin(order, 300);
      server.clock.advance((payments.pageLifeSeconds + 60) * 1000);
      await paymentTasks(server.deps).reconcile_payments();
      camille = await server.as("guardian");
      expect((await topUp(id)).state).toBe("declined");
      expect(await moneyOf(objectID)).toEqual([300, 0]);
      await leave(objectID, 300 - spent);
      await succeeds(id);
      const left = spent === 0 ? 0 : totalCents - spent;
      expect((await topUp(id)).order.outcome).toBe(spent === 0 ? "settled" : "unapplied");
      expect(await moneyOf(objectID)).toEqual([left, 0]);
    }
  });

  // proves: wallet-and-card
  test("the wallet is frozen, then the card suspended: kept, free again, and told", async () => {
    const { objectID } = await mainOf();
    const { id: walletId } = await purchasedLot(server, objectID);
    for (const block of ["frozen", "suspended"]) {
      const order = await ready.tickets();
      const { topUp: id } = await begin(order, 300);
      if (block === "frozen") {
        const at = server.deps.now();
        await inTx(server.deps.db, (tx) => freezeWallet(tx, walletId, { why: "test", at }));
      } else {
        await sql`update card set state = 'suspended'
          where number = ${cast.guardian.cardnumber}`.execute(server.deps.db);
      }
      await succeeds(id);
      const { reason, order: about } = await topUp(id);
      expect(about.outcome).toBe("unapplied");
      expect(reason).toContain("de nouveau disponible");
      const { totalCents } = order.body;
      expect(await moneyOf(objectID)).toEqual([totalCents, 0]);
      await sql`update wallet set frozen_at = null, frozen_why = null`.execute(server.deps.db);
      await sql`update card set state = 'active'
        where number = ${cast.guardian.cardnumber}`.execute(server.deps.db);
      await camille.post("/api/tickets/cart/drop", { order: order.body["order"] });
    }
  });

  test("paid at another amount than asked: a person looks, the wallet is free", async () => {
    const order = await ready.tickets();
    const { objectID, topUp: id } = await begin(order, 300);
    await sql`update sandbox_charge set amount_cents = amount_cents - 1
      where reference = ${id}`.execute(server.deps.db);
    await succeeds(id);
    expect((await topUp(id)).state).toBe("review");
    expect(await moneyOf(objectID)).toEqual([300, 0]);
  });

  test("no provider: refused, nothing set aside", async () => {
    const order = await ready.tickets();
    const { objectID } = await mainOf();
    await leave(objectID, 300);
    server.deps.config.payments = "none";
    const refused = await payBoth(order, objectID, order.body.totalCents - 300);
    expect(refused.body.code).toBe("payments_off");
    expect(await moneyOf(objectID)).toEqual([300, 0]);
  });

  test("what the wallet gives counts for the code, what the card gives does not", async () => {
    server.clock.advance(25 * 3_600_000);
    camille = await server.as("guardian");
    const order = await ready.tickets();
    const { objectID } = await mainOf();
    await leave(objectID, 300);
    server.deps.config.codeFromCents = 300;
    const payment = { ...order.body, method: "both", objectID };
    const cardCents = order.body.totalCents - 300;
    const paid = await approve(server, camille, order.path, { ...payment, cardCents });
    expect(paid.status, paid.text).toBe(200);
    expect(await moneyOf(objectID)).toEqual([0, 300]);
    await camille.post("/api/tickets/cart/drop", { order: order.body["order"] });
    server.deps.config.codeFromCents = 301;
    expect((await payBoth(await ready.tickets(), objectID, cardCents)).status).toBe(200);
  });
});

describe("which money pays", () => {
  test("an aid first, even when its last day passes meanwhile; then the group's, the main wallet's, the card's", async () => {
    const order = await ready.pass();
    const { totalCents } = order.body;
    const { rows } = await sql<{ id: number }>`select group_id as id from fare_product
      where id = 'lagon-mois'`.execute(server.deps.db);
    const { id: personId } = (
      await sql<{ id: number }>`select person_id as id from card
        where number = ${cast.guardian.cardnumber}`.execute(server.deps.db)
    ).rows[0] as { id: number };
    const groupId = rows[0]?.id ?? 0;
    const group = await inTx(server.deps.db, (tx) => openWallet(tx, { personId, groupId }));
    const at = server.deps.now();
    const aid = { label: "Aide", key: randomUUID(), at, expiresOn: parisDay(at) };
    await inTx(server.deps.db, (tx) => grant(tx, { ...aid, walletId: group.id, amountCents: 150 }));
    const main = await mainOf();
    await leave(main.objectID, 300);
    await leave(group.objectID, 350);
    const begun = await payBoth(order, group.objectID, totalCents - 650);
    expect(begun.status, begun.text).toBe(200);
    const { topUp: id } = begun.body.payment;
    expect((await topUp(id)).holds).toMatchObject([
      { objectID: group.objectID, amountCents: 350 },
      { objectID: main.objectID, amountCents: 300 },
    ]);
    await sql`update wallet_lot set expires_on = ${addDays(parisDay(at), -1)}::date
      where wallet_id = ${group.id} and kind = 'granted'`.execute(server.deps.db);
    await succeeds(id);
    expect((await topUp(id)).order.outcome).toBe("settled");
    const { rows: paid } = await sql<{ cents: number; groupId: number; kind: string }>`
      select t.amount as cents, w.group_id, l.kind from transfer t
      join wallet_lot l on l.account_id = t.debit_account join wallet w on w.id = l.wallet_id
      where t.key = 'pass:' || ${order.path.split("/")[4]}::text order by t.part`.execute(
      server.deps.db,
    );
    expect(paid).toEqual([
      { cents: 150, groupId, kind: "granted" },
      { cents: 200, groupId, kind: "purchased" },
      { cents: totalCents - 350, groupId: 1, kind: "purchased" },
    ]);
  });

  test("a wallet outside the sale's group, another's wallet: refused", async () => {
    const order = await ready.tickets();
    const group = (await walletsOf()).find(({ idgroup }) => idgroup !== 1) as Seen;
    const refused = await payBoth(order, group.objectID, order.body.totalCents - 1);
    expect([refused.status, refused.body.code]).toEqual([422, "wallet_not_accepted"]);
    const hugo = await server.as("stranger");
    const theirs = (await hugo.get(`/api/wallets?cardnumber=${cast.stranger.cardnumber}`)).body
      .items[0];
    const foreign = await payBoth(order, theirs.objectID, order.body.totalCents - 1);
    expect(foreign.status).toBe(404);
  });

  // proves: wallet-and-card
  test("a child's wallet: its part within its limits, the card through the guardian's; refunds go back", async () => {
    const leo = cast.child.cardnumber;
    const event = await makeEvent(server);
    const line = { session: event.session, category: event.full, cardnumber: leo, quantity: 1 };
    const { cart } = (await camille.post("/api/tickets/cart/lines", line)).body;
    const order = {
      path: "/api/tickets/cart/pay",
      body: { order: cart.id, totalCents: cart.totalCents },
    };
    const [mine, theirs] = [await mainOf(), await mainOf("child")];
    await leave(mine.objectID, 40);
    await leave(theirs.objectID, 250);
    const limits = (dayCents: number | null) =>
      camille.post(`/api/family/members/${leo}/limits`, {
        limits: { dayCents, weekCents: null, groups: null },
      });
    await limits(249);
    const cardCents = cart.totalCents - 250;
    expect((await payBoth(order, theirs.objectID, cardCents)).body.code).toBe("limit_day");
    expect(await moneyOf(theirs.objectID, "child")).toEqual([250, 0]);
    // By a bank card alone, through the child's wallet, the whole counts: nothing is begun that would be
    // refused.
    const cardPayment = { ...order.body, method: "provider", objectID: theirs.objectID };
    expect((await camille.post(order.path, cardPayment)).body.code).toBe("limit_day");
    await limits(250);
    const begun = await payBoth(order, theirs.objectID, cardCents);
    expect(begun.status, begun.text).toBe(200);
    await press(begun.body.payment.paymentUrl, "success");
    expect((await topUp(begun.body.payment.topUp)).order.outcome).toBe("settled");
    expect(await moneyOf(theirs.objectID, "child")).toEqual([0, 0]);
    expect(await moneyOf(mine.objectID)).toEqual([40, 0]);
    const [ticket] = (await camille.get(`/api/tickets?cardnumber=${leo}`)).body.items;
    const { refundCents } = (await camille.get(`/api/tickets/${ticket.id}/refund`)).body;
    const back = await camille.post(`/api/tickets/${ticket.id}/cancel`, { refundCents });
    expect(back.status, back.text).toBe(200);
    const [child = 0] = await moneyOf(theirs.objectID, "child");
    const [guardian = 0] = await moneyOf(mine.objectID);
    expect(child + guardian - 40).toBe(refundCents);
    expect(guardian - 40).toBe(Math.min(refundCents, cardCents));
    await limits(null);
  });

  test("meals paid by a child's wallet and the guardian's card: each says who gets its money back", async () => {
    const order = await ready.meals();
    const theirs = await mainOf("child");
    await leave(theirs.objectID, 300);
    const begun = await payBoth(order, theirs.objectID, order.body.totalCents - 300);
    expect(begun.status, begun.text).toBe(200);
    await press(begun.body.payment.paymentUrl, "success");
    const meals = (await camille.get("/api/canteen/orders?when=coming")).body.items.slice(-2);
    expect(meals.map((one: { paidBy: unknown }) => one.paidBy)).toEqual([
      [cast.child.name, null],
      [null],
    ]);
    const [mine] = await moneyOf((await mainOf()).objectID);
    const [first] = meals;
    const cancelled = await camille.post("/api/canteen/orders/cancel", {
      orders: [first.id],
      costCents: 0,
    });
    expect(cancelled.status, cancelled.text).toBe(200);
    expect(await moneyOf(theirs.objectID, "child")).toEqual([300, 0]);
    expect(await moneyOf((await mainOf()).objectID)).toEqual([
      (mine ?? 0) + first.priceCents - 300,
      0,
    ]);
  });
});
