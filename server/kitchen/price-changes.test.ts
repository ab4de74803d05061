// New prices from a day on: for several canteens at once or none, without a day that has another price or
// none.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { addDays, parisDay } from "#contract/days.ts";
import { forgetMeals, type MadeCanteen, makeCanteen, placeMeal } from "#tests/canteens.ts";
import { cast } from "#tests/cast.ts";
import { countStatements } from "#tests/statement-count.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";
import { pricesFor } from "./prices.ts";

let server: TestServer;
let desk: Client;
let school: MadeCanteen;
let centre: MadeCanteen;
let today: string;
let from: string;
beforeAll(async () => {
  server = await openTestServer();
  server.clock.freeze();
  server.clock.advance(Date.parse("2027-11-22T08:00:00Z") - server.clock.now().getTime());
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.owner.pool.query("truncate canteen_provider cascade");
  await forgetMeals(server);
  server.outbox.length = 0;
  school = await makeCanteen(server);
  centre = await makeCanteen(server, {
    name: "Centre de loisirs",
    prices: [{ name: "Plein tarif", audience: "pupil", priceCents: 400 }],
  });
  desk = await server.as("canteenProvider");
  today = parisDay(server.clock.now());
  from = addDays(today, 10);
});

const full = { audience: "pupil", quotientMax: null, childrenMin: null, town: null, class: null };
const change = (priceCents = 380, more: object = {}) => ({
  canteens: [centre.id, school.id],
  from,
  amounts: [{ ...full, priceCents }],
  ...more,
});
const preview = (input: object = change(), client = desk) =>
  client.post("/api/canteen/prices/preview", input);
const book = async (input: object = change(), client = desk) => {
  const { fingerprint = "0".repeat(64) } = (await preview(input)).body;
  return await client.post("/api/canteen/prices/change", { ...input, fingerprint });
};
/** What a registration pays for a meal of a day, in cents. */
const priceOn = async (registration: string, day: string) =>
  (await pricesFor(server.deps.db, [registration], day)).get(registration)?.priceCents;
const offered = async (canteen: MadeCanteen) =>
  (await desk.get(`/api/canteen/own/${canteen.id}/rules`)).body.prices;
const readNotices = async () =>
  (
    await server.deps.pool.query(
      `select p.name, n.body from notification n join person p on p.id = n.person_id
       where n.title = 'Le prix des repas change' order by p.name, n.body`,
    )
  ).rows as { name: string; body: string }[];

test("books every canteen from the day on: not a day without a price or with a higher one, ordered meals keep theirs", async () => {
  const { child } = school.registrations;
  const id = await placeMeal(server, { registration: child, day: addDays(from, 1) });
  expect((await preview()).body.canteens).toMatchObject([
    {
      name: "Centre de loisirs",
      lines: [{ name: "Plein tarif", beforeCents: 400, afterCents: 380 }],
      people: [{ count: 2, beforeCents: 400, afterCents: 380, reason: "Plein tarif" }],
      ordered: 0,
    },
    {
      name: "École des Embruns",
      lines: [{ beforeCents: 345, afterCents: 380 }],
      people: [{ count: 2, beforeCents: 345, afterCents: 380 }],
      unchanged: 0,
      without: 0,
      ordered: 1,
    },
  ]);
  expect(await readNotices()).toEqual([]);
  expect(await priceOn(child, from)).toBe(345);
  const done = await book();
  expect(done, done.text).toMatchObject({
    status: 200,
    body: { message: expect.stringContaining("à partir du 02/12/2027. 4 personnes") },
  });
  for (let ahead = 0; ahead < 20; ahead++) {
    const day = addDays(today, ahead);
    expect(await priceOn(child, day), day).toBe(day < from ? 345 : 380);
    expect(await priceOn(centre.registrations.child, day), day).toBe(day < from ? 400 : 380);
  }
  const { rows } = await server.deps.pool.query(
    "select price_cents from meal_order where id = $1",
    [id],
  );
  expect(rows).toEqual([{ price_cents: 345 }]);
  // The line that is not named goes on.
  expect((await offered(school)).filter(({ quotientMax }: any) => quotientMax)).toMatchObject([
    { priceCents: 210, untilOn: null },
  ]);
  const notices = await readNotices();
  const family = [cast.child, cast.secondChild, cast.guardian, cast.coGuardian];
  expect(new Set(notices.map(({ name }) => name))).toEqual(new Set(family.map(({ name }) => name)));
  expect(notices.map(({ body }) => body).join()).toMatch(
    /École des Embruns\u202f: le repas passe de 3,45\s€ à 3,80\s€ à partir du jeudi 2 décembre/,
  );
});

test("who pays the lower bracket is told of nothing while its price stays", async () => {
  await server.deps.pool.query(
    "update canteen_price set quotient_max = null, town = 'Port-Lagune' where price_cents = 210",
  );
  const input = change(380, { canteens: [school.id] });
  expect((await preview(input)).body.canteens).toMatchObject([{ people: [], unchanged: 2 }]);
  expect((await book(input)).status).toBe(200);
  expect(await readNotices()).toEqual([]);
  expect(await priceOn(school.registrations.child, from)).toBe(210);
});

