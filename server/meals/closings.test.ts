// Closings of a canteen, and their effect on the orders of their days.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { addDays, weekdayOf } from "#contract/days.ts";
import { verify } from "#server/ledger/ledger.ts";
import { cast } from "#tests/cast.ts";
import { type MadeCanteen, makeCanteen, placeMeal } from "#tests/canteens.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";
import { serviceCalendars } from "#server/kitchen/service-days.ts";

let server: TestServer;
let desk: Client;
let camille: Client;
let canteen: MadeCanteen;
beforeAll(async () => {
  server = await openTestServer();
  server.clock.freeze();
});
afterAll(async () => {
  expect((await verify(server.deps.db)).checks.filter((check) => !check.ok)).toEqual([]);
  await server.close();
});
beforeEach(async () => {
  // Monday 22 November 2027, 09:00 in Paris.
  server.clock.advance(Date.parse("2027-11-22T08:00:00Z") - server.clock.now().getTime());
  await server.owner.pool.query("truncate canteen_provider, notification cascade");
  canteen = await makeCanteen(server);
  desk = await server.as("canteenProvider");
  camille = await server.as("guardian");
  server.outbox.length = 0;
});

const rows = async (text: string, ...values: unknown[]) =>
  (await server.deps.pool.query(text, values)).rows;
const path = () => `/api/canteen/own/${canteen.id}/closings`;
const preview = async (from: string, to = from) =>
  await desk.get(`${path()}/preview?${new URLSearchParams({ from, to })}`);
const close = async (from: string, to = from, more: { reason?: string; orders?: number } = {}) =>
  await desk.post(path(), { from, to, reason: "Grève", orders: 0, ...more });
const closings = async () =>
  (await desk.get(path())).body.items.map(({ from, to, reason }: any) => [from, to, reason]);
const order = (day: string, who: "child" | "secondChild" = "child", priceCents = 345) =>
  placeMeal(server, { registration: canteen.registrations[who], day, priceCents });
const held = async () => {
  const { body } = await camille.get(`/api/wallets?cardnumber=${cast.child.cardnumber}`);
  return body.items.find(({ main }: { main: boolean }) => main).heldCents;
};
const orders = async () =>
  await rows(
    `select to_char(on_day, 'YYYY-MM-DD') as day, state, charged_cents as cents, end_reason as reason
     from meal_order order by number`,
  );

test("POST closings: listed in order, told to the calendar; the trail has it", async () => {
  expect((await close("2027-12-13", "2027-12-14", { reason: " Travaux " })).status).toBe(201);
  const { status, body } = await close("2027-11-25");
  expect([status, body.orders]).toEqual([201, 0]);
  expect(body.message).toContain("Aucune commande n’était passée");
  expect(await closings()).toEqual([
    ["2027-11-25", "2027-11-25", "Grève"],
    ["2027-12-13", "2027-12-14", "Travaux"],
  ]);
  const calendars = await serviceCalendars(server.deps.db, [canteen.id], "2027-11-22");
  expect(calendars.get(canteen.id)?.closedWhy("2027-12-14")).toBe("Travaux");
  const [line] = await rows("select action, details from audit order by id desc limit 1");
  expect(line).toEqual({
    action: "canteen.close",
    details: {
      name: "École des Embruns",
      from: "2027-11-25",
      to: "2027-11-25",
      reason: "Grève",
      orders: 0,
    },
  });
});

test("POST closings: the orders of its days are cancelled for nothing, holds and seats free", async () => {
  const before = await held();
  await order("2027-11-25");
  await order("2027-11-26");
  await order("2027-11-26", "secondChild", 210);
  await order("2027-11-29");
  expect(await held()).toBe(before + 3 * 345);
  expect((await preview("2027-11-25", "2027-11-26")).body).toEqual({ orders: 3 });
  expect(await held()).toBe(before + 3 * 345);

  const { body } = await close("2027-11-25", "2027-11-26", { orders: 3 });
  expect(body).toMatchObject({ orders: 3 });
  expect(body.message).toContain("3 commandes annulées sans frais");
  const gone = { state: "cancelled", cents: 0, reason: "Fermeture\u202f: Grève" };
  expect(await orders()).toEqual([
    { day: "2027-11-25", ...gone },
    { day: "2027-11-26", ...gone },
    { day: "2027-11-26", ...gone },
    { day: "2027-11-29", state: "reserved", cents: null, reason: null },
  ]);
  expect(await held()).toBe(before + 345);
  const seats = await rows("select on_day, taken from canteen_day order by on_day");
  expect(seats.map(({ taken }) => taken)).toEqual([0, 0, 1]);
});

