// Menus at the desk: written, published, copied, kept as templates, and refused.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { addDays, startOfWeek, todayInParis } from "#contract/days.ts";
import { makeCanteen, type MadeCanteen } from "#tests/canteens.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";
import { menusOf } from "./menus.ts";

let server: TestServer;
let desk: Client;
let made: MadeCanteen;
let monday: string;
beforeAll(async () => {
  server = await openTestServer();
  made = await makeCanteen(server);
  desk = await server.as("canteenProvider");
  monday = addDays(startOfWeek(todayInParis(server.clock.now())), 7);
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.deps.pool.query("delete from canteen_menu; delete from canteen_menu_template");
});

const path = "/api/canteen/menus";
const templates = "/api/canteen/menu-templates";
const soup = {
  course: "starter",
  name: "Soupe au céleri",
  labels: ["organic", "local"],
  allergens: ["celery"],
  diets: [],
  priceCents: null,
};
const fish = { ...soup, course: "main", name: "Lieu", labels: ["msc"], allergens: ["fish"] };
const write = (day: string, input: object = {}) =>
  desk.post(path, { day, note: "", dishes: [soup, fish], ...input });
const week = async (day = monday) => (await desk.get(`${path}?day=${day}`)).body.items;
const seen = () =>
  menusOf(server.deps.db, made.providerId, monday, addDays(monday, 6), { published: true });

describe("POST /api/canteen/menus", () => {
  test("writes a day's dishes in their order, with its note", async () => {
    const { status, body } = await write(monday, { note: " Semaine du goût " });
    expect(status).toBe(200);
    const item = { day: monday, published: false, note: "Semaine du goût", dishes: [soup, fish] };
    expect(body).toEqual({ monday, items: [item] });
    expect(await week(addDays(monday, 6))).toEqual([item]);
  });

  test("replaces what was there and keeps it published; no dish takes the day off", async () => {
    await write(monday);
    await desk.post(`${path}/publish`, { day: monday, published: true });
    await write(monday, { dishes: [{ ...fish, diets: ["no_pork"] }] });
    expect((await week())[0].dishes[0].diets).toEqual(["no_pork"]);
    await write(monday, { dishes: [fish] });
    expect(await week()).toMatchObject([{ published: true, dishes: [{ name: "Lieu" }] }]);
    await write(monday, { dishes: [] });
    expect(await week()).toEqual([]);
  });

  test("refuses a dish whose name the kitchen's pages do not print, and writes nothing", async () => {
    const { status, body } = await write(monday, { dishes: [soup, { ...fish, name: "Riz 🍚" }] });
    expect([status, body.code]).toEqual([400, "invalid_input"]);
    expect(body.message).toContain("🍚 ne s'imprime pas");
    expect(await week()).toEqual([]);
  });

  test("refuses a day that is past, and a label or an allergen twice, a dish without a name", async () => {
    const yesterday = addDays(todayInParis(server.clock.now()), -1);
    expect(await write(yesterday)).toMatchObject({ status: 409, body: { code: "menu_past" } });
    for (const wrong of [
      { labels: ["local", "local"] },
      { diets: ["no_pork", "no_pork"] },
      { diets: ["packed"] },
      { allergens: ["fish", "fish"] },
      { name: " " },
    ]) {
      const answer = await write(monday, { dishes: [{ ...soup, ...wrong }] });
      expect(answer).toMatchObject({ status: 400, body: { code: "invalid_input" } });
    }
    expect(await week(yesterday)).toEqual([]);
    expect(await week()).toEqual([]);
  });

  test("is not found for a professional who serves no meals, forbidden to a holder", async () => {
    await write(monday);
    const shop = await server.as("partnerShop");
    const calls = [
      shop.get(`${path}?day=${monday}`),
      shop.post(path, { day: monday, note: "", dishes: [] }),
      shop.post(`${path}/publish`, { day: monday, published: true }),
      shop.post(`${path}/copy`, { from: monday, to: addDays(monday, 7) }),
      shop.get(templates),
      shop.post(templates, { name: "À moi", day: monday }),
    ];
    for (const answer of await Promise.all(calls)) expect(answer.status).toBe(404);
    const guardian = await server.as("guardian");
    expect((await guardian.get(`${path}?day=${monday}`)).status).toBe(403);
    expect(await week()).toMatchObject([{ published: false, dishes: [{}, {}] }]);
  });
});

