// One rolling sum decides when a code is required: transfers and purchases of 24 h count, one by one,
// concurrently, from whichever wallet.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { inTx } from "#server/db/db.ts";
import { post, verify } from "#server/ledger/ledger.ts";
import { approve } from "#tests/approve.ts";
import { cast, type CastName } from "#tests/cast.ts";
import { type Answered, type Client, type TestServer, openTestServer } from "#tests/test-server.ts";
import { schemeAccount, spend } from "./wallet.ts";

let server: TestServer;
let guardian: Client;
const number = (name: CastName) => cast[name].cardnumber;
const wallets = new Map<CastName, { id: number; objectID: string }>();

beforeAll(async () => {
  server = await openTestServer({ walletCapCents: 1_000_000 });
  for (const name of ["guardian", "child", "secondChild", "coGuardian"] as const) {
    const wallet = await server.deps.db
      .selectFrom("wallet as w")
      .innerJoin("card as c", "c.personId", "w.personId")
      .select(["w.id", "w.objectId as objectID"])
      .where("c.number", "=", number(name))
      .where("w.groupId", "=", 1)
      .executeTakeFirstOrThrow();
    wallets.set(name, wallet);
    await inTx(server.deps.db, async (tx) => {
      const { accountId: creditAccount } = await tx
        .selectFrom("walletLot")
        .select("accountId")
        .where("walletId", "=", wallet.id)
        .where("kind", "=", "purchased")
        .executeTakeFirstOrThrow();
      const debitAccount = await schemeAccount(tx, "payments:sandbox");
      await post(tx, [
        { key: name, debitAccount, creditAccount, amountCents: 100_000, kind: "top_up" },
      ]);
    });
  }
});
beforeEach(async () => {
  // A day later the rolling sum is zero, and the sessions of the day before are over.
  server.clock.advance(25 * 3_600_000);
  await server.deps.db.deleteFrom("limiter").execute();
  guardian = await server.as("guardian");
});
afterAll(async () => {
  expect((await verify(server.deps.db)).checks.filter((check) => !check.ok)).toEqual([]);
  await server.close();
});

const wallet = (name: CastName) => wallets.get(name) as { id: number; objectID: string };
const transferBody = (
  amountCents: number,
  from: CastName = "guardian",
  to: CastName = "child",
) => ({
  fromWallet: wallet(from).objectID,
  toCardnumber: number(to),
  amountCents,
});
const send = (...of: Parameters<typeof transferBody>) =>
  guardian.post("/api/transfers", transferBody(...of));
const outcomes = (answers: readonly Answered[]) =>
  answers.map(({ status, body }) => (status === 201 ? "201" : String(body.code))).toSorted();
const sentCents = async () => {
  const since = new Date(server.clock.now().getTime() - 3_600_000);
  const { rows } = await server.deps.pool.query<{ cents: number }>(
    "select coalesce(sum(amount_cents), 0)::bigint as cents from wallet_transfer where at > $1",
    [since],
  );
  return rows[0]?.cents ?? 0;
};

// proves: split-amounts
test("ten transfers of 49,90 €: the first goes, each of the others asks for a code and moves nothing", async () => {
  const answers: Answered[] = [];
  for (let n = 0; n < 10; n++) {
    answers.push(await send(4990));
    server.clock.advance(5 * 60_000);
  }
  expect(outcomes(answers.slice(0, 1))).toEqual(["201"]);
  expect(new Set(answers.slice(1).map(({ status }) => status))).not.toContain(201);
  expect(answers[1]).toMatchObject({ status: 403, body: { code: "code_required" } });
  expect(await sentCents()).toBe(4990);
});

// proves: split-amounts
test("two at once, and eight at once in one batch: what passes without a code stays below 50 €", async () => {
  expect(outcomes(await Promise.all([send(2600), send(2601)]))).toEqual(["201", "code_required"]);
  expect(await sentCents()).toBeLessThan(5000);
  server.clock.advance(25 * 3_600_000);
  guardian = await server.as("guardian");
  const eight = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((n) => send(1200 + n)));
  expect(eight.filter(({ status }) => status === 201)).toHaveLength(4);
  expect(await sentCents()).toBeLessThan(5000);
});

// proves: split-amounts
test("at once from one's own wallet and a child's: they count together", async () => {
  const answers = await Promise.all([
    send(2600, "guardian", "child"),
    send(2600, "secondChild", "guardian"),
  ]);
  expect(outcomes(answers)).toEqual(["201", "code_required"]);
  expect(await sentCents()).toBe(2600);
});

test("what a child sends counts for its guardian, who sends three at once; not the other way round", async () => {
  const child = await server.as("child");
  const sent = await child.post("/api/transfers", transferBody(3000, "child", "coGuardian"));
  expect(sent.status).toBe(201);
  // In whatever order the three arrive, the large one exceeds the threshold and the small ones do not.
  const answers = await Promise.all([send(2500), send(100), send(101)]);
  expect(answers.map(({ status, body }) => body.code ?? status)).toEqual([
    "code_required",
    201,
    201,
  ]);
  const more = await child.post("/api/transfers", transferBody(1500, "child", "guardian"));
  expect(more.status).toBe(201);
});

test("a purchase counts for the next transfer; with the code it goes, once; a day later none is asked", async () => {
  const at = server.clock.now();
  await inTx(server.deps.db, async (tx) => {
    const { id: walletId } = wallet("child");
    const to = await schemeAccount(tx, "purchases");
    await spend(tx, { walletId, amountCents: 4000, to, kind: "purchase", key: "spent", at });
  });
  const before = await sentCents();
  expect(await send(1000)).toMatchObject({ status: 403, body: { code: "code_required" } });
  expect(await sentCents()).toBe(before);
  expect((await approve(server, guardian, "/api/transfers", transferBody(1001))).status).toBe(201);
  expect(await sentCents()).toBe(before + 1001);
  server.clock.advance(25 * 3_600_000);
  guardian = await server.as("guardian");
  expect((await send(4999)).status).toBe(201);
});

test("what would be refused anyway is refused before a code is sent", async () => {
  expect((await send(4900)).status).toBe(201);
  const sent = server.outbox.length;
  expect(await send(4900, "guardian", "guardian")).toMatchObject({
    status: 422,
    body: { code: "same_wallet" },
  });
  expect(server.outbox).toHaveLength(sent);
});
