// Calls of one moment are answered from one batch: each as if it had come alone.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { verify } from "#server/ledger/ledger.ts";
import { cast, type CastName } from "#tests/cast.ts";
import { type Answered, type Client, type TestServer, openTestServer } from "#tests/test-server.ts";

let server: TestServer;
let guardian: Client;
let child: Client;
let stranger: Client;
const walletIds = new Map<CastName, string>();
const number = (name: CastName) => cast[name].cardnumber;

beforeAll(async () => {
  server = await openTestServer();
  [guardian, child, stranger] = await Promise.all([
    server.as("guardian"),
    server.as("child"),
    server.as("stranger"),
  ]);
  for (const name of ["guardian", "child", "secondChild", "coGuardian", "stranger"] as const) {
    const { rows } = await server.deps.pool.query<{ id: string }>(
      `select w.object_id as id from wallet w join card c on c.person_id = w.person_id
       where c.number = $1 and w.group_id = 1`,
      [number(name)],
    );
    walletIds.set(name, rows[0]?.id ?? "");
  }
});
beforeEach(() => server.clock.advance(61_000));
afterAll(async () => {
  expect((await verify(server.deps.db)).checks.filter((check) => !check.ok)).toEqual([]);
  await server.close();
});

interface TestTransfer {
  as: Client;
  from: CastName;
  to: CastName;
  amountCents: number;
  key?: string;
}
const send = ({ as, from, to, amountCents, key }: TestTransfer): Promise<Answered> =>
  as.post(
    "/api/transfers",
    { fromWallet: walletIds.get(from), toCardnumber: number(to), amountCents },
    key ? { "idempotency-key": key } : {},
  );

const count = async (table: string, where: string) =>
  (await server.deps.pool.query<{ n: number }>(`select count(*) as n from ${table} where ${where}`))
    .rows[0]?.n ?? 0;
const written = async () => [
  await count("transfer", "kind = 'transfer'"),
  await count("wallet_transfer", "true"),
  await count("audit", "action = 'transfer.send'"),
  await count("notification", "kind = 'transfer'"),
];

test("POST /api/transfers, twelve at once: every refusal to its own caller, the others go", async () => {
  const before = await written();
  const requests: TestTransfer[] = [
    { as: guardian, from: "guardian", to: "child", amountCents: 101 },
    { as: guardian, from: "guardian", to: "stranger", amountCents: 102 },
    { as: guardian, from: "child", to: "guardian", amountCents: 103 },
    { as: child, from: "guardian", to: "child", amountCents: 104 },
    { as: stranger, from: "stranger", to: "stranger", amountCents: 105 },
    { as: guardian, from: "guardian", to: "child", amountCents: 101 },
    { as: guardian, from: "guardian", to: "child", amountCents: 106, key: "together" },
    { as: guardian, from: "guardian", to: "child", amountCents: 106, key: "together" },
    { as: guardian, from: "guardian", to: "child", amountCents: 107, key: "together" },
    { as: guardian, from: "secondChild", to: "guardian", amountCents: 4900 },
    { as: child, from: "child", to: "guardian", amountCents: 108 },
    { as: child, from: "child", to: "coGuardian", amountCents: 109 },
  ];
  const answers = await Promise.all(requests.map(send));
  const codes = answers.map(({ status, body }) => body.code ?? status);
  // Of the two identical ones, and of the two amounts under one key, the first to arrive succeeds.
  expect([codes[0], codes[5]].map(String).toSorted()).toEqual(["201", "repeat_confirm"]);
  const [one, again, other] = codes.slice(6, 9);
  expect([201, "idempotency_mismatch"]).toContain(one);
  expect([again, other]).toEqual([one, one === 201 ? "idempotency_mismatch" : 201]);
  if (one === 201) expect(answers[7]?.text).toBe(answers[6]?.text);
  const rest = [codes[1], codes[2], codes[3], codes[4], ...codes.slice(9)];
  expect(rest).toEqual([
    "not_found",
    201,
    "not_found",
    "same_wallet",
    "insufficient_funds",
    201,
    201,
  ]);
  expect(await written()).toEqual(before.map((n) => n + 5));
});

test("money sent by one is not there for the next; received, it is", async () => {
  const info = await guardian.post("/api/card/info", { cardnumber: number("secondChild") });
  const all = info.body["creditCents"] as number;
  const each = Math.floor(all / 4);
  const answers = await Promise.all(
    [0, 1, 2, 3, 4].map((n) =>
      send({ as: guardian, from: "secondChild", to: "guardian", amountCents: each - n }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 409]);
  expect(answers[4]?.body.code).toBe("insufficient_funds");
  // Each answer has the balance after it, not after the batch.
  expect(answers.slice(0, 4).map(({ body }) => body["balanceCents"])).toEqual([
    all - each,
    all - 2 * each + 1,
    all - 3 * each + 3,
    all - 4 * each + 6,
  ]);
});

test("a wallet that someone keeps locked delays its own transfers only", async () => {
  const holder = await server.deps.pool.connect();
  await holder.query("begin");
  await holder.query("select from wallet where object_id = $1 for update", [
    walletIds.get("secondChild"),
  ]);
  // In one batch: it waits for the lock, gives up, and then each goes alone.
  let waiting = true;
  const held = send({ as: guardian, from: "guardian", to: "secondChild", amountCents: 201 }).then(
    (answer) => {
      waiting = false;
      return answer;
    },
  );
  const free = await Promise.all(
    [202, 203, 204, 205].map((amountCents) =>
      send({ as: child, from: "child", to: "coGuardian", amountCents }),
    ),
  );
  expect(free.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  expect(waiting).toBe(true);
  await holder.query("rollback");
  holder.release();
  expect((await held).status).toBe(201);
});

test("POST /api/card/info, many at once: each caller's own cards, nobody else's, ended sessions none", async () => {
  const gone = await server.as("guardian");
  await gone.post("/api/logout");
  const ask = (client: Client, name: CastName) =>
    client.post("/api/card/info", { cardnumber: number(name) });
  const answers = await Promise.all([
    ask(guardian, "guardian"),
    ask(guardian, "child"),
    ask(child, "child"),
    ask(child, "guardian"),
    ask(stranger, "child"),
    ask(gone, "guardian"),
    ask(server.anonymous, "guardian"),
    guardian.post("/api/card/info", { cardnumber: 12 }),
    guardian.post("/api/card/info", { cardnumber: `${number("guardian")}` }),
    guardian.post("/api/card/info", { cardnumber: Number.MAX_SAFE_INTEGER }),
  ]);
  expect(answers.map(({ status, body }) => body.code ?? status)).toEqual([
    200,
    200,
    200,
    "not_found",
    "not_found",
    "session_ended",
    "unauthenticated",
    "invalid_input",
    "invalid_input",
    "invalid_input",
  ]);
  expect(answers[1]?.text).toBe(answers[2]?.text);
  expect(answers[0]?.body["cardnumber"]).toBe(number("guardian"));
});
