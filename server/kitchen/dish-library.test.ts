// The library of dishes: those of a provider's own menus, with what was declared of their allergens.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { addDays, startOfWeek, todayInParis } from "#contract/days.ts";
import { dishLibrary as bounds } from "#contract/kitchen/limits.ts";
import { makeCanteen, type MadeCanteen } from "#tests/canteens.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";

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
  await server.deps.pool.query("delete from canteen_menu");
});

const path = "/api/canteen/dishes";
const gratin = {
  course: "main",
  name: "Gratin de courge",
  labels: ["organic"],
  allergens: ["milk"],
  diets: [],
  priceCents: null as number | null,
};
type Written = Omit<typeof gratin, "allergens"> & { allergens: string[] | null };
const write = async (ahead: number, ...dishes: Partial<Written>[]) => {
  const day = addDays(monday, ahead);
  const answer = await desk.post("/api/canteen/menus", {
    day,
    note: "",
    dishes: dishes.map((dish) => ({ ...gratin, ...dish })),
  });
  expect(answer.status).toBe(200);
  return day;
};
const library = async (q = "") =>
  (await desk.get(`${path}?q=${encodeURIComponent(q)}`)).body as unknown as {
    items: { name: string; times: number; declarations: { allergens: string[] }[] }[];
    more: boolean;
  };
const names = async (q = "") => (await library(q)).items.map(({ name }) => name);

describe("GET /api/canteen/dishes", () => {
  test("knows a dish once, as it was last written, with its allergens and how often it was served", async () => {
    await write(0, {}, { name: "Riz", allergens: [] });
    const last = await write(1, { name: "gratin  de COURGE", labels: ["local"], priceCents: 250 });
    const { items, more } = await library();
    expect(more).toBe(false);
    expect(items).toEqual([
      {
        name: "gratin  de COURGE",
        course: "main",
        labels: ["local"],
        priceCents: 250,
        times: 2,
        lastDay: last,
        declarations: [{ allergens: ["milk"], lastDay: last }],
      },
      {
        name: "Riz",
        course: "main",
        labels: ["organic"],
        priceCents: null,
        times: 1,
        lastDay: monday,
        // « Aucun » was declared: an empty list, never the absence of a declaration.
        declarations: [{ allergens: [], lastDay: monday }],
      },
    ]);
  });

  test("says each declaration where they differ, the latest first, and none where nobody declared", async () => {
    await write(0, { allergens: ["milk", "eggs"] }, { name: "Daube", allergens: null });
    await write(1, { allergens: ["eggs", "milk"] });
    await write(2, { allergens: ["milk"] });
    await write(3, { allergens: null });
    const { items } = await library();
    expect(items).toMatchObject([
      {
        name: "Gratin de courge",
        times: 4,
        lastDay: addDays(monday, 3),
        declarations: [
          { allergens: ["milk"], lastDay: addDays(monday, 2) },
          { allergens: ["eggs", "milk"], lastDay: addDays(monday, 1) },
        ],
      },
      { name: "Daube", declarations: [] },
    ]);
  });

  test("finds the words typed without minding accents, capitals or their order", async () => {
    await write(0, {}, { name: "Bœuf aux carottes" }, { name: "Crème de céleri" });
    expect(await names("CELERI creme")).toEqual(["Crème de céleri"]);
    expect(await names("boeuf")).toEqual(["Bœuf aux carottes"]);
    expect(await names("céleri carottes")).toEqual([]);
    // As dishSpelling has it, with the apostrophe of a keyboard.
    await write(1, { name: "Soupe à l’oseille" });
    expect(await names("l'oseille")).toEqual(["Soupe à l’oseille"]);
    await write(1);
    expect(await names("%")).toEqual([]);
    expect(await names("  ")).toHaveLength(3);
  });

  test("knows the dishes of one's own provider alone, and is nobody else's", async () => {
    await write(0, {});
    const { pool } = server.deps;
    await pool.query(
      `insert into partner (reference, company_id, name, category_id, summary, description, keywords,
         street, postcode, town, lat, lon)
       select 'autre-essai', null, 'Autre table', category_id, summary, description, '', street, postcode, town,
         lat, lon from partner where reference = 'cantine-essai' on conflict (reference) do nothing`,
    );
    await pool.query(
      `with place as (insert into acceptance_group (name, slug, rule) values ('Autre', 'autre-essai', '')
         returning id),
       other as (insert into canteen_provider (partner_id, group_id)
         select partner.id, place.id from partner, place where reference = 'autre-essai' returning id),
       menu as (insert into canteen_menu (provider_id, on_day) select id, $1 from other returning id)
       insert into canteen_dish (menu_id, place, course, name) select id, 0, 'main', 'Plat des autres' from menu`,
      [monday],
    );
    expect(await names()).toEqual(["Gratin de courge"]);
    expect(await names("autres")).toEqual([]);
    const shop = await server.as("partnerShop");
    expect(await shop.get(path)).toMatchObject({ status: 404 });
    const holder = await server.as("guardian");
    expect(await holder.get(path)).toMatchObject({ status: 403 });
  });

  test("reads so many menus back and answers so many dishes, and says that there are more", async () => {
    await server.deps.pool.query(
      `with menu as (insert into canteen_menu (provider_id, on_day)
         select $1, $2::date - ahead from generate_series(0, $3::int) ahead returning id, on_day)
       insert into canteen_dish (menu_id, place, course, name)
       select id, 0, 'main', 'Plat du ' || on_day from menu`,
      [made.providerId, monday, bounds.menus],
    );
    const { items, more } = await library();
    expect([items.length, more]).toEqual([bounds.items, true]);
    expect(items[0]).toMatchObject({ name: `Plat du ${monday}` });
    expect(await names(addDays(monday, 1 - bounds.menus))).toHaveLength(1);
    expect(await names(addDays(monday, -bounds.menus))).toEqual([]);
    expect((await desk.get(`${path}?q=${"x".repeat(161)}`)).status).toBe(400);
  });
});

test("a week says on which of its days no canteen serves, and why", async () => {
  const read = async () => (await desk.get(`/api/canteen/menus?day=${monday}`)).body["closed"];
  const before = (await read()) as unknown as { day: string; why: string }[];
  expect(before).toEqual(
    expect.arrayContaining([
      { day: addDays(monday, 5), why: expect.any(String) },
      { day: addDays(monday, 6), why: expect.any(String) },
    ]),
  );
  await server.deps.pool.query(
    `insert into canteen_closing (canteen_id, from_on, to_on, reason, created_at)
     values ($1, $2, $2, 'Grève', now())`,
    [made.id, addDays(monday, 2)],
  );
  expect(await read()).toContainEqual({ day: addDays(monday, 2), why: expect.any(String) });
});