test("POST closings: each reader of a family is told once, whatever it ordered; others are not", async () => {
  await order("2027-11-25");
  await order("2027-11-26");
  await order("2027-11-26", "secondChild", 210);
  await close("2027-11-25", "2027-11-26", { orders: 3 });
  const noticeCounts = await rows(
    `select c.number, count(*)::int as notices from notification n
     join card c on c.person_id = n.person_id group by c.number order by c.number`,
  );
  const family = [cast.guardian, cast.child, cast.secondChild, cast.coGuardian];
  const numbers = family.map(({ cardnumber }) => cardnumber).toSorted((a, b) => a - b);
  expect(noticeCounts).toEqual(numbers.map((number) => ({ number, notices: 1 })));
  const { body } = await camille.get("/api/notifications");
  expect(body.items[0].title).toBe("Cantine fermée");
  expect(body.items[0].body).toContain(
    "École des Embruns ferme du 25/11/2027 au 26/11/2027 (Grève)",
  );
  await server.runJobs();
  const readers = server.outbox
    .filter(({ subject }) => subject.includes("Cantine fermée"))
    .map(({ personId }) => personId);
  expect(readers.length).toBeGreaterThan(0);
  expect(new Set(readers).size).toBe(readers.length);
});

test("POST closings: who waits for a seat of these days waits no more", async () => {
  await rows(
    `insert into meal_wait (registration_id, on_day, requested_by, requested_at)
     select id, day, person_id, now() from canteen_registration,
       unnest('{2027-11-25,2027-11-29}'::date[]) day where id = $1`,
    canteen.registrations.child,
  );
  await close("2027-11-25");
  expect(await rows("select state from meal_wait order by on_day")).toEqual([
    { state: "expired" },
    { state: "waiting" },
  ]);
  // The guardian is told once, of the wait alone: nothing was ordered.
  const { body } = await camille.get("/api/notifications");
  expect(body.items).toHaveLength(1);
  expect(body.items[0].body).toContain("Vous n’attendez plus de place");
  expect(body.items[0].body).not.toContain("annulés");
});

test("POST closings: a family that ordered and waits is told once, of its meals", async () => {
  await order("2027-11-25");
  await rows(
    `insert into meal_wait (registration_id, on_day, requested_by, requested_at)
     select id, '2027-11-25', person_id, now() from canteen_registration where id = $1`,
    canteen.registrations.secondChild,
  );
  await close("2027-11-25", "2027-11-25", { orders: 1 });
  const { body } = await camille.get("/api/notifications");
  expect(body.items).toHaveLength(1);
  expect(body.items[0].body).toContain("annulés sans frais");
});

test("POST closings: other orders than the preview said are refused, and nothing is cancelled", async () => {
  await order("2027-11-25");
  const before = [await orders(), await held()];
  const { status, body } = await close("2027-11-25", "2027-11-25", { orders: 0 });
  expect([status, body.code]).toEqual([409, "closing_orders_changed"]);
  expect(body.message).toContain("en annulerait 1");
  expect([await orders(), await held()]).toEqual(before);
  expect(await closings()).toEqual([]);
  expect(await rows("select from notification")).toEqual([]);
});

