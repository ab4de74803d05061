// The control of a pass by the company that runs its network: each verdict, what is recorded, who may
// control.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { parisDay } from "#contract/days.ts";
import { formatDateTime, shortName } from "#contract/french.ts";
import { inTx } from "#server/db/db.ts";
import { demoFares } from "#server/demo/fares.ts";
import { sweepOld } from "#server/privacy/privacy.ts";
import { cast, type CastName } from "#tests/cast.ts";
import { callLosingRoles } from "#tests/role-removal.ts";
import { type Answered, type Client, openTestServer, type TestServer } from "#tests/test-server.ts";
import { putOnSale } from "./passes.ts";

let server: TestServer;
let camille: Client;
let line: Client;
let wallet: string;
const own: number = cast.guardian.cardnumber;
const hour = 3_600_000;

const query = async (text: string, ...values: unknown[]) =>
  (await server.deps.pool.query(text, values)).rows;
const runsNetworks = (name: CastName | null) =>
  query(
    `update fare_group set company_id = (select m.company_id from company_member m
       join card c on c.person_id = m.person_id where c.number = $1)`,
    name && cast[name].cardnumber,
  );

beforeAll(async () => {
  server = await openTestServer();
  await inTx(server.deps.db, (tx) => putOnSale(tx, demoFares));
  // The price of a pass does not matter here.
  await query("update fare_product set price_cents = 100");
  await query("update fare_reduction set price_cents = 100");
  camille = await server.as("guardian");
  wallet = (await camille.get(`/api/wallets?cardnumber=${own}`)).body.items[0].objectID;
});
afterAll(() => server.close());
beforeEach(async () => {
  await query("delete from pass_control");
  await query("delete from pass");
  await query("delete from pass_order");
  await query("delete from card where replaces is not null");
  await query("update card set state = 'active'");
  await runsNetworks("partnerShop");
  camille = await server.as("guardian");
  line = await server.as("partnerShop");
});

/** A pass just bought, with the token of its QR. */
async function bought(product: string, starts: "first" | "last" = "first") {
  const begun = await camille.post("/api/passes/orders", { product, cardnumber: own });
  expect(begun.status, begun.text).toBe(201);
  const path = `/api/passes/orders/${begun.body.id}`;
  const { start } = begun.body;
  const last = start.choices.at(-1)?.on ?? start.to;
  const startOn = starts === "first" ? start.from : last;
  const { body: order } = await camille.post(path, { startOn });
  const paid = await camille.post(`${path}/pay`, {
    method: "wallet",
    objectID: wallet,
    revision: order.revision,
    totalCents: order.price.totalCents,
  });
  expect(paid.status, paid.text).toBe(200);
  const id: string = paid.body.order.pass;
  return { id, token: await tokenOf(id), startOn: startOn as string };
}
const tokenOf = async (id: string): Promise<string> => {
  const { status, text, body } = await camille.get(`/api/passes/${id}/qr`);
  expect(status, text).toBe(200);
  return body.token;
};
const control = (token: string, by = line) => by.post("/api/passes/control", { token });
const code = ({ status, body }: Answered<any>) => [status, body.code];
const verdicts = async () =>
  (await query("select verdict from pass_control order by verdict")).map(({ verdict }) => verdict);

test("a pass that rides is told with its name, its last day and a short name of its holder", async () => {
  const { token, id } = await bought("lagon-mois");
  const { body: pass } = await camille.get(`/api/passes/${id}`);
  const found = await control(token);
  expect(found.status, found.text).toBe(200);
  expect(found.body).toEqual({
    name: pass.name,
    kind: "month",
    groupName: "Réseau du Lagon",
    holder: "Camille M.",
    stop: null,
    validUntil: pass.validUntil,
    lastDay: pass.lastDay,
    controlledAt: null,
  });
  expect(await verdicts()).toEqual(["valid"]);
  expect((await camille.get(`/api/passes/${id}`)).body).toEqual(pass);
});

test("controlled again within minutes it is told with the time, of the same company only", async () => {
  const { token } = await bought("lagon-mois");
  server.clock.freeze();
  const first = server.clock.now().toISOString();
  expect((await control(token)).body.controlledAt).toBeNull();
  server.clock.advance(9 * 60_000);
  const again = await control(token);
  expect([again.status, again.body.controlledAt]).toEqual([200, first]);
  await runsNetworks("canteenProvider");
  const other = await control(token, await server.as("canteenProvider"));
  expect([other.status, other.body.controlledAt]).toEqual([200, null]);
  await runsNetworks("partnerShop");
  server.clock.advance(10 * 60_000);
  expect((await control(token)).body.controlledAt).toBeNull();
  const both = await Promise.all([control(token), control(token)]);
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  expect(await verdicts()).toEqual(Array.from({ length: 6 }, () => "valid"));
});

test("a code that is not ours, or altered, is refused and nothing is kept", async () => {
  const { token } = await bought("lagon-jour");
  const flipped = `${token.slice(0, 40)}${token[40] === "A" ? "B" : "A"}${token.slice(41)}`;
  const card = (await camille.get(`/api/cards/${own}/qr`)).body.token ?? "MC1.x";
  for (const one of [flipped, `${token}A`, token.replace("MP1", "MT1"), card, "MP1.x", "x"]) {
    expect(code(await control(one))).toEqual([422, "pass_forged"]);
  }
  expect((await control("")).status).toBe(400);
  expect(await verdicts()).toEqual([]);
});

