// The audit proves what neither foreign keys nor reads of the journal check at each transfer.
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTx, sqlState } from "#server/db/db.ts";
import { post, tryPost } from "#server/ledger/ledger.ts";
import { cast } from "#tests/cast.ts";
import { dice } from "#tests/ledger-random.ts";
import { type TestServer, openTestServer } from "#tests/test-server.ts";
import { outgoingAtMostSql, outgoingOf } from "./outgoing.ts";
import { proveTransfers } from "./proof.ts";
import { schemeAccount } from "./wallet.ts";
import { sql } from "kysely";

let server: TestServer;
let person: number;
let account: number;

beforeAll(async () => {
  server = await openTestServer();
  server.clock.freeze();
  const { rows } = await server.deps.pool.query<{ person: number; account: number }>(
    `select c.person_id as person, l.account_id as account from card c
     join wallet w on w.person_id = c.person_id and w.group_id = 1
     join wallet_lot l on l.wallet_id = w.id and l.kind = 'purchased' where c.number = $1`,
    [cast.stranger.cardnumber],
  );
  ({ person, account } = rows[0]!);
});
afterAll(() => server.close());

const hour = 3_600_000;
const bank = () => inTx(server.deps.db, (tx) => schemeAccount(tx, "bank"));
const sumsAt = async (at: Date) => {
  const { rows } = await sql<{ max: number }>`
    select ${outgoingAtMostSql(at)}::float8 as max from ledger_account a where a.id = ${account}`.execute(
    server.deps.db,
  );
  const [exact = 0] = await outgoingOf(server.deps.db, [person], at);
  return { max: rows[0]?.max ?? 0, exact };
};

// proves: transfers-rows
test.each([1, 2, 3, 4, 5])(
  "seed %i: postings of any day in any order keep what left by day, never less than what left in 24 h",
  async (seed) => {
    const { one, upTo } = dice(seed);
    const other = await bank();
    const now = server.clock.now().getTime();
    const move = (n: number) => {
      const out = upTo(4) > 1;
      return {
        key: `${seed}-${n}`,
        debitAccount: out ? account : other,
        creditAccount: out ? other : account,
        amountCents: upTo(40),
        kind: one(["purchase", "meal", "transfer", "correction", "top_up"]),
        at: new Date(now + (upTo(120) - 90) * hour),
      };
    };
    for (let n = 0; n < 40; n += 4) {
      const moves = [0, 1, 2, 3].map((more) => move(n + more));
      await inTx(server.deps.db, async (tx) => {
        await tryPost(tx, [[moves[0]!], [moves[1]!, { ...moves[2]!, key: moves[1]!.key }]]);
        await tryPost(tx, [[moves[3]!]]);
      });
      for (const hours of [-60, -30, -1, 0, 10, 40]) {
        const { max, exact } = await sumsAt(new Date(now + hours * hour));
        expect(max).toBeGreaterThanOrEqual(exact);
      }
    }
    expect((await proveTransfers(server.deps)).lines).toEqual([expect.stringMatching(/^✓/)]);
  },
);

// proves: transfers-rows
test("a day that differs from the journal, a line that names nobody: both are found", async () => {
  const owner = server.owner.pool;
  await owner.query("update ledger_account set outgoing = outgoing + 1 where id = $1", [account]);
  expect((await proveTransfers(server.deps)).lines).toEqual([
    `✗ virements : les sorties d'un compte diffèrent du journal, 1 fois (compte ${account})`,
  ]);
  await owner.query("update ledger_account set outgoing = outgoing - 1 where id = $1", [account]);
  await owner.query(
    `insert into notification (person_id, at, kind, title, body) values (-1, now(), 'transfer', '', '')`,
  );
  const { ok, lines } = await proveTransfers(server.deps);
  expect(ok).toBe(false);
  expect(lines).toEqual([expect.stringContaining("personne ou une cagnotte inconnue, 1 fois")]);
  await owner.query("delete from notification where person_id = -1");
});

