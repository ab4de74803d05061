// Quantities that a kitchen cooks: counted from the ordered meals, for the next day of service, with names
// only where the family shares them.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { addDays, instantOfParis } from "#contract/days.ts";
import { cast } from "#tests/cast.ts";
import { makeCanteen, type MadeCanteen, placeMeal } from "#tests/canteens.ts";
import { wordsOf } from "#tests/pdf-words.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";

// A Monday of January: no zone is on holiday that week.
const monday = "2027-01-18";
const tuesday = addDays(monday, 1);
let server: TestServer;
let desk: Client;
let made: MadeCanteen;
const moveTo = (day: string, time: string) =>
  server.clock.advance(instantOfParis(day, time).getTime() - server.clock.now().getTime());
beforeAll(async () => {
  server = await openTestServer();
  server.clock.freeze();
  moveTo(monday, "09:00");
  made = await makeCanteen(server);
  const guardian = await server.as("guardian");
  const declared = await guardian.post("/api/health-record", {
    cardnumber: cast.child.cardnumber,
    allergens: ["milk"],
    note: "",
    consent: true,
  });
  expect(declared.status, declared.text).toBe(200);
});
afterAll(() => server.close());
beforeEach(async () => {
  const { pool } = server.deps;
  await pool.query(
    "delete from meal_scan; delete from meal_order; delete from canteen_day; delete from canteen_menu",
  );
  await pool.query(
    `update canteen_registration set diet = 'standard', class = 'CE1',
       allergens_consent_at = requested_at`,
  );
  moveTo(monday, "09:00");
  desk = await server.as("canteenProvider");
});

const path = "/api/canteen/quantities";
const read = async (day?: string) => (await desk.get(day ? `${path}?day=${day}` : path)).body;
const place = (registration = made.registrations.child, day = tuesday) =>
  placeMeal(server, { registration, day, priceCents: 0 });
const both = async (day = tuesday) => {
  await place(made.registrations.child, day);
  await place(made.registrations.secondChild, day);
};
const setRegistration = (change: string, registration = made.registrations.secondChild) =>
  server.deps.pool.query(`update canteen_registration set ${change} where id = $1`, [registration]);
const dish = {
  course: "main",
  name: "Gratin",
  labels: [],
  allergens: ["milk"],
  diets: [],
  priceCents: null,
};

