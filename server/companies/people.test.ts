// The people of a company: who gives and takes roles, with which immediate effect, and the owner who remains.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { rolesPerDay } from "#contract/companies/limits.ts";
import { inTx } from "#server/db/db.ts";
import { approve, approveIfRequired } from "#tests/approve.ts";
import { cast, castPassword } from "#tests/cast.ts";
import { holdRows, untilWaiting } from "#tests/row-locks.ts";
import { openTestServer, type Client, type TestServer } from "#tests/test-server.ts";
import { companyOf, issueProCards, writeBankAccount } from "./companies.ts";

let server: TestServer;
let owner: Client;
let awa: number;
let waiting: number;
let companyId: string;

const query = async (text: string, ...values: unknown[]) =>
  (await server.deps.pool.query(text, values)).rows;
const personOf = async (cardnumber: number) =>
  (await query("select person_id as id from card where number = $1", cardnumber))[0].id as number;
const people = async (client = owner) => (await client.get("/api/company/people")).body;
const rowOf = async (cardnumber: number) =>
  (await people()).items.find((one: { cardnumber: number }) => one.cardnumber === cardnumber);
const path = (cardnumber: number) => `/api/company/people/${cardnumber}/roles`;
const rolesOf = (role: string | null) => (role === null ? [] : role.split(" "));
/** Roles in one text with spaces between them; null for none. */
const ask = (cardnumber: number, role: string | null, client = owner) =>
  client.post(path(cardnumber), { roles: rolesOf(role) });
const give = (cardnumber: number, role: string | null, client = owner) =>
  approveIfRequired(server, client, path(cardnumber), { roles: rolesOf(role) });
const codeOf = ({ status, body }: { status: number; body: any }) => [status, body["code"]];

beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  await query("delete from limiter");
  await query("delete from company_bank_account");
  await query("update company set owner_left_at = null");
  const employerId = await personOf(cast.employer.cardnumber);
  await query(
    "delete from company_member m using pro_card k where k.person_id = m.person_id and k.company_id = (select company_id from company_member where person_id = $1) and m.person_id <> $1",
    employerId,
  );
  owner = await server.as("employer");
  const company = await companyOf(server.deps.db, await personOf(cast.employer.cardnumber));
  companyId = company?.companyId ?? "";
  const at = server.deps.now();
  const made = await inTx(server.deps.db, (tx) => issueProCards(tx, { companyId, count: 2, at }));
  [awa, waiting] = made as [number, number];
  const bearer = { firstName: "Awa", lastName: "Diallo", email: "awa@corail.exemple.fr" };
  await owner.post(`/api/pro-cards/${awa}/assign`, { ...bearer, phonenumber: null, roles: [] });
  await query("update card set state = 'active', activated_at = now() where number = $1", awa);
  await query(
    `update person set must_reset = false, password_hash = (
       select password_hash from person join card on card.person_id = person.id where number = $2)
     where id = (select person_id from card where number = $1)`,
    awa,
    cast.employer.cardnumber,
  );
  server.outbox.length = 0;
});

const signIn = async () => {
  const { body } = await server.anonymous.post("/api/login", {
    login: awa,
    password: castPassword,
  });
  return server.withToken(body.token.jeton);
};

// proves: company-role-effect
test("a bearer is given a role, and sees what it opens at once; without it, nothing more", async () => {
  const client = await signIn();
  expect(await rowOf(awa)).toMatchObject({
    name: "Awa Diallo",
    roles: [],
    since: null,
    own: false,
  });
  expect(codeOf(await client.get("/api/company/bank-account"))).toEqual([403, "company_missing"]);
  expect((await give(awa, "accountant")).body.message).toContain("Comptable");
  expect((await client.get("/api/company/bank-account")).status).toBe(200);
  expect(await people(client)).toMatchObject({ canManage: false });
  expect((await give(awa, "cashier")).status).toBe(200);
  expect(codeOf(await client.get("/api/company/bank-account"))).toEqual([403, "company_role"]);
  expect(codeOf(await client.get("/api/company/people"))).toEqual([403, "company_role"]);
  expect((await give(awa, null)).status).toBe(200);
  expect(codeOf(await client.get("/api/company/people"))).toEqual([403, "company_missing"]);
  const revocations = await client.get("/api/signed-codes/revocations");
  expect(codeOf(revocations)).toEqual([403, "company_missing"]);
  expect(await rowOf(awa)).toMatchObject({ roles: [] });
  const messages = server.outbox.filter(({ subject }) => subject?.startsWith("Rôle"));
  expect(new Set(messages.map(({ address }) => address))).toEqual(
    new Set(["awa@corail.exemple.fr", cast.employer.email]),
  );
  expect(await query("select actor from audit where action = 'company.role'")).toHaveLength(6);
});