test("only the company that runs the network controls: no other, and nobody where it is the scheme's", async () => {
  const { token } = await bought("lagon-mois");
  const elsewhere = await control(token, await server.as("canteenProvider"));
  expect(code(elsewhere)).toEqual([409, "pass_elsewhere"]);
  expect(elsewhere.text).not.toContain("Camille");
  await runsNetworks(null);
  expect(code(await control(token))).toEqual([409, "pass_elsewhere"]);
  const employer = await server.as("employer");
  const [left] = await query(
    `delete from company_member where person_id = (select person_id from card where number = $1)
     returning *`,
    cast.employer.cardnumber,
  );
  expect(code(await control(token, employer))).toEqual([403, "company_missing"]);
  await query(
    "insert into company_member (person_id, company_id, roles, since) values ($1, $2, $3, $4)",
    ...["person_id", "company_id", "roles", "since"].map((column) => left[column]),
  );
  expect(code(await control(token, camille))).toEqual([403, "forbidden"]);
  expect(await verdicts()).toEqual([]);
});

test("a controller who loses the role meanwhile is told nothing, and nothing is kept", async () => {
  const { token } = await bought("lagon-mois");
  const request = () => control(token);
  const refused = (
    await callLosingRoles(server, {
      cardnumber: cast.partnerShop.cardnumber,
      left: ["kitchen"],
      send: request,
    })
  ).answer;
  expect(code(refused)).toEqual([403, "company_role"]);
  expect(await verdicts()).toEqual([]);
});

test("a pass that has not begun, and one that is over, are refused with the instant", async () => {
  const next = await bought("lagon-mois", "last");
  const early = await control(next.token);
  expect(code(early)).toEqual([409, "pass_early"]);
  const { validFrom } = (await camille.get(`/api/passes/${next.id}`)).body;
  expect(parisDay(new Date(validFrom))).toBe(next.startOn);
  expect(early.body.message).toContain(formatDateTime(validFrom));
  const single = await bought("lagon-ticket");
  const { validUntil } = (await camille.get(`/api/passes/${single.id}`)).body;
  server.clock.advance(new Date(validUntil).getTime() - server.clock.now().getTime());
  line = await server.as("partnerShop");
  const late = await control(single.token);
  expect(code(late)).toEqual([410, "pass_expired"]);
  expect(late.body.message).toContain(formatDateTime(validUntil));
  expect(await verdicts()).toEqual(["early", "expired"]);
});

test("suspended it is refused; resumed, its old code still is and the new one rides", async () => {
  const { token, id } = await bought("lagon-an");
  expect((await camille.post(`/api/passes/${id}/suspend`)).status).toBe(200);
  expect(code(await control(token))).toEqual([409, "pass_suspended"]);
  expect((await camille.post(`/api/passes/${id}/resume`)).status).toBe(200);
  expect(code(await control(token))).toEqual([409, "pass_code_old"]);
  expect((await control(await tokenOf(id))).status).toBe(200);
});

test("replaced by a duplicate, the lost one is refused and the duplicate rides", async () => {
  const { token, id } = await bought("lagon-an");
  const made = await camille.post(`/api/passes/${id}/duplicate`, { feeCents: 0 });
  expect(made.status, made.text).toBe(201);
  expect(code(await control(token))).toEqual([409, "pass_replaced"]);
  expect((await control(await tokenOf(made.body.id))).status).toBe(200);
  expect(await verdicts()).toEqual(["replaced", "valid"]);
});

test.each(["suspended", "opposed"])("with a card that is %s it is refused", async (state) => {
  const { token } = await bought("lagon-mois");
  await query("update card set state = $2 where number = $1", own, state);
  expect(code(await control(token))).toEqual([409, "pass_card"]);
  expect(await verdicts()).toEqual(["card"]);
});

test("the home of the company lists its controls; two days later they are gone", async () => {
  const home = async () => (await line.get("/api/home/professional")).body;
  const { token } = await bought("lagon-mois");
  await control(token);
  await query("update card set state = 'suspended' where number = $1", own);
  await control(token);
  expect((await home()).runsNetwork).toBe(true);
  const scans = (await home()).scans.map((one: Record<string, unknown>) => [
    one["kind"],
    one["name"],
    one["where"],
    one["verdict"],
  ]);
  expect(scans.toSorted()).toEqual([
    ["pass", "Camille M.", "Réseau du Lagon", "out_of_use"],
    ["pass", "Camille M.", "Réseau du Lagon", "served"],
  ]);
  server.clock.advance(47 * hour);
  await sweepOld(server.deps);
  expect(await verdicts()).toHaveLength(2);
  server.clock.advance(2 * hour);
  await sweepOld(server.deps);
  expect(await verdicts()).toEqual([]);
});

test("a short name is the first name and an initial", () => {
  expect(["Léo Moreau", "Zoé", "Marie-Claire de la Tour", "Ana Élie"].map(shortName)).toEqual([
    "Léo M.",
    "Zoé",
    "Marie-Claire D.",
    "Ana É.",
  ]);
});
