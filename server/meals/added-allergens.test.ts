// A published menu gets an allergen: who is told, with the cost of cancelling, and who is not.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { parisDay } from "#contract/days.ts";
import { workingDaysAfter } from "#contract/working-days.ts";
import { keepHealth } from "#server/allergies/allergies.ts";
import { inTx } from "#server/db/db.ts";
import { cast, type CastName } from "#tests/cast.ts";
import { makeCanteen, type MadeCanteen, placeMeal } from "#tests/canteens.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";

let server: TestServer;
let desk: Client;
let made: MadeCanteen;
let day: string;
let used = 3;
beforeAll(async () => {
  server = await openTestServer();
  made = await makeCanteen(server, { kind: "staff", classes: [] });
  desk = await server.as("canteenProvider");
  const personId = await personOf("child");
  const record = { personId, by: personId, allergens: ["peanuts", "milk"] as const, note: "" };
  await inTx(server.deps.db, (tx) => keepHealth(tx, { ...record, at: server.deps.now() }));
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.deps.pool.query("delete from canteen_menu; delete from notification");
  server.outbox.length = 0;
  day = workingDaysAfter(parisDay(server.deps.now()), (used += 1));
});

const personOf = async (name: CastName): Promise<number> =>
  (
    await server.deps.pool.query("select person_id as id from card where number = $1", [
      cast[name].cardnumber,
    ])
  ).rows[0].id;
const write = async (...allergens: string[]) => {
  const dish = { course: "main", name: "Plat", labels: [], allergens, diets: [], priceCents: null };
  const answer = await desk.post("/api/canteen/menus", { day, note: "", dishes: [dish] });
  expect(answer.status, answer.text).toBe(200);
};
const publish = (published: boolean) => desk.post("/api/canteen/menus/publish", { day, published });
const order = (registration = made.registrations.child) =>
  placeMeal(server, { registration, day, priceCents: 100 });
const readNotices = async () =>
  (
    await server.deps.pool.query(
      `select p.name, n.body, n.path from notification n join person p on p.id = n.person_id
       where n.title = 'Un allergène est au menu' order by p.name`,
    )
  ).rows as { name: string; body: string; path: string }[];
const names = async () => (await readNotices()).map(({ name }) => name);
const family = [cast.guardian.name, cast.child.name, cast.coGuardian.name].toSorted();

test("the allergic child that ordered and its guardians are told once; nobody else, and nothing is named", async () => {
  await write("gluten");
  await publish(true);
  const id = await order();
  await order(made.registrations.secondChild);
  await server.deps.pool.query("update meal_order set cancel_until = $1 where id = $2", [
    new Date(server.deps.now().getTime() + 3_600_000),
    id,
  ]);
  await write("gluten", "peanuts");
  expect(await names()).toEqual(family);
  const [first] = await readNotices();
  expect(first?.body).toContain("Vous pouvez annuler ce repas sans frais jusqu’au");
  expect(first?.path).toBe(`/commande/cantine/suivi?annuler=${id}`);
  expect(JSON.stringify([await readNotices(), server.outbox])).not.toMatch(/peanut|arachide/i);
  expect(server.outbox.some(({ subject }) => subject === "Un allergène est au menu")).toBe(true);
  await write("peanuts");
  expect(await names()).toEqual(family);
  await write("peanuts", "milk");
  expect(await readNotices()).toHaveLength(2 * family.length);
});

test("a menu published once meals are ordered tells too; a draft and an allergen that goes tell nothing", async () => {
  await order();
  await write("peanuts");
  expect(await readNotices()).toEqual([]);
  await publish(true);
  expect(await names()).toEqual(family);
  await write("gluten");
  expect(await readNotices()).toHaveLength(family.length);
});

test("past its deadline it costs nothing either; without an order, or once it is cancelled, nobody is told", async () => {
  await write("gluten");
  await publish(true);
  await write("peanuts");
  expect(await readNotices()).toEqual([]);
  await write("gluten");
  const id = await order();
  await write("milk");
  const [first] = await readNotices();
  expect(first?.body).toContain("Vous pouvez annuler ce repas sans frais jusqu’au");
  await server.deps.pool.query("delete from notification");
  await write("gluten");
  const camille = await server.as("guardian");
  const cancelled = await camille.post("/api/canteen/orders/cancel", {
    orders: [id],
    costCents: 0,
  });
  expect(cancelled, cancelled.text).toMatchObject({ status: 200, body: { costCents: 0 } });
  await write("milk");
  expect(await readNotices()).toEqual([]);
});

test("a dish that no longer says what it holds tells as an allergen does, without saying that it has any", async () => {
  await write("gluten");
  await publish(true);
  await order();
  await order(made.registrations.secondChild);
  const dish = { course: "main", name: "Plat", labels: [], diets: [], priceCents: null };
  const dishes = [{ ...dish, allergens: null }];
  const answer = await desk.post("/api/canteen/menus", { day, note: "", dishes, undeclared: true });
  expect(answer.status, answer.text).toBe(200);
  expect(await readNotices()).toEqual([]);
  const { rows } = await server.deps.pool.query<{ name: string; body: string }>(
    `select p.name, n.body from notification n join person p on p.id = n.person_id
     where n.title = 'Des allergènes ne sont pas renseignés' order by p.name`,
  );
  expect(rows.map(({ name }) => name)).toEqual(family);
  expect(rows[0]?.body).toContain("les allergènes d’un plat n’y sont pas renseignés");
});

test("menus imported over published ones tell as well, once they are published", async () => {
  await write("gluten");
  await publish(true);
  await order();
  const file = Buffer.from(
    `menuDate;menuRepasType;menuPlatType;menuPlatNom;menuPlatAllergene\n${day};déjeuner;entrée;Soupe;lait\n`,
  );
  const path = "/api/canteen/menus/import";
  const binary = { "content-type": "application/octet-stream" };
  const { body } = await desk.post(`${path}/preview?prices=false`, file, binary);
  const query = `prices=false&publish=true&fingerprint=${body.fingerprint}`;
  expect((await desk.post(`${path}?${query}`, file, binary)).status).toBe(200);
  expect(await names()).toEqual(family);
});

test("who eats another dish for a diet is told of its allergens, not of those of what it replaces", async () => {
  const diet = (value: string) =>
    server.deps.pool.query("update canteen_registration set diet = $2 where id = $1", [
      made.registrations.child,
      value,
    ]);
  const main = { course: "main", name: "Plat", labels: [], diets: [], priceCents: null };
  const writeBoth = async (ordinary: string[], forDiet: string[]) => {
    const dishes = [
      { ...main, allergens: ordinary },
      { ...main, name: "Omelette", diets: ["no_pork"], allergens: forDiet },
    ];
    const answer = await desk.post("/api/canteen/menus", { day, note: "", dishes });
    expect(answer.status, answer.text).toBe(200);
  };
  await diet("no_pork");
  await writeBoth(["gluten"], []);
  await publish(true);
  await order();
  await writeBoth(["peanuts"], []);
  expect(await readNotices()).toEqual([]);
  await writeBoth(["peanuts"], ["peanuts"]);
  expect(await names()).toEqual(family);
  await diet("standard");
});
