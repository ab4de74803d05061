// A role that is taken away while a call waits for its lock: the call is refused, and nothing is written.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
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
import { holdRows } from "#tests/row-locks.ts";
import { callLosingRoles } from "#tests/role-removal.ts";
import type { Answered, Client, TestServer } from "#tests/test-server.ts";

let server: TestServer;
let desk: Client;
let canteen: MadeCanteen;
beforeAll(async () => {
  ({ server, canteen } = await openCanteenServer("2027-11-23T11:00:00Z"));
  desk = await server.as("canteenProvider");
});
afterAll(() => closeSound(server));
beforeEach(() => forgetMeals(server));

const { cardnumber } = cast.canteenProvider;
const own = () => `/api/canteen/own/${canteen.id}`;
const today = () => parisDay(server.clock.now());

/** The tables that the canteen's desk writes to. */
const written = async () => {
  const { rows } = await server.owner.pool.query(`select
    (select json_agg(c order by id) from canteen c) as canteens,
    (select json_agg(r order by id) from canteen_registration r) as registrations,
    (select json_agg(s order by id) from meal_scan s) as scans,
    (select json_agg(o order by id) from meal_order o) as orders,
    (select json_agg(s) from canteen_purchase_share s) as shares,
    (select count(*) from audit) as lines`);
  return rows[0];
};

const scan = () => ({
  id: randomUUID(),
  day: today(),
  at: server.clock.now().toISOString(),
  verdict: "served",
  registration: canteen.registrations.child,
});

const acts: Record<string, () => Promise<() => Promise<Answered>>> = {
  "the rules": async () => {
    const { rules } = (await desk.get(`${own()}/rules`)).body;
    return () => desk.post(`${own()}/rules`, { rules: { ...rules, seats: 99 } });
  },
  "a scan of the counter": async () => {
    await placeMeal(server, { registration: canteen.registrations.child, day: today() });
    const scans = [scan()];
    return () => desk.post(`/api/canteen/${canteen.id}/scans`, { scans });
  },
  "the answer to a registration": async () => {
    const { child: registration } = canteen.registrations;
    await server.owner.pool.query(
      "update canteen_registration set state = 'requested', answered_at = null where id = $1",
      [registration],
    );
    const answer = { accept: true, reason: "" };
    return () => desk.post(`/api/canteen/own/registrations/${registration}/answer`, answer);
  },
  "a conflict of the counter": async () => {
    const conflict = scan();
    await desk.post(`/api/canteen/${canteen.id}/scans`, { scans: [conflict] });
    const path = `/api/canteen/${canteen.id}/conflicts/${conflict.id}`;
    return () => desk.post(path, { act: "cash" });
  },
  "what a year's purchases were": async () => () =>
    desk.post("/api/canteen/purchase-shares", { year: 2026, sustainable: 51, organic: 21 }),
  "a meal served in the follow-up": async () => {
    const { child: registration } = canteen.registrations;
    const meal = await placeMeal(server, { registration, day: today() });
    return () => desk.post(`${own()}/meals/serve`, { orders: [meal] });
  },
};

test.each(Object.keys(acts))(
  "%s, from somebody who is of the company no more: refused, nothing is written",
  async (name) => {
    const send = await (acts[name] as (typeof acts)[string])();
    const before = await written();
    const { answer, waited } = await callLosingRoles(server, { cardnumber, send });
    expect(waited).toBe(true);
    expect([answer.status, answer.body["code"]]).toEqual([403, "company_missing"]);
    expect(await written()).toEqual(before);
    // With their roles it passes.
    expect((await send()).status).toBe(200);
    expect(await written()).not.toEqual(before);
  },
);

test.each(Object.keys(acts))(
  "%s, from somebody who has another role now: refused, nothing is written",
  async (name) => {
    const send = await (acts[name] as (typeof acts)[string])();
    const before = await written();
    const losing = { cardnumber, left: ["cashier"] as const, send };
    const { answer, waited } = await callLosingRoles(server, losing);
    expect(waited).toBe(true);
    expect([answer.status, answer.body["code"]]).toEqual([403, "company_role"]);
    expect(await written()).toEqual(before);
  },
);

test("a registration, an illness and meals of another's canteen are not found, and keep nobody waiting", async () => {
  const { child: registration } = canteen.registrations;
  const day = addDays(today(), 1);
  const camille = await server.as("guardian");
  await placeMeal(server, { registration, day });
  const sick = { cardnumber: cast.child.cardnumber, from: day, to: day };
  const sums = { dueCents: 345, proofCents: 0 };
  const { id: illness } = (await camille.post("/api/canteen/illnesses", { ...sick, ...sums })).body
    .items[0];
  const meal = await placeMeal(server, { registration, day });
  await server.owner.pool.query(
    `insert into meal_wait (registration_id, on_day, requested_by, requested_at)
     select id, $2, person_id, now() from canteen_registration where id = $1`,
    [registration, day],
  );
  const beside = await makeCanteen(server, { name: "École voisine" });
  const shop = await server.as("partnerShop");
  const [answer, serve] = [{ accept: true, reason: "" }, { orders: [meal] }];
  const registrations = `/api/canteen/own/registrations/${registration}`;
  const theirs = `/api/canteen/own/${beside.id}`;
  const held = await holdRows(server, "select from canteen_registration for update");
  for (const table of ["canteen_day", "meal_order", "meal_illness"]) {
    await held.query(`select from ${table} for update`);
  }
  for (const call of [
    shop.post(`${registrations}/answer`, answer),
    shop.post(`${registrations}/end`),
    desk.post(`${theirs}/meals/serve`, serve),
    desk.post(`${theirs}/meals/refuse`, { ...serve, reason: "Livraison manquée" }),
    desk.post(`${theirs}/illnesses/${illness}/answer`, answer),
  ]) {
    expect(await held.isAwaitedBy(call)).toBe(false);
    expect((await call).body["code"]).toBe("not_found");
  }
});
