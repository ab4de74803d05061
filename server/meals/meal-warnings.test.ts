// Meals that are ordered, and then somebody declares what their menu holds: they are looked at again, kept or
// given back.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { addDays, instantOfParis, parisDay } from "#contract/days.ts";
import { workingDaysAfter } from "#contract/working-days.ts";
import { makeCanteen, type MadeCanteen, placeMeal } from "#tests/canteens.ts";
import { cast } from "#tests/cast.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";
import { remindOfWarnedMeals } from "./meal-warnings.ts";

let server: TestServer;
let camille: Client;
let desk: Client;
let made: MadeCanteen;
let day: string;
beforeAll(async () => {
  server = await openTestServer();
  made = await makeCanteen(server);
  camille = await server.as("guardian");
  desk = await server.as("canteenProvider");
});
afterAll(() => server.close());
let used = 5;
beforeEach(async () => {
  await server.deps.pool.query("delete from canteen_menu; delete from notification");
  await camille.post("/api/health-record/withdraw", { cardnumber: leo });
  day = workingDaysAfter(parisDay(server.deps.now()), (used += 1));
});

const leo = cast.child.cardnumber;
const declare = (...allergens: string[]) =>
  camille.post("/api/health-record", { cardnumber: leo, allergens, note: "", consent: true });
const serve = async (allergens: string[] | null, on = day) => {
  const dish = { course: "main", name: "Plat", labels: [], allergens, diets: [], priceCents: null };
  const written = { day: on, note: "", dishes: [dish], undeclared: true };
  expect((await desk.post("/api/canteen/menus", written)).status).toBe(200);
  const publish = { day: on, published: true, undeclared: true };
  expect((await desk.post("/api/canteen/menus/publish", publish)).status).toBe(200);
};
const order = (on = day) =>
  placeMeal(server, { registration: made.registrations.child, day: on, priceCents: 100 });
const orderOf = async (id: string) => {
  const { body } = await camille.get(`/api/canteen/orders?when=coming&cardnumber=${leo}`);
  return body.items.find((one: { id: string }) => one.id === id);
};
const toDos = async () => {
  const { body } = await camille.get(`/api/home?cardnumber=${cast.guardian.cardnumber}`);
  return body.toDos.filter(({ kind }: { kind: string }) => kind === "meal_warned");
};
const notices = async () =>
  (
    await server.deps.pool.query(
      "select title, body, path from notification where title = 'Des repas commandés sont à revoir'",
    )
  ).rows;

test("declared after the order, an allergen of the menu makes the meal wait to be kept or given back", async () => {
  await serve(["peanuts"]);
  const other = addDays(day, 7);
  await serve(["milk"], other);
  const [meal, calm] = [await order(), await order(other)];
  expect(await orderOf(meal)).toMatchObject({ warning: null, toReview: false });
  expect((await declare("peanuts")).status).toBe(200);
  const warning = { allergens: ["peanuts"], undeclared: false };
  expect(await orderOf(meal)).toMatchObject({ warning, toReview: true });
  expect(await orderOf(calm)).toMatchObject({ warning: null, toReview: false });
  expect(await toDos()).toMatchObject([
    { id: meal, path: `/commande/cantine/suivi?annuler=${meal}` },
  ]);
  const sentNotices = await notices();
  expect(sentNotices.length).toBeGreaterThan(0);
  expect(JSON.stringify(sentNotices)).not.toMatch(/peanut|arachide/i);
  const answer = await camille.post("/api/canteen/orders/keep", { orders: [meal] });
  expect(answer.status, answer.text).toBe(200);
  expect(await orderOf(meal)).toMatchObject({ warning, toReview: false });
  expect(await toDos()).toEqual([]);
  // Said again as it was, it asks nothing again.
  await declare("peanuts");
  expect(await orderOf(meal)).toMatchObject({ toReview: false });
  const trail = await server.deps.pool.query(
    "select details from audit where action = 'meal.allergens_confirmed'",
  );
  expect(trail.rows).toMatchObject([{ details: { day } }]);
});

test("a dish whose allergens are not declared is looked at once anything is declared", async () => {
  await serve(null);
  const meal = await order();
  expect(await orderOf(meal)).toMatchObject({ warning: null, toReview: false });
  await declare("milk");
  expect(await orderOf(meal)).toMatchObject({
    warning: { allergens: [], undeclared: true },
    toReview: true,
  });
  await camille.post("/api/health-record/withdraw", { cardnumber: leo });
  expect(await orderOf(meal)).toMatchObject({ warning: null, toReview: false });
  expect(await toDos()).toEqual([]);
});

test("the menu that changes costs the family nothing past the deadline; what they declare themselves does", async () => {
  await serve(["gluten"]);
  await declare("milk");
  const meal = await order();
  const full = (await orderOf(meal)).cancelCostCents;
  expect(full).toBe(100);
  await serve(["gluten", "milk"]);
  const changed = await orderOf(meal);
  expect(changed).toMatchObject({ cancelCostCents: 0, toReview: true });
  await serve(["gluten"]);
  await declare("milk", "gluten");
  const second = addDays(day, 7);
  await serve(["gluten"], second);
  const own = await order(second);
  await declare("milk");
  await declare("milk", "gluten");
  expect(await orderOf(own)).toMatchObject({ cancelCostCents: 100, toReview: true });
});

test("another family neither keeps nor sees it; a meal that is over is not kept", async () => {
  await serve(["peanuts"]);
  const meal = await order();
  await declare("peanuts");
  const stranger = await server.as("stranger");
  const refused = await stranger.post("/api/canteen/orders/keep", { orders: [meal] });
  expect(refused).toMatchObject({ status: 404, body: { code: "not_found" } });
  expect(await orderOf(meal)).toMatchObject({ toReview: true });
  await camille.post("/api/canteen/orders/cancel", { orders: [meal], costCents: 100 });
  const late = await camille.post("/api/canteen/orders/keep", { orders: [meal] });
  expect(late).toMatchObject({ status: 409, body: { code: "meal_state" } });
});

test("the day before, a meal that nobody has kept is told once more, outside the portal too", async () => {
  await serve(["peanuts"]);
  const next = addDays(day, 7);
  await serve(["peanuts"], next);
  const [waiting, confirmedId] = [await order(), await order(next)];
  await declare("peanuts");
  await camille.post("/api/canteen/orders/keep", { orders: [confirmedId] });
  const evening = async (before: string) => {
    server.clock.advance(
      instantOfParis(addDays(before, -1), "18:10").getTime() - server.clock.now().getTime(),
    );
    server.outbox.length = 0;
    return await remindOfWarnedMeals(server.deps);
  };
  expect(await evening(addDays(day, -1))).toBe(0);
  expect(await evening(day)).toBe(1);
  const { rows } = await server.deps.pool.query<{ path: string; body: string }>(
    "select path, body from notification where title like 'Demain à la cantine%'",
  );
  expect(rows[0]?.path).toBe(`/commande/cantine/suivi?annuler=${waiting}`);
  expect(JSON.stringify(rows)).not.toMatch(/peanut|arachide/i);
  expect(server.outbox.length).toBeGreaterThan(0);
  expect(await remindOfWarnedMeals(server.deps)).toBe(0);
  expect(await evening(next)).toBe(0);
});
