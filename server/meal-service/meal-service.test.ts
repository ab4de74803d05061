// Transitions of an ordered meal, with its money, its seat and its notices.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { parisDay } from "#contract/days.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import { cast } from "#tests/cast.ts";
import {
  closeSound,
  forgetMeals,
  type MadeCanteen,
  openCanteenServer,
  placeMeal,
} from "#tests/canteens.ts";
import type { Client, TestServer } from "#tests/test-server.ts";
import { refuseMeal, serveMeal, unserveMeal, validateMeal } from "./meal-service.ts";
import { lockMeals, type MealOrder } from "#server/meals/ordered-meals.ts";

let server: TestServer;
let camille: Client;
let canteen: MadeCanteen;
beforeAll(async () => {
  ({ server, canteen, camille } = await openCanteenServer());
});
afterAll(() => closeSound(server));
beforeEach(async () => {
  await forgetMeals(server);
  server.outbox.length = 0;
});

const place = (priceCents?: number) =>
  placeMeal(server, {
    registration: canteen.registrations.child,
    day: parisDay(server.clock.now()),
    ...(priceCents !== undefined && { priceCents }),
  });
const act = (id: string, work: (tx: Tx, order: MealOrder) => Promise<unknown>) =>
  inTx(server.deps.db, async (tx) => {
    const [order] = await lockMeals(tx, [id]);
    return await work(tx, order as MealOrder);
  });
const at = () => ({ at: server.clock.now() });
const serve = (id: string) => act(id, (tx, order) => serveMeal(tx, server.deps, order, at()));
const unserve = (id: string) => act(id, (tx, order) => unserveMeal(tx, order, at()));
const validate = (id: string) => act(id, (tx, order) => validateMeal(tx, order, at()));
const refuse = (id: string, reason = "Grève du personnel") =>
  act(id, (tx, order) => refuseMeal(tx, server.deps, order, { reason, ...at() }));
const wallet = async () => {
  const { body } = await camille.get(`/api/wallets?cardnumber=${cast.child.cardnumber}`);
  const { balanceCents, heldCents } = body.items.find((one: { main: boolean }) => one.main);
  return { balanceCents, heldCents };
};
const stored = async (id: string) =>
  (await server.deps.pool.query("select * from meal_order where id = $1", [id])).rows[0];
const taken = async () =>
  (await server.deps.pool.query("select taken from canteen_day")).rows[0]?.taken;

test("served: what was held is spent, once", async () => {
  const before = await wallet();
  const id = await place();
  const held = await wallet();
  expect(held.heldCents).toBe(before.heldCents + 345);
  await serve(id);
  expect(await stored(id)).toMatchObject({ state: "served", charged_cents: 345 });
  const after = await wallet();
  expect(after.heldCents).toBe(before.heldCents);
  await expect(serve(id)).rejects.toMatchObject({ code: "meal_state" });
  expect(await wallet()).toEqual(after);
  const { rows } = await server.deps.pool.query(
    `select sum(t.amount)::int as cents from transfer t join scheme_account s
       on s.account_id = t.credit_account where s.name = 'meals' and t.key like 'meal-served:%'`,
  );
  expect(rows[0].cents).toBe(345);
});

test("undone within five minutes: held again, and can be served again; later it is refused", async () => {
  const id = await place();
  const held = await wallet();
  await validate(id);
  await serve(id);
  server.clock.advance(5 * 60_000);
  await unserve(id);
  expect(await stored(id)).toMatchObject({
    state: "validated",
    served_at: null,
    charged_cents: null,
  });
  expect(await wallet()).toEqual(held);
  await serve(id);
  const spent = await wallet();
  server.clock.advance(5 * 60_000 + 1);
  await expect(unserve(id)).rejects.toMatchObject({ code: "meal_undo_late" });
  expect(await stored(id)).toMatchObject({ state: "served", charged_cents: 345 });
  expect(await wallet()).toEqual(spent);
});

test("a serving that was undone spends nothing when the order is refused after", async () => {
  const before = await wallet();
  const id = await place();
  await serve(id);
  await unserve(id);
  expect((await stored(id)).state).toBe("reserved");
  await refuse(id);
  expect(await wallet()).toEqual(before);
});

test("a free meal is served and undone without any money", async () => {
  const before = await wallet();
  const id = await place(0);
  await serve(id);
  expect(await stored(id)).toMatchObject({ state: "served", charged_cents: 0 });
  await unserve(id);
  expect(await stored(id)).toMatchObject({ state: "reserved", charged_cents: null });
  expect(await wallet()).toEqual(before);
});

test("refused: the money and the seat are free again, the family is told why, outside the portal too", async () => {
  const before = await wallet();
  const id = await place();
  expect(await taken()).toBe(1);
  await refuse(id);
  expect(await stored(id)).toMatchObject({
    state: "refused",
    end_reason: "Grève du personnel",
    charged_cents: 0,
  });
  expect(await wallet()).toEqual(before);
  expect(await taken()).toBe(0);
  const { items } = (await camille.get("/api/notifications")).body;
  expect(items[0]).toMatchObject({ title: "Repas refusé", path: "/commande/cantine/suivi" });
  expect(items[0].body).toContain("de Léo");
  expect(items[0].body).toContain("Grève du personnel");
  expect(server.outbox.map(({ address }) => address)).toContain(cast.guardian.email);
  for (const again of [refuse, serve, validate, unserve]) {
    await expect(again(id)).rejects.toMatchObject({ code: "meal_state" });
  }
  expect(await taken()).toBe(0);
});

test.each([
  { reason: "Grève du personnel", read: "Grève du personnel. Rien" },
  { reason: "Grève du personnel. ", read: "Grève du personnel. Rien" },
  { reason: "Plus de gaz !", read: "Plus de gaz ! Rien" },
])("refused for « $reason »: one stop before the next sentence", async ({ reason, read }) => {
  await refuse(await place(), reason);
  const { items } = (await camille.get("/api/notifications")).body;
  expect(items[0].body).toContain(`pour ce motif\u202f: ${read} n’est dépensé.`);
});

test("refused for a child whose name begins with a vowel: « d’Inès »", async () => {
  const name = (value: string) =>
    server.deps.pool.query(
      "update person set name = $1 where id = (select person_id from card where number = $2)",
      [value, cast.child.cardnumber],
    );
  await name("Inès Moreau");
  await refuse(await place());
  const { items } = (await camille.get("/api/notifications")).body;
  expect(items[0].body).toContain("le repas d’Inès,");
  await name(cast.child.name);
});

test("served after the day was closed as absent: only what the absence left is spent, and no undo", async () => {
  const id = await place();
  await server.deps.pool.query(
    `update meal_order set state = 'absent', ended_at = now(), charged_cents = 145,
       hold_ids = '{}' where id = $1`,
    [id],
  );
  const before = await wallet();
  await serve(id);
  expect(await stored(id)).toMatchObject({ state: "served", charged_cents: 345 });
  expect((await wallet()).balanceCents).toBe(before.balanceCents - 200);
  const [notice] = (await camille.get("/api/notifications")).body.items;
  expect(notice).toMatchObject({ title: "Repas servi, et non absence" });
  expect(notice.body).toMatch(/de Léo.*2,00\s€ de plus sont dépensés/);
  await expect(unserve(id)).rejects.toMatchObject({ code: "meal_state" });
});
