// Transfers inside a family: who may send what to whom, and the state after each refusal.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { inTx } from "#server/db/db.ts";
import { hold, verify, voidHold } from "#server/ledger/ledger.ts";
import { cast, castPassword, type CastName } from "#tests/cast.ts";
import { type Client, type TestServer, openTestServer } from "#tests/test-server.ts";
import { freezeWallet, grant } from "./wallet.ts";

let server: TestServer;
let guardian: Client;
beforeAll(async () => {
  server = await openTestServer();
  guardian = await server.as("guardian");
});
// The 24 h sum is tested in threshold.test.ts: here only tests about codes require one.
beforeEach(() => (server.deps.config.codeFromCents = 1_000_000));
afterEach(() => server.clock.advance(61_000));
afterAll(async () => {
  expect((await verify(server.deps.db)).checks.filter((check) => !check.ok)).toEqual([]);
  await server.close();
});

const number = (name: CastName) => cast[name].cardnumber;

async function mainOf(name: CastName) {
  return await server.deps.db
    .selectFrom("wallet as w")
    .innerJoin("card as c", "c.personId", "w.personId")
    .select(["w.id", "w.objectId as objectID"])
    .where("c.number", "=", number(name))
    .executeTakeFirstOrThrow();
}

/** Balances of guardian, child, second child, other guardian, stranger. */
async function balances(): Promise<number[]> {
  const { rows } = await server.deps.pool.query<{ cents: number }>(
    `select sum(a.balance)::bigint as cents from wallet w join wallet_lot l on l.wallet_id = w.id
       join ledger_account a on a.id = l.account_id join card c on c.person_id = w.person_id
     where c.number = any ($1) group by c.number order by array_position($1, c.number)`,
    [(["guardian", "child", "secondChild", "coGuardian", "stranger"] as const).map(number)],
  );
  return rows.map((row) => row.cents);
}

interface TestTransfer {
  from?: CastName;
  to?: CastName;
  amountCents?: number;
  more?: Record<string, unknown>;
  key?: string;
  as?: Client;
}
async function send({
  from = "guardian",
  to = "child",
  amountCents = 500,
  more,
  key,
  as,
}: TestTransfer) {
  const fromWallet = (await mainOf(from)).objectID;
  return await (as ?? guardian).post(
    "/api/transfers",
    { fromWallet, toCardnumber: number(to), amountCents, ...more },
    key ? { "idempotency-key": key } : {},
  );
}

/** Sends a transfer that must be refused, and proves that no money moved and nobody was notified. */
async function refused(options: TestTransfer, status: number, code: string) {
  const before = await balances();
  const notices = await noticesOf("child");
  const answer = await send(options);
  expect(answer).toMatchObject({ status, body: { code } });
  expect(await balances()).toEqual(before);
  expect(await noticesOf("child")).toEqual(notices);
  return answer;
}
const noticesOf = async (name: CastName) =>
  (
    await server.deps.db
      .selectFrom("notification as n")
      .innerJoin("card as c", "c.personId", "n.personId")
      .select(["n.title", "n.body"])
      .where("c.number", "=", number(name))
      .where("n.kind", "=", "transfer")
      .execute()
  ).map(({ body }) => body);

test("POST /api/transfers to one's child: 201, both balances, both lines, one notice", async () => {
  const answer = await send({});
  expect(answer.status).toBe(201);
  expect(answer.body).toMatchObject({
    amountCents: 500,
    toName: "Léo Moreau",
    toCardnumber: number("child"),
    balanceCents: 11_500,
  });
  expect(await balances()).toEqual([11_500, 4050, 820, 4000, 2500]);
  const line = async (name: CastName) =>
    (await guardian.get(`/api/wallets/${(await mainOf(name)).objectID}/movements?limit=1`)).body
      .items[0];
  expect(await line("guardian")).toMatchObject({
    kind: "transfer_out",
    label: "À Léo Moreau",
    amountCents: -500,
    balanceAfterCents: 11_500,
  });
  expect(await line("child")).toMatchObject({
    kind: "transfer_in",
    label: "De Camille Moreau",
    amountCents: 500,
    balanceAfterCents: 4050,
  });
  expect(await noticesOf("child")).toEqual(["Camille Moreau vous a envoyé 5,00\u202f€."]);
  const activity = await guardian.get("/api/profile/activity");
  expect(activity.body.items[0]).toMatchObject({ action: "transfer.send" });
});

test("from a child's wallet, to one's own; between guardians of one child; child to guardian", async () => {
  expect((await send({ from: "child", to: "guardian" })).status).toBe(201);
  expect((await send({ to: "coGuardian", amountCents: 1 })).status).toBe(201);
  const child = await server.as("child");
  expect((await send({ as: child, from: "child", to: "coGuardian", amountCents: 2 })).status).toBe(
    201,
  );
  expect(await balances()).toEqual([11_999, 3548, 820, 4003, 2500]);
});

