// Menus at the desk: written, published, copied, kept as templates, and refused.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { addDays, startOfWeek, todayInParis } from "#contract/days.ts";
import { keepHealth } from "#server/allergies/allergies.ts";
import { inTx } from "#server/db/db.ts";
import { forgetMeals, makeCanteen, type MadeCanteen, placeMeal } from "#tests/canteens.ts";
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
    const item = {
      day: monday,
      published: false,
      note: "Semaine du goût",
      dishes: [soup, fish],
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
    };
    expect(body).toEqual({ monday, items: [item], closed: expect.any(Array) });
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
      shop.get(`${path}/copy?from=${monday}&to=${addDays(monday, 7)}`),
      shop.post(`${path}/copy`, {
        from: monday,
        to: addDays(monday, 7),
        replace: [],
        fingerprint: "0".repeat(64),
      }),
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
    const undeclaredDish = { ...fish, allergens: null };
    const none = { ...soup, allergens: [] };
    await write(monday, { dishes: [none, undeclaredDish] });
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
    expect((await write(monday, { dishes: [undeclaredDish] })).body.code).toBe("menu_undeclared");
    expect(await seen()).toMatchObject([{ dishes: [{ allergens: [] }] }]);
    expect((await write(monday, { dishes: [undeclaredDish], undeclared: true })).status).toBe(200);
    expect(await seen()).toMatchObject([{ dishes: [{ allergens: null }] }]);
  });

  test("days without allergens wait by name while the others are shown, then are shown when it is said", async () => {
    const undeclaredDish = { ...fish, allergens: null };
    await write(monday, { dishes: [soup] });
    await write(addDays(monday, 1), { dishes: [undeclaredDish] });
    await write(addDays(monday, 2), { dishes: [fish] });
    const publish = { day: monday, published: true };
    const { status, body } = await desk.post(`${path}/publish`, publish);
    expect([status, body.left]).toEqual([200, [expect.stringMatching(/^Lieu \(mardi/)]]);
    expect((await seen()).map(({ day }) => day)).toEqual([monday, addDays(monday, 2)]);
    expect((await desk.post(`${path}/publish`, publish)).body.code).toBe("menu_undeclared");
    await desk.post(`${path}/publish`, { ...publish, undeclared: true });
    expect(await seen()).toHaveLength(3);
    // What families see already is not asked about again.
    await write(addDays(monday, 3), { dishes: [fish] });
    expect((await desk.post(`${path}/publish`, publish)).body.left).toEqual([]);
    expect(await seen()).toHaveLength(4);
  });

  test("refuses a week without a menu, and a week that is past", async () => {
    const publish = (day: string) => desk.post(`${path}/publish`, { day, published: true });
    expect((await publish(monday)).body.code).toBe("menu_none");
    expect((await publish(addDays(monday, -14))).body.code).toBe("menu_past");
  });
});

const previewCopy = (from: string, to: string) => desk.get(`${path}/copy?from=${from}&to=${to}`);
const copy = async (from: string, to: string, replace: string[] = [], more: object = {}) => {
  const { fingerprint } = (await previewCopy(from, to)).body;
  return await desk.post(`${path}/copy`, { from, to, replace, fingerprint, ...more });
};

