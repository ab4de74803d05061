// A large top-up asks for a code (décision 14): refused without, started with, once.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { approve } from "#tests/approve.ts";
import { cast } from "#tests/cast.ts";
import { openHouse, type Client, type House } from "#tests/house.ts";

let house: House;
let me: Client;
let path: string;
beforeAll(async () => {
  house = await openHouse();
  me = await house.as("guardian");
  const { body } = await me.get(`/api/wallets?cardnumber=${cast.guardian.cardnumber}`);
  path = `/api/wallets/${body.items[0].objectID}/top-ups`;
});
beforeEach(async () => {
  await house.deps.db.deleteFrom("limiter").execute();
});
afterAll(() => house.close());

const started = async () =>
  (await house.deps.db.selectFrom("top_up").select("amount_cents").execute()).map(
    (row) => row.amount_cents,
  );

test("below the threshold POST …/top-ups answers 201 at once", async () => {
  const { status } = await me.post(path, { amountCents: 29_999 });
  expect(status).toBe(201);
  expect(await started()).toEqual([29_999]);
});

test("from 300 € on it asks for a code, and starts nothing without the right one", async () => {
  const before = await started();
  const asked = await me.post(path, { amountCents: 30_000 });
  expect([asked.status, asked.body["code"]]).toEqual([403, "code_required"]);
  expect(house.outbox.at(-1)?.body).toMatch(/recharger 300,00\s€/);
  const { challenge } = asked.body["details"] as { challenge: string };
  const right = house.lastCode();
  const code = right === "000000" ? "000001" : "000000";
  const wrong = await me.post(path, { amountCents: 30_000, challenge, code });
  expect([wrong.status, wrong.body["code"]]).toEqual([422, "code_wrong"]);
  const another = await me.post(path, { amountCents: 40_000, challenge, code: right });
  expect([another.status, another.body["code"]]).toEqual([410, "code_expired"]);
  expect(await started()).toEqual(before);
  const { status, body } = await me.post(path, { amountCents: 30_000, challenge, code: right });
  expect([status, body["state"]]).toEqual([201, "initiated"]);
  const again = await me.post(path, { amountCents: 30_000, challenge, code: right });
  expect([again.status, again.body["code"]]).toEqual([410, "code_expired"]);
  expect(await started()).toEqual([...before, 30_000]);
});

test("what would be refused anyway is refused before a code leaves", async () => {
  const sent = house.outbox.length;
  const large = await me.post(path, { amountCents: 50_001 });
  expect(large.body["code"]).toBe("amount_too_large");
  expect(house.outbox).toHaveLength(sent);
});

test("the same key answers the same top-up, without another code", async () => {
  const key = { "idempotency-key": "grande-recharge" };
  const first = await approve(house, me, path, { amountCents: 35_000 }, key);
  expect(first.status, first.text).toBe(201);
  const again = await me.post(path, { amountCents: 35_000 }, key);
  expect([again.status, again.body["id"]]).toEqual([201, first.body["id"]]);
});
