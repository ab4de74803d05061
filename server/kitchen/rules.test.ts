// The desk's rules and prices: read, previewed, saved, and the orders that they leave alone.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { CanteenRules } from "#contract/kitchen/rules.ts";
import { type MadeCanteen, makeCanteen } from "#tests/canteens.ts";
import { cast, type CastName } from "#tests/cast.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";

let server: TestServer;
let desk: Client;
let canteen: MadeCanteen;
beforeAll(async () => {
  server = await openTestServer();
  server.clock.freeze();
  // Monday 22 November 2027, 09:00 in Paris: four weeks of school follow.
  server.clock.advance(Date.parse("2027-11-22T08:00:00Z") - server.clock.now().getTime());
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.owner.pool.query("truncate canteen_provider cascade");
  canteen = await makeCanteen(server);
  desk = await server.as("canteenProvider");
});

const rows = async (text: string, ...values: unknown[]) =>
  (await server.deps.pool.query(text, values)).rows;
const own = (path: string) => `/api/canteen/own/${canteen.id}/${path}`;
const eve = { kind: "days_before", days: 1, workingDays: true, at: "10:00" } as const;
const changed: CanteenRules = {
  orderDeadline: { kind: "weekday_before", weeks: 1, weekday: 3, at: "12:00" },
  cancelDeadline: eve,
  lateCancelPercent: 50,
  absencePercent: 80,
  sickPaidDays: 2,
  sickCertificate: true,
  maxPerWeek: 4,
  seats: 25,
  needsValidation: true,
};
const pupilPrice = {
  name: "Quotient jusqu’à 500",
  audience: "pupil",
  quotientMax: 500,
  childrenMin: null,
  town: null,
  class: null,
  priceCents: 100,
};
const actions = async (name: CastName = "canteenProvider") =>
  (
    await rows(
      `select action, details from audit where person_id =
         (select person_id from card where number = $1) and action like 'canteen.%' order by id`,
      cast[name].cardnumber,
    )
  ).map(({ action, details }) => ({ action, details }));

