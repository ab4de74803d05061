// Two cooks who write the menu of a day at once: nobody's dishes and allergens are replaced unread.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { addDays, startOfWeek, todayInParis } from "#contract/days.ts";
import { makeCanteen, type MadeCanteen } from "#tests/canteens.ts";
import { holdRows } from "#tests/row-locks.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";

let server: TestServer;
let made: MadeCanteen;
let desk: Client;
let colleague: Client;
let monday: string;
beforeAll(async () => {
  server = await openTestServer();
  made = await makeCanteen(server);
  desk = await server.as("canteenProvider");
  colleague = await server.as("canteenProvider");
  monday = addDays(startOfWeek(todayInParis(server.clock.now())), 7);
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.deps.pool.query("delete from canteen_menu");
});

const path = "/api/canteen/menus";
const fish = {
  course: "main",
  name: "Lieu",
  labels: ["msc"],
  allergens: ["fish"],
  diets: [],
  priceCents: null,
};
const sauced = { ...fish, allergens: ["fish", "milk"] };
const soup = { ...fish, course: "starter", name: "Soupe", labels: [], allergens: ["celery"] };
const write = (client: Client, dishes: object[], more: object = {}) =>
  client.post(path, { day: monday, note: "", dishes, ...more });
const week = async () => (await desk.get(`${path}?day=${monday}`)).body.items;
const fingerprint = async (): Promise<string | null> => (await week())[0]?.fingerprint ?? null;
const holdMenus = () =>
  holdRows(server, "select from canteen_provider where id = $1 for no key update", [
    made.providerId,
  ]);
const changed = { status: 409, body: { code: "menu_changed" } };

test("of two cooks who read the same menu the second is refused and changes nothing, then saves what was read", async () => {
  await write(desk, [fish]);
  await desk.post(`${path}/publish`, { day: monday, published: true });
  const read = await fingerprint();
  expect((await write(colleague, [sauced], { fingerprint: read })).status).toBe(200);
  const before = await week();
  const note = "Semaine du goût";
  const refused = await write(desk, [soup, fish], { note, fingerprint: read });
  expect(refused).toMatchObject(changed);
  expect(refused.body.message).toContain("Un collègue a modifié ce menu entre-temps");
  expect(await write(desk, [], { fingerprint: read })).toMatchObject(changed);
  expect(await week()).toEqual(before);
  const again = await write(desk, [soup, sauced], { note, fingerprint: await fingerprint() });
  expect(again.status).toBe(200);
  expect(await week()).toMatchObject([{ published: true, note, dishes: [soup, sauced] }]);
});

test("a day that had no menu is refused once it has one, and one whose menu is gone; the note counts too", async () => {
  expect((await write(colleague, [sauced], { fingerprint: null })).status).toBe(200);
  expect(await write(desk, [fish], { fingerprint: null })).toMatchObject(changed);
  expect(await week()).toMatchObject([{ dishes: [sauced] }]);
  const read = await fingerprint();
  await write(colleague, [sauced], { note: "Sans lait sur demande" });
  expect(await write(desk, [fish], { fingerprint: read })).toMatchObject(changed);
  const noted = await fingerprint();
  expect((await write(colleague, [], { fingerprint: noted })).status).toBe(200);
  expect(await write(desk, [fish], { fingerprint: noted })).toMatchObject(changed);
  expect(await week()).toEqual([]);
  expect((await write(desk, [fish], { fingerprint: null })).status).toBe(200);
  expect(await week()).toMatchObject([{ dishes: [fish] }]);
});

test("what is there already is saved once more; publishing is no other menu", async () => {
  await write(desk, [fish]);
  const read = await fingerprint();
  // The answer to the first of these was lost.
  const typed = { note: " Froid ", fingerprint: read };
  for (let time = 0; time < 2; time++) {
    const answer = await write(desk, [{ ...sauced, name: " Lieu " }], typed);
    expect(answer.status).toBe(200);
  }
  const written = await fingerprint();
  await desk.post(`${path}/publish`, { day: monday, published: true });
  expect(await fingerprint()).toBe(written);
  for (let time = 0; time < 2; time++)
    expect((await write(desk, [], { fingerprint: written })).status).toBe(200);
  expect(await week()).toEqual([]);
});

test("a screen that sends no fingerprint replaces what is there; one that is none is no input", async () => {
  await write(desk, [fish]);
  expect((await write(desk, [soup])).status).toBe(200);
  const wrong = await write(desk, [fish], { fingerprint: "abc" });
  expect(wrong).toMatchObject({ status: 400, body: { code: "invalid_input" } });
  expect(await week()).toMatchObject([{ dishes: [soup] }]);
});

test("saves that come at the same moment wait for each other: one is written, the other refused", async () => {
  await write(desk, [fish]);
  const read = await fingerprint();
  const held = await holdMenus();
  const saves = [
    write(desk, [soup], { fingerprint: read }),
    write(colleague, [sauced], { fingerprint: read }),
  ];
  for (const save of saves) expect(await held.isAwaitedBy(save)).toBe(true);
  await held.release();
  const answers = await Promise.all(saves);
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    200, 409,
  ]);
  const saved = answers[0]?.status === 200 ? soup : sauced;
  expect(await week()).toMatchObject([{ dishes: [saved] }]);
});

test("a week is published as a colleague leaves it at that moment: what is undeclared by then is not shown", async () => {
  await write(desk, [fish]);
  const held = await holdMenus();
  const publish = desk.post(`${path}/publish`, { day: monday, published: true });
  expect(await held.isAwaitedBy(publish)).toBe(true);
  await held.query(
    `update canteen_dish set allergens = null
     where menu_id in (select id from canteen_menu where provider_id = $1)`,
    [made.providerId],
  );
  await held.release();
  expect(await publish).toMatchObject({ status: 409, body: { code: "menu_undeclared" } });
  expect(await week()).toMatchObject([{ published: false, dishes: [{ allergens: null }] }]);
});
