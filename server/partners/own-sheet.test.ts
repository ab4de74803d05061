// The sheets of one's company and the category that its owner chooses; the map of all search results.
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { partners as limits } from "#contract/limits.ts";
import { cast, type CastName } from "#tests/cast.ts";
import { furnishDirectory } from "#tests/directory.ts";
import { callLosingRoles } from "#tests/role-removal.ts";
import { partnerCommands } from "./operator.ts";
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
    `update company_member set roles = array[$2]
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

test("POST …/category: an owner who loses the role meanwhile changes nothing", async () => {
  const before = await categoryOf();
  const { body: tree } = await shop.get("/api/partners/categories?all=true");
  const leaves = tree.items.flatMap((one: any) => one.children);
  const chosen = () => choose(shop, sheet, leaves.find(({ id }: any) => id !== before).id);
  const { status, body } = (
    await callLosingRoles(server, {
      cardnumber: cast.partnerShop.cardnumber,
      left: ["kitchen"],
      send: chosen,
    })
  ).answer;
  expect([status, body.code]).toEqual([403, "company_role"]);
  expect(await categoryOf()).toBe(before);
});

// proves: sheet-category
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
  for (const search of ["", "q=librerie", "category=manger", "open=true", "idgroup=1"]) {
    const listed: { id: string; open: boolean }[] = [];
    for (let page: number | null = 1; page !== null;) {
      const { body }: { body: any } = await shop.get(`/api/partners?${search}&page=${page}`);
      listed.push(...body.items.map((one: any) => ({ id: one.id, open: one.opening.open })));
      page = body.next;
    }
    const { items } = (await shop.get(`/api/partners/places?${search}`)).body;
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

test("name and address: asked by an owner, read by holders once the operator approves, refused with a reason", async () => {
  const path = `/api/partners/own/${sheet}/identity`;
  const operate = (name: string, ...args: string[]) => {
    const command = partnerCommands.find((one) => one.name === name);
    if (!command) throw new Error(name);
    return command.run(server.deps, args, "camille");
  };
  const seen = async () => (await shop.get(`/api/partners/${sheet}`)).body;
  const before = (await shop.get(path)).body;
  expect(before).toMatchObject({ name: "Librairie des Embruns", canAsk: true, request: null });
  const { name, street, postcode, town } = before;
  const asks = (more: object, client = shop) =>
    client.post(path, { name, street, postcode, town, ...more });
  expect((await asks({})).body.code).toBe("partner_identity_same");
  expect((await asks({ postcode: "3540" })).status).toBe(400);
  expect((await asks({ name: " \u202e " })).status).toBe(400);
  await becomes("partnerShop", "accountant");
  expect((await asks({ name: "X" })).body.code).toBe("company_role");
  expect((await shop.get(path)).body.canAsk).toBe(false);
  await becomes("partnerShop", "owner");
  await becomes("canteenProvider", "owner");
  expect((await asks({ name: "X" }, await server.as("canteenProvider"))).status).toBe(404);
  expect((await operate("partners requests")).lines).toEqual(["Aucune demande."]);

  // The last request counts; it is withdrawn, made again, refused with a reason.
  await asks({ name: "Librairie X" });
  const response = await asks({ name: "Librairie  du Large ", street: "4 quai Neuf" });
  expect(response.body.request).toMatchObject({
    state: "waiting",
    identity: { name: "Librairie du Large", street: "4 quai Neuf" },
  });
  expect((await seen()).name).toBe(name);
  const [line = "", ...others] = (await operate("partners requests")).lines;
  expect(others).toEqual([]);
  expect(line).toContain("→ Librairie du Large, 4 quai Neuf");
  expect((await shop.post(`${path}/withdraw`)).body.request).toBeNull();
  const number = line.split(" ")[0] ?? "";
  expect((await operate("partners approve", number)).ok).toBe(false);
  await asks({ name: "Librairie du Large" });
  const waiting = async () => (await operate("partners requests")).lines[0]?.split(" ")[0] ?? "";
  expect((await operate("partners refuse", await waiting(), " ")).ok).toBe(false);
  expect((await operate("partners refuse", await waiting(), "Envoyez un Kbis.")).ok).toBe(true);
  expect((await shop.get(path)).body.request).toMatchObject({
    state: "refused",
    why: "Envoyez un Kbis.",
  });
  expect((await seen()).name).toBe(name);

  await asks({ name: "Librairie du Large", street: "4 quai Neuf" });
  expect((await operate("partners approve", await waiting(), "95", "2")).ok).toBe(false);
  expect((await operate("partners approve", await waiting(), "48,65", "-2.01")).ok).toBe(true);
  expect(await seen()).toMatchObject({ name: "Librairie du Large", street: "4 quai Neuf" });
  expect((await shop.get(path)).body).toMatchObject({ name: "Librairie du Large", request: null });
  const { rows } = await query("select lat, lon from partner where id = $1", sheet);
  expect(rows).toEqual([{ lat: 48.65, lon: -2.01 }]);
  const found = await shop.get("/api/partners?q=librairie%20du%20large");
  expect(found.body.items.map(({ id }: { id: string }) => id)).toContain(sheet);
  const notices = (await shop.get("/api/notifications")).body.items;
  expect(notices.map(({ title }: { title: string }) => title).slice(0, 2)).toEqual([
    "Votre fiche a changé de nom ou d’adresse",
    "Nom ou adresse refusés",
  ]);
});
