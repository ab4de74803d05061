// The reads of every visit are planned once and look rows up by their keys, even with few calls.
import { afterAll, beforeAll, expect, test } from "vitest";
import { cast } from "#tests/cast.ts";
import { type Client, type TestServer, openTestServer } from "#tests/test-server.ts";

let server: TestServer;
let guardian: Client;
let movements: string;
beforeAll(async () => {
  server = await openTestServer();
  // Enough rows that a plan comparing lists with whole tables looks cheaper for a few calls.
  await server.deps.pool.query(
    `insert into session (id, person_id, cardnumber, created_at, renewed_at, ends_at)
     select gen_random_uuid(), person_id, number, now(), now(), now()
     from card, generate_series(1, 600) where number = $1`,
    [cast.stranger.cardnumber],
  );
  await server.deps.pool.query("analyze session");
  guardian = await server.as("guardian");
  const { body } = await guardian.get<{ items: { objectID: string }[] }>(
    `/api/wallets?cardnumber=${cast.child.cardnumber}`,
  );
  movements = `/api/wallets/${body.items[0]?.objectID}/movements?limit=20`;
});
afterAll(() => server.close());

/** Statements of the connection that sequential calls use: the pool lends the one returned last. */
const plans = async () =>
  (
    await server.deps.pool.query<{ name: string; custom: number; generic: number }>(
      `select name, custom_plans::int as custom, generic_plans::int as generic from pg_prepared_statements
       where name in ('session-states', 'card-credits', 'wallets-of-cards', 'movements') order by name`,
    )
  ).rows;

const ask = {
  "/api/card/info": () => guardian.post("/api/card/info", { cardnumber: cast.child.cardnumber }),
  "/api/wallets": () => guardian.get(`/api/wallets?cardnumber=${cast.child.cardnumber}`),
  "/api/wallets/…/movements": () => guardian.get(movements),
};

test("a card's balance, its wallets and a page of movements keep their plan when they are asked one by one", async () => {
  for (let time = 0; time < 12; time++)
    for (const read of Object.values(ask)) expect((await read()).status).toBe(200);
  const found = await plans();
  expect(found.map(({ name }) => name)).toEqual([
    "card-credits",
    "movements",
    "session-states",
    "wallets-of-cards",
  ]);
  // PostgreSQL plans five calls for their values before it compares.
  for (const { custom: customPlans, generic: genericPlans } of found) {
    expect(customPlans).toBeLessThanOrEqual(5);
    expect(genericPlans).toBeGreaterThanOrEqual(5);
  }
});

test.each(Object.entries(ask))("%s: six at once read no table of sessions", async (_, read) => {
  const scans = async () =>
    (
      await server.deps.pool.query<{ scans: number }>(
        "select seq_scan as scans from pg_stat_user_tables where relname = 'session'",
      )
    ).rows[0]?.scans;
  const scanCount = async () => {
    await server.deps.pool.query("select pg_stat_force_next_flush()");
    return await scans();
  };
  const before = await scanCount();
  for (let time = 0; time < 8; time++) {
    const answers = await Promise.all(Array.from({ length: 6 }, read));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
  }
  expect(await scanCount()).toBe(before);
});
