// What each role of a company may do at its canteen: an owner decides of rules, prices and closings, a cashier
// does not answer families, and menus stay open to all.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addDays, parisDay } from "#contract/days.ts";
import type { CompanyRole } from "#contract/companies/rows.ts";
import { cast } from "#tests/cast.ts";
import { closeSound, type MadeCanteen, openCanteenServer } from "#tests/canteens.ts";
import type { Client, TestServer } from "#tests/test-server.ts";

let server: TestServer;
let canteen: MadeCanteen;
let desk: Client;
beforeAll(async () => {
  ({ server, canteen } = await openCanteenServer());
  desk = await server.as("canteenProvider");
});
afterAll(() => closeSound(server));

const become = (role: CompanyRole) =>
  server.deps.pool.query(
    "update company_member set role = $1 where person_id = (select person_id from card where number = $2)",
    [role, cast.canteenProvider.cardnumber],
  );
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

/** What owners alone decide. */
const decisions = async () => {
  const { rules, prices } = (await desk.get(`${own()}/rules`)).body;
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
/** What answers families. */
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
/** What each read of families' data answers: "200" or a refusal. */
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

test("a cashier neither decides of the canteen nor answers families; menus stay open", async () => {
  await become("cashier");
  const before = (await desk.get(`${own()}/rules`)).body;
  expect(await decisions()).toEqual(
    all("company_role", ["rules", "price", "endPrice", "preview", "close", "purchases"]),
  );
  expect(await answers()).toEqual(
    all("company_role", ["message", "registration", "dismiss", "certificate"]),
  );
  expect(await reads()).toEqual(all("company_role", familyReads));
  expect((await desk.get(`${own()}/rules`)).body).toEqual(before);
  expect((await desk.get(`${own()}/closings`)).body.items).toEqual([]);
  const { rows } = await server.deps.pool.query("select state from canteen_registration");
  expect(rows.every(({ state }) => state === "accepted")).toBe(true);
  expect((await desk.get("/api/canteen/own")).status).toBe(200);
});

test("an accountant answers families and decides nothing", async () => {
  await become("accountant");
  expect(await decisions()).toEqual(
    all("company_role", ["rules", "price", "endPrice", "preview", "close", "purchases"]),
  );
  expect(await reads()).toEqual(everyRead);
  // Nobody is of that class, it is answered already, and no such illness is there: the role is no bar.
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
