// Two guardians of one child at the canteen: whose days are chosen, who is seen to have ordered and paid,
// where the money returns.
import { afterAll, beforeAll, expect, test } from "vitest";
import { addDays, startOfWeek, todayInParis } from "#contract/days.ts";
import { weekOf } from "#contract/weeks.ts";
import { isWorkingDay } from "#contract/working-days.ts";
import { verify } from "#server/ledger/ledger.ts";
import { cast } from "#tests/cast.ts";
import { makeCanteen, type MadeCanteen } from "#tests/canteens.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";

let server: TestServer;
let camille: Client;
let thomas: Client;
let leo: Client;
let canteen: MadeCanteen;
/** Monday of an even week, Camille's, whose deadlines are far. */
let monday: string;
// Of the staff kind, every day: the same whatever day the test runs.
beforeAll(async () => {
  server = await openTestServer();
  server.deps.config.codeFromCents = 1_000_000;
  canteen = await makeCanteen(server, {
    kind: "staff",
    classes: [],
    weekdays: [0, 1, 2, 3, 4, 5, 6],
  });
  [camille, thomas, leo] = await Promise.all([
    server.as("guardian"),
    server.as("coGuardian"),
    server.as("child"),
  ]);
  const today = todayInParis(server.deps.now());
  const path = `/api/family/members/${cast.child.cardnumber}/custody`;
  const { body } = await camille.post(path, { kind: "weeks", first: "me", fromOn: today });
  expect((await thomas.post(`/api/family/custody/${body.id}/accept`)).status).toBe(200);
  const next = addDays(startOfWeek(today), 14);
  monday = weekOf(next) % 2 === 0 ? next : addDays(next, 7);
  const served = () => [0, 1, 7, 8].every((count) => isWorkingDay(addDays(monday, count)));
  while (!served() || weekOf(monday) % 2 !== 0) monday = addDays(monday, 7);
});
afterAll(async () => {
  expect((await verify(server.deps.db)).ok).toBe(true);
  await server.close();
});

const child = () => canteen.registrations.child;
const choose = async (client: Client, more: object = {}) => {
  const { status, text, body } = await client.post("/api/canteen/requests/template", {
    idgroup: canteen.groupId,
    registrations: [child()],
    weekdays: [0, 1],
    from: monday,
    to: addDays(monday, 13),
    ...more,
  });
  expect(status, text).toBe(200);
  return body;
};
const daysOf = (body: any) => body.request.lines.map(({ day }: { day: string }) => day);
const drop = (client: Client) =>
  client.post("/api/canteen/requests/drop", { idgroup: canteen.groupId });
const walletOf = async (client: Client, name: "coGuardian" | "guardian") =>
  (await client.get(`/api/wallets?cardnumber=${cast[name].cardnumber}`)).body.items[0];
const cellOf = async (client: Client, day: string) => {
  const { body } = await client.get(`/api/canteen/providers/${canteen.groupId}/week?day=${day}`);
  const person = body.people.find((one: any) => one.registration === child());
  return person.cells.find((cell: any) => cell.day === day);
};

test("the week that opens is the first with a meal of one's own days", async () => {
  const shown = async (client: Client) =>
    (await client.get(`/api/canteen/providers/${canteen.groupId}/week`)).body.monday;
  // Jade is theirs every day; Léo is with one, then with the other.
  const change = "update canteen_registration set from_on = $2 where id = $1";
  const { pool } = server.deps;
  await pool.query(change, [canteen.registrations.secondChild, addDays(monday, 300)]);
  await pool.query(change, [child(), monday]);
  expect(await shown(camille)).toBe(monday);
  expect(await shown(thomas)).toBe(addDays(monday, 7));
  await pool.query(change, [canteen.registrations.secondChild, null]);
  await pool.query(change, [child(), null]);
});

test("a period chooses one's own days; the other's are counted with the reason, or chosen when it is said", async () => {
  const mine = await choose(camille);
  expect(daysOf(mine)).toEqual([monday, addDays(monday, 1)]);
  expect(mine.leftOut).toEqual([{ why: "Chez Thomas", count: 2 }]);
  await drop(camille);
  const his = await choose(thomas);
  expect(daysOf(his)).toEqual([addDays(monday, 7), addDays(monday, 8)]);
  expect(his.leftOut).toEqual([{ why: "Chez Camille", count: 2 }]);
  await drop(thomas);
  expect(await choose(camille, { otherGuardianToo: true })).toMatchObject({
    added: 4,
    leftOut: [],
  });
  await drop(camille);
  // A child of one guardian has no other's day.
  const jade = await choose(camille, { registrations: [canteen.registrations.secondChild] });
  expect(jade).toMatchObject({ added: 4, leftOut: [] });
  await drop(camille);
});

test("each day says with whom the child is; nothing keeps one from ordering a day of the other", async () => {
  const hers = await cellOf(camille, monday);
  expect(hers.custody).toEqual({ name: cast.guardian.name, own: true });
  expect((await cellOf(thomas, monday)).custody).toEqual({ name: cast.guardian.name, own: false });
  expect((await cellOf(leo, monday)).custody).toEqual({ name: cast.guardian.name, own: false });
  const meals = [{ registration: child(), day: monday }];
  const idgroup = canteen.groupId;
  const chosen = await thomas.post("/api/canteen/requests/lines", { idgroup, meals, chosen: true });
  expect(chosen.status, chosen.text).toBe(200);
  await drop(thomas);
});

test("the other guardian sees who ordered and paid; a cancellation gives the money back to that wallet", async () => {
  const { request } = await choose(thomas);
  const before = await walletOf(thomas, "coGuardian");
  const paid = await thomas.post("/api/canteen/requests/pay", {
    request: request.id,
    revision: request.revision,
    totalCents: request.totalCents,
    method: "wallet",
    objectID: before.objectID,
  });
  expect(paid.status, paid.text).toBe(200);
  const day = addDays(monday, 7);
  expect((await cellOf(camille, day)).order).toMatchObject({ orderedBy: cast.coGuardian.name });
  expect((await cellOf(thomas, day)).order).toMatchObject({ orderedBy: null });
  const mealOn = async (client: Client) =>
    (await client.get("/api/canteen/orders?when=coming")).body.items.find(
      (one: any) => one.day === day,
    );
  const seen = await mealOn(camille);
  expect(seen).toMatchObject({ orderedBy: cast.coGuardian.name, paidBy: [cast.coGuardian.name] });
  expect(await mealOn(thomas)).toMatchObject({ orderedBy: null, paidBy: [null] });
  // What is ordered already is no reason of custody.
  expect((await choose(camille)).leftOut).toContainEqual({ why: "Déjà commandé", count: 2 });
  await drop(camille);
  const hers = await walletOf(camille, "guardian");
  const cancelled = await camille.post("/api/canteen/orders/cancel", {
    orders: [seen.id],
    costCents: 0,
  });
  expect(cancelled.status, cancelled.text).toBe(200);
  expect((await walletOf(thomas, "coGuardian")).projectedCents).toBe(before.projectedCents - 345);
  expect((await walletOf(camille, "guardian")).projectedCents).toBe(hers.projectedCents);
});
