// What a provider is owed for meals: every way a meal can end, to the cent, against the ledger.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Scan } from "#contract/meal-service/counter.ts";
import { addDays, firstOfMonth, instantOfParis, parisDay } from "#contract/days.ts";
import { nextWorkingDay } from "#contract/working-days.ts";
import { inTx } from "#server/db/db.ts";
import { reverse, verify } from "#server/ledger/ledger.ts";
import { grant, openWallet } from "#server/wallet/wallet.ts";
import { cast } from "#tests/cast.ts";
import { makeCanteen, type MadeCanteen, placeMeal } from "#tests/canteens.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";
import { closePastMeals } from "./day-end.ts";
import { serveMeal } from "./meal-service.ts";
import { lockMeals, type MealOrder } from "#server/meals/ordered-meals.ts";
import { proveMealDues } from "./statement.ts";

let server: TestServer;
let desk: Client;
let camille: Client;
let made: MadeCanteen;
beforeAll(async () => {
  server = await openTestServer();
  server.clock.freeze();
  const now = server.clock.now();
  // A working day in the middle of a month, so that the days around it are of the same one.
  const middle = nextWorkingDay(addDays(firstOfMonth(parisDay(now), 1), 13));
  server.clock.advance(instantOfParis(middle, "12:00").getTime() - now.getTime());
  made = await makeCanteen(server, { kind: "staff" });
  [desk, camille] = await Promise.all([server.as("canteenProvider"), server.as("guardian")]);
});
afterAll(async () => {
  expect((await verify(server.deps.db)).checks.filter((check) => !check.ok)).toEqual([]);
  await server.close();
});
const before = { balance: 0 };
beforeEach(async () => {
  await server.deps.pool.query(
    "delete from meal_scan; delete from meal_order; delete from canteen_day; delete from limiter",
  );
  before.balance = await mealsBalance();
});

const today = () => parisDay(server.clock.now());
const month = () => today().slice(0, 7);
const mealsBalance = async (): Promise<number> => {
  const { rows } = await server.deps.pool.query(
    `select balance::int from ledger_account a join scheme_account s on s.account_id = a.id
     where s.name = 'meals'`,
  );
  return rows[0].balance;
};
const place = (ago: number, more: { registration?: string; priceCents?: number } = {}) =>
  placeMeal(server, {
    registration: made.registrations.child,
    day: addDays(today(), -ago),
    ...more,
  });
const act = (what: string, orders: string[], more = {}) =>
  desk.post(`/api/canteen/own/${made.id}/meals/${what}`, { orders, ...more });
const statement = async (more = "") =>
  (await desk.get(`/api/canteen/statement?month=${month()}${more}`)).body;
const set = (id: string, assignments: string) =>
  server.deps.pool.query(`update meal_order set ${assignments} where id = $1`, [id]);
const scan = async (more: Partial<Scan>) => {
  const base = { id: randomUUID(), day: today(), at: server.clock.now().toISOString() };
  const sent: Scan = { ...base, verdict: "no_order", ...more };
  const answer = await desk.post(`/api/canteen/${made.id}/scans`, { scans: [sent] });
  expect(answer.body.items[0].conflict, answer.text).toBeNull();
  return sent;
};
const transferOf = async (orderId: string): Promise<number> => {
  const { rows } = await server.deps.pool.query("select id from transfer where key like $1", [
    `meal-%:${orderId}%`,
  ]);
  return rows[0].id;
};
/** The statement agrees with the orders, the account of meals, and its own days. */
async function requireBalanced() {
  const view = await statement();
  expect(view.differenceCents).toBe(0);
  expect(view.cents).toBe((await mealsBalance()) - before.balance);
  const sum = (dues: { cents: number }[]) => dues.reduce((all, { cents }) => all + cents, 0);
  expect(sum(view.totals)).toBe(view.cents);
  expect(sum(view.days)).toBe(view.cents);
  return view;
}
const totals = (view: { totals: { kind: string; meals: number; cents: number }[] }) =>
  Object.fromEntries(view.totals.map(({ kind, meals, cents }) => [kind, [meals, cents]]));

test("GET /api/canteen/statement: each way a meal ends, to the cent of the ledger", async () => {
  expect((await act("serve", [await place(0), await place(1)])).status).toBe(200);
  const absent = await place(2);
  await set(absent, "absence_percent = 50");
  const free = await place(3);
  await set(free, "absence_percent = 0");
  await place(4, { priceCents: 0, registration: made.registrations.secondChild });
  const [inTime, late] = [await place(-1), await place(-2)];
  await set(inTime, `cancel_until = '${addDays(today(), 1)}'`);
  await set(late, "late_cancel_percent = 40");
  for (const [id, costCents] of [
    [inTime, 0],
    [late, 138],
  ]) {
    const input = { orders: [id], costCents };
    expect((await camille.post("/api/canteen/orders/cancel", input)).status).toBe(200);
  }
  const refused = await place(-3);
  expect((await act("refuse", [refused], { reason: "Panne" })).status).toBe(200);
  await place(-4);
  await closePastMeals(server.deps);
  const view = await requireBalanced();
  expect(totals(view)).toEqual({
    served: [2, 690],
    // One at 50 % (172,5 rounded up), one and a free meal for nothing.
    absent: [3, 173],
    late_cancellation: [1, 138],
  });
  expect(view).toMatchObject({ open: { meals: 1, cents: 345 }, cash: { meals: 0, cents: 0 } });
  expect(view.days.map(({ day }: { day: string }) => day)).toEqual(
    [-4, -3, -2, -1, 0, 2].map((ahead) => addDays(today(), ahead)),
  );
});

