// One checkout for passes, tickets and subscriptions: the same threshold, the same rule for repeated
// calls, the same wallets, and refunds that go back to the lots that paid.
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { inTx } from "#server/db/db.ts";
import { demoFares } from "#server/demo/fares.ts";
import { verify } from "#server/ledger/ledger.ts";
import { passCommands } from "#server/passes/operator.ts";
import { putOnSale } from "#server/passes/passes.ts";
import { grant, openWallet } from "#server/wallet/wallet.ts";
import { approve } from "#tests/approve.ts";
import { cast } from "#tests/cast.ts";
import { refusedAsTieEnds } from "#tests/family-ties.ts";
import { readyOrders } from "#tests/ready-orders.ts";
import { type Client, type TestServer, openTestServer } from "#tests/test-server.ts";

let server: TestServer;
let camille: Client;
const own: number = cast.guardian.cardnumber;
let personId: number;

beforeAll(async () => {
  server = await openTestServer();
  await inTx(server.deps.db, (tx) => putOnSale(tx, demoFares));
  camille = await server.as("guardian");
  ready = readyOrders(server, () => camille);
  const { rows } = await sql<{ id: number }>`
    select person_id as id from card where number = ${own}`.execute(server.deps.db);
  personId = rows[0]?.id ?? 0;
  await give(await main(), 60_000);
});
beforeEach(async () => {
  server.deps.config.codeFromCents = 1_000_000;
  await server.deps.pool.query("delete from pass; delete from pass_order");
  await server.deps.pool.query("delete from subscription_cover; delete from subscription");
});
afterAll(async () => {
  expect((await verify(server.deps.db)).ok).toBe(true);
  await server.close();
});

const wallets = async () =>
  (await camille.get(`/api/wallets?cardnumber=${own}`)).body.items as {
    objectID: string;
    idgroup: number;
    balanceCents: number;
  }[];
const main = async () => (await wallets())[0]?.objectID as string;
const balanceOf = async (objectID: string) =>
  (await wallets()).find((one) => one.objectID === objectID)?.balanceCents ?? 0;

/** A lot of money that was granted. */
async function give(objectID: string, amountCents: number): Promise<void> {
  await inTx(server.deps.db, async (tx) => {
    const { id: walletId } = await tx
      .selectFrom("wallet")
      .select("id")
      .where("objectId", "=", objectID)
      .executeTakeFirstOrThrow();
    const aid = { walletId, amountCents, label: "Aide", expiresOn: null, key: randomUUID() };
    await grant(tx, { ...aid, at: server.deps.now() });
  });
}

/** A wallet of Camille's in a group, with so much money. */
async function groupWallet(groupId: number, cents: number): Promise<string> {
  const { objectID } = await inTx(server.deps.db, (tx) => openWallet(tx, { personId, groupId }));
  await give(objectID, cents);
  return objectID;
}

let ready: ReturnType<typeof readyOrders>;
const sales = ["pass", "tickets", "subscription"] as const;