describe("rules", () => {
  test("GET rules: those of the canteen, with the prices that it offers", async () => {
    const { status, body } = await desk.get(own("rules"));
    expect(status).toBe(200);
    expect(body.rules).toEqual({
      orderDeadline: { kind: "days_before", days: 1, workingDays: false, at: "10:00" },
      cancelDeadline: { kind: "days_before", days: 1, workingDays: false, at: "10:00" },
      lateCancelPercent: 100,
      absencePercent: 100,
      sickPaidDays: 1,
      sickCertificate: false,
      maxPerWeek: null,
      seats: 10,
      needsValidation: false,
    });
    expect(body.prices.map(({ name, priceCents }: any) => [name, priceCents])).toEqual([
      ["Plein tarif", 345],
      ["Quotient jusqu’à 800", 210],
      ["Adulte", 620],
    ]);
  });

  test("POST rules: saved as they are, once in the trail with what changed", async () => {
    const { status, body } = await desk.post(own("rules"), { rules: changed });
    expect(status).toBe(200);
    expect(body.message).toContain("Les repas déjà commandés gardent les leurs");
    expect((await desk.get(own("rules"))).body.rules).toEqual(changed);
    const again = await desk.post(own("rules"), { rules: { ...changed, cancelDeadline: eve } });
    expect(again.body.message).toContain("déjà celles de la cantine");
    await desk.post(own("rules"), { rules: { ...changed, seats: 30 } });
    expect((await actions()).slice(-2)).toEqual([
      { action: "canteen.rules", details: { name: "École des Embruns", ...changed } },
      { action: "canteen.rules", details: { name: "École des Embruns", seats: 30 } },
    ]);
  });

  test("POST rules: what is not possible is refused, and nothing changes", async () => {
    const before = (await desk.get(own("rules"))).body.rules;
    for (const wrong of [
      { seats: 0 },
      { seats: 5001 },
      { lateCancelPercent: 101 },
      { absencePercent: -1 },
      { sickPaidDays: 6 },
      { maxPerWeek: 0 },
      { orderDeadline: { ...eve, at: "25:00" } },
      { cancelDeadline: { kind: "tomorrow" } },
    ]) {
      const { status, body } = await desk.post(own("rules"), { rules: { ...changed, ...wrong } });
      expect([status, body.code], JSON.stringify(wrong)).toEqual([400, "invalid_input"]);
    }
    expect((await desk.get(own("rules"))).body.rules).toEqual(before);
  });

  test("POST rules: an order keeps its price, its deadline, its percents and its state", async () => {
    const personId = (
      await rows("select person_id as id from card where number = $1", cast.child.cardnumber)
    )[0].id;
    await rows(
      `insert into meal_order (canteen_id, registration_id, person_id, ordered_by, on_day, state,
         price_cents, price_reason, cancel_until, late_cancel_percent, absence_percent, ordered_at)
       values ($1, $2, $3, $3, '2027-11-25', 'reserved', 345, 'Plein tarif', '2027-11-24T09:00:00Z',
         100, 100, now())`,
      canteen.id,
      canteen.registrations.child,
      personId,
    );
    const before = await rows("select * from meal_order");
    await desk.post(own("rules"), { rules: changed });
    const { prices } = (await desk.get(own("rules"))).body;
    await desk.post(own(`prices/${prices[0].id}/end`), {});
    await desk.post(own("prices"), pupilPrice);
    expect(await rows("select * from meal_order")).toEqual(before);
  });

  test("POST rules: seats of the services to come follow, never under what is taken, past ones stay", async () => {
    await rows(
      `insert into canteen_day (canteen_id, on_day, seats, taken)
       values ($1, '2027-11-19', 10, 3), ($1, '2027-11-22', 10, 9), ($1, '2027-11-23', 10, 2)`,
      canteen.id,
    );
    await desk.post(own("rules"), { rules: { ...changed, seats: 6 } });
    const days = await rows("select on_day, seats, taken from canteen_day order by on_day");
    expect(days).toEqual([
      { on_day: "2027-11-19", seats: 10, taken: 3 },
      { on_day: "2027-11-22", seats: 9, taken: 9 },
      { on_day: "2027-11-23", seats: 6, taken: 2 },
    ]);
  });
});

describe("preview", () => {
  const preview = async (rules: Partial<CanteenRules> = {}) =>
    (await desk.post(own("rules/preview"), { rules: { ...changed, ...rules } })).body;

  test("POST rules/preview: the deadlines of each service of four weeks; nothing is saved", async () => {
    const before = (await desk.get(own("rules"))).body;
    const { days } = await preview();
    expect(days).toHaveLength(20);
    expect(days[0]).toEqual({
      day: "2027-11-22",
      orderUntil: "2027-11-18T11:00:00.000Z",
      cancelUntil: "2027-11-19T09:00:00.000Z",
      canOrder: false,
      canCancel: false,
    });
    expect(days[1]).toMatchObject({ day: "2027-11-23", canOrder: false, canCancel: true });
    expect(days[5]).toMatchObject({
      day: "2027-11-29",
      orderUntil: "2027-11-25T11:00:00.000Z",
      canOrder: true,
    });
    expect(days.at(-1).day).toBe("2027-12-17");
    expect((await desk.get(own("rules"))).body).toEqual(before);
  });

  test("POST rules/preview: a rule that never allows says so; closings and holidays are left out", async () => {
    await rows(
      `insert into canteen_closing (canteen_id, from_on, to_on, reason, created_at)
       values ($1, '2027-11-25', '2027-11-26', 'Grève', now())`,
      canteen.id,
    );
    const { days } = await preview({ cancelDeadline: { kind: "never" }, orderDeadline: eve });
    const listed = days.map(({ day }: { day: string }) => day);
    expect(listed).not.toContain("2027-11-25");
    expect(listed).toHaveLength(18);
    const monday = days.find(({ day }: { day: string }) => day === "2027-11-29");
    // The two closed days do not count as working days.
    expect(monday).toMatchObject({
      orderUntil: "2027-11-24T09:00:00.000Z",
      cancelUntil: null,
      canCancel: false,
    });
  });

  test("POST rules/preview: prices by band of the quotient, with their reasons, and where none fits", async () => {
    expect((await preview()).prices).toEqual([
      { quotientMax: 800, price: { priceCents: 210, reason: "Quotient jusqu’à 800" } },
      { quotientMax: null, price: { priceCents: 345, reason: "Plein tarif" } },
    ]);
    const { prices } = (await desk.get(own("rules"))).body;
    await desk.post(own(`prices/${prices[0].id}/end`), {});
    expect((await preview()).prices.at(-1)).toEqual({ quotientMax: null, price: null });
  });
});

