// Companies: who acts for which, the permissions of a role, and the operator's changes.
import { afterAll, beforeAll, expect, test } from "vitest";
import { cast } from "#tests/cast.ts";
import { makeCanteen } from "#tests/canteens.ts";
import { openTestServer, type Client, type TestServer } from "#tests/test-server.ts";
import { companyCommands } from "./operator.ts";

let server: TestServer;
let shop: Client;
beforeAll(async () => {
  server = await openTestServer();
  shop = await server.as("partnerShop");
});
afterAll(() => server.close());

const run = async (name: string, ...args: string[]) => {
  const command = companyCommands.find((one) => one.name === name);
  return await command!.run(server.deps, args, "alice");
};
const query = async (text: string, ...values: unknown[]) =>
  (await server.deps.pool.query(text, values)).rows;
const personOf = async (cardnumber: number) =>
  (await query("select person_id as id from card where number = $1", cardnumber))[0].id as number;

test("a professional reads their company and role; a holder has no such page", async () => {
  const { status, body } = await shop.get("/api/company");
  expect(status).toBe(200);
  expect(body.company).toMatchObject({
    name: "Librairie des Embruns",
    siren: "900234568",
    siret: "90023456800013",
    vatNumber: "FR34900234568",
    roles: ["owner"],
  });
  expect((await (await server.as("guardian")).get("/api/company")).status).toBe(403);
});

test("without a company, or with a role that may not, what belongs to it is refused", async () => {
  const shopId = await personOf(cast.partnerShop.cardnumber);
  await query("update company_member set roles = '{cashier}' where person_id = $1", shopId);
  const refused = async () => (await shop.get("/api/company/people")).body.code;
  expect(await refused()).toBe("company_role");
  expect((await shop.get("/api/company")).body.company.roles).toEqual(["cashier"]);
  const [own] = await query("delete from company_member where person_id = $1 returning *", shopId);
  expect(await refused()).toBe("company_missing");
  expect((await shop.get("/api/company")).body).toEqual({ company: null });
  const back =
    "insert into company_member (person_id, company_id, since, roles) values ($1, $2, $3, '{owner}')";
  await query(back, shopId, own.company_id, own.since);
});

test("whoever joins the company of a provider runs its canteens, and no longer once they left", async () => {
  const { id } = await makeCanteen(server);
  const canteens = async () => (await shop.get("/api/canteen/own")).body;
  expect(JSON.stringify(await canteens())).not.toContain(id);
  const shopId = await personOf(cast.partnerShop.cardnumber);
  const [own] = await query("select * from company_member where person_id = $1", shopId);
  const provider = await personOf(cast.canteenProvider.cardnumber);
  await query(
    `update company_member set company_id = (select company_id from company_member where person_id = $1)
     where person_id = $2`,
    provider,
    shopId,
  );
  expect(JSON.stringify(await canteens())).toContain(id);
  const back = "update company_member set company_id = $1 where person_id = $2";
  await query(back, own.company_id, shopId);
  expect(JSON.stringify(await canteens())).not.toContain(id);
});

test("the operator opens and corrects a company; what is wrong changes nothing", async () => {
  const card = String(cast.employer.cardnumber);
  const place = ["2 quai des Chantiers", "35400", "Port-Lagune"];
  const before = await query("select * from company order by id");
  const refused: [string[], string][] = [
    [[card, "90034567900015", "Ateliers Corail", ...place], "SIRET"],
    [[card, "90034567900014", "", ...place], "nom"],
    [[card, "90034567900014", "Ateliers 李", ...place], "李 ne s'imprime pas"],
    [[String(cast.guardian.cardnumber), "90034567900014", "Moreau", ...place], "trouvons pas"],
  ];
  for (const [args, why] of refused) {
    const result = await run("companies write", ...args);
    expect(result.ok).toBe(false);
    expect(result.lines.join(" ")).toContain(why);
  }
  expect(await query("select * from company order by id")).toEqual(before);

  const taken = await run("companies write", card, "90023456800013", "Ateliers Corail", ...place);
  expect(taken).toMatchObject({ ok: false, lines: [expect.stringContaining("a déjà son compte")] });
  const written = await run(
    "companies write",
    card,
    "732 829 320 00074",
    "Ateliers Corail SAS",
    ...place,
  );
  expect(written).toMatchObject({ ok: true });
  const { company } = (await (await server.as("employer")).get("/api/company")).body;
  expect(company).toMatchObject({ name: "Ateliers Corail SAS", vatNumber: "FR44732829320" });
  expect((await run("companies list")).lines.join("\n")).toContain("Ateliers Corail SAS");
  const [line] = await query("select action, actor from audit where action = 'company.write'");
  expect(line).toEqual({ action: "company.write", actor: "operator:alice" });
});
