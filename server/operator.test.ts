// The operator's command line as a person runs it: a process of its own, its words, its exit code.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Clone, cloneDatabase, emptyDatabase } from "#tests/cluster.ts";
import { inTx, openDb } from "./db/db.ts";
import { openAccount, post } from "./ledger/ledger.ts";

let clone: Clone;
let empty: Clone;

beforeAll(async () => {
  [clone, empty] = await Promise.all([cloneDatabase(), emptyDatabase()]);
  await onClone(async (tx) => {
    const kind = "operator_test";
    const debit = await openAccount(tx, { kind, asset: "EUR", floorCents: null });
    const credit = await openAccount(tx, { kind, asset: "EUR", floorCents: 0 });
    await post(tx, [{ key: "operator 1", debit, credit, amountCents: 1250, kind: "top_up" }]);
  });
});
afterAll(() => Promise.all([clone.drop(), empty.drop()]));

async function onClone(work: Parameters<typeof inTx<void>>[1]): Promise<void> {
  const opened = openDb(clone.url, { max: 1 });
  try {
    await inTx(opened.db, work);
  } finally {
    await opened.close();
  }
}

async function operator(url: string, ...words: string[]) {
  const started = spawn(process.execPath, [join(import.meta.dirname, "operator.ts"), ...words], {
    env: { PATH: process.env["PATH"], DATABASE_URL: url },
  });
  let out = "";
  started.stdout.on("data", (chunk) => (out += String(chunk)));
  started.stderr.on("data", (chunk) => (out += String(chunk)));
  const code = await new Promise<number | null>((resolve) => started.on("close", resolve));
  return { code, out };
}

test("without words it lists what it can do; unknown words are refused with the list", async () => {
  const [listed, unknown] = await Promise.all([
    operator(clone.url),
    operator(clone.url, "ledger", "burn"),
  ]);
  expect(listed).toMatchObject({ code: 0, out: expect.stringContaining("ledger verify") });
  expect(unknown.code).toBe(64);
  expect(unknown.out).toContain("Commande inconnue ou incomplète : ledger burn");
});

test("ledger key tells what a key wrote, ledger totals the balances", async () => {
  const [key, none, totals] = await Promise.all([
    operator(clone.url, "ledger", "key", "operator 1"),
    operator(clone.url, "ledger", "key", "operator 2"),
    operator(clone.url, "ledger", "totals"),
  ]);
  expect(key).toMatchObject({ code: 0, out: expect.stringContaining("top_up : 1250") });
  expect(none.code).toBe(1);
  expect(totals.out).toMatch(/operator_test +2 comptes {2}0,00/);
});

test("a database without tables and one out of reach: one sentence, nothing created", async () => {
  const [bare, away] = await Promise.all([
    operator(empty.url, "ledger", "verify"),
    operator("postgres://127.0.0.1:1/nowhere", "ledger", "verify"),
  ]);
  expect(bare).toEqual({ code: 69, out: "Cette base est vide : lancez d'abord npm start.\n" });
  expect(away.code).toBe(69);
  expect(away.out).toContain("La base de données ne répond pas");
});

test("ledger verify: 0 when all is right, 1 and the place when someone touched a balance", async () => {
  const right = await operator(clone.url, "ledger", "verify");
  expect(right).toMatchObject({ code: 0, out: expect.stringContaining("tout est juste") });
  await onClone(async (tx) => {
    await sql`update ledger_account set balance = balance + 1
      where id = (select credit from transfer where key = 'operator 1')`.execute(tx);
  });
  const wrong = await operator(clone.url, "ledger", "verify");
  expect(wrong.code).toBe(1);
  expect(wrong.out).toContain("✗ chaque solde est la somme de ses écritures : 1 en défaut");
  expect(wrong.out).toContain("1251 au lieu de 1250");
});
