// The demo made at night: what it dates by the day has the day of Paris, not the one before.
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeCanteen } from "#tests/canteens.ts";
import { cast, type CastName } from "#tests/cast.ts";
import { openTestServer, type TestServer } from "#tests/test-server.ts";
import { inTx, type Tx } from "../db/db.ts";
import { keepFilled } from "./funding.ts";
import { agreeOnCustody } from "./rights.ts";
import { openSchool, schoolClasses } from "./school.ts";

/** Half past midnight of 5 November in Paris. */
const night = new Date("2026-11-04T23:30:00Z");

let server: TestServer;
let people: Record<CastName, number>;
beforeAll(async () => {
  server = await openTestServer();
  const { rows } = await server.deps.pool.query<{ number: number; id: number }>(
    "select number, person_id as id from card",
  );
  const idOf = new Map(rows.map(({ number, id }) => [number, id]));
  people = Object.fromEntries(
    Object.entries(cast).map(([name, { cardnumber }]) => [name, idOf.get(cardnumber)]),
  ) as Record<CastName, number>;
});
afterAll(() => server.close());

/** The days of a column of what is written. */
const daysOf = async (write: (tx: Tx) => Promise<unknown>, read: string) => {
  await inTx(server.deps.db, write);
  const { rows } = await server.deps.pool.query<{ day: string }>(read);
  return rows.map(({ day }) => day);
};

test("a top-up of the 5th comes next month, on the 5th", async () => {
  const read = "select next_on::text as day from top_up_rule";
  expect(await daysOf((tx) => keepFilled(tx, people, night), read)).toEqual(["2026-12-05"]);
});

test("custody counts since 60 days", async () => {
  const read = "select from_on::text as day from custody where kind = 'weeks'";
  expect(await daysOf((tx) => agreeOnCustody(tx, people, night), read)).toEqual(["2026-09-06"]);
});

test("a quotient counts from the day on which it was sent", async () => {
  const { id: canteenId, groupId } = await makeCanteen(server, { classes: schoolClasses });
  const input = { canteenId, groupId, town: "Port-Lagune", count: 66, at: night };
  const read = `select distinct to_char(day, 'YYYY-MM-DD') as day
    from proof, unnest(array[written_on, valid_from]) as day where kind = 'quotient'`;
  expect(await daysOf((tx) => openSchool(tx, input), read)).toEqual(["2026-07-21"]);
});
