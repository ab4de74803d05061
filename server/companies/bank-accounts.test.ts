// The bank account of a company: which one is in force at an instant, who may change it and how.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { parisDay } from "#contract/days.ts";
import { inTx } from "#server/db/db.ts";
import { approve } from "#tests/approve.ts";
import { cast, castPassword } from "#tests/cast.ts";
import { openTestServer, type Client, type TestServer } from "#tests/test-server.ts";
import { bankAccountFor, companyOf, writeBankAccount } from "./companies.ts";

const hourMs = 3_600_000;
const first = "FR7699999010350005060708181";
const next = "FR7699999002100001122334413";

let server: TestServer;
let companyId: string;
let ownerId: number;

const query = async (text: string, ...values: unknown[]) =>
  (await server.deps.pool.query(text, values)).rows;
const personOf = async (cardnumber: number) =>
  (await query("select person_id as id from card where number = $1", cardnumber))[0].id as number;

beforeAll(async () => {
  server = await openTestServer();
  server.clock.freeze();
  ownerId = await personOf(cast.partnerShop.cardnumber);
  const company = await companyOf(server.deps.db, ownerId);
  companyId = company?.companyId ?? "";
});
afterAll(() => server.close());
beforeEach(() => query("delete from company_bank_account"));

const write = (iban: string, at: Date, second = false) =>
  inTx(server.deps.db, (tx) =>
    writeBankAccount(tx, {
      companyId,
      iban,
      bic: null,
      holderName: "Librairie des Embruns",
      by: ownerId,
      second,
      at,
    }),
  );
const at = (hours: number) => new Date(server.clock.now().getTime() + hours * hourMs);
const standing = (hours: number) => bankAccountFor(server.deps.db, companyId, at(hours));

test("a company without an account has none; the first one is frozen for 48 hours", async () => {
  expect(await standing(0)).toBe(null);
  await write(first, at(0));
  expect(await standing(-1)).toBe(null);
  expect(await standing(47)).toEqual({
    iban: first,
    bic: null,
    holderName: "Librairie des Embruns",
    frozenUntil: at(48),
  });
  expect(await standing(48)).toMatchObject({ iban: first, frozenUntil: null });
});

test("a change freezes payouts; the past is read as it was", async () => {
  await write(first, at(-1000));
  await write(next, at(0));
  expect(await standing(-1)).toMatchObject({ iban: first, frozenUntil: null });
  expect(await standing(1)).toMatchObject({ iban: next, frozenUntil: at(48) });
  expect(await standing(49)).toMatchObject({ iban: next, frozenUntil: null });
});

test("what waits for its second owner freezes, and leaves the former account", async () => {
  await write(first, at(-1000));
  const id = await write(next, at(0), true);
  expect(await standing(1)).toMatchObject({ iban: first, frozenUntil: at(48) });
  expect(await standing(50)).toMatchObject({ iban: first, frozenUntil: null });
  const second = await personOf(cast.employer.cardnumber);
  await query(
    "update company_bank_account set confirmed_by = $2, confirmed_at = $3 where id = $1",
    id,
    second,
    at(60),
  );
  expect(await standing(59)).toMatchObject({ iban: first });
  expect(await standing(61)).toMatchObject({ iban: next, frozenUntil: null });
});

test("undone or left unanswered, it never was", async () => {
  await write(first, at(-1000));
  const undone = await write(next, at(0));
  await query(
    "update company_bank_account set undone_by = $2, undone_at = $3 where id = $1",
    undone,
    ownerId,
    at(2),
  );
  expect(await standing(3)).toMatchObject({ iban: first, frozenUntil: null });
  await write(next, at(4), true);
  expect(await standing(5 + 7 * 24)).toMatchObject({ iban: first, frozenUntil: null });
});

test("whoever asked is not whoever confirms, in the database too", async () => {
  const id = await write(first, at(0), true);
  const own = query(
    "update company_bank_account set confirmed_by = requested_by, confirmed_at = requested_at where id = $1",
    id,
  );
  await expect(own).rejects.toMatchObject({ constraint: "company_bank_second" });
});