describe("prices", () => {
  test("POST prices: offered from then on; its twin is refused by name, other conditions are not", async () => {
    const added = await desk.post(own("prices"), { ...pupilPrice, town: " Port-Lagune " });
    expect(added.status).toBe(201);
    const twin = await desk.post(own("prices"), {
      ...pupilPrice,
      town: "port-lagune",
      priceCents: 1,
    });
    expect([twin.status, twin.body.code]).toEqual([409, "meal_price_twin"]);
    const drawn = await desk.post(own("prices"), {
      ...pupilPrice,
      town: "Ailleurs",
      name: "Tarif 🐟",
    });
    expect([drawn.status, drawn.body.message]).toEqual([
      400,
      expect.stringContaining("🐟 ne s'imprime pas\u202f: écrivez le nom du tarif sans ces signes"),
    ]);
    expect(twin.body.message).toContain("Quotient jusqu’à 500");
    expect((await desk.post(own("prices"), pupilPrice)).status).toBe(201);
    const { prices } = (await desk.get(own("rules"))).body;
    expect(prices.filter(({ quotientMax }: any) => quotientMax === 500)).toMatchObject([
      { ...pupilPrice, town: expect.toBeOneOf([null, "Port-Lagune"]) },
      { ...pupilPrice, town: expect.toBeOneOf([null, "Port-Lagune"]) },
    ]);
    expect(await actions()).toContainEqual({
      action: "canteen.price",
      details: { name: "Quotient jusqu’à 500", priceCents: 100 },
    });
  });

  test("POST prices/:price/end: no longer offered, its row stays; again, it is not found", async () => {
    const [first] = (await desk.get(own("rules"))).body.prices;
    const end = () => desk.post(own(`prices/${first.id}/end`), {});
    expect((await end()).status).toBe(200);
    expect((await desk.get(own("rules"))).body.prices).toHaveLength(2);
    const [row] = await rows("select ended_at from canteen_price where id = $1", first.id);
    expect(row.ended_at).toEqual(server.clock.now());
    expect((await end()).body.code).toBe("not_found");
    // Its conditions are free again.
    expect((await desk.post(own("prices"), { ...pupilPrice, quotientMax: null })).status).toBe(201);
  });
});

test("another professional, and a canteen that nobody has, are not found and change nothing", async () => {
  const [price] = (await desk.get(own("rules"))).body.prices;
  const shop = await server.as("partnerShop");
  const closed = { from: "2027-12-01", to: "2027-12-01" };
  const answers = [
    await shop.get(own("rules")),
    await shop.post(own("rules"), { rules: changed }),
    await shop.post(own("rules/preview"), { rules: changed }),
    await shop.post(own("prices"), pupilPrice),
    await shop.post(own(`prices/${price.id}/end`), {}),
    await shop.get(own("closings")),
    await shop.get(own(`closings/preview?${new URLSearchParams(closed)}`)),
    await shop.post(own("closings"), { ...closed, reason: "Grève", orders: 0 }),
    await shop.post(own("closings/6f1d5f0e-8f53-4a86-9d2c-0f0a4f6c1a2b/remove"), {}),
    await desk.get("/api/canteen/own/6f1d5f0e-8f53-4a86-9d2c-0f0a4f6c1a2b/rules"),
  ];
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
    answers.map(() => [404, "not_found"]),
  );
  expect((await desk.get(own("rules"))).body).toMatchObject({
    rules: { seats: 10 },
    prices: [{ id: price.id }, {}, {}],
  });
  expect((await desk.get(own("closings"))).body.items).toEqual([]);
});
