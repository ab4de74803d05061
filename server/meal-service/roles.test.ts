// Permissions of each role of a company at its canteen: an owner decides on rules, prices and closings, an
// accountant answers families, the counter serves, the kitchen writes menus, and the till has no canteen.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addDays, parisDay } from "#contract/days.ts";
import type { CompanyRole } from "#contract/companies/roles.ts";
import { cast } from "#tests/cast.ts";
import { closeSound, type MadeCanteen, openCanteenServer } from "#tests/canteens.ts";
import type { Client, TestServer } from "#tests/test-server.ts";

let server: TestServer;
let canteen: MadeCanteen;
let desk: Client;
/** The rules and prices as their owner reads them. */
let whole: any;
beforeAll(async () => {
  ({ server, canteen } = await openCanteenServer());
  desk = await server.as("canteenProvider");
  whole = (await desk.get(`${own()}/rules`)).body;
});
afterAll(() => closeSound(server));

const become = (...roles: CompanyRole[]) =>
  server.deps.pool.query(
    "update company_member set roles = $1 where person_id = (select person_id from card where number = $2)",
    [roles, cast.canteenProvider.cardnumber],
  );
const eats = () => `/api/canteen/${canteen.id}`;
const own = () => `/api/canteen/own/${canteen.id}`;
const codeOf = async (call: Promise<{ status: number; body: any }>): Promise<string | number> => {
  const { status, body } = await call;
  return body.code ?? status;
};
const days = () => {
  const from = addDays(parisDay(server.deps.now()), 30);
  return { from, to: from };
};
const price = { name: "Essai", audience: "pupil", priceCents: 500 };
const conditions = { quotientMax: 300, childrenMin: null, town: null, class: null };

/** Calls reserved to owners. */
const decisions = async () => {
  const { rules, prices } = whole;
  return {
    rules: await codeOf(desk.post(`${own()}/rules`, { rules: { ...rules, seats: 1 } })),
    price: await codeOf(desk.post(`${own()}/prices`, { ...price, ...conditions, priceCents: 1 })),
    endPrice: await codeOf(desk.post(`${own()}/prices/${prices[0].id}/end`)),
    preview: await codeOf(desk.get(`${own()}/closings/preview?${new URLSearchParams(days())}`)),
    close: await codeOf(desk.post(`${own()}/closings`, { ...days(), reason: "Essai", orders: 0 })),
    purchases: await codeOf(
      desk.post("/api/canteen/purchase-shares", { year: 2025, sustainable: 51, organic: 21 }),
    ),
  };
};
/** Calls that answer families. */
const answers = async () => ({
  message: await codeOf(
    desk.post(`${own()}/messages`, {
      id: randomUUID(),
      day: null,
      className: "CM2",
      title: "Essai",
      body: "Essai",
      readers: 1,
    }),
  ),
  registration: await codeOf(
    desk.post(`/api/canteen/own/registrations/${canteen.registrations.child}/answer`, {
      accept: true,
      reason: "",
    }),
  ),
  dismiss: await codeOf(
    desk.post(`/api/canteen/own/registrations/${canteen.registrations.secondChild}/end`),
  ),
  certificate: await codeOf(
    desk.post(`${own()}/illnesses/${randomUUID()}/answer`, { accept: true, reason: "" }),
  ),
});
/** The answer of each read of families' data: "200" or a refusal. */
const reads = async () => ({
  registrations: await codeOf(desk.get(`${own()}/registrations`)),
  illnesses: await codeOf(desk.get(`${own()}/illnesses`)),
  messages: await codeOf(desk.get(`${own()}/messages`)),
  readers: await codeOf(desk.get(`${own()}/messages/readers`)),
  classList: await codeOf(desk.get(`${own()}/class.csv`)),
});
const familyReads = ["registrations", "illnesses", "messages", "readers", "classList"];
const everyRead = Object.fromEntries(familyReads.map((key) => [key, 200]));
const all = (code: string, keys: string[]) => Object.fromEntries(keys.map((key) => [key, code]));