test("closings: days that make no sense, a past day, today once service began, days closed already", async () => {
  const code = async (from: string, to?: string) => [
    (await preview(from, to)).body.code,
    (await close(from, to)).body.code,
  ];
  expect(await code("2027-11-26", "2027-11-25")).toEqual(["closing_dates", "closing_dates"]);
  expect(await code("2027-11-26", "2028-11-26")).toEqual(["closing_dates", "closing_dates"]);
  expect(await code("2027-11-19", "2027-11-25")).toEqual(["closing_past", "closing_past"]);
  await close("2027-11-25", "2027-11-26");
  expect(await code("2027-11-26", "2027-11-30")).toEqual(["closing_overlaps", "closing_overlaps"]);
  expect((await close("2027-11-24", "2027-11-25")).body.message).toContain(
    "Grève, du 25/11/2027 au 26/11/2027",
  );
  // 11:45, when the service begins.
  server.clock.advance((2 * 60 + 45) * 60_000);
  desk = await server.as("canteenProvider");
  expect(await code("2027-11-22")).toEqual(["closing_past", "closing_past"]);
  server.clock.advance(-60_000);
  expect((await close("2027-11-22")).status).toBe(201);
  expect((await close("2027-12-01", "2027-12-01", { reason: "" })).body.code).toBe("invalid_input");
  expect(await closings()).toHaveLength(2);
});

test("POST closings/:closing/remove: the days to come serve again, orders stay cancelled, past ones stay", async () => {
  await order("2027-11-25");
  await close("2027-11-25", "2027-11-30", { orders: 1 });
  const [{ id }] = (await desk.get(path())).body.items;
  const remove = async () => await desk.post(`${path()}/${id}/remove`, {});
  server.clock.advance(4 * 86_400_000);
  desk = await server.as("canteenProvider");
  expect((await remove()).status).toBe(200);
  expect(await closings()).toEqual([]);
  const [row] = await rows("select from_on, to_on from canteen_closing");
  expect(row).toEqual({ from_on: "2027-11-25", to_on: "2027-11-25" });
  expect(await orders()).toMatchObject([{ state: "cancelled" }]);
  const past = await remove();
  expect([past.status, past.body.code]).toEqual([409, "closing_past"]);
  await close("2027-12-01");
  const [next] = (await desk.get(path())).body.items;
  expect((await desk.post(`${path()}/${next.id}/remove`, {})).status).toBe(200);
  expect((await desk.post(`${path()}/${next.id}/remove`, {})).body.code).toBe("not_found");
});

test("a closing and a payment at once, twenty times: no meal is ever ordered on a closed day", async () => {
  // For staff: open through the school holidays.
  canteen = await makeCanteen(server, { kind: "staff", classes: [] });
  server.deps.config.codeFromCents = 1_000_000;
  const { body } = await camille.get(`/api/wallets?cardnumber=${cast.guardian.cardnumber}`);
  const { objectID } = body.items.find(({ main }: { main: boolean }) => main);
  const idgroup = canteen.groupId;
  const weekdays = Array.from({ length: 28 }, (_, n) => addDays("2027-11-25", n)).filter(
    (day) => weekdayOf(day) < 5,
  );
  expect(weekdays).toHaveLength(20);
  const outcomes = new Set<string>();
  for (const day of weekdays) {
    const meals = [{ registration: canteen.registrations.child, day }];
    const choice = { idgroup, meals, chosen: true };
    const { request } = (await camille.post("/api/canteen/requests/lines", choice)).body;
    const payment = {
      request: request.id,
      revision: request.revision,
      totalCents: request.totalCents,
      method: "wallet",
      objectID,
    };
    const [closed, paid] = await Promise.all([
      close(day),
      camille.post("/api/canteen/requests/pay", payment),
    ]);
    outcomes.add(`${closed.body.code ?? closed.status} ${paid.body.code ?? paid.status}`);
    if (paid.status !== 200) await camille.post("/api/canteen/requests/drop", { idgroup });
  }
  const stranded = await rows(
    `select o.on_day from meal_order o join canteen_closing c on c.canteen_id = o.canteen_id
       and o.on_day between c.from_on and c.to_on
     where o.state in ('reserved', 'validated')`,
  );
  expect(stranded).toEqual([]);
  const possible = ["201 meal_closed", "closing_orders_changed 200"];
  expect([...outcomes].filter((outcome) => !possible.includes(outcome))).toEqual([]);
});