describe("POST /api/canteen/menus/publish", () => {
  test("shows a week to families and takes it back", async () => {
    await write(monday);
    await write(addDays(monday, 7));
    expect(await seen()).toEqual([]);
    await desk.post(`${path}/publish`, { day: addDays(monday, 3), published: true });
    expect(await seen()).toMatchObject([{ day: monday, published: true }]);
    expect(await week(addDays(monday, 7))).toMatchObject([{ published: false }]);
    await desk.post(`${path}/publish`, { day: monday, published: false });
    expect(await seen()).toEqual([]);
  });

  test("asks before families see a dish whose allergens are not declared, written later too", async () => {
    const untold = { ...fish, allergens: null };
    const none = { ...soup, allergens: [] };
    await write(monday, { dishes: [none, untold] });
    const publish = { day: monday, published: true };
    const refused = await desk.post(`${path}/publish`, publish);
    expect(refused).toMatchObject({ status: 409, body: { code: "menu_undeclared" } });
    expect(await seen()).toEqual([]);
    await desk.post(`${path}/publish`, { ...publish, undeclared: true });
    expect(await seen()).toMatchObject([{ dishes: [{ allergens: [] }, { allergens: null }] }]);
    expect((await desk.post(`${path}/publish`, { day: monday, published: false })).status).toBe(
      200,
    );
    await write(monday, { dishes: [none] });
    expect((await desk.post(`${path}/publish`, publish)).status).toBe(200);
    expect((await write(monday, { dishes: [untold] })).body.code).toBe("menu_undeclared");
    expect(await seen()).toMatchObject([{ dishes: [{ allergens: [] }] }]);
    expect((await write(monday, { dishes: [untold], undeclared: true })).status).toBe(200);
    expect(await seen()).toMatchObject([{ dishes: [{ allergens: null }] }]);
  });

  test("refuses a week without a menu, and a week that is past", async () => {
    const publish = (day: string) => desk.post(`${path}/publish`, { day, published: true });
    expect((await publish(monday)).body.code).toBe("menu_none");
    expect((await publish(addDays(monday, -14))).body.code).toBe("menu_past");
  });
});

describe("POST /api/canteen/menus/copy", () => {
  test("copies weekday by weekday, unpublished", async () => {
    await write(monday);
    await write(addDays(monday, 3), { dishes: [fish] });
    await desk.post(`${path}/publish`, { day: monday, published: true });
    const next = addDays(monday, 7);
    const { body } = await desk.post(`${path}/copy`, { from: monday, to: addDays(next, 2) });
    expect(body).toMatchObject({
      monday: next,
      items: [
        { day: next, published: false, dishes: [soup, fish] },
        { day: addDays(next, 3), published: false, dishes: [fish] },
      ],
    });
  });

  test("replaces menus only when it is said, and leaves days that it does not fill", async () => {
    const next = addDays(monday, 7);
    await write(monday);
    await write(next, { dishes: [fish] });
    await write(addDays(next, 1), { dishes: [fish] });
    const copy = { from: monday, to: next };
    expect(await desk.post(`${path}/copy`, copy)).toMatchObject({
      status: 409,
      body: { code: "menu_there", details: { count: 1 } },
    });
    expect(await week(next)).toMatchObject([{ dishes: [fish] }, { dishes: [fish] }]);
    await desk.post(`${path}/copy`, { ...copy, replace: true });
    expect(await week(next)).toMatchObject([{ dishes: [soup, fish] }, { dishes: [fish] }]);
  });

  test("refuses an empty week and a week that is past", async () => {
    const copy = (from: string, to: string) => desk.post(`${path}/copy`, { from, to });
    expect((await copy(monday, addDays(monday, 7))).body.code).toBe("menu_none");
    await write(monday);
    expect((await copy(monday, addDays(monday, -14))).body.code).toBe("menu_past");
  });
});

describe("/api/canteen/menu-templates", () => {
  test("keeps a week by name, lays it on another, and is deleted", async () => {
    await write(addDays(monday, 1));
    const kept = await desk.post(templates, { name: "Semaine 1", day: monday });
    expect(kept.body.items).toMatchObject([{ name: "Semaine 1", days: 1 }]);
    await write(addDays(monday, 2));
    const again = await desk.post(templates, { name: "Semaine 1", day: monday });
    expect(again.body.items).toMatchObject([{ name: "Semaine 1", days: 2 }]);
    const [{ id }] = again.body.items;
    const to = addDays(monday, 14);
    const laid = await desk.post(`${templates}/${id}/lay`, { to });
    expect(laid.body.items.map(({ day }: { day: string }) => day)).toEqual([
      addDays(to, 1),
      addDays(to, 2),
    ]);
    const twice = await desk.post(`${templates}/${id}/lay`, { to });
    expect(twice).toMatchObject({ status: 409, body: { code: "menu_there" } });
    expect((await desk.post(`${templates}/${id}/delete`, {})).body).toEqual({ items: [] });
    expect((await desk.post(`${templates}/${id}/lay`, { to })).status).toBe(404);
    expect(await week(to)).toHaveLength(2);
  });

  test("keeps thirty of them", async () => {
    await write(monday);
    await server.deps.pool.query(
      `insert into canteen_menu_template (provider_id, name, days)
       select $1, 'Semaine ' || n, '[[], [], [], [], []]' from generate_series(1, 30) n`,
      [made.providerId],
    );
    const more = await desk.post(templates, { name: "Une de trop", day: monday });
    expect(more).toMatchObject({ status: 409, body: { code: "menu_templates_full" } });
    expect((await desk.get(templates)).body.items).toHaveLength(30);
  });
});
