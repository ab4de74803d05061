// The demo's school: who eats there, and books that balance to the cent.
import { afterAll, beforeAll, expect, test } from "vitest";
import { addDays, parisDay } from "#contract/days.ts";
import { closePastMeals } from "#server/meal-service/day-end.ts";
import { proveMealDues } from "#server/meal-service/statement.ts";
import { verify } from "#server/ledger/ledger.ts";
import { cast } from "#tests/cast.ts";
import { makeCanteen, type MadeCanteen } from "#tests/canteens.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";
import { inTx } from "../db/db.ts";
import { feedSchool } from "./school-meals.ts";
import { openSchool, schoolClasses } from "./school.ts";

let server: TestServer;
let made: MadeCanteen;
let desk: Client;
beforeAll(async () => {
  server = await openTestServer();
  server.clock.freeze();
  made = await makeCanteen(server, { seats: 80, classes: schoolClasses });
  desk = await server.as("canteenProvider");
  const at = server.clock.now();
  const { rows } = await server.deps.pool.query(
    "select person_id as id from card where number = $1",
    [cast.canteenProvider.cardnumber],
  );
  await inTx(server.deps.db, async (tx) => {
    const input = {
      canteenId: made.id,
      groupId: made.groupId,
      town: "Port-Lagune",
      count: 66,
      at,
    };
    const pupils = await openSchool(tx, input);
    expect(pupils).toHaveLength(60);
    const days = Array.from({ length: 100 }, (_, index) => addDays(parisDay(at), index - 85));
    await feedSchool(tx, pupils, { canteenId: made.id, days, servedBy: rows[0].id, at });
  });
});
afterAll(() => server.close());

const today = () => parisDay(server.clock.now());

test("the desk has requests to answer and full classes, the counter and the follow-up their meals", async () => {
  const { body: registered } = await desk.get(`/api/canteen/own/${made.id}/registrations`);
  expect(registered.waiting).toHaveLength(6);
  const filled = registered.classes.filter(({ count }: { count: number }) => count > 0);
  expect(filled.length).toBeGreaterThan(10);
  const { body: list } = await desk.get(`/api/canteen/${made.id}/day-list`);
  const ordered = list.people.filter(({ order }: { order: unknown }) => order);
  expect(ordered.length).toBeGreaterThan(25);
  expect(list.people.some(({ allergens }: { allergens: string[] }) => allergens.length > 0)).toBe(
    true,
  );
  const follow = async (from: string, to: string) =>
    (await desk.get(`/api/canteen/own/${made.id}/meals?from=${from}&to=${to}`)).body.counts.map(
      ({ state }: { state: string }) => state,
    );
  expect(await follow(addDays(today(), -21), addDays(today(), -1))).toEqual([
    "absent",
    "cancelled",
    "served",
  ]);
  expect(await follow(today(), today())).toContain("reserved");
});

test("families joined week after week: earlier months have meals too, fewer than the last weeks", async () => {
  const { rows } = await server.deps.pool.query<{ weeks: number; meals: number }>(
    `select ($2::date - on_day) / 28 as weeks, count(*)::int as meals from meal_order
      where canteen_id = $1 and state = 'served' group by 1 order by 1`,
    [made.id, today()],
  );
  const [last = 0, before = 0, first = 0] = rows.map(({ meals }) => meals);
  expect(before).toBeGreaterThan(0);
  expect(before).toBeLessThan(last);
  expect(first).toBeGreaterThan(0);
  expect(first).toBeLessThan(before);
});

test("the books balance, before and after the end of the day; no service is over its seats", async () => {
  const { pool } = server.deps;
  const prove = async () => {
    expect((await verify(server.deps.db)).checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(await proveMealDues(server.deps)).toMatchObject({ ok: true });
  };
  await prove();
  const { rows } = await pool.query(`select count(*)::int as wrong from canteen_day d
    where taken <> (select count(*) from meal_order o where o.canteen_id = d.canteen_id
      and o.on_day = d.on_day and o.state in ('reserved', 'validated', 'served', 'absent'))`);
  expect(rows[0].wrong).toBe(0);
  server.clock.advance(86_400_000);
  expect(await closePastMeals(server.deps)).toBeGreaterThan(25);
  await prove();
});
