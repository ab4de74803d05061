// The last minute before a deadline: more holders than seats order at once. `npm run bench -- canteen` does
// the same with ten thousand.
import { afterAll, beforeAll, expect, test } from "vitest";
import { verify } from "#server/ledger/ledger.ts";
import { allAtOnce } from "#tests/at-once.ts";
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
