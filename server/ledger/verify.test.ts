// The audit finds changes made to the ledger by somebody with full access to the database.
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTx, type Db } from "#server/db/db.ts";
import { hold, post, postHold, reverse, verify } from "./ledger.ts";
import { auditWithin } from "./verify.ts";
import { newKey, openRig, userAccount, externalAccount, type Rig } from "#tests/ledger-rig.ts";

let rig: Rig;
let db: Db;

beforeAll(async () => {
  rig = await openRig();
  db = rig.db;
  const bank = await externalAccount(db);
  const one = await userAccount(db, bank, 1000);
  const two = await userAccount(db, bank, 1000);
  await inTx(db, async (tx) => {
    const move = {
      key: newKey(),
      debitAccount: one,
      creditAccount: two,
      amountCents: 100,
      kind: "meal",
    };
    const { id } = await hold(tx, move);
    await hold(tx, { ...move, key: newKey() });
    await postHold(tx, id, { key: newKey(), amountCents: 60 });
    const [sent] = await post(tx, [{ ...move, key: newKey() }]);
    const undo = { key: newKey(), kind: "correction", reason: "erreur" };
    await reverse(tx, sent?.id as number, undo);
    await post(tx, [{ ...move, key: newKey() }]);
  });
});
afterAll(() => rig.close());

// As a superuser could: triggers off, constraints off, then the change. Rolled back after the audit.
async function audited(change: string): Promise<string[]> {
  let found: string[] = [];
  await inTx(db, async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`alter table ledger_account drop constraint insufficient_funds`.execute(tx);
    await sql.raw(change).execute(tx);
    const report = await auditWithin(tx);
    found = report.checks.filter((check) => !check.ok).map((check) => check.name);
    expect(report.ok).toBe(found.length === 0);
    throw new Error("undo");
  }).catch((error: unknown) => expect(error).toMatchObject({ message: "undo" }));
  return found;
}

const last = "(select max(id) from transfer)";
const reversal = "(select max(id) from transfer where reverses is not null)";
const richest = "(select id from ledger_account where balance > 0 order by id limit 1)";

// proves: books-balance
test("a ledger left alone passes every check", async () => {
  const report = await verify(db);
  expect(report).toMatchObject({ ok: true, transfers: 6, holds: 2 });
  expect(report.checks.map((check) => check.wrong)).toEqual(report.checks.map(() => 0));
});

test.each([
  [
    "money made from nothing",
    `update ledger_account set balance = balance + 1 where id = ${richest}`,
    ["sums", "balances"],
  ],
  [
    "a balance moved between two accounts",
    `update ledger_account a set balance = balance +
      case when id = ${richest} then 5 else -5 end
      where id = ${richest} or id = (select max(id) from ledger_account)`,
    ["balances"],
  ],
  [
    "an amount changed in the journal",
    `update transfer set amount = amount + 1 where id = ${last}`,
    ["balances", "chain"],
  ],
  [
    "an amount and its balances changed",
    `update transfer set amount = amount + 1,
      debit_balance = debit_balance - 1, credit_balance = credit_balance + 1 where id = ${last}`,
    ["balances"],
  ],
  [
    "the newest transfer removed",
    `delete from transfer where id = ${last}`,
    ["balances", "versions"],
  ],
  [
    "two amounts that cancel out",
    `update transfer set amount = amount + case
      when id = ${last} then 1 else -1 end where id in (${last}, ${reversal})`,
    ["balances", "chain", "reversals"],
  ],
  [
    "the order of two transfers turned",
    `alter table transfer alter id drop identity;
      update transfer set id = 1000000 where id = ${reversal} - 2`,
    ["chain"],
  ],
  ["a hold enlarged", `update hold set amount = amount + 1 where state = 'pending'`, ["holds"]],
  ["a floor broken", `update ledger_account set floor = balance where held > 0`, ["floors"]],
  [
    "a posted hold pointing nowhere",
    `update hold set posted_key = 'x' where state = 'posted'`,
    ["posted_holds"],
  ],
  [
    "an account of points",
    `update ledger_account set asset = 'PTS' where id = ${richest}`,
    ["sums", "accounts"],
  ],
  ["a part of a group renumbered", `update transfer set part = 2 where id = ${last}`, ["groups"]],
  [
    "a reversal pointed at another",
    `update transfer set reverses = 1 where id = ${reversal}`,
    ["reversals"],
  ],
])("the audit finds %s", async (_what, change, checks) => {
  expect(await audited(change)).toEqual(checks);
});