describe("on the screen", () => {
  const path = "/api/company/bank-account";
  const account = { iban: first, bic: null, holderName: "Librairie des Embruns" };
  let shop: Client;
  let colleague: Client;
  let colleagueId: number;

  /** Puts the employer's person into the shop's company. */
  async function join(role: string, hoursAgo = 100) {
    await query(
      "update company_member set company_id = $1, roles = array[$2], since = $3 where person_id = $4",
      companyId,
      role,
      at(-hoursAgo),
      colleagueId,
    );
  }
  const view = async (client = shop) => (await client.get(path)).body;
  const codeOf = ({ status, body }: { status: number; body: any }) => [status, body["code"]];

  beforeAll(async () => {
    colleagueId = await personOf(cast.employer.cardnumber);
  });
  beforeEach(async () => {
    await query("delete from limiter");
    await query(
      "update company_member set company_id = (select id from company where siren = '900345679'), roles = '{owner}' where person_id = $1",
      colleagueId,
    );
    await query("update company set owner_left_at = null");
    await query("update company_member set roles = '{owner}' where person_id = $1", ownerId);
    server.clock.advance(3_600_000);
    shop = await server.as("partnerShop");
    colleague = await server.as("employer");
    server.outbox.length = 0;
  });

  // proves: company-bank-account
  test("an owner changes it by a code and their password: masked, frozen, every owner told", async () => {
    expect(await view()).toEqual({
      canEdit: true,
      account: null,
      frozenUntil: null,
      open: null,
      past: [],
    });
    const without = await shop.post(path, account);
    expect(codeOf(without)).toEqual([403, "code_required"]);
    expect(without.body.details).toMatchObject({ password: true });
    expect(await query("select * from company_bank_account")).toEqual([]);
    const done = await approve(server, shop, path, {
      ...account,
      iban: "fr76 9999-9010 3500 0506 0708 181",
    });
    expect(done.status, done.text).toBe(200);
    expect(done.body).toMatchObject({
      account: { iban: "FR76\u00A0••••\u00A08181" },
      frozenUntil: at(48).toISOString(),
      open: { iban: first, state: "frozen", canConfirm: false, canUndo: true, answerUntil: null },
    });
    const mail = server.outbox.find(({ subject }) => subject?.includes("compte bancaire demandé"));
    expect(mail?.address).toBe(cast.partnerShop.email);
    expect(mail?.body).not.toContain(first);
    const [line] = await query("select details from audit where action = 'company.bank_ask'");
    expect(line.details).toEqual({ name: "FR76\u00A0••••\u00A08181" });
  });

  test("what is not an account to be paid on in euros is refused", async () => {
    const refused: [object, number, string][] = [
      [{ iban: "FR7699999010350005060708182" }, 422, "iban_invalid"],
      [{ iban: "FR76" }, 422, "iban_invalid"],
      [{ iban: "SA0380000000608010167519" }, 422, "bank_iban_country"],
      [{ bic: "BNPA" }, 422, "bank_bic_invalid"],
      [{ iban: "CH93 0076 2011 6238 5295 7" }, 422, "bank_bic_missing"],
      [{ iban: "GB29 NWBK 6016 1331 9268 19", bic: " " }, 422, "bank_bic_missing"],
      [{ holderName: "李小龙" }, 422, "bank_holder_letters"],
      [{ holderName: "123" }, 422, "bank_holder_letters"],
    ];
    for (const [wrong, status, code] of refused) {
      expect(codeOf(await shop.post(path, { ...account, ...wrong })), code).toEqual([status, code]);
    }
    await write(first, at(-100));
    expect(codeOf(await shop.post(path, account))).toEqual([409, "bank_same"]);
    expect(await query("select id from company_bank_account")).toHaveLength(1);
  });

  test("an account outside the Economic Area is kept with its BIC, both as they were pasted", async () => {
    const done = await approve(server, shop, path, {
      iban: "IBAN : CH93\u00a00076\u202f2011\u00a06238\u00a05295\u00a07",
      bic: "BIC : pofi ch be xxx",
      holderName: "Bjørn Łukaszewicz",
    });
    expect(done.status, done.text).toBe(200);
    expect(await query("select iban, bic from company_bank_account")).toEqual([
      { iban: "CH9300762011623852957", bic: "POFICHBEXXX" },
    ]);
  });

  test("a BIC that was missing is added to the account that stands", async () => {
    await write(first, at(-100));
    const done = await approve(server, shop, path, { ...account, bic: "AGRIFRPP" });
    expect(done.status, done.text).toBe(200);
  });

  test("the code is worth nothing for another account", async () => {
    const refusal = await shop.post(path, account);
    const { challenge } = refusal.body.details;
    const proof = { challenge, code: server.lastCode(), password: castPassword };
    const other = await shop.post(path, { ...account, iban: next, ...proof });
    expect(codeOf(other)).toEqual([410, "code_expired"]);
    expect(await query("select * from company_bank_account")).toEqual([]);
  });

  test("one change at a time, and any owner undoes it while it is frozen", async () => {
    await write(first, at(-100));
    await approve(server, shop, path, { ...account, iban: next });
    expect(codeOf(await shop.post(path, account))).toEqual([409, "bank_change_open"]);
    const { open } = await view();
    const undone = await shop.post(`${path}/${open.id}/undo`, {});
    expect(undone.body).toMatchObject({
      account: { iban: "FR76\u00A0••••\u00A08181" },
      frozenUntil: null,
      open: null,
      past: [{ state: "undone", undoneBy: "Librairie des Embruns" }, { state: "standing" }],
    });
    expect(codeOf(await shop.post(`${path}/${open.id}/undo`, {}))).toEqual([
      409,
      "bank_change_over",
    ]);
    await approve(server, shop, path, { ...account, iban: next });
    const again = (await view()).open.id;
    server.clock.advance(48 * hourMs);
    shop = await server.as("partnerShop");
    expect(codeOf(await shop.post(`${path}/${again}/undo`, {}))).toEqual([409, "bank_change_over"]);
    expect(await standing(0)).toMatchObject({ iban: next, frozenUntil: null });
  });

  // proves: company-bank-account
  test("a second owner confirms, not whoever asked; both have the whole IBAN to compare", async () => {
    await join("owner");
    await write(first, at(-100));
    await approve(server, shop, path, { ...account, iban: next });
    expect((await view()).open).toMatchObject({ state: "waiting", canConfirm: false });
    const seen = await view(colleague);
    expect(seen.open).toMatchObject({ iban: next, canConfirm: true });
    const toDos = async (client: Client) =>
      (await client.get("/api/home/professional")).body.toDos.filter(
        ({ kind }: { kind: string }) => kind === "bank_change",
      );
    expect(await toDos(shop)).toEqual([]);
    expect(await toDos(colleague)).toMatchObject([
      {
        id: seen.open.id,
        what: "Librairie des Embruns",
        day: parisDay(new Date(seen.open.answerUntil)),
      },
    ]);
    const confirm = `${path}/${seen.open.id}/confirm`;
    expect(codeOf(await shop.post(confirm, {}))).toEqual([403, "bank_confirm_own"]);
    expect(await standing(49)).toMatchObject({ iban: first });
    const done = await approve(server, colleague, confirm);
    expect(done.body).toMatchObject({
      account: { iban: "FR76\u00A0••••\u00A04413" },
      frozenUntil: at(48).toISOString(),
      open: { state: "frozen", confirmedBy: "Ateliers Corail", answerUntil: null },
    });
    expect(await toDos(colleague)).toEqual([]);
    expect(codeOf(await colleague.post(confirm, {}))).toEqual([409, "bank_change_over"]);
    expect(server.outbox.filter(({ subject }) => subject?.includes("confirmé"))).toHaveLength(2);
  });

  test("an owner of a moment neither is asked for nor confirms", async () => {
    await join("owner", 71);
    const done = await approve(server, shop, path, account);
    expect(done.body.open).toMatchObject({ state: "frozen", answerUntil: null });
    await query("delete from company_bank_account");
    const id = await write(first, at(0), true);
    const early = await colleague.post(`${path}/${id}/confirm`, {});
    expect(codeOf(early)).toEqual([403, "bank_owner_new"]);
  });

  // proves: company-bank-account
  test("after an owner was unmade by another, nobody changes it for 72 hours", async () => {
    await join("owner");
    const role = `/api/company/people/${cast.employer.cardnumber}/roles`;
    expect((await approve(server, shop, role, { roles: [] })).status).toBe(200);
    expect(codeOf(await shop.post(path, account))).toEqual([409, "bank_owner_left"]);
    server.clock.advance(72 * hourMs);
    shop = await server.as("partnerShop");
    expect(codeOf(await shop.post(path, account))).toEqual([403, "code_required"]);
    await query(
      "insert into company_member (person_id, company_id, roles, since) values ($1, (select id from company where siren = '900345679'), '{owner}', now())",
      colleagueId,
    );
  });

  // proves: company-bank-account
  test("an accountant reads it masked, a cashier not at all, another company never", async () => {
    await write(first, at(-100));
    const pending = await write(next, at(0));
    await join("accountant");
    const seen = await view(colleague);
    expect(seen).toMatchObject({ canEdit: false, open: { canConfirm: false, canUndo: false } });
    expect(JSON.stringify(seen)).not.toContain(next);
    for (const [to, body] of [
      [path, account],
      [`${path}/${pending}/undo`, {}],
      [`${path}/${pending}/confirm`, {}],
    ] as const) {
      expect(codeOf(await colleague.post(to, body))).toEqual([403, "company_role"]);
    }
    await join("cashier");
    const refused = await colleague.get(path);
    expect(codeOf(refused)).toEqual([403, "company_role"]);
    expect(refused.text).not.toContain("FR76");
    const provider = await server.as("canteenProvider");
    expect(codeOf(await provider.post(`${path}/${pending}/undo`, {}))).toEqual([404, "not_found"]);
    expect(await standing(1)).toMatchObject({ iban: next });
  });
});
