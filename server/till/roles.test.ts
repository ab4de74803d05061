// A cashier who loses access to the till during a call.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { cast } from "#tests/cast.ts";
import { furnishDirectory } from "#tests/directory.ts";
import { callLosingRoles } from "#tests/role-removal.ts";
import { type Answered, type Client, openTestServer, type TestServer } from "#tests/test-server.ts";

let server: TestServer;
let shop: Client;
let camille: Client;
let partner: string;
beforeAll(async () => {
  server = await openTestServer({ codeFromCents: 1_000_000 });
  await furnishDirectory(server.deps);
  const { rows } = await server.deps.pool.query(
    "select id from partner where reference = 'librairie-des-embruns'",
  );
  partner = rows[0].id;
});
beforeEach(async () => {
  // A minute later each time: a card's QR is another one.
  server.clock.advance(61_000);
  [shop, camille] = await Promise.all([server.as("partnerShop"), server.as("guardian")]);
});
afterAll(() => server.close());

const cardToken = async () =>
  (await camille.get(`/api/cards/${cast.guardian.cardnumber}/qr`)).body.token;
const charge = (more: object) =>
  shop.post("/api/till/sales", { id: randomUUID(), partner, amountCents: 1250, ...more });
const balance = async (): Promise<number> =>
  (await camille.get(`/api/wallets?cardnumber=${cast.guardian.cardnumber}`)).body.items[0]
    .balanceCents;
const taken = async (send: () => Promise<Answered<any>>) => {
  const losing = { cardnumber: cast.partnerShop.cardnumber, left: ["kitchen"], send } as const;
  return (await callLosingRoles(server, losing)).answer;
};

test("a charge by the QR of a card takes nothing", async () => {
  const [before, token, id] = [await balance(), await cardToken(), randomUUID()];
  const { status, body } = await taken(() => charge({ id, token }));
  expect([status, body.code]).toEqual([403, "company_role"]);
  expect(await balance()).toBe(before);
  expect((await shop.get(`/api/till/sales/${id}`)).status).toBe(404);
  expect((await charge({ id, token })).body.state).toBe("paid");
});

test("the code that a holder told pays nothing, and stays good", async () => {
  const before = await balance();
  const { id } = (await charge({ cardnumber: cast.guardian.cardnumber })).body;
  const { challenge } = (await shop.post(`/api/till/sales/${id}/code`)).body;
  const pay = () => shop.post(`/api/till/sales/${id}/pay`, { challenge, code: server.lastCode() });
  expect((await taken(pay)).body.code).toBe("company_role");
  expect(await balance()).toBe(before);
  expect((await pay()).body.state).toBe("paid");
});

test("a sale is neither cancelled nor given back, and the day stays open", async () => {
  const { id } = (await charge({ token: await cardToken() })).body;
  const before = await balance();
  const sale = `/api/till/sales/${id}`;
  const refund = { amountCents: 100, refundedCents: 0 };
  expect((await taken(() => shop.post(`${sale}/cancel`))).body.code).toBe("company_role");
  expect((await taken(() => shop.post(`${sale}/refund`, refund))).body.code).toBe("company_role");
  expect((await taken(() => shop.post(`${sale}/withdraw`))).body.code).toBe("company_role");
  const close = () => shop.post("/api/till/closings", { partner });
  expect((await taken(close)).body.code).toBe("company_role");
  expect((await shop.get(sale)).body).toMatchObject({ state: "paid", refundedCents: 0 });
  expect(await balance()).toBe(before);
  expect((await shop.get(`/api/till/closings?partner=${partner}`)).body.items).toEqual([]);
});

test("a charge of before, made without network, is kept with the reason", async () => {
  const at = server.clock.now();
  const made = {
    id: randomUUID(),
    partner,
    amountCents: 1250,
    token: await cardToken(),
    soldAt: at.toISOString(),
    knownAt: at.toISOString(),
  };
  const { status, body } = await taken(() => shop.post("/api/till/offline", { charges: [made] }));
  expect([status, body.items[0]]).toEqual([200, { id: made.id, conflict: "counter", sale: null }]);
});
