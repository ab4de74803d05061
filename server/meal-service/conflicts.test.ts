// Conflicts of the counter: each is open until it is settled, once, and the effect on money.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { OpenConflict } from "#contract/meal-service/conflicts.ts";
import type { Scan } from "#contract/meal-service/counter.ts";
import { addDays, parisDay } from "#contract/days.ts";
import {
  closeSound,
  forgetMeals,
  type MadeCanteen,
  makeCanteen,
  openCanteenServer,
  placeMeal,
} from "#tests/canteens.ts";
import { cast } from "#tests/cast.ts";
import { countStatements } from "#tests/statement-count.ts";
import type { Client, TestServer } from "#tests/test-server.ts";

let server: TestServer;
let desk: Client;
let camille: Client;
let canteen: MadeCanteen;
beforeAll(async () => {
  ({ server, canteen, camille } = await openCanteenServer("2027-11-23T11:00:00Z"));
  desk = await server.as("canteenProvider");
});
afterAll(() => closeSound(server));
beforeEach(async () => {
  await forgetMeals(server);
  await server.deps.pool.query("update card set state = 'active'");
});

const today = () => parisDay(server.clock.now());
const at = (path: string) => `/api/canteen/${canteen.id}/${path}`;
const conflicts = async () => (await desk.get(at("conflicts"))).body.items;
const settle = (scan: string, act: string, client = desk) =>
  client.post(at(`conflicts/${scan}`), { act });
const scanned = async (more: Partial<Scan> = {}): Promise<string> => {
  const scan = {
    id: randomUUID(),
    day: today(),
    at: server.clock.now().toISOString(),
    verdict: "served",
    registration: canteen.registrations.child,
    ...more,
  };
  const answer = await desk.post(at("scans"), { scans: [scan] });
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body.items[0].conflict).not.toBeNull();
  return scan.id;
};
const wallet = async () => {
  const { body } = await camille.get(`/api/wallets?cardnumber=${cast.child.cardnumber}`);
  const { balanceCents, heldCents } = body.items.find((one: { main: boolean }) => one.main);
  return { balanceCents, heldCents };
};
const states = async () =>
  (await server.deps.pool.query("select state from meal_order order by number")).rows.map(
    ({ state }) => state,
  );
const toDos = async () =>
  (await desk.get("/api/home/professional")).body.toDos
    .filter(({ kind }: { kind: string }) => kind === "scan_conflicts")
    .map(({ id, count }: { id: string; count: number }) => [id, count]);

test("a card opposed since: the meal that is ordered is counted after all, once, and waits no more", async () => {
  const { registrations } = canteen;
  const before = await wallet();
  await placeMeal(server, { registration: registrations.child, day: today() });
  const { rows } = await server.deps.pool.query(
    "update card set state = 'opposed' where number = $1 returning object_id as card",
    [cast.child.cardnumber],
  );
  const scan = await scanned({ card: rows[0].card });
  expect(await conflicts()).toMatchObject([
    {
      id: scan,
      name: cast.child.name,
      conflict: "opposed_since",
      acts: [{ act: "count", cents: 345 }],
    },
  ]);
  expect(await toDos()).toEqual([[canteen.id, 1]]);
  expect(await states()).toEqual(["reserved"]);
  expect((await settle(scan, "count")).status).toBe(200);
  expect(await states()).toEqual(["served"]);
  expect(await wallet()).toEqual({ ...before, balanceCents: before.balanceCents - 345 });
  expect(await settle(scan, "count")).toMatchObject({
    status: 409,
    body: { code: "scan_conflict_settled" },
  });
  expect([await conflicts(), await toDos()]).toEqual([[], []]);
});

test("an order cancelled since: from the wallet or in cash, or read without a cent", async () => {
  const acts = [
    { act: "hold", cents: 345 },
    { act: "cash", cents: 345 },
  ];
  for (const [act, spent, becomes] of [
    ["hold", 345, ["served"]],
    ["cash", 0, ["served"]],
    ["read", 0, []],
  ] as const) {
    await forgetMeals(server);
    const before = await wallet();
    const scan = await scanned();
    expect(await conflicts()).toMatchObject([{ conflict: "cancelled_since", acts }]);
    expect((await settle(scan, act)).status, act).toBe(200);
    expect((await wallet()).balanceCents, act).toBe(before.balanceCents - spent);
    expect(await states(), act).toEqual(becomes);
    expect(await conflicts()).toEqual([]);
  }
});