describe("/api/canteen/menus/copy", () => {
  test("copies weekday by weekday, unpublished", async () => {
    await write(monday);
    await write(addDays(monday, 3), { dishes: [fish] });
    await desk.post(`${path}/publish`, { day: monday, published: true });
    const next = addDays(monday, 7);
    const { body } = await copy(monday, addDays(next, 2));
    expect(body).toMatchObject({
      monday: next,
      items: [
        { day: next, published: false, dishes: [soup, fish] },
        { day: addDays(next, 3), published: false, dishes: [fish] },
      ],
    });
  });

  test("says of each day what is there, published and ordered, and which dishes and allergens change", async () => {
    const next = addDays(monday, 7);
    await write(monday);
    await write(addDays(monday, 1));
    await write(next, {
      note: "Pique-nique",
      dishes: [fish, { ...soup, name: "Velouté", allergens: ["milk"] }],
    });
    await desk.post(`${path}/publish`, { day: next, published: true });
    await placeMeal(server, { registration: made.registrations.child, day: next });
    const { status, body } = await previewCopy(monday, next);
    expect(status).toBe(200);
    expect(body.days).toMatchObject([
      {
        day: next,
        there: "published",
        ordered: 1,
        note: "Pique-nique",
        leaving: ["Velouté"],
        coming: ["Soupe au céleri"],
        newAllergens: ["celery"],
      },
      { day: addDays(next, 1), there: "nothing", ordered: 0, leaving: [] },
    ]);
    expect(await week(next)).toMatchObject([{ note: "Pique-nique", published: true }]);
    await forgetMeals(server);
  });

  test("replaces the days that are named and keeps them published, skips the others, tells whom an allergen concerns", async () => {
    const next = addDays(monday, 7);
    const days = [next, addDays(next, 1), addDays(next, 2)] as const;
    for (const ahead of [0, 1, 2]) await write(addDays(monday, ahead));
    await write(days[0], { dishes: [fish] });
    await write(days[1], { dishes: [fish] });
    await desk.post(`${path}/publish`, { day: next, published: true });
    await write(addDays(next, 4), { dishes: [fish] });
    const personId = (
      await server.deps.pool.query(
        "select person_id as id from canteen_registration where id = $1",
        [made.registrations.child],
      )
    ).rows[0].id;
    const record = { personId, by: personId, allergens: ["celery"] as const, note: "" };
    await inTx(server.deps.db, (tx) => keepHealth(tx, { ...record, at: server.deps.now() }));
    await placeMeal(server, {
      registration: made.registrations.child,
      day: days[0],
      priceCents: 0,
    });
    expect((await copy(monday, next, [days[0]])).status).toBe(200);
    expect(await week(next)).toMatchObject([
      { day: days[0], published: true, dishes: [soup, fish] },
      { day: days[1], published: true, dishes: [fish] },
      { day: days[2], published: false, dishes: [soup, fish] },
      { day: addDays(next, 4), dishes: [fish] },
    ]);
    const { rows } = await server.deps.pool.query(
      "select person_id as id from notification where title = 'Un allergène est au menu'",
    );
    expect(rows).toContainEqual({ id: personId });
    await forgetMeals(server);
  });

  test("a published day is not given a dish without allergens unless it is said; nothing is half done", async () => {
    const next = addDays(monday, 7);
    await write(monday, { dishes: [{ ...fish, allergens: null }] });
    await write(next, { dishes: [fish] });
    await desk.post(`${path}/publish`, { day: next, published: true });
    const refused = await copy(monday, next, [next]);
    expect(refused).toMatchObject({ status: 409, body: { code: "menu_undeclared" } });
    expect(refused.body.message).toContain("Lieu (lundi");
    expect(await week(next)).toMatchObject([{ dishes: [fish] }]);
    expect((await copy(monday, next, [next], { undeclared: true })).status).toBe(200);
    expect(await week(next)).toMatchObject([{ published: true, dishes: [{ allergens: null }] }]);
  });

  test("refuses what is no longer what was shown, an empty week and a week that is past", async () => {
    const next = addDays(monday, 7);
    expect((await previewCopy(monday, next)).body.code).toBe("menu_none");
    await write(monday);
    expect((await previewCopy(monday, addDays(monday, -14))).body.code).toBe("menu_past");
    const { fingerprint } = (await previewCopy(monday, next)).body;
    await write(next, { dishes: [fish] });
    const late = await desk.post(`${path}/copy`, {
      from: monday,
      to: next,
      replace: [],
      fingerprint,
    });
    expect(late).toMatchObject({ status: 409, body: { code: "menu_preview_changed" } });
    expect(await week(next)).toMatchObject([{ dishes: [fish] }]);
  });
});

describe("/api/canteen/menu-templates", () => {
  test("keeps a week by name, lays it on another, and is deleted", async () => {
    await write(addDays(monday, 1));
    const answer = await desk.post(templates, { name: "Semaine 1", day: monday });
    expect(answer.body.items).toMatchObject([{ name: "Semaine 1", days: 1 }]);
    await write(addDays(monday, 2));
    const again = await desk.post(templates, { name: "Semaine 1", day: monday });
    expect(again.body.items).toMatchObject([{ name: "Semaine 1", days: 2 }]);
    const [{ id }] = again.body.items;
    const to = addDays(monday, 14);
    const lay = async (replace: string[] = []) => {
      const { fingerprint } = (await desk.get(`${templates}/${id}/lay?to=${to}`)).body;
      return await desk.post(`${templates}/${id}/lay`, { to, replace, fingerprint });
    };
    const laid = await lay();
    expect(laid.body.items.map(({ day }: { day: string }) => day)).toEqual([
      addDays(to, 1),
      addDays(to, 2),
    ]);
    await write(addDays(to, 1), { dishes: [fish] });
    await desk.post(`${path}/publish`, { day: to, published: true });
    await lay();
    expect(await week(to)).toMatchObject([{ dishes: [fish] }, {}]);
    await lay([addDays(to, 1)]);
    expect(await week(to)).toMatchObject([{ published: true, dishes: [soup, fish] }, {}]);
    expect((await desk.post(`${templates}/${id}/delete`, {})).body).toEqual({ items: [] });
    expect((await desk.get(`${templates}/${id}/lay?to=${to}`)).status).toBe(404);
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