test("walk-ins: the wallet's aid is told apart, cash is the provider's already, an undone one is nothing", async () => {
  const { db, now } = server.deps;
  await inTx(db, async (tx) => {
    const { rows } = await server.deps.pool.query(
      "select person_id as id from card where number = $1",
      [cast.child.cardnumber],
    );
    const wallet = await openWallet(tx, { personId: rows[0].id, groupId: made.groupId });
    const label = "Aide à la restauration";
    const aid = { walletId: wallet.id, amountCents: 200, label, expiresOn: null };
    await grant(tx, { ...aid, key: `aid:${randomUUID()}`, at: now() });
  });
  const { child: registration, secondChild } = made.registrations;
  await scan({ registration, walkIn: "hold" });
  await scan({ registration: secondChild, walkIn: "cash" });
  const view = await requireBalanced();
  expect(view.totals).toEqual([{ kind: "walk_in", meals: 1, cents: 345, aidCents: 200 }]);
  expect(view).toMatchObject({ cash: { meals: 1, cents: 345 }, aidCents: 200 });

  await server.deps.pool.query("delete from meal_scan; delete from meal_order");
  before.balance = await mealsBalance();
  const sent = await scan({ registration: secondChild, walkIn: "hold" });
  await scan({ ...sent, undoneAt: server.clock.now().toISOString() });
  expect(await requireBalanced()).toMatchObject({ cents: 0, totals: [], days: [] });
});

test("a serving taken back brings nothing; served again, and served after an absence, it counts once", async () => {
  const [again, missed] = [await place(0), await place(1)];
  await act("serve", [again]);
  await act("unserve", [again]);
  expect(await requireBalanced()).toMatchObject({ cents: 0, open: { meals: 2, cents: 690 } });
  await act("serve", [again]);
  await set(missed, "absence_percent = 50");
  await closePastMeals(server.deps);
  expect(totals(await requireBalanced())).toEqual({ served: [1, 345], absent: [1, 173] });
  expect((await act("serve", [missed])).status).toBe(200);
  expect(totals(await requireBalanced())).toEqual({ served: [2, 690] });
});

test("a correction of the operator, and its own undoing, are lines of their own", async () => {
  const id = await place(0);
  await act("serve", [id]);
  const undo = { kind: "correction", reason: "Servi à un autre", at: server.clock.now() };
  const reversal = await inTx(server.deps.db, async (tx) =>
    reverse(tx, await transferOf(id), { ...undo, key: `reversal:${randomUUID()}` }),
  );
  const view = await requireBalanced();
  expect(view.cents).toBe(0);
  expect(totals(view)).toEqual({ served: [1, 345], correction: [1, -345] });
  await inTx(server.deps.db, (tx) =>
    reverse(tx, reversal.id, { ...undo, key: `reversal:${randomUUID()}` }),
  );
  expect(totals(await requireBalanced())).toEqual({ served: [1, 345] });
});

test("one canteen, all of the provider's, another month; another's canteen and who serves none: not found", async () => {
  await act("serve", [await place(0)]);
  const other = await makeCanteen(server, { name: "École des Dunes" });
  expect((await statement(`&canteen=${made.id}`)).cents).toBe(345);
  expect(await statement(`&canteen=${other.id}`)).toMatchObject({ cents: 0, days: [] });
  expect((await statement()).cents).toBe(345);
  const past = await desk.get(`/api/canteen/statement?month=2025-01`);
  expect(past.body).toMatchObject({ cents: 0, totals: [], differenceCents: 0 });
  expect((await desk.get(`/api/canteen/statement?month=2025-13`)).status).toBe(400);
  const shop = await server.as("partnerShop");
  for (const path of ["statement", "statement.csv"]) {
    expect((await shop.get(`/api/canteen/${path}?month=${month()}`)).status).toBe(404);
    const stray = `/api/canteen/${path}?month=${month()}&canteen=${randomUUID()}`;
    expect((await desk.get(stray)).status).toBe(404);
  }
});

test("GET /api/canteen/statement.csv: a line for each transfer and each free meal, with the total", async () => {
  const served = await place(0);
  await act("serve", [served, await place(1, { priceCents: 0 })]);
  await act("unserve", [served]);
  await act("serve", [served]);
  const { text } = await desk.get(`/api/canteen/statement.csv?month=${month()}`);
  const lines = text.trim().split("\r\n");
  expect(lines[0]).toContain(
    "Jour;Restaurant;Commande;Nature;Montant;Dont aides;Écriture;Passée le",
  );
  expect(lines.slice(1).map((line: string) => line.split(";").slice(3, 5))).toEqual([
    ["Repas servis", "0,00"],
    ["Repas servis", "3,45"],
    ["Repas servis", "-3,45"],
    ["Repas servis", "3,45"],
    ["", "3,45"],
  ]);
});

test("the audit finds an order that differs from the ledger, and money of no order", async () => {
  const fresh = await openTestServer();
  const { registrations } = await makeCanteen(fresh);
  const prove = () => proveMealDues(fresh.deps);
  expect((await prove()).ok).toBe(true);
  const id = await placeMeal(fresh, { registration: registrations.child, day: today() });
  await inTx(fresh.deps.db, async (tx) => {
    const [order] = await lockMeals(tx, [id]);
    await serveMeal(tx, fresh.deps, order as MealOrder, { at: fresh.clock.now() });
  });
  expect(await prove()).toMatchObject({ ok: true, lines: [expect.stringContaining("1 repas")] });
  await fresh.deps.pool.query("update meal_order set charged_cents = 300");
  expect((await prove()).lines[0]).toContain("1 commandes diffèrent");
  await fresh.deps.pool.query("delete from meal_order");
  expect(await prove()).toMatchObject({ ok: false, lines: [expect.stringContaining("3,45")] });
  await fresh.close();
});