describe("GET /api/canteen/quantities", () => {
  test("tells today until its service is over, then the next day of service", async () => {
    expect((await read()).day).toBe(monday);
    moveTo(monday, "13:29");
    desk = await server.as("canteenProvider");
    expect((await read()).day).toBe(monday);
    moveTo(monday, "13:30");
    expect((await read()).day).toBe(tuesday);
    const friday = addDays(monday, 4);
    moveTo(friday, "15:00");
    desk = await server.as("canteenProvider");
    expect((await read()).day).toBe(addDays(monday, 7));
  });

  test("counts meals by class, audience and diet, and takes the packed ones off the portions", async () => {
    await both();
    await setRegistration("diet = 'packed', class = 'CM2', audience = 'staff', pai = true");
    const { services } = await read(tuesday);
    expect(services).toEqual([
      {
        canteen: made.id,
        name: "École des Embruns",
        servesFrom: "11:45",
        servesUntil: "13:30",
        closedWhy: null,
        meals: 2,
        packed: 1,
        pai: 1,
        classes: [
          { className: "CE1", meals: 1 },
          { className: "CM2", meals: 1 },
        ],
        audiences: [
          { audience: "pupil", meals: 1 },
          { audience: "staff", meals: 1 },
        ],
        diets: [
          { diet: "standard", meals: 1 },
          { diet: "packed", meals: 1 },
        ],
        waiting: 0,
        walkIns: 0,
        walkInMargin: 0,
        portions: 1,
      },
    ]);
    await setRegistration("pai = false, audience = 'pupil'");
  });

  test("leaves out what is cancelled, refused or of another day", async () => {
    await both();
    await place(made.registrations.child, addDays(tuesday, 1));
    await server.deps.pool.query(
      `update meal_order set state = 'cancelled', hold_ids = '{}'
       where registration_id = '${made.registrations.child}' and on_day = '${tuesday}'`,
    );
    const { services, allergens } = await read(tuesday);
    expect(services).toMatchObject([{ meals: 1, portions: 1 }]);
    expect(allergens).toEqual([]);
  });

  test("names who declared an allergen only where the family lets the canteen know", async () => {
    await both();
    await desk.post("/api/canteen/menus", { day: tuesday, note: "", dishes: [dish] });
    const known = await read(tuesday);
    expect(known.allergens).toEqual([
      {
        allergen: "milk",
        people: [{ name: cast.child.name, className: "CE1", canteen: "École des Embruns" }],
      },
    ]);
    expect(known.allergensUnknown).toBe(0);
    expect(known.dishes).toMatchObject([{ name: "Gratin", portions: 2, withoutAllergens: 1 }]);
    await setRegistration("allergens_consent_at = null", made.registrations.child);
    const hidden = await read(tuesday);
    expect(hidden.allergens).toEqual([]);
    expect(hidden.allergensUnknown).toBe(1);
    expect(hidden.dishes).toMatchObject([{ withoutAllergens: 0 }]);
    expect(JSON.stringify(hidden)).not.toContain(cast.child.name);
  });

  test("counts whom a dish may harm whose allergens are not declared", async () => {
    await both();
    const undeclaredDish = { ...dish, allergens: null };
    const none = { ...dish, course: "dessert", name: "Poire", allergens: [] };
    await desk.post("/api/canteen/menus", {
      day: tuesday,
      note: "",
      dishes: [undeclaredDish, none],
    });
    expect((await read(tuesday)).dishes).toMatchObject([
      { allergens: null, withoutAllergens: 1 },
      { allergens: [], withoutAllergens: 0 },
    ]);
  });

  test("counts the portions to replace of each diet, once each beside an allergen, and adds up to what is ordered", async () => {
    await both();
    const dishes = [
      { ...dish, name: "Saucisse" },
      { ...dish, name: "Dahl", labels: ["vegetarian"], allergens: [] },
      { ...dish, course: "dessert", name: "Flan" },
    ];
    await desk.post("/api/canteen/menus", { day: tuesday, note: "", dishes });
    for (const diet of ["no_pork", "no_meat", "vegetarian"]) {
      await setRegistration(`diet = '${diet}'`, made.registrations.child);
      await setRegistration(`diet = '${diet}'`);
      const quantities = await read(tuesday);
      // The first child is allergic to milk too: it is replaced once.
      expect(quantities.dishes, diet).toMatchObject([
        {
          name: "Saucisse",
          portions: 2,
          unsuited: [{ diet, meals: 2 }],
          withoutAllergens: 1,
          toReplace: 2,
        },
        { name: "Dahl", unsuited: [], withoutAllergens: 0, toReplace: 0 },
        { name: "Flan", unsuited: [], withoutAllergens: 1, toReplace: 1 },
      ]);
      expect(quantities.services[0].diets).toEqual([{ diet, meals: 2 }]);
    }
    await setRegistration("diet = 'no_pork'", made.registrations.child);
    const [sausage] = (await read(tuesday)).dishes;
    expect(sausage.unsuited).toEqual([
      { diet: "no_pork", meals: 1 },
      { diet: "vegetarian", meals: 1 },
    ]);
    await setRegistration("diet = 'standard'", made.registrations.child);
    expect((await read(tuesday)).dishes[0]).toMatchObject({ withoutAllergens: 1, toReplace: 2 });
  });

  test("a starter made for a diet tells that the other one does not suit a stricter diet", async () => {
    await both();
    await setRegistration("diet = 'vegetarian'");
    const starter = { ...dish, course: "starter", allergens: [] };
    const dishes = [
      { ...starter, name: "Pâté" },
      { ...starter, name: "Œuf dur", diets: ["no_pork"] },
      { ...starter, course: "side", name: "Riz" },
    ];
    await desk.post("/api/canteen/menus", { day: tuesday, note: "", dishes });
    expect((await read(tuesday)).dishes).toMatchObject([
      { name: "Pâté", toReplace: 1, unsuited: [{ diet: "vegetarian", meals: 1 }] },
      { name: "Œuf dur", toReplace: 0 },
      { name: "Riz", toReplace: 0 },
    ]);
  });

  test("counts a dish made for a diet by those of this diet, and leaves them out of what it replaces", async () => {
    await both();
    await setRegistration("diet = 'no_pork'", made.registrations.child);
    const pork = { ...dish, name: "Rôti de porc", allergens: [] };
    const turkey = { ...dish, name: "Rôti de dinde", diets: ["no_pork", "no_meat"] };
    const dishes = [pork, turkey, { ...dish, course: "dessert", name: "Flan" }];
    await desk.post("/api/canteen/menus", { day: tuesday, note: "", dishes });
    const portions = async () =>
      (await read(tuesday)).dishes.map((one: any) => [
        one.name,
        one.portions,
        one.withoutAllergens,
      ]);
    expect(await portions()).toEqual([
      ["Rôti de porc", 1, 0],
      ["Rôti de dinde", 1, 1],
      ["Flan", 2, 1],
    ]);
    await setRegistration("diet = 'vegetarian'", made.registrations.child);
    expect((await read(tuesday)).dishes).toMatchObject([
      { name: "Rôti de porc", portions: 2, toReplace: 1 },
      { name: "Rôti de dinde", portions: 0, toReplace: 0 },
      { portions: 2 },
    ]);
    await setRegistration("diet = 'standard'", made.registrations.child);
  });

  test("adds a margin for meals without an order: the average of the last services, rounded up", async () => {
    const scan = (day: string, walkIn: string | null, undone = false) =>
      server.deps.pool.query(
        `insert into meal_scan (id, canteen_id, on_day, verdict, walk_in, scanned_by, scanned_at,
           received_at, undone_at)
         values ($1, $2, $3, 'no_order', $4, (select min(id) from person), $5, $5, $6)`,
        [randomUUID(), made.id, day, walkIn, server.clock.now(), undone ? new Date() : null],
      );
    await scan(addDays(monday, -3), "cash");
    await scan(addDays(monday, -3), "hold");
    await scan(addDays(monday, -3), "cash", true);
    await scan(addDays(monday, -4), null);
    await place();
    const { services } = await read(tuesday);
    expect(services).toMatchObject([{ meals: 1, walkInMargin: 1, portions: 2 }]);
    await scan(addDays(monday, -4), "cash");
    expect((await read(tuesday)).services).toMatchObject([{ walkInMargin: 2, portions: 3 }]);
  });

  test("says why a day has no service", async () => {
    const sunday = addDays(monday, 6);
    expect((await read(sunday)).services).toMatchObject([
      { meals: 0, portions: 0, closedWhy: "Pas de service ce jour-là" },
    ]);
  });

  test("is not found for a professional who serves no meals, forbidden to a holder", async () => {
    const shop = await server.as("partnerShop");
    expect((await shop.get(path)).status).toBe(404);
    expect((await shop.get(`${path}.pdf`)).status).toBe(404);
    const guardian = await server.as("guardian");
    expect((await guardian.get(path)).status).toBe(403);
  });
});

