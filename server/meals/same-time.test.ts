// A child at two canteens of one provider: two meals at one time are asked about, by weeks the first alone is
// chosen.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { addDays, startOfWeek } from "#contract/days.ts";
import { cast } from "#tests/cast.ts";
import { closeSound, type MadeCanteen, makeCanteen, placeMeal } from "#tests/canteens.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";

let server: TestServer;
let camille: Client;
let school: MadeCanteen;
let leisure: MadeCanteen;
/** Of the staff kind: open on every working day, whatever day the test runs. */
const monday = "2027-11-29";
beforeAll(async () => {
  server = await openTestServer();
  server.clock.freeze();
  server.clock.advance(Date.parse("2027-11-22T11:00:00Z") - server.clock.now().getTime());
  school = await makeCanteen(server, { kind: "staff" });
  leisure = await makeCanteen(server, { kind: "staff", name: "Centre de loisirs" });
  camille = await server.as("guardian");
});
afterAll(() => closeSound(server));
beforeEach(async () => {
  await server.deps.pool.query("delete from meal_request_line");
  await server.deps.pool.query("delete from meal_order");
  await serves("11:45", "13:30");
});

const serves = (from: string, until: string) =>
  server.deps.pool.query("update canteen set serves_from = $2, serves_until = $3 where id = $1", [
    leisure.id,
    from,
    until,
  ]);
const choose = (registration: string, more: object = {}) =>
  camille.post("/api/canteen/requests/lines", {
    idgroup: school.groupId,
    meals: [{ registration, day: monday }],
    chosen: true,
    ...more,
  });
const lines = async () => {
  const { rows } = await server.deps.pool.query<{ canteen: string; day: string }>(
    `select c.name as canteen, to_char(l.on_day, 'YYYY-MM-DD') as day from meal_request_line l
     join canteen_registration r on r.id = l.registration_id join canteen c on c.id = r.canteen_id
     order by l.on_day, c.name`,
  );
  return rows;
};

test("a second meal at the same time is refused until it is confirmed, chosen or ordered before", async () => {
  expect((await choose(school.registrations.child)).status).toBe(200);
  const second = await choose(leisure.registrations.child);
  expect(second).toMatchObject({ status: 409, body: { code: "meal_same_time" } });
  expect(second.body.message).toMatch(/Léo a déjà un repas à la même heure, à École des Embruns/);
  expect(await lines()).toEqual([{ canteen: "École des Embruns", day: monday }]);
  const both = await choose(leisure.registrations.child, { sameTimeConfirmed: true });
  const added = both.body.request.lines.map(({ canteen, cardnumber }: Record<string, unknown>) => [
    canteen,
    cardnumber,
  ]);
  expect(added.toSorted()).toEqual([
    ["Centre de loisirs", cast.child.cardnumber],
    ["École des Embruns", cast.child.cardnumber],
  ]);
  // Another child at the other canteen is no second meal.
  expect((await choose(leisure.registrations.secondChild)).status).toBe(200);
  await server.deps.pool.query("delete from meal_request_line");
  await placeMeal(server, { registration: school.registrations.child, day: monday });
  expect((await choose(leisure.registrations.child)).body.code).toBe("meal_same_time");
});

test("of several meals at once, those at the same time as another are confirmed all, or left out", async () => {
  const days = [monday, addDays(monday, 1), addDays(monday, 2)];
  for (const day of days.slice(0, 2))
    await placeMeal(server, { registration: school.registrations.child, day });
  const { child, secondChild } = leisure.registrations;
  const meals = [child, secondChild].flatMap((registration) =>
    days.map((day) => ({ registration, day })),
  );
  const chooseAll = (more: object = {}) => choose(child, { meals, ...more });
  const refused = await chooseAll();
  expect(refused).toMatchObject({ status: 409, body: { code: "meals_same_time" } });
  expect(refused.body.message).toMatch(
    /^Le lundi 29 novembre, Léo .* École des Embruns.; 2 des repas/,
  );
  expect(await lines()).toEqual([]);
  const rest = await chooseAll({ sameTimeLeftOut: true });
  expect(rest.body.request.lines).toHaveLength(4);
  expect((await lines()).map(({ day }) => day)).toEqual([days[0], days[1], days[2], days[2]]);
  expect((await chooseAll({ sameTimeConfirmed: true })).body.request.lines).toHaveLength(6);
});

test("a meal at another time of the day is chosen without a question", async () => {
  await serves("16:30", "17:15");
  expect((await choose(school.registrations.child)).status).toBe(200);
  expect((await choose(leisure.registrations.child)).status).toBe(200);
  expect(await lines()).toHaveLength(2);
});

test("by weeks, of two meals at one time the first is chosen, the other told", async () => {
  const template = {
    idgroup: school.groupId,
    registrations: [school.registrations.child, leisure.registrations.child],
    weekdays: [0, 1],
    from: monday,
    to: addDays(startOfWeek(monday), 4),
  };
  await placeMeal(server, { registration: leisure.registrations.child, day: addDays(monday, 1) });
  const { body } = await camille.post("/api/canteen/requests/template", template);
  expect(body).toMatchObject({
    added: 1,
    leftOut: expect.arrayContaining([
      {
        why: "Déjà un repas à la même heure (École des Embruns), à confirmer jour par jour",
        count: 1,
      },
      {
        why: "Déjà un repas à la même heure (Centre de loisirs), à confirmer jour par jour",
        count: 1,
      },
    ]),
  });
  expect(await lines()).toEqual([{ canteen: "École des Embruns", day: monday }]);
});
