// Proofs and quotients that count, for a person on a day: read by the rooms that make prices.
import { afterAll, beforeAll, expect, test } from "vitest";
import { cast, type CastName } from "#tests/cast.ts";
import { openTestServer, type TestServer } from "#tests/test-server.ts";
import { profileOf, quotientOf } from "./entitlements.ts";

let server: TestServer;
const ids = new Map<CastName, number>();
const id = (name: CastName) => ids.get(name) ?? 0;

beforeAll(async () => {
  server = await openTestServer();
  const rows = await server.deps.db.selectFrom("card").select(["number", "personId"]).execute();
  for (const name of Object.keys(cast) as CastName[]) {
    const found = rows.find(({ number }) => number === cast[name].cardnumber);
    ids.set(name, found?.personId ?? 0);
  }
});
afterAll(() => server.close());

interface Written {
  of: CastName;
  kind?: string;
  quotient?: number;
  from: string;
  until: string | null;
}

const write = ({ of, kind = "quotient", quotient, from, until }: Written) =>
  server.deps.pool.query(
    `insert into proof (person_id, sent_by, kind, state, quotient, valid_from, valid_until, sent_at,
       answered_at) values ($1, $1, $2, 'validated', $3, $4, $5, now(), now())`,
    [id(of), kind, quotient ?? null, from, until],
  );
const quotient = async (name: CastName, day: string) =>
  await quotientOf(server.deps.db, id(name), day);

test("quotientOf: an adult's own household, on its days only; a child's lowest, never a relative's", async () => {
  expect(await quotient("guardian", "2031-10-01")).toBeNull();
  await write({ of: "guardian", quotient: 780, from: "2031-09-10", until: "2032-08-31" });
  const validUntil = "2032-08-31";
  expect(await quotient("guardian", "2031-09-10")).toEqual({ value: 780, validUntil });
  expect(await quotient("guardian", "2031-09-09")).toBeNull();
  expect(await quotient("guardian", "2032-09-01")).toBeNull();
  expect(await quotient("child", "2032-01-15")).toEqual({ value: 780, validUntil });
  await write({ of: "coGuardian", quotient: 420, from: "2032-01-05", until: validUntil });
  expect(await quotient("child", "2032-01-15")).toEqual({ value: 420, validUntil });
  expect(await quotient("child", "2031-12-31")).toEqual({ value: 780, validUntil });
  expect(await quotient("secondChild", "2032-01-15")).toEqual({ value: 780, validUntil });
  expect(await quotient("guardian", "2032-01-15")).toEqual({ value: 780, validUntil });
  expect(await quotient("stranger", "2032-01-15")).toBeNull();
});

test("quotientOf: the one sent last counts, even when it is higher", async () => {
  await write({ of: "guardian", quotient: 910, from: "2032-03-01", until: "2032-08-31" });
  expect((await quotient("secondChild", "2032-02-29"))?.value).toBe(780);
  expect((await quotient("secondChild", "2032-03-01"))?.value).toBe(910);
});

test("profileOf: age in whole years on the day, student and disability while their papers count", async () => {
  await server.deps.pool.query("update person set born_on = '2021-02-28' where id = $1", [
    id("secondChild"),
  ]);
  const profile = async (day: string) => await profileOf(server.deps.db, id("secondChild"), day);
  expect(await profile("2032-02-27")).toEqual({
    age: 10,
    student: false,
    disability: false,
    quotient: 780,
  });
  expect((await profile("2032-02-28")).age).toBe(11);
  await write({ of: "secondChild", kind: "schooling", from: "2032-02-01", until: "2032-08-31" });
  await write({ of: "secondChild", kind: "disability", from: "2032-02-01", until: null });
  expect(await profile("2032-08-31")).toMatchObject({ student: true, disability: true });
  expect(await profile("2032-09-01")).toMatchObject({ student: false, disability: true });
  await server.deps.pool.query("update person set born_on = null where id = $1", [
    id("secondChild"),
  ]);
  expect((await profile("2032-08-31")).age).toBeNull();
});