test("GET /api/canteen/quantities.pdf: the same numbers on paper, without a name", async () => {
  await both();
  await setRegistration("diet = 'no_pork'");
  await desk.post("/api/canteen/menus", { day: tuesday, note: "", dishes: [dish] });
  const paper = await server.app.inject({
    url: `${path}.pdf?day=${tuesday}`,
    headers: { authorization: `Bearer ${desk.token}` },
  });
  expect(paper.headers["content-disposition"]).toContain(`cantine-quantites-${tuesday}.pdf`);
  const words = wordsOf(paper.rawPayload);
  const replaced = "1 sans porc, 1 allergie (lait)";
  for (const said of ["Gratin", "dont sans porc", "Portions à cuisiner", "Lait", replaced]) {
    expect(words).toContain(said);
  }
  expect(words).not.toContain(cast.child.name);
  expect(words).not.toContain("à ne pas cuisiner");
});

test("on paper the meals ordered, less what is brought from home, are the portions to cook", async () => {
  await both();
  await setRegistration("diet = 'packed', pai = true");
  const paper = await server.app.inject({
    url: `${path}.pdf?day=${tuesday}`,
    headers: { authorization: `Bearer ${desk.token}` },
  });
  const words = wordsOf(paper.rawPayload).split("\n");
  const at = (label: string) => words.findIndex((one) => one.startsWith(label));
  expect(at("Repas commandés")).toBeLessThan(at("Paniers-repas apportés"));
  expect(words[at("Paniers-repas apportés") + 1]).toMatch(/1$/);
  expect(at("Paniers-repas apportés")).toBeLessThan(at("Portions à cuisiner"));
});
