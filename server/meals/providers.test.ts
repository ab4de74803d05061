// GET /api/canteen/providers: open or closed as the directory says, and the nearest first around a position.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openProvider } from "#server/kitchen/kitchen.ts";
import { inTx } from "#server/db/db.ts";
import { makeCanteen, type MadeCanteen } from "#tests/canteens.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";

let server: TestServer;
let camille: Client;
let family: MadeCanteen;
beforeAll(async () => {
  server = await openTestServer();
  server.clock.freeze();
  family = await makeCanteen(server);
  await rows(
    `insert into acceptance_group (name, slug, rule) values ('Ailleurs', 'ailleurs', 'À la cantine.')`,
  );
  const [group] = await rows("select id from acceptance_group where slug = 'ailleurs'");
  await rows(
    `insert into partner (reference, name, category_id, summary, description, keywords, street,
       postcode, town, lat, lon)
     values ('cantine-loin', 'Cuisine du Phare', 'cantines-essai', 'Repas', 'Repas', '', '1 quai',
       '35400', 'Port-Lagune', 48.7, -2)`,
  );
  await inTx(server.deps.db, (tx) =>
    openProvider(tx, { partnerReference: "cantine-loin", groupId: Number(group?.["id"]) }),
  );
});
afterAll(() => server.close());
beforeEach(async () => {
  camille = await server.as("guardian");
});

const rows = async (text: string, ...values: unknown[]) =>
  (await server.deps.pool.query(text, values)).rows;
const providers = async (query = "") => await camille.get(`/api/canteen/providers${query}`);
const named = async (query = "") =>
  (await providers(query)).body.items.map(({ name, metres }: any) => [name, metres]);

test("without a position those of the family come first, and no distance is told", async () => {
  expect(await named()).toEqual([
    ["Les Tables du Lagon", null],
    ["Cuisine du Phare", null],
  ]);
});

test("around a position the nearest comes first, with its distance in metres", async () => {
  expect(await named("?lat=48.7&lon=-2")).toEqual([
    ["Cuisine du Phare", 0],
    ["Les Tables du Lagon", expect.closeTo(11_120, -2)],
  ]);
  expect(await named("?lat=48.6&lon=-2")).toMatchObject([
    ["Les Tables du Lagon", 0],
    ["Cuisine du Phare", expect.any(Number)],
  ]);
  expect(await providers("?lat=48.6")).toMatchObject({
    status: 400,
    body: { code: "invalid_input" },
  });
});

test("open until its hour, closed on a closing, and nothing said where the sheet tells no hours", async () => {
  await rows(
    `insert into partner_hours (partner_id, weekday, opens, closes)
     select id, weekday, '00:00', '24:00' from partner, generate_series(1, 7) weekday
     where reference = 'cantine-essai'`,
  );
  const opening = async () =>
    (await providers()).body.items.map(({ name, opening: state }: any) => [name, state]);
  expect(await opening()).toMatchObject([
    ["Les Tables du Lagon", { open: true, until: "24:00" }],
    ["Cuisine du Phare", null],
  ]);
  await rows(
    `insert into partner_closure (partner_id, from_on, to_on, reason)
     select id, paris_day(now()) - 400, paris_day(now()) + 400, 'Travaux' from partner
     where reference = 'cantine-essai'`,
  );
  expect((await opening())[0]).toMatchObject(["Les Tables du Lagon", { open: false }]);
  const { body } = await camille.get(`/api/canteen/providers/${family.groupId}`);
  expect(body.provider).toMatchObject({ opening: { open: false, closure: "Travaux" } });
});