// proves: strangers-write
test("a role changed over and over soon waits, each time people are written to; it is always taken away", async () => {
  const answers = [];
  for (let time = 0; time <= rolesPerDay; time += 1)
    answers.push((await give(awa, time % 2 === 0 ? "accountant" : "cashier")).status);
  expect(answers).toEqual([200, 200, 200, 200, 200, 429]);
  expect(await rowOf(awa)).toMatchObject({ roles: ["accountant"] });
  const messages = () => server.outbox.filter(({ subject }) => subject?.includes("Rôle changé"));
  expect(messages()).toHaveLength(2 * rolesPerDay);
  expect((await give(awa, null)).status).toBe(200);
  expect(await rowOf(awa)).toMatchObject({ roles: [] });
  expect((await give(awa, "cashier")).status).toBe(429);
  expect(await rowOf(awa)).toMatchObject({ roles: [] });
  expect(messages()).toHaveLength(2 * rolesPerDay);
});

// proves: company-role-given
test("no role is given without a code and the password; taking one that is no owner's asks for none", async () => {
  for (const role of ["cashier", "accountant", "owner"]) {
    expect(codeOf(await ask(awa, role))).toEqual([403, "code_required"]);
    expect(await rowOf(awa)).toMatchObject({ roles: [] });
    await query("delete from limiter");
  }
  expect((await give(awa, "cashier")).status).toBe(200);
  expect((await ask(awa, null)).status).toBe(200);
});

test("an owner is made and unmade by a code and the password", async () => {
  expect(codeOf(await ask(awa, "owner"))).toEqual([403, "code_required"]);
  expect(await rowOf(awa)).toMatchObject({ roles: [] });
  expect((await approve(server, owner, path(awa), { roles: ["owner"] })).status).toBe(200);
  expect(await rowOf(awa)).toMatchObject({ roles: ["owner"] });
  await query("delete from limiter");
  expect(codeOf(await ask(awa, null))).toEqual([403, "code_required"]);
  expect((await approve(server, owner, path(awa), { roles: [] })).status).toBe(200);
  expect(await rowOf(awa)).toMatchObject({ roles: [] });
});

test("the last owner stays, whatever they ask for", async () => {
  for (const role of [null, "accountant", "cashier"]) {
    expect(codeOf(await give(cast.employer.cardnumber, role))).toEqual([409, "company_last_owner"]);
  }
  expect(await rowOf(cast.employer.cardnumber)).toMatchObject({ roles: ["owner"], own: true });
});

// proves: company-role-effect
test("of two owners who unmake each other at once, one stays", async () => {
  await approve(server, owner, path(awa), { roles: ["owner"] });
  // Her address is old enough to prove something.
  await query(
    `update person set email_since = now() - interval '30 days'
     where id = (select person_id from card where number = $1)`,
    awa,
  );
  const other = await signIn();
  const proofs = [];
  for (const [client, card] of [
    [owner, awa],
    [other, cast.employer.cardnumber],
  ] as const) {
    const { code, details } = (await ask(card, null, client)).body;
    expect(code).toBe("code_required");
    const proof = { challenge: details.challenge, code: server.lastCode(), password: castPassword };
    proofs.push({ client, card, proof });
  }
  const { release } = await holdRows(server, "select from company where id = $1 for update", [
    companyId,
  ]);
  const calls = proofs.map(({ client, card, proof }) =>
    client.post(path(card), { roles: [], ...proof }),
  );
  await untilWaiting(server, 2);
  await release();
  const answers = await Promise.all(calls);
  const outcomes = answers.map(({ status, body }) => (status === 200 ? "done" : body["code"]));
  expect(new Set(outcomes)).toEqual(new Set(["done", "company_missing"]));
  const owners = await query(
    "select 1 from company_member where company_id = $1 and 'owner' = any (roles)",
    companyId,
  );
  expect(owners).toHaveLength(1);
  await query(
    "insert into company_member (person_id, company_id, roles, since) values ($1, $2, '{owner}', now()) on conflict (person_id) do nothing",
    await personOf(cast.employer.cardnumber),
    companyId,
  );
});

test("no owner is unmade while a change of account may wait for them", async () => {
  await approve(server, owner, path(awa), { roles: ["owner"] });
  const by = await personOf(cast.employer.cardnumber);
  const at = server.deps.now();
  const account = { iban: "FR7699999002100009080706203", bic: null, holderName: "Ateliers Corail" };
  await inTx(server.deps.db, (tx) =>
    writeBankAccount(tx, { ...account, companyId, by, second: true, at }),
  );
  expect(codeOf(await give(awa, null))).toEqual([409, "bank_change_open"]);
});

test("only an owner, only their people: nobody else's card gets a role", async () => {
  await give(awa, "accountant");
  const accountant = await signIn();
  expect(codeOf(await give(awa, "owner", accountant))).toEqual([403, "company_role"]);
  const unknown = [waiting, cast.partnerShop.cardnumber, cast.guardian.cardnumber, 2999999997];
  for (const card of unknown) {
    expect(codeOf(await give(card, "cashier")), String(card)).toEqual([
      404,
      "company_person_unknown",
    ]);
  }
  expect(await rowOf(awa)).toMatchObject({ roles: ["accountant"] });
  const shop = await server.as("partnerShop");
  expect(codeOf(await give(awa, null, shop))).toEqual([404, "company_person_unknown"]);
});
