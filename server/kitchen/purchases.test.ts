// A provider's declarations of purchases: only its own, within the limits of the year and the law, read by
// families.
import { afterAll, beforeAll, expect, test } from "vitest";
import { parisDay } from "#contract/days.ts";
import { makeCanteen, type MadeCanteen } from "#tests/canteens.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";

let server: TestServer;
let made: MadeCanteen;
let provider: Client;
let family: Client;
let year: number;
beforeAll(async () => {
  server = await openTestServer();
  made = await makeCanteen(server);
  provider = await server.as("canteenProvider");
  family = await server.as("guardian");
  year = Number(parisDay(server.clock.now()).slice(0, 4));
});
afterAll(() => server.close());

const path = "/api/canteen/purchase-shares";
const readByFamily = async () =>
  (await family.get(`/api/canteen/providers/${made.groupId}`)).body.purchases;

test("families read the latest year that was declared; the same year again replaces it", async () => {
  expect((await provider.get(path)).body).toEqual({ items: [] });
  expect(await readByFamily()).toBeNull();
  const last = { year: year - 1, sustainable: 54, organic: 22 };
  expect((await provider.post(path, last)).body).toEqual({ items: [last] });
  const before = { year: year - 2, sustainable: 41, organic: 41 };
  expect((await provider.post(path, before)).body).toEqual({ items: [last, before] });
  expect(await readByFamily()).toEqual(last);
  const mended = { ...last, organic: 21 };
  expect((await provider.post(path, mended)).body).toEqual({ items: [mended, before] });
  expect(await readByFamily()).toEqual(mended);
});

test("a year to come, more organic than sustainable, and what is no percent are refused", async () => {
  const current = (await provider.get(path)).body;
  const answers = [
    [{ year: year + 1, sustainable: 50, organic: 20 }, 422, "purchase_share_year"],
    [{ year, sustainable: 20, organic: 21 }, 422, "purchase_share_organic"],
    [{ year, sustainable: 101, organic: 20 }, 400, "invalid_input"],
    [{ year, sustainable: 50.5, organic: 20 }, 400, "invalid_input"],
  ] as const;
  for (const [body, status, code] of answers) {
    const answer = await provider.post(path, body);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  }
  expect((await provider.get(path)).body).toEqual(current);
});

test("another professional declares nothing here; a holder does not reach the row", async () => {
  const shop = await server.as("partnerShop");
  const answer = await shop.post(path, { year, sustainable: 50, organic: 20 });
  expect(answer.status).toBe(404);
  expect((await family.get(path)).status).toBe(403);
});
