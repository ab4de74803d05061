// The reads of a transfer do not grow with the number of its sender's earlier transfers.
import { afterAll, beforeAll, expect, test } from "vitest";
import { cast } from "#tests/cast.ts";
import { type TestServer, openTestServer } from "#tests/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

/** Fifty senders of the last hundred days, with the guardian, with four wallets and 800 transfers each. */
const history = `
  insert into wallet_transfer (id, person_id, from_wallet, to_wallet, to_cardnumber, to_name, amount_cents,
    balance_after_cents, idempotency_key, at)
  select gen_random_uuid(), case when s = 0 then $1::bigint else 1000000 + s end,
    case when s = 0 and n % 4 = 0 then $2::bigint else 1000000 + s * 4 + n % 4 end, 1, 1, 'Léa', 100, 0,
    gen_random_uuid()::text, $3::timestamptz - n * interval '3 hours'
  from generate_series(0, 49) s, generate_series(1, 800) n`;

test("a batch of transfers leaves its sender's former ones unread", async () => {
  const { pool } = server.deps;
  const [own] = (
    await pool.query<{ person: number; wallet: number; object: string }>(
      `select w.person_id as person, w.id as wallet, w.object_id as object
       from wallet w join card c on c.person_id = w.person_id where c.number = $1 and w.group_id = 1`,
      [cast.guardian.cardnumber],
    )
  ).rows;
  await pool.query(history, [own?.person, own?.wallet, server.deps.now()]);
  await pool.query("analyze wallet_transfer");
  const read = async (index: string) =>
    (
      await pool.query<{ read: number }>(
        "select idx_tup_read as read from pg_stat_user_indexes where indexrelname = $1",
        [index],
      )
    ).rows[0]?.read ?? 0;
  const before = [await read("wallet_transfer_key"), await read("wallet_transfer_recent")];

  const guardian = await server.as("guardian");
  const send = (amountCents: number) =>
    guardian.post(
      "/api/transfers",
      { fromWallet: own?.object, toCardnumber: cast.child.cardnumber, amountCents },
      { "idempotency-key": `history-of-sender-${amountCents}` },
    );
  const answers = await Promise.all([101, 102, 103, 104, 105, 106].map(send));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 201));
  expect((await send(101)).status).toBe(201);
  // Sessions report their read statistics when idle.
  await expect.poll(() => read("wallet_transfer_key"), { timeout: 20_000 }).not.toBe(before[0]);
  const after = [await read("wallet_transfer_key"), await read("wallet_transfer_recent")];
  const [keys = 0, recent = 0] = after.map((count, at) => count - (before[at] ?? 0));
  expect(keys).toBeLessThan(50);
  expect(recent).toBeLessThan(50);
});