test("a stranger's card, a stranger's wallet, a card that does not exist: 404", async () => {
  await refused({ to: "stranger" }, 404, "not_found");
  await refused({ from: "stranger", to: "child" }, 404, "not_found");
  await refused({ from: "coGuardian", to: "guardian" }, 404, "not_found");
  await refused({ more: { toCardnumber: 1999999998 } }, 404, "not_found");
  const child = await server.as("child");
  await refused({ as: child, from: "guardian", to: "child" }, 404, "not_found");
});

test("an amount that is no positive integer: 400; to the same wallet: 422", async () => {
  for (const amountCents of [0, -5, 1.5, 1e12]) {
    await refused({ amountCents }, 400, "invalid_input");
  }
  await refused({ to: "guardian" }, 422, "same_wallet");
});

test("more than the wallet holds: 409, nothing sent and no code asked", async () => {
  const sent = server.outbox.length;
  await refused({ amountCents: 90_000 }, 409, "insufficient_funds");
  expect(server.outbox.length).toBe(sent);
});

test("granted aid stays with its beneficiary: only purchased money is sent", async () => {
  const { id } = await mainOf("secondChild");
  await inTx(server.deps.db, (tx) =>
    grant(tx, {
      walletId: id,
      amountCents: 1000,
      label: "Aide",
      expiresOn: null,
      key: "aid",
      at: server.clock.now(),
    }),
  );
  const answer = await refused(
    { from: "secondChild", to: "guardian", amountCents: 900 },
    409,
    "insufficient_funds",
  );
  expect(answer.body.details).toMatchObject({ sendableCents: 820, grantedCents: 1000 });
  // The amount that the screen offers is what the server sends, holds deducted.
  const booking = await inTx(server.deps.db, async (tx) => {
    const lot = await tx
      .selectFrom("walletLot")
      .select("accountId")
      .where("walletId", "=", id)
      .where("kind", "=", "purchased")
      .executeTakeFirstOrThrow();
    return await hold(tx, {
      key: "booked",
      debitAccount: lot.accountId,
      amountCents: 120,
      kind: "meal",
      at: server.clock.now(),
    });
  });
  const seen = await guardian.get(`/api/wallets?cardnumber=${cast.secondChild.cardnumber}`);
  expect(seen.body.items[0]).toMatchObject({ projectedCents: 1700, sendableCents: 700 });
  const booked = await refused(
    { from: "secondChild", to: "guardian", amountCents: 701 },
    409,
    "insufficient_funds",
  );
  expect(booked.body.details).toMatchObject({ sendableCents: 700 });
  await inTx(server.deps.db, (tx) => voidHold(tx, booking.id));
  const all = await send({ from: "secondChild", to: "guardian", amountCents: 820 });
  expect(all.body.balanceCents).toBe(1000);
  await send({ to: "secondChild", amountCents: 820 });
});

test("identical within a minute: repeat_confirm; confirmed, it goes; a minute later, it goes", async () => {
  expect((await send({ amountCents: 7 })).status).toBe(201);
  await refused({ amountCents: 7 }, 409, "repeat_confirm");
  expect((await send({ amountCents: 8 })).status).toBe(201);
  expect((await send({ amountCents: 7, more: { repeat: true } })).status).toBe(201);
  server.clock.advance(61_000);
  expect((await send({ amountCents: 7 })).status).toBe(201);
});

// proves: double-click
test("double click without a key: of two at once, one goes and one asks to confirm", async () => {
  const [, before] = await balances();
  const answers = await Promise.all([1, 2, 3].map(() => send({ amountCents: 11 })));
  expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
  expect((await balances())[1]).toBe((before ?? 0) + 11);
});

// proves: double-click
test("Idempotency-Key: the same answer ten times at once, one transfer; another payload, refused", async () => {
  const [, before] = await balances();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => send({ amountCents: 13, key: "k1" })),
  );
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([201]));
  expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
  expect((await balances())[1]).toBe((before ?? 0) + 13);
  await refused({ amountCents: 14, key: "k1" }, 409, "idempotency_mismatch");
  await refused({ amountCents: 13, key: "k1", to: "secondChild" }, 409, "idempotency_mismatch");
});

test("one key for two transfers at once: one is made, the other refused", async () => {
  const answers = await Promise.all([
    send({ amountCents: 17, key: "k2" }),
    send({ amountCents: 19, key: "k2", from: "child", to: "guardian" }),
  ]);
  expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([201, 409]);
  expect(answers.find((answer) => answer.status === 409)?.body.code).toBe("idempotency_mismatch");
});

// proves: step-up
test("from 50 € a code: asked once the rest is right, bound to this very transfer, used once", async () => {
  server.deps.config.codeFromCents = 5000;
  await refused({ amountCents: 5000, to: "stranger" }, 404, "not_found");
  const refusal = await refused({ amountCents: 5000 }, 403, "code_required");
  const challenge = refusal.body.details.challenge;
  const code = server.lastCode(cast.guardian.email);
  expect(server.outbox.at(-1)?.body).toContain("50,00");
  const wrong = code === "000000" ? "000001" : "000000";
  await refused(
    { amountCents: 5000, more: { challenge, code: wrong, password: castPassword } },
    422,
    "code_wrong",
  );
  const other = { amountCents: 5100, more: { challenge, code, password: castPassword } };
  expect([410, 422]).toContain((await send(other)).status);
  const before = await balances();
  const done = await send({ amountCents: 5000, more: { challenge, code, password: castPassword } });
  expect(done.status).toBe(201);
  expect((await balances())[1]).toBe((before[1] ?? 0) + 5000);
  const again = await send({ amountCents: 5000, more: { challenge, code, repeat: true } });
  expect([410, 422]).toContain(again.status);
  expect((await balances())[1]).toBe((before[1] ?? 0) + 5000);
});