describe.each(sales)("POST pay of %s", (kind) => {
  // proves: one-checkout
  test("what left in 24 h and this one reach the threshold: a code first, once, and nothing before", async () => {
    const objectID = await main();
    server.clock.advance(25 * 3_600_000);
    camille = await server.as("guardian");
    const before = await ready[kind === "tickets" ? "pass" : "tickets"]();
    const payment = { method: "wallet", objectID };
    expect((await camille.post(before.path, { ...before.body, ...payment })).status).toBe(200);
    const { path, body } = await ready[kind]();
    server.deps.config.codeFromCents = before.body.totalCents + body.totalCents;
    const balance = await balanceOf(objectID);
    const paid = await approve(server, camille, path, { ...body, ...payment });
    expect(paid.status, paid.text).toBe(200);
    expect(await balanceOf(objectID)).toBe(balance - body.totalCents);
  });

  // proves: one-checkout
  test("what left more than 24 h ago counts no more: no code", async () => {
    const payment = { method: "wallet", objectID: await main() };
    const first = await ready[kind]();
    expect((await camille.post(first.path, { ...first.body, ...payment })).status).toBe(200);
    server.clock.advance(25 * 3_600_000);
    camille = await server.as("guardian");
    const { path, body } = await ready[kind]();
    server.deps.config.codeFromCents = body.totalCents + 1;
    expect((await camille.post(path, { ...body, ...payment })).status).toBe(200);
  });

  test("from the wallet of somebody who is one's child no more meanwhile: nothing leaves it", async () => {
    const { pool } = server.owner;
    const { items } = (await camille.get(`/api/wallets?cardnumber=${cast.child.cardnumber}`)).body;
    const { objectID } = items[0];
    await give(objectID, 20_000);
    const left = async () =>
      (
        await pool.query(
          `select sum(balance) as cents from wallet w join wallet_lot l on l.wallet_id = w.id
           join ledger_account a on a.id = l.account_id where w.object_id = $1`,
          [objectID],
        )
      ).rows[0].cents;
    const before = await left();
    const { path, body } = await ready[kind]();
    const pay = () => camille.post(path, { ...body, method: "wallet", objectID });
    const refused = await refusedAsTieEnds(server, "guardian", "child", pay);
    expect(refused).toEqual([404, "not_found"]);
    expect(await left()).toBe(before);
  });

  // proves: one-checkout
  test("the same key twice, two tabs, a try after a refusal: paid once", async () => {
    const objectID = await main();
    const { path, body } = await ready[kind]();
    const payment = { ...body, method: "wallet", objectID };
    const balance = await balanceOf(objectID);
    const refused = await camille.post(path, { ...payment, totalCents: body.totalCents - 1 });
    expect([refused.status, refused.body.code]).toEqual([409, "price_changed"]);
    expect(await balanceOf(objectID)).toBe(balance);
    const key = { "idempotency-key": `checkout-${kind}` };
    const answers = await Promise.all([
      camille.post(path, payment, key),
      camille.post(path, payment, key),
      camille.post(path, payment),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await balanceOf(objectID)).toBe(balance - body.totalCents);
  });

  // proves: one-checkout
  test("a wallet of another group is refused, from the wallet and at the provider", async () => {
    const { rows } = await sql<{ id: number }>`
      insert into acceptance_group (name, slug, rule)
      values ('Cantine', 'cantine-essai', 'Acceptée à la cantine.')
      on conflict (slug) do update set name = excluded.name returning id`.execute(server.deps.db);
    const objectID = await groupWallet(rows[0]?.id ?? 0, 10_000);
    const { path, body } = await ready[kind]();
    for (const method of ["wallet", "provider"]) {
      const refused = await camille.post(path, { ...body, method, objectID });
      expect([refused.status, refused.body.code]).toEqual([422, "wallet_not_accepted"]);
    }
    const paid = await camille.post(path, { ...body, method: "wallet", objectID: await main() });
    expect(paid.status, paid.text).toBe(200);
  });
});

describe("refunds", () => {
  // proves: one-checkout
  test("a late fee let off goes back to the wallets that paid, the last one first", async () => {
    await server.deps.pool.query(
      "update fare_product set late_after = '01-01' where id = 'scolaire-an'",
    );
    const leo = cast.child.cardnumber;
    const begun = { product: "scolaire-an", cardnumber: leo };
    const { body: first } = await camille.post("/api/passes/orders", begun);
    const path = `/api/passes/orders/${first.id}`;
    const { body: order } = await camille.post(path, { startOn: first.start.from });
    const [group, whole] = [await groupWallet(order.group.idgroup, 9800), await main()];
    const inMain = await balanceOf(whole);
    const { revision, price } = order;
    expect(price.totalCents).toBe(10_500);
    const payment = { revision, totalCents: 10_500, method: "wallet", objectID: group };
    expect((await camille.post(`${path}/pay`, payment)).status).toBe(200);
    expect([await balanceOf(group), await balanceOf(whole)]).toEqual([0, inMain - 700]);
    await camille.post(`${path}/exemption`, { reason: "Nous avons déménagé cet automne." });
    const { rows } = await server.deps.pool.query(
      "select number from pass_order where exemption = 'requested'",
    );
    const exempt = passCommands.find(({ name }) => name === "passes exempt");
    await exempt?.run(server.deps, [String(rows[0].number)], "test");
    expect([await balanceOf(group), await balanceOf(whole)]).toEqual([800, inMain]);
    const [notice] = (await camille.get("/api/notifications")).body.items;
    expect(notice.body).toMatch(/7,00\s€ sur Cagnotte principale, .*8,00\s€ sur /);
  });
});