// proves: transfers-rows
test("people and wallets stay for ever, whoever asks", async () => {
  for (const text of ["delete from person where id = -1", "delete from wallet where id = -1"]) {
    const refused: unknown = await server.owner.pool.query(text).catch((error: unknown) => error);
    expect(sqlState(refused), text).toBe("23001");
  }
});

// proves: transfers-rows
test("the database itself keeps to the limits of who sends, whatever the rules let through", async () => {
  const owner = server.owner.pool;
  // Limits apply to a child: an adult's count no more.
  await owner.query("update person set born_on = paris_day(now()) - 3000 where id = $1", [person]);
  await owner.query(
    `insert into member_limit (person_id, day_cents, set_by, set_at)
     select $1, day_cents + 100, $1, now() from member_spent($1, now())`,
    [person],
  );
  const send = (cents: readonly number[]) =>
    owner.query(
      `insert into wallet_transfer (id, person_id, from_wallet, to_wallet, to_cardnumber, to_name,
         amount_cents, balance_after_cents, at)
       select gen_random_uuid(), $1, w.id, w.id, 0, '', cents, 0, now()
       from unnest($2::bigint[]) cents, wallet w where w.person_id = $1 and w.group_id = 1`,
      [person, cents],
    );
  expect(await send([60, 41]).catch((error: unknown) => error)).toMatchObject({
    code: "23514",
    constraint: "limit_day",
  });
  await send([60, 40]);
  expect(await send([1]).catch((error: unknown) => error)).toMatchObject({
    constraint: "limit_day",
  });
  await owner.query("update member_limit set groups = '{1}' where person_id = $1", [person]);
  expect(await send([1]).catch((error: unknown) => error)).toMatchObject({
    constraint: "limit_place",
  });
});

test("of a batch only what the limits do not leave is refused", async () => {
  const [child, guardian] = await Promise.all([server.as("child"), server.as("guardian")]);
  const { rows } = await server.deps.pool.query<{ id: string; account: number }>(
    `select w.object_id as id, l.account_id as account from card c
     join wallet w on w.person_id = c.person_id and w.group_id = 1
     join wallet_lot l on l.wallet_id = w.id and l.kind = 'purchased' where c.number = $1`,
    [cast.child.cardnumber],
  );
  const { id: fromWallet, account: creditAccount } = rows[0]!;
  const debitAccount = await bank();
  await inTx(server.deps.db, (tx) =>
    post(tx, [{ key: "fill", debitAccount, creditAccount, amountCents: 2000, kind: "top_up" }]),
  );
  const spent = await server.owner.pool.query<{ day: number }>(
    "select day_cents as day from card c, member_spent(c.person_id, $2) where c.number = $1",
    [cast.child.cardnumber, server.clock.now()],
  );
  await server.owner.pool.query(
    `insert into member_limit (person_id, day_cents, set_by, set_at)
     select person_id, $2, person_id, now() from card where number = $1
     on conflict (person_id) do update set day_cents = excluded.day_cents, week_cents = null`,
    [cast.child.cardnumber, (spent.rows[0]?.day ?? 0) + 300],
  );
  const to = { fromWallet, toCardnumber: cast.guardian.cardnumber };
  const answers = await Promise.all([
    child.post("/api/transfers", { ...to, amountCents: 301 }),
    child.post("/api/transfers", { ...to, amountCents: 299 }),
    child.post("/api/transfers", { ...to, amountCents: 298 }),
    guardian.post("/api/transfers", { ...to, amountCents: 302 }),
  ]);
  const codes = answers.map(({ status, body }) => body.code ?? status);
  expect(codes[0]).toBe("limit_day");
  expect(codes.slice(1, 3).map(String).toSorted()).toEqual(["201", "limit_day"]);
  // A transfer from it by a guardian is the guardian's own.
  expect(codes[3]).toBe(201);
});
