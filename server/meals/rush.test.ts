// The last minute before a deadline: more holders than seats order at once. `npm run bench -- canteen` does
// the same with ten thousand.
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTx } from "#server/db/db.ts";
import { verify } from "#server/ledger/ledger.ts";
import { allAtOnce } from "#tests/at-once.ts";
import { untilWaiting } from "#tests/row-locks.ts";
import { countRush, orderOnce, prepareRush, rushPriceCents } from "#tests/meal-rush.ts";
import { openTestServer, type TestServer } from "#tests/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

test("300 holders and 120 seats: each seat goes once, with its money set aside, and nobody else's", async () => {
  const { deps } = server;
  const rush = await prepareRush(deps, { people: 300, seats: 120 });
  const before = await countRush(deps, rush);
  let ordered = 0;
  await allAtOnce(rush.holders, 32, async (holder) => {
    if (await orderOnce(deps, rush, holder)) ordered += 1;
  });
  expect(ordered).toBe(120);
  expect(await countRush(deps, rush)).toEqual({
    orders: 120,
    taken: 120,
    holds: before.holds + 120,
    heldCents: before.heldCents + 120 * rushPriceCents,
    unheld: 0,
  });
  expect((await verify(deps.db)).checks.filter(({ ok }) => !ok)).toEqual([]);
  const late = { ...rush, now: new Date(rush.now.getTime() + 60_001) };
  const [holder] = rush.holders;
  if (!holder) throw new Error("nobody came");
  await expect(orderOnce(deps, late, holder)).rejects.toMatchObject({
    code: expect.stringMatching(/^meal_(too_late|already_ordered)$/),
  });
});

test("an order that waits for its own wallet keeps nobody else from the service", async () => {
  const { deps } = server;
  const rush = await prepareRush(deps, { people: 2, seats: 5 });
  const [first, second] = rush.holders;
  if (!first || !second) throw new Error("nobody came");
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>();
  const keeping = inTx(deps.db, async (tx) => {
    await sql`select from ledger_account where id in (select l.account_id from wallet_lot l
      join wallet w on w.id = l.wallet_id where w.person_id = ${first.personId}) for update`.execute(
      tx,
    );
    locked();
    await isReleased;
  });
  await isLocked;
  const waiting = orderOnce(deps, rush, first);
  await untilWaiting(server, 1);
  expect(await orderOnce(deps, rush, second)).toBe(true);
  release();
  await keeping;
  expect(await waiting).toBe(true);
  expect(await countRush(deps, rush)).toMatchObject({ orders: 2, taken: 2, unheld: 0 });
});