test("with a key, a transfer that passed its code answers again without one", async () => {
  await send({ from: "child", to: "guardian", amountCents: 4900 });
  server.deps.config.codeFromCents = 5000;
  // No code confirmed yet in its session.
  guardian = await server.as("guardian");
  const key = "with-code";
  const refusal = await send({ amountCents: 5000, key });
  const more = {
    challenge: refusal.body.details.challenge,
    code: server.lastCode(cast.guardian.email),
    password: castPassword,
  };
  const first = await send({ amountCents: 5000, key, more });
  expect(first.status).toBe(201);
  expect((await send({ amountCents: 5000, key })).text).toBe(first.text);
});

test("a suspended card sends nothing but receives; an opposed one does neither", async () => {
  await guardian.post(`/api/cards/${number("child")}/suspend`);
  await refused({ from: "child", to: "guardian", amountCents: 21 }, 409, "card_suspended");
  expect((await send({ amountCents: 22 })).status).toBe(201);
  await guardian.post(`/api/cards/${number("child")}/resume`);
  await guardian.post(`/api/cards/${number("secondChild")}/oppose`, { reason: "lost" });
  await refused({ from: "secondChild", to: "guardian", amountCents: 23 }, 409, "card_opposed");
  await refused({ to: "secondChild", amountCents: 24 }, 409, "card_opposed");
});

test("a frozen wallet neither sends nor receives", async () => {
  const { id } = await mainOf("coGuardian");
  const at = server.clock.now();
  await inTx(server.deps.db, (tx) => freezeWallet(tx, id, { why: "test", at }));
  const refusal = await refused({ to: "coGuardian", amountCents: 31 }, 409, "receiver_refused");
  expect(refusal.body.details).toBeUndefined();
  const other = await server.as("coGuardian");
  await refused({ as: other, from: "coGuardian", to: "child" }, 409, "wallet_frozen");
});

test("the cap of the wallet that receives: told with the room left", async () => {
  const [, child = 0] = await balances();
  const cap = child + 600;
  server.deps.config.walletCapCents = cap;
  const answer = await refused({ amountCents: 601 }, 422, "wallet_cap");
  expect(answer.body.details).toMatchObject({ roomCents: 600 });
  // Concurrently, they do not exceed the cap together.
  const answers = await Promise.all([send({ amountCents: 301 }), send({ amountCents: 302 })]);
  expect(answers.map((one) => one.status).toSorted((a, b) => a - b)).toEqual([201, 422]);
  expect((await balances())[1]).toBeLessThanOrEqual(cap);
});

// proves: hidden-balance
test("the cap of somebody else's wallet: refused without a sum; of one's child's, with the room left", async () => {
  const { id } = await mainOf("coGuardian");
  await server.deps.pool.query(
    "update wallet set frozen_at = null, frozen_why = null where id = $1",
    [id],
  );
  const [, child = 0, , other = 0] = await balances();
  server.deps.config.walletCapCents = other + 50;
  const theirs = await refused({ to: "coGuardian", amountCents: 2000 }, 409, "receiver_refused");
  expect(theirs.text).not.toMatch(/roomCents|\d,\d\d/);
  server.deps.config.walletCapCents = child + 50;
  const mine = await refused({ amountCents: 2000 }, 422, "wallet_cap");
  expect(mine.body.details.roomCents).toBe(50);
});

// proves: wallet-limit
test("40 transfers at once from one wallet: exactly what it holds, never more", async () => {
  const other = await server.as("stranger");
  const { rows } = await server.deps.pool.query(
    "select count(*)::int as count from wallet_transfer",
  );
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      send({ as: other, from: "stranger", to: "guardian", amountCents: 100 + index }),
    ),
  );
  expect(new Set(answers.map((answer) => answer.body.code))).toEqual(new Set(["not_found"]));
  const after = await server.deps.pool.query("select count(*)::int as count from wallet_transfer");
  expect(after.rows).toEqual(rows);
  const [mine = 0] = await balances();
  server.deps.config.walletCapCents = 1_000_000;
  const each = Math.floor(mine / 10);
  const many = await Promise.all(
    Array.from({ length: 20 }, () => send({ amountCents: each, more: { repeat: true } })),
  );
  const paid = many.filter((answer) => answer.status === 201).length;
  expect(paid).toBe(10);
  expect(new Set(many.filter((one) => one.status !== 201).map((one) => one.body.code))).toEqual(
    new Set(["insufficient_funds"]),
  );
  expect((await balances())[0]).toBe(mine - 10 * each);
});
