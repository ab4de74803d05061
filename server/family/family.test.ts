import { afterAll, beforeAll, expect, test } from "vitest";
import { cast, type CastName } from "#tests/cast.ts";
import { openTestServer, type TestServer } from "#tests/test-server.ts";
import { familyOf, guardiansOf } from "./family.ts";

let server: TestServer;
const ids = new Map<CastName, number>();
const id = (name: CastName) => ids.get(name) ?? 0;
const family = async (name: CastName) =>
  Object.fromEntries(
    (await familyOf(server.deps.db, id(name))).map(({ personId, relation }) => [
      [...ids].find(([, one]) => one === personId)?.[0],
      relation,
    ]),
  );

beforeAll(async () => {
  server = await openTestServer();
  const rows = await server.deps.db.selectFrom("card").select(["number", "personId"]).execute();
  for (const [name, { cardnumber }] of Object.entries(cast) as [
    CastName,
    (typeof cast)["child"],
  ][]) {
    ids.set(name, rows.find(({ number }) => number === cardnumber)?.personId ?? 0);
  }
});
afterAll(() => server.close());

test("ties count both ways, and a shared child makes relatives", async () => {
  expect(await family("guardian")).toEqual({
    child: "child",
    secondChild: "child",
    coGuardian: "relative",
  });
  expect(await family("child")).toEqual({ guardian: "guardian", coGuardian: "guardian" });
  expect(await family("secondChild")).toEqual({ guardian: "guardian" });
  expect(await family("stranger")).toEqual({});
  expect(await guardiansOf(server.deps.db, id("child"))).toEqual([
    id("guardian"),
    id("coGuardian"),
  ]);
});

// proves: family-joining
test("a relative is family for money, and gives no power over the card", async () => {
  await server.deps.db
    .insertInto("familyTie")
    .values({ guardianId: id("guardian"), memberId: id("stranger"), role: "relative" })
    .execute();
  expect(await family("guardian")).toMatchObject({ stranger: "relative" });
  expect(await family("stranger")).toEqual({ guardian: "relative" });
  expect(await guardiansOf(server.deps.db, id("stranger"))).toEqual([]);
  const camille = await server.as("guardian");
  const hugo = await server.as("stranger");
  for (const [client, other] of [
    [camille, cast.stranger.cardnumber],
    [hugo, cast.guardian.cardnumber],
  ] as const) {
    const { body } = await client.get("/api/cards");
    expect(body.items.map((card: any) => card.cardnumber)).toContain(other);
    const answer = await client.post(`/api/cards/${other}/suspend`);
    expect(answer).toMatchObject({ status: 404, body: { code: "not_found" } });
  }
});