test("a meal counted by mistake is undone within five minutes: its money is back, and it waits no more", async () => {
  const before = await wallet();
  const conflict = await scanned();
  server.clock.advance(600_000);
  const { scan } = (await settle(conflict, "hold")).body;
  expect((await wallet()).balanceCents).toBe(before.balanceCents - 345);
  const undone = { ...scan, undoneAt: server.clock.now().toISOString() };
  const answer = await desk.post(at("scans"), { scans: [undone] });
  expect(answer.body.items).toMatchObject([{ undone: true, conflict: null }]);
  expect(await wallet()).toEqual(before);
  expect(await conflicts()).toEqual([]);
});

test("a wallet that cannot pay: refused again as it stands, paid in cash it is done and counts once", async () => {
  await server.deps.pool.query("update canteen_price set price_cents = 10000");
  const scan = await scanned({ verdict: "no_order", walkIn: "hold" });
  expect(await conflicts()).toMatchObject([{ conflict: "unpaid" }]);
  const before = await wallet();
  expect(await settle(scan, "hold")).toMatchObject({
    status: 409,
    body: { code: "insufficient_funds" },
  });
  expect(await conflicts()).toHaveLength(1);
  expect((await settle(scan, "cash")).status).toBe(200);
  expect(await wallet()).toEqual(before);
  const { rows } = await server.deps.pool.query(
    "select id from meal_scan where walk_in is not null",
  );
  expect(rows).toHaveLength(1);
  await server.deps.pool.query(
    "update canteen_price set price_cents = 345 where audience = 'pupil'",
  );
});

test("served by another device too: nothing but reading it, and what would be a conflict again is refused", async () => {
  await placeMeal(server, { registration: canteen.registrations.child, day: today() });
  const served = { id: randomUUID(), day: today(), at: server.clock.now().toISOString() };
  await desk.post(at("scans"), {
    scans: [{ ...served, verdict: "served", registration: canteen.registrations.child }],
  });
  const scan = await scanned();
  expect(await conflicts()).toMatchObject([{ conflict: "served_elsewhere", acts: [] }]);
  const before = await wallet();
  expect((await settle(scan, "count")).body.code).toBe("scan_conflict_stays");
  expect(await wallet()).toEqual(before);
  expect(await conflicts()).toHaveLength(1);
  expect((await settle(scan, "read")).status).toBe(200);
});

test("another professional, another canteen's and a scan without a conflict are not found", async () => {
  const scan = await scanned();
  const shop = await server.as("partnerShop");
  const other = await makeCanteen(server, { name: "École voisine" });
  const answers = [
    await shop.get(at("conflicts")),
    await settle(scan, "hold", shop),
    await desk.post(`/api/canteen/${other.id}/conflicts/${scan}`, { act: "hold" }),
    await settle(randomUUID(), "read"),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  expect(await conflicts()).toHaveLength(1);
  expect(await states()).toEqual([]);
});

test("ten conflicts are read in as many statements as one, each by its own day", async () => {
  const { child, secondChild } = canteen.registrations;
  const readsOf = () =>
    countStatements(server.deps.pool, async () => {
      expect((await desk.get(at("conflicts"))).status).toBe(200);
    });
  await scanned();
  const one = await readsOf();
  await forgetMeals(server);
  // Today, Monday, Sunday, Friday, and a day that is too long ago.
  const days = [0, 1, 2, 4, 8];
  for (const registration of [child, secondChild]) {
    for (const ago of days) await scanned({ registration, day: addDays(today(), -ago) });
  }
  const able = ["hold", "cash"];
  const acts = (await conflicts()).map((row: OpenConflict) => row.acts.map(({ act }) => act));
  expect(acts.toSorted()).toEqual([[], [], [], [], ...Array.from({ length: 6 }, () => able)]);
  expect(await readsOf()).toBe(one);
});

test("what a conflict may become: not from the wallet while the provider is frozen, nothing before the first day", async () => {
  const { child, secondChild } = canteen.registrations;
  const { pool } = server.deps;
  await pool.query("update partner set frozen_at = now(), frozen_why = 'Essai'");
  await scanned();
  expect(await conflicts()).toMatchObject([{ acts: [{ act: "cash", cents: null }] }]);
  await pool.query("update partner set frozen_at = null, frozen_why = null");
  await pool.query("update canteen_registration set from_on = $2 where id = $1", [
    secondChild,
    addDays(today(), 1),
  ]);
  await forgetMeals(server);
  await scanned({ registration: child });
  await scanned({ registration: secondChild });
  const acts = (await conflicts()).map((row: OpenConflict) => row.acts.length);
  expect(acts.toSorted()).toEqual([0, 2]);
  await pool.query("update canteen_registration set from_on = null");
});
