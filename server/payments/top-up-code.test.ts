// A large top-up requires a code (spec.md 14), and so do small ones that are large together; started ones
// count in the wallet's cap until they fail.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { approve } from "#tests/approve.ts";
import { cast, castPassword } from "#tests/cast.ts";
import { openTestServer, type Client, type TestServer } from "#tests/test-server.ts";

let server: TestServer;
let me: Client;
let path: string;
beforeAll(async () => {
  server = await openTestServer();
  me = await server.as("guardian");
  const { body } = await me.get(`/api/wallets?cardnumber=${cast.guardian.cardnumber}`);
  path = `/api/wallets/${body.items[0].objectID}/top-ups`;
});
beforeEach(async () => {
  await server.deps.db.deleteFrom("limiter").execute();
  await server.owner.pool.query("truncate sandbox_event, sandbox_charge, top_up cascade");
});
afterAll(() => server.close());

const started = async () =>
  (await server.deps.db.selectFrom("topUp").select("amountCents").execute()).map(
    (row) => row.amountCents,
  );

test("below the threshold POST …/top-ups answers 201 at once", async () => {
  const { status } = await me.post(path, { amountCents: 29_999 });
  expect(status).toBe(201);
  expect(await started()).toEqual([29_999]);
});

// proves: step-up
test("from 300 € on it asks for a code, and starts nothing without the right one", async () => {
  const before = await started();
  const refusal = await me.post(path, { amountCents: 30_000 });
  expect([refusal.status, refusal.body["code"]]).toEqual([403, "code_required"]);
  expect(server.outbox.at(-1)?.body).toMatch(/recharger 300,00\s€/);
  const { challenge } = refusal.body["details"] as { challenge: string };
  const right = server.lastCode();
  const code = right === "000000" ? "000001" : "000000";
  const bare = await me.post(path, { amountCents: 30_000, challenge, code: right });
  expect([bare.status, bare.body["code"]]).toEqual([422, "password_required"]);
  const password = castPassword;
  const wrong = await me.post(path, { amountCents: 30_000, challenge, code, password });
  expect([wrong.status, wrong.body["code"]]).toEqual([422, "code_wrong"]);
  const another = await me.post(path, { amountCents: 40_000, challenge, code: right, password });
  expect([another.status, another.body["code"]]).toEqual([410, "code_expired"]);
  expect(await started()).toEqual(before);
  const { status, body } = await me.post(path, {
    amountCents: 30_000,
    challenge,
    code: right,
    password,
  });
  expect([status, body["state"]]).toEqual([201, "initiated"]);
  const again = await me.post(path, { amountCents: 30_000, challenge, code: right, password });
  expect([again.status, again.body["code"]]).toEqual([410, "code_expired"]);
  expect(await started()).toEqual([...before, 30_000]);
});

const restart = async () => {
  // A day later no recent top-up counts, and the sessions of the day before are over.
  server.clock.advance(25 * 3_600_000);
  me = await server.as("guardian");
};

// proves: split-amounts
test("three top-ups of 299,99 € in a day: the second asks for a code and starts nothing", async () => {
  await restart();
  expect((await me.post(path, { amountCents: 29_999 })).status).toBe(201);
  for (const amountCents of [29_999, 500]) {
    const { status, body } = await me.post(path, { amountCents });
    expect([status, body["code"]]).toEqual([403, "code_required"]);
  }
  expect(await started()).toEqual([29_999]);
  await restart();
  expect((await me.post(path, { amountCents: 500 })).status).toBe(201);
});

test("two at once count together: one starts, the other asks for a code", async () => {
  await restart();
  const answers = await Promise.all(
    [15_000, 15_001].map((cents) => me.post(path, { amountCents: cents })),
  );
  expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(["201", "403"]);
  expect(await started()).toHaveLength(1);
});

// proves: split-amounts
test("five started top-ups do not exceed the cap of 1 000 €, one by one and at once", async () => {
  await restart();
  server.deps.config.topUpCodeFromCents = 1_000_000;
  // The wallet has 120 €: 880 € may come.
  for (const amountCents of [50_000, 38_000]) {
    expect((await me.post(path, { amountCents })).status).toBe(201);
  }
  const fifth = await me.post(path, { amountCents: 500 });
  expect(fifth).toMatchObject({ status: 422, body: { code: "top_ups_started" } });
  expect(fifth.body["message"]).toMatch(/1\s000,00\s€.*ajouter 0,00\s€/);
  expect(await started()).toEqual([50_000, 38_000]);
  await server.deps.pool.query("update top_up set state = 'declined'");
  const five = await Promise.all(
    [1, 2, 3, 4, 5].map((n) => me.post(path, { amountCents: 25_000 + n })),
  );
  expect(five.filter(({ status }) => status === 201)).toHaveLength(3);
  server.deps.config.topUpCodeFromCents = 30_000;
});

test("what would be refused anyway is refused before a code leaves", async () => {
  const sent = server.outbox.length;
  const large = await me.post(path, { amountCents: 50_001 });
  expect(large.body["code"]).toBe("amount_too_large");
  expect(server.outbox).toHaveLength(sent);
});

test("the same key answers the same top-up, without another code", async () => {
  const key = { "idempotency-key": "grande-recharge" };
  const first = await approve(server, me, path, { amountCents: 35_000 }, key);
  expect(first.status, first.text).toBe(201);
  const again = await me.post(path, { amountCents: 35_000 }, key);
  expect([again.status, again.body["id"]]).toEqual([201, first.body["id"]]);
});