/** Calls of a counter, and of a kitchen. */
const serving = async () => ({
  list: await codeOf(desk.get(`${eats()}/day-list`)),
  find: await codeOf(desk.post(`${eats()}/find`, { number: cast.child.cardnumber })),
  scans: await codeOf(desk.post(`${eats()}/scans`, { scans: [scan] })),
});
const scan = {
  id: randomUUID(),
  day: "2026-01-05",
  at: "2026-01-05T11:00:00.000Z",
  verdict: "forged",
};
const following = async () => {
  const day = parisDay(server.deps.now());
  return {
    followUp: await codeOf(desk.get(`${own()}/meals?from=${day}&to=${day}`)),
    csv: await codeOf(desk.get(`${own()}/meals.csv?from=${day}&to=${day}`)),
  };
};
const cooking = async () => {
  const day = parisDay(server.deps.now());
  return {
    menus: await codeOf(desk.get(`/api/canteen/menus?day=${day}`)),
    quantities: await codeOf(desk.get("/api/canteen/quantities")),
    shares: await codeOf(desk.get("/api/canteen/purchase-shares")),
  };
};

test("a counter serves and follows meals, and reads neither menus, prices nor families", async () => {
  await become("counter");
  expect(await serving()).toMatchObject({ list: 200, find: 200 });
  expect(await following()).toEqual({ followUp: 200, csv: 200 });
  expect(await cooking()).toEqual(all("company_role", ["menus", "quantities", "shares"]));
  expect(await reads()).toEqual(all("company_role", familyReads));
  expect(await codeOf(desk.get(`${own()}/rules`))).toBe("company_role");
  expect(await codeOf(desk.get("/api/signed-codes/revocations"))).toBe(200);
  expect((await desk.get("/api/till/counters")).body.items).toEqual([]);
});

test("a kitchen cooks, and reads neither the counter, meals by name, prices nor families", async () => {
  await become("kitchen");
  expect(await cooking()).toEqual({ menus: 200, quantities: 200, shares: 200 });
  expect(await serving()).toEqual(all("company_role", ["list", "find", "scans"]));
  expect(await following()).toEqual(all("company_role", ["followUp", "csv"]));
  expect(await reads()).toEqual(all("company_role", familyReads));
  expect(await codeOf(desk.get(`${own()}/rules`))).toBe("company_role");
  expect(await codeOf(desk.get("/api/signed-codes/revocations"))).toBe("company_role");
});

test("both roles together open both, and no more", async () => {
  await become("counter", "kitchen");
  expect(await cooking()).toEqual({ menus: 200, quantities: 200, shares: 200 });
  expect(await serving()).toMatchObject({ list: 200, find: 200 });
  expect(await reads()).toEqual(all("company_role", familyReads));
});

test("a cashier has no part in the canteen", async () => {
  await become("owner");
  const before = (await desk.get(`${own()}/rules`)).body;
  await become("cashier");
  expect(await decisions()).toEqual(
    all("company_role", ["rules", "price", "endPrice", "preview", "close", "purchases"]),
  );
  expect(await answers()).toEqual(
    all("company_role", ["message", "registration", "dismiss", "certificate"]),
  );
  expect(await reads()).toEqual(all("company_role", familyReads));
  expect(await serving()).toEqual(all("company_role", ["list", "find", "scans"]));
  expect(await following()).toEqual(all("company_role", ["followUp", "csv"]));
  expect(await cooking()).toEqual(all("company_role", ["menus", "quantities", "shares"]));
  expect(await codeOf(desk.get(`${own()}/closings`))).toBe("company_role");
  const { rows } = await server.deps.pool.query("select state from canteen_registration");
  expect(rows.every(({ state }) => state === "accepted")).toBe(true);
  expect((await desk.get("/api/canteen/own")).body).toEqual({
    items: [],
    opens: { desk: false, counter: false, followUp: false },
  });
  await become("owner");
  expect((await desk.get(`${own()}/rules`)).body).toEqual(before);
  expect((await desk.get(`${own()}/closings`)).body.items).toEqual([]);
});

test("an accountant answers families and decides nothing", async () => {
  await become("accountant");
  expect(await decisions()).toEqual(
    all("company_role", ["rules", "price", "endPrice", "preview", "close", "purchases"]),
  );
  expect(await reads()).toEqual(everyRead);
  // Nobody is in that class, it is answered already, and no such illness exists: the role is no obstacle.
  expect(await answers()).toEqual({
    message: "canteen_message_nobody",
    registration: "meal_registration_answered",
    dismiss: 200,
    certificate: "not_found",
  });
});

test("an owner does both", async () => {
  await become("owner");
  expect(await decisions()).toEqual({
    rules: 200,
    price: 201,
    endPrice: 200,
    preview: 200,
    close: 201,
    purchases: 200,
  });
});