test("a change that has not begun is taken back: the price before goes on, who was told is told", async () => {
  await book();
  const prices = await offered(school);
  const next = prices.find(({ fromOn }: any) => fromOn === from);
  expect(prices.find(({ untilOn }: any) => untilOn === addDays(from, -1))).toMatchObject({
    priceCents: 345,
  });
  const before = (await readNotices()).length;
  const ended = await desk.post(`/api/canteen/own/${school.id}/prices/${next.id}/end`, {});
  expect(ended.body.message).toBe("Le changement est annulé. Le prix d’avant continue.");
  expect(await priceOn(school.registrations.child, addDays(from, 5))).toBe(345);
  expect(await priceOn(centre.registrations.child, addDays(from, 5))).toBe(380);
  expect((await readNotices()).length).toBeGreaterThan(before);
  expect((await book(change(390, { canteens: [school.id] }))).status).toBe(200);
});

test("ending a price ends the change that is announced of it", async () => {
  await book();
  const [now] = await offered(school);
  await desk.post(`/api/canteen/own/${school.id}/prices/${now.id}/end`, {});
  expect(await priceOn(school.registrations.child, today)).toBeUndefined();
  expect(await priceOn(school.registrations.child, from)).toBeUndefined();
});

describe("refuses, and changes nothing at any of the canteens", () => {
  const refused = async (input: object) => {
    const [seen, done] = [await preview(input), await book(input)];
    expect(done.body.code).toBe(seen.body.code);
    expect(await priceOn(centre.registrations.child, addDays(from, 1))).toBe(400);
    return seen;
  };

  test("a date that is past or too far", async () => {
    for (const day of [addDays(today, -1), addDays(today, 367)]) {
      const answer = await refused(change(380, { from: day }));
      expect(answer).toMatchObject({ status: 422, body: { code: "meal_prices_date" } });
    }
  });

  test("a change that is announced already for that day or later, by the canteen, the price and its day", async () => {
    await book(change(360, { canteens: [school.id], from: addDays(from, 3) }));
    const answer = await refused(change());
    expect(answer).toMatchObject({ status: 409, body: { code: "meal_prices_planned" } });
    for (const said of ["École des Embruns", "Plein tarif", "05/12/2027"]) {
      expect(answer.body.message).toContain(said);
    }
    // After it there is room.
    expect(
      (await book(change(400, { from: addDays(from, 4), canteens: [school.id] }))).status,
    ).toBe(200);
    expect(await priceOn(school.registrations.child, addDays(from, 3))).toBe(360);
    expect(await priceOn(school.registrations.child, addDays(from, 4))).toBe(400);
  });

  test("amounts that change no price, and a line that none of them has", async () => {
    const same = await refused(change(400, { canteens: [centre.id] }));
    expect(same.body.code).toBe("meal_prices_same");
    const amounts = [{ ...full, town: "Ailleurs", priceCents: 100 }];
    expect((await refused(change(380, { amounts }))).body.code).toBe("meal_prices_same");
  });

  test("another's canteen beside one's own, a colleague who may not decide, prices that changed meanwhile", async () => {
    const other = "6f1d5f0e-8f53-4a86-9d2c-0f0a4f6c1a2b";
    expect((await refused(change(380, { canteens: [centre.id, other] }))).status).toBe(404);
    const shop = await server.as("partnerShop");
    expect((await preview(change(), shop)).status).toBe(404);
    const { fingerprint } = (await preview()).body;
    await server.deps.pool.query(
      "update canteen_price set price_cents = 350 where price_cents = 345",
    );
    const late = await desk.post("/api/canteen/prices/change", { ...change(), fingerprint });
    expect(late).toMatchObject({ status: 409, body: { code: "meal_prices_changed" } });
    expect(await priceOn(centre.registrations.child, from)).toBe(400);
  });
});

test("takes as many statements for six prices of six canteens as for two of two", async () => {
  const guests = { ...full, audience: "guest" };
  const prices = [{ name: "Adulte", audience: "guest", priceCents: 620 }] as const;
  const more = [];
  for (let n = 0; n < 6; n++) {
    more.push((await makeCanteen(server, { name: `Annexe ${n}`, prices })).id);
  }
  const statementsOf = async (canteens: readonly string[], day: string) => {
    const amounts = [{ ...guests, priceCents: 650 }];
    return await countStatements(server.deps.pool, async () => {
      expect((await book(change(0, { canteens, amounts, from: day }))).status).toBe(200);
    });
  };
  const two = await statementsOf(more.slice(0, 2), from);
  await server.deps.pool.query("delete from canteen_price where from_on is not null");
  await server.deps.pool.query("update canteen_price set until_on = null");
  expect(await statementsOf(more, from)).toBe(two);
});
