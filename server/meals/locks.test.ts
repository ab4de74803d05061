// Families, waiting lists, the desk and closings change the same services at once: no deadlock arises, and
// seats, meals and money agree afterwards.
import { afterAll, beforeAll, expect, test } from "vitest";
import { todayInParis } from "#contract/days.ts";
import { workingDaysAfter } from "#contract/working-days.ts";
import { inTx } from "#server/db/db.ts";
import { verify } from "#server/ledger/ledger.ts";
import { cast } from "#tests/cast.ts";
import { makeCanteen, type MadeCanteen, placeMeal } from "#tests/canteens.ts";
import { holdRows, untilWaiting } from "#tests/row-locks.ts";
import { type Client, type TestServer, openTestServer } from "#tests/test-server.ts";
import { registerAt } from "#server/kitchen/kitchen.ts";
import { advanceWaits } from "./waiting-list.ts";

let server: TestServer;
let canteen: MadeCanteen;
let camille: Client;
let thomas: Client;
let desk: Client;
let hugo: Client;
/** The registration of a stranger, who waits. */
let hugos: string;
beforeAll(async () => {
  server = await openTestServer();
  canteen = await makeCanteen(server, { kind: "staff", classes: [], seats: 40 });
  [camille, thomas, desk, hugo] = await Promise.all([
    server.as("guardian"),
    server.as("coGuardian"),
    server.as("canteenProvider"),
    server.as("stranger"),
  ]);
  const { rows } = await server.deps.pool.query(
    "select person_id as id from card where number = $1",
    [cast.stranger.cardnumber],
  );
  const [{ id }] = rows;
  hugos = await inTx(server.deps.db, (tx) =>
    registerAt(tx, canteen.id, { personId: id, audience: "pupil", by: id, at: server.deps.now() }),
  );
});
afterAll(() => server.close());

/** Deadlocks that PostgreSQL has resolved; each connection reports its own a second later. */
async function deadlocks(): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  const { pool } = server.deps;
  await Promise.all(Array.from({ length: 10 }, () => pool.query("select pg_sleep(0.1)")));
  const { rows } = await pool.query(
    "select deadlocks from pg_stat_database where datname = current_database()",
  );
  return Number(rows[0].deadlocks);
}

/** Makes the services of days full, with somebody who waits for each; answers the waits. */
async function waitOn(days: readonly string[]): Promise<string[]> {
  const { pool } = server.deps;
  await pool.query("update canteen_day set seats = taken where on_day = any ($1)", [days]);
  const { rows } = await pool.query(
    `insert into meal_wait (registration_id, on_day, requested_by, requested_at)
     select $1, day, person_id, $3 from unnest($2::date[]) day, canteen_registration where id = $1
     returning id`,
    [hugos, days, server.deps.now()],
  );
  return rows.map(({ id }) => id);
}

test("cancelling, refusing, an illness, a closing and other seats at once never deadlock", async () => {
  const before = await deadlocks();
  const today = todayInParis(server.deps.now());
  const { child, secondChild } = canteen.registrations;
  for (let round = 0; round < 8; round++) {
    const days = [1, 2, 3].map((n) => workingDaysAfter(today, 2 + round * 3 + n));
    const meals: string[] = [];
    for (const registration of [child, secondChild]) {
      for (const day of round % 2 ? days : days.toReversed()) {
        meals.push(await placeMeal(server, { registration, day, priceCents: 1 }));
      }
    }
    const [from = "", , to = ""] = days;
    const waits = await waitOn(days);
    const cancel = (client: Client, orders: readonly string[]) =>
      client.post("/api/canteen/orders/cancel", { orders, costCents: orders.length });
    const own = `/api/canteen/own/${canteen.id}`;
    const rules = (await desk.get(`${own}/rules`)).body.rules;
    const answers = await Promise.all([
      cancel(camille, meals.slice(0, 4)),
      cancel(thomas, meals.slice(2).toReversed()),
      desk.post(`${own}/meals/refuse`, {
        orders: meals.slice(1, 5),
        reason: "Livraison manquée",
      }),
      desk.post(`${own}/rules`, { rules: { ...rules, seats: 41 + round } }),
      desk.post(`${own}/closings`, { from, to, reason: "Travaux", orders: meals.length }),
      cancel(camille, meals.slice(5)),
      hugo.post(`/api/canteen/waiting-list/${waits[0]}/leave`, {}),
      hugo.post("/api/canteen/waiting-list", { registration: hugos, day: from }),
      camille.post("/api/canteen/illnesses", {
        cardnumber: cast.child.cardnumber,
        from,
        to,
        dueCents: 1,
        proofCents: 0,
      }),
    ]);
    await advanceWaits(server.deps);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  }
  expect(await deadlocks()).toBe(before);
  const { rows } = await server.deps.pool.query(
    `select count(*)::int as wrong from canteen_day d where taken <> (select count(*) from meal_order o
       where o.canteen_id = d.canteen_id and o.on_day = d.on_day
         and o.state in ('reserved', 'validated', 'served', 'absent'))
       + (select count(*) from meal_wait w where w.on_day = d.on_day and w.state = 'offered')`,
  );
  expect(rows[0].wrong).toBe(0);
  expect((await verify(server.deps.db)).ok).toBe(true);
}, 60_000);

test("a meal chosen while what was chosen before is paid is not refused, and is not paid with it", async () => {
  const today = todayInParis(server.deps.now());
  const { child: registration } = canteen.registrations;
  const choose = (day: string) =>
    camille.post("/api/canteen/requests/lines", {
      idgroup: canteen.groupId,
      meals: [{ registration, day }],
      chosen: true,
    });
  const [first, second] = [workingDaysAfter(today, 40), workingDaysAfter(today, 41)];
  const { request } = (await choose(first)).body;
  const wallets = await camille.get(`/api/wallets?cardnumber=${cast.guardian.cardnumber}`);
  const { objectID } = wallets.body.items[0];
  // The payment has locked what was chosen, and waits for its prices.
  const held = await holdRows(server, "select from canteen where id = $1 for update", [canteen.id]);
  const paying = camille.post("/api/canteen/requests/pay", {
    request: request.id,
    revision: request.revision,
    totalCents: request.totalCents,
    method: "wallet",
    objectID,
  });
  await untilWaiting(server, 1);
  const choosing = choose(second);
  await untilWaiting(server, 2);
  await held.release();
  expect((await paying).status).toBe(200);
  const chosen = await choosing;
  expect(chosen.status, chosen.text).toBe(200);
  expect(chosen.body.request.lines.map(({ day }: { day: string }) => day)).toEqual([second]);
  expect(chosen.body.request.id).not.toBe(request.id);
  const cellOf = async (day: string) => {
    const { body } = await camille.get(`/api/canteen/providers/${canteen.groupId}/week?day=${day}`);
    const person = body.people.find((one: any) => one.registration === registration);
    return person.cells.find((cell: any) => cell.day === day);
  };
  expect(await cellOf(first)).toMatchObject({ order: { state: "reserved" }, chosen: false });
  expect(await cellOf(second)).toMatchObject({ order: null, chosen: true });
});
