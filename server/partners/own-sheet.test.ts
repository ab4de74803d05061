// The sheets of one's company and the category that its owner chooses; the plan of all that are found.
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { partners as limits } from "#contract/limits.ts";
import { cast, type CastName } from "#tests/cast.ts";
import { furnishDirectory } from "#tests/directory.ts";
import { type Client, type TestServer, openTestServer } from "#tests/test-server.ts";

let server: TestServer;
let shop: Client;
let sheet: string;
beforeAll(async () => {
  server = await openTestServer();
  ({ partner: sheet } = await furnishDirectory(server.deps));
  shop = await server.as("partnerShop");
});
afterAll(() => server.close());

const query = (text: string, ...values: unknown[]) => server.deps.pool.query(text, values);
const becomes = (name: CastName, role: string) =>
  query(
    `update company_member set role = $2
     where person_id = (select person_id from card where number = $1)`,
    cast[name].cardnumber,
    role,
  );
const choose = (client: Client, id: string, category: string) =>
  client.post(`/api/partners/own/${id}/category`, { category });
const categoryOf = async () => (await shop.get(`/api/partners/${sheet}`)).body.category.id;

test("GET /api/partners/own: the company's sheets alone; a cashier reads them and edits none", async () => {
  const { body } = await shop.get("/api/partners/own");
  expect(body).toMatchObject({
    canEdit: true,
    items: [{ id: sheet, name: "Librairie des Embruns", listed: true }],
  });
  expect(body.items[0].category.top).toBe("culture");
  const employer = await server.as("employer");
  expect((await employer.get("/api/partners/own")).body).toEqual({ canEdit: true, items: [] });
  await becomes("partnerShop", "cashier");
  expect((await shop.get("/api/partners/own")).body.canEdit).toBe(false);
  const refused = await choose(shop, sheet, "cinemas");
  expect([refused.status, refused.body.code]).toEqual([403, "company_role"]);
  await becomes("partnerShop", "owner");
});

test("POST …/category: found under the new one at once, counted there, and written in the trail", async () => {
  const before = await categoryOf();
  const { body: tree } = await shop.get("/api/partners/categories?all=true");
  const leaves = tree.items.flatMap((one: any) => one.children);
  const other = leaves.find((one: any) => one.id !== before && one.count === 1);
  const answer = await choose(shop, sheet, other.id);
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body.message).toContain(other.name);
  expect(await categoryOf()).toBe(other.id);
  const after = (await shop.get("/api/partners/categories")).body.items.flatMap(
    (one: any) => one.children,
  );
  expect(after.find((one: any) => one.id === other.id).count).toBe(2);
  const found = await shop.get(`/api/partners?category=${other.id}`);
  expect(found.body.items.map((one: any) => one.id)).toContain(sheet);
  const byWord = await shop.get(`/api/partners?q=${encodeURIComponent(other.name)}`);
  expect(byWord.body.items.map((one: any) => one.id)).toContain(sheet);
  const { rows } = await query("select details from audit where action = 'partner.category'");
  expect(rows).toEqual([{ details: { name: "Librairie des Embruns", category: other.name } }]);
  expect((await choose(shop, sheet, before)).status).toBe(200);
});

test("another's sheet is not found, an unknown category and no company are refused; nothing changes", async () => {
  const before = await categoryOf();
  const employer = await server.as("employer");
  expect((await choose(employer, sheet, before)).body.code).toBe("not_found");
  expect((await choose(shop, sheet, "rien-de-tel")).body.code).toBe("partner_category_unknown");
  await query(
    "delete from company_member where person_id = (select person_id from card where number = $1)",
    cast.employer.cardnumber,
  );
  expect((await choose(employer, sheet, before)).body.code).toBe("company_missing");
  expect((await employer.get("/api/partners/own")).body).toEqual({ canEdit: false, items: [] });
  expect(await categoryOf()).toBe(before);
});

test("all=true tells the categories without partners too, to choose one's own", async () => {
  await query(
    "insert into partner_category (id, name, place) values ('vide', 'Sans personne', 900)",
  );
  const ids = async (path: string) =>
    (await shop.get(path)).body.items.map(({ id }: { id: string }) => id);
  expect(await ids("/api/partners/categories")).not.toContain("vide");
  expect(await ids("/api/partners/categories?all=true")).toContain("vide");
});

test("GET /api/partners/places: every place that the list finds over its pages, and whether it is open", async () => {
  for (const asked of ["", "q=librerie", "category=manger", "open=true", "idgroup=1"]) {
    const listed: { id: string; open: boolean }[] = [];
    for (let page: number | null = 1; page !== null;) {
      const { body }: { body: any } = await shop.get(`/api/partners?${asked}&page=${page}`);
      listed.push(...body.items.map((one: any) => ({ id: one.id, open: one.opening.open })));
      page = body.next;
    }
    const { items } = (await shop.get(`/api/partners/places?${asked}`)).body;
    const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
    expect(items.map(({ id, open }: any) => ({ id, open })).sort(byId)).toEqual(listed.sort(byId));
  }
});

test("the plan of a large scheme: one answer, as many places as it may draw", async () => {
  await sql`insert into partner (reference, name, category_id, summary, description, keywords, street,
      postcode, town, lat, lon)
    select 'beaucoup-' || n, 'Lieu ' || n, (select id from partner_category limit 1), 'Un lieu',
      'Un lieu', '', n || ' rue', '35400', 'Ville ' || n % 40, 48 + n % 37 / 100.0, -2 + n % 53 / 100.0
    from generate_series(1, ${limits.planPlaces + 50}) n`.execute(server.owner.db);
  const { items } = (await shop.get("/api/partners/places")).body;
  expect(items).toHaveLength(limits.planPlaces);
});
