// The bank account of a company: which one stands at an instant, who may change it and how.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { inTx } from "#server/db/db.ts";
import { cast } from "#tests/cast.ts";
import { openTestServer, type TestServer } from "#tests/test-server.ts";
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
    "update company_bank_account set confirmed_by = asked_by, confirmed_at = asked_at where id = $1",
    id,
  );
  await expect(own).rejects.toMatchObject({ constraint: "company_bank_second" });
});
