// The demo's till: its points are told in the order of their days.
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cast, type CastName } from "#tests/cast.ts";
import { openTestServer, type TestServer } from "#tests/test-server.ts";
import { inTx } from "../db/db.ts";
import { openDirectory } from "./partners.ts";
import { openTill } from "./till.ts";

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
  const now = server.clock.now();
  const ago = (days: number) => new Date(now.getTime() - days * 86_400_000);
  const { rows } = await server.deps.pool.query<{ number: number; id: number }>(
    "select number, person_id as id from card",
  );
  const idOf = new Map(rows.map(({ number, id }) => [number, id]));
  const people = Object.fromEntries(
    Object.entries(cast).map(([name, { cardnumber }]) => [name, idOf.get(cardnumber)]),
  ) as Record<CastName, number>;
  await inTx(server.deps.db, async (tx) => {
    await sql`insert into acceptance_group (name, slug, rule) values ('Restauration', 'restauration', ''),
      ('Culture', 'culture', '') on conflict do nothing`.execute(tx);
    await openDirectory(tx, now);
    const till = await openTill(tx, people, now);
    for (const days of [240, 195, 90]) {
      await till.sell({ key: `sale ${days}`, who: "guardian", amountCents: 1_000, at: ago(days) });
    }
  });
});
afterAll(() => server.close());

test("points earned before the demo's sales and by them are in the order of time", async () => {
  const guardian = await server.as("guardian");
  const { body } = await guardian.get(
    `/api/wallets/points/movements?cardnumber=${cast.guardian.cardnumber}`,
  );
  const times = body.items.map(({ at }: { at: string }) => at);
  expect(times.length).toBeGreaterThanOrEqual(5);
  expect(times).toEqual(times.toSorted().toReversed());
});
