// Limits of a child's card: who sets them, and the spending that they refuse.
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTx } from "#server/db/db.ts";
import { verify } from "#server/ledger/ledger.ts";
import { openWallet, schemeAccount, spend } from "#server/wallet/wallet.ts";
import { cast, type CastName } from "#tests/cast.ts";
import { type Client, type TestServer, openTestServer } from "#tests/test-server.ts";

let server: TestServer;
let camille: Client;
let leo: Client;
let serial = 0;
const number = (name: CastName) => cast[name].cardnumber;
const path = (name: CastName) => `/api/family/members/${number(name)}/limits`;
const none = { dayCents: null, weekCents: null, groups: null };
const set = (client: Client, name: CastName, limits: Record<string, unknown>) =>
  client.post(path(name), { limits: { ...none, ...limits } });

beforeAll(async () => {
  server = await openTestServer();
  [camille, leo] = await Promise.all([server.as("guardian"), server.as("child")]);
  await server.deps.pool.query(
    "insert into acceptance_group (id, name, slug, rule) values (50, 'Cantine', 'cantine', 'À la cantine.')",
  );
});
afterAll(async () => {
  expect((await verify(server.deps.db)).checks.filter((check) => !check.ok)).toEqual([]);
  await server.close();
});

/** Pays from Léo's wallet of a group; the code of the refusal, or "paid". */
async function pay(amountCents: number, groupId = 1): Promise<string> {
  const { rows } = await server.deps.pool.query<{ person_id: number }>(
    "select person_id from card where number = $1",
    [number("child")],
  );
  const personId = rows[0]?.person_id ?? 0;
  return await inTx(server.deps.db, async (tx) => {
    const { id } = await openWallet(tx, { personId, groupId });
    const to = await schemeAccount(tx, "purchases");
    const at = server.clock.now();
    const key = `limit:${(serial += 1)}`;
    await spend(tx, { walletId: id, amountCents, to, kind: "purchase", key, at });
  }).then(
    () => "paid",
    (error: { code?: string }) => String(error.code),
  );
}
const balance = async () =>
  (await camille.get(`/api/wallets?cardnumber=${number("child")}`)).body.items[0].balanceCents;
const send = async (client: Client, amountCents: number) => {
  const { body } = await client.get(`/api/wallets?cardnumber=${number("child")}`);
  return await client.post("/api/transfers", {
    fromWallet: body.items[0].objectID,
    toCardnumber: number("guardian"),
    amountCents,
  });
};

test("a guardian sets them, the holder reads them, nobody else does either", async () => {
  const answer = await set(camille, "child", { dayCents: 500, weekCents: 1200 });
  expect(answer.body).toMatchObject({ dayCents: 500, weekCents: 1200, groups: null, canSet: true });
  expect((await leo.get(path("child"))).body).toMatchObject({ dayCents: 500, canSet: false });
  const [notice] = (await leo.get("/api/notifications")).body.items;
  expect(notice).toMatchObject({ title: "Plafonds changés" });
  expect(await set(leo, "child", { dayCents: null })).toMatchObject({
    status: 409,
    body: { code: "family_minor" },
  });
  const hugo = await server.as("stranger");
  for (const answered of [await hugo.get(path("child")), await set(hugo, "child", {})]) {
    expect(answered).toMatchObject({ status: 404, body: { code: "not_found" } });
  }
  expect((await set(camille, "child", { dayCents: 900, weekCents: 800 })).body.code).toBe(
    "limit_order",
  );
  expect((await set(camille, "child", { groups: [999] })).body.code).toBe("limit_unknown_place");
  expect((await leo.get(path("child"))).body).toMatchObject({ dayCents: 500, weekCents: 1200 });
});

test("by day: purchases and what the holder sends count together, a guardian's sending does not", async () => {
  const before = await balance();
  expect(await pay(501)).toBe("limit_day");
  expect(await pay(300)).toBe("paid");
  const refused = await send(leo, 201);
  expect(refused).toMatchObject({ status: 409, body: { code: "limit_day" } });
  expect((await send(leo, 200)).status).toBe(201);
  expect(await pay(1)).toBe("limit_day");
  expect(await balance()).toBe(before - 500);
  expect((await send(camille, 700)).status).toBe(201);
  expect(await balance()).toBe(before - 1200);
  expect((await leo.get(path("child"))).body).toMatchObject({
    spentDayCents: 500,
    spentWeekCents: 500,
  });
});

// proves: family-joining
test("twenty payments at once spend no more than the limit", async () => {
  server.clock.advance(8 * 86_400_000);
  [camille, leo] = await Promise.all([server.as("guardian"), server.as("child")]);
  const before = await balance();
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => pay(100)));
  expect(outcomes.filter((one) => one === "paid")).toHaveLength(5);
  expect(outcomes.filter((one) => one === "limit_day")).toHaveLength(15);
  expect(await balance()).toBe(before - 500);
});

test("by week, and again on Monday", async () => {
  await set(camille, "child", { weekCents: 600 });
  expect(await pay(101)).toBe("limit_week");
  expect(await pay(100)).toBe("paid");
  expect(await pay(1)).toBe("limit_week");
  server.clock.advance(7 * 86_400_000);
  [camille, leo] = await Promise.all([server.as("guardian"), server.as("child")]);
  expect(await pay(10)).toBe("paid");
});

test("where: only in the chosen groups, and nothing is sent; taken off, it pays everywhere", async () => {
  await set(camille, "child", { groups: [50] });
  expect(await pay(10)).toBe("limit_place");
  expect(await pay(10, 50)).toBe("paid");
  expect((await send(leo, 10)).body.code).toBe("limit_place");
  await set(camille, "child", {});
  expect(await pay(10)).toBe("paid");
  expect((await leo.get(path("child"))).body).toMatchObject(none);
});

test("a wallet tells what its limits leave: that much is spent or sent, and not a cent more", async () => {
  const readLimits = async (groupId = 1) => {
    const { body } = await leo.get(`/api/wallets?cardnumber=${number("child")}`);
    const one = body.items.find(({ idgroup }: { idgroup: number }) => idgroup === groupId);
    return { spend: one.spendLimitCents as number, send: one.sendLimitCents as number };
  };
  expect(await readLimits()).toEqual({ spend: null, send: null });
  const { spentDayCents, spentWeekCents } = (await leo.get(path("child"))).body;
  await set(camille, "child", { dayCents: spentDayCents + 389, weekCents: spentWeekCents + 900 });
  expect(await readLimits()).toEqual({ spend: 389, send: 389 });
  expect((await send(leo, 390)).body.code).toBe("limit_day");
  expect(await pay(390)).toBe("limit_day");
  expect((await send(leo, 100)).status).toBe(201);
  expect(await readLimits()).toEqual({ spend: 289, send: 289 });
  await set(camille, "child", { weekCents: spentWeekCents + 150 });
  expect(await readLimits()).toEqual({ spend: 50, send: 50 });
  expect(await pay(51)).toBe("limit_week");
  expect(await pay(50)).toBe("paid");
  await set(camille, "child", { weekCents: 1 });
  expect(await readLimits()).toEqual({ spend: 0, send: 0 });
  await set(camille, "child", { groups: [50] });
  expect(await readLimits()).toEqual({ spend: 0, send: 0 });
  expect(await readLimits(50)).toEqual({ spend: null, send: 0 });
  await set(camille, "child", {});
});
