// The operator's command line as a person runs it: a process of its own, its words, its exit code.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Clone, cloneDatabase, emptyDatabase } from "#tests/cluster.ts";
import { removeData, scratchFolder } from "#tests/scratch.ts";
import { testRootKey } from "#tests/server-process.ts";
import { inTx, openDb } from "#server/db/db.ts";
import { loadConfig } from "#server/process/config.ts";
import { parseRootKeys, type RootKeys, useRootKeys } from "#server/process/root-key.ts";
import { sealHistory } from "#server/ledger/ledger.ts";
import { openAccount, post } from "#server/ledger/ledger.ts";

let clone: Clone;
let empty: Clone;
let dataDir: string;

beforeAll(async () => {
  [clone, empty] = await Promise.all([cloneDatabase(), emptyDatabase()]);
  dataDir = await scratchFolder("operator");
  await onClone(async (tx) => {
    const kind = "operator_test";
    const debitAccount = await openAccount(tx, { kind, asset: "EUR", floorCents: null });
    const creditAccount = await openAccount(tx, { kind, asset: "EUR", floorCents: 0 });
    await post(tx, [
      { key: "operator 1", debitAccount, creditAccount, amountCents: 1250, kind: "top_up" },
    ]);
  });
});
afterAll(() => Promise.all([clone.drop(), empty.drop(), removeData(dataDir)]));

async function onClone(work: Parameters<typeof inTx<void>>[1]): Promise<void> {
  const database = openDb(clone.url, { max: 1 });
  try {
    await inTx(database.db, work);
  } finally {
    await database.close();
  }
}

/** Seals the history, as a server does every few seconds. */
async function seal(): Promise<void> {
  useRootKeys(parseRootKeys(testRootKey) as RootKeys);
  const database = openDb(clone.url, { max: 1 });
  try {
    const config = loadConfig({ DATABASE_URL: clone.url, DATA_DIR: dataDir });
    while ((await sealHistory({ db: database.db, config })) > 0);
  } finally {
    await database.close();
  }
}

async function operator(url: string, ...words: string[]) {
  const started = spawn(process.execPath, [join(import.meta.dirname, "operator.ts"), ...words], {
    env: {
      PATH: process.env["PATH"],
      DATABASE_URL: url,
      DATA_DIR: dataDir,
      ROOT_KEY: testRootKey,
    },
  });
  let out = "";
  started.stdout.on("data", (chunk) => (out += String(chunk)));
  started.stderr.on("data", (chunk) => (out += String(chunk)));
  const code = await new Promise<number | null>((resolve) => started.on("close", resolve));
  return { code, out };
}

test("without words it lists what it can do; unknown words are refused with the list", async () => {
  const [listed, unknown, help] = await Promise.all([
    operator(clone.url),
    operator(clone.url, "ledger", "burn"),
    operator(clone.url, "help", "ledger"),
  ]);
  expect(listed).toMatchObject({ code: 0, out: expect.stringContaining("ledger verify") });
  expect(unknown.code).toBe(64);
  expect(unknown.out).toContain("Commande inconnue ou incomplète : ledger burn");
  for (const { out } of [unknown, help]) {
    expect(out).toContain("ledger verify");
    expect(out).not.toContain("cards list");
  }
  expect(help).toMatchObject({ code: 0, out: expect.not.stringContaining("inconnue") });
});

test("a command whose name continues another one's is the one that runs", async () => {
  const added = await operator(clone.url, "faq", "synonyms", "add", "patinette trottinette");
  expect(added.code, added.out).toBe(0);
  const listed = await operator(clone.url, "faq", "synonyms");
  expect(listed).toMatchObject({ code: 0, out: expect.stringContaining("patinette trottinette") });
});

test("what an operator writes loses the marks that nobody sees", async () => {
  const pasted = "\u202egyropode\u202c mono\u200broue";
  const added = await operator(clone.url, "faq", "synonyms", "add", pasted);
  expect(added.code, added.out).toBe(0);
  const { out } = await operator(clone.url, "faq", "synonyms");
  expect(out).toContain("gyropode monoroue");
});

test("ledger key tells what a key wrote, ledger totals the balances", async () => {
  const [key, none, totals] = await Promise.all([
    operator(clone.url, "ledger", "key", "operator 1"),
    operator(clone.url, "ledger", "key", "operator 2"),
    operator(clone.url, "ledger", "totals"),
  ]);
  expect(key.code).toBe(0);
  expect(key.out).toMatch(/le \d\d\/\d\d\/\d{4} \d\d:\d\d, recharge : 12,50\s€ du compte/);
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
  await seal();
  const right = await operator(clone.url, "ledger", "verify");
  expect(right).toMatchObject({ code: 0, out: expect.stringContaining("tout est juste") });
  await onClone(async (tx) => {
    await sql`update ledger_account set balance = balance + 1
      where id = (select credit_account from transfer where key = 'operator 1')`.execute(tx);
  });
  const wrong = await operator(clone.url, "ledger", "verify");
  expect(wrong.code).toBe(1);
  expect(wrong.out).toContain("✗ chaque solde est la somme de ses écritures : 1 en défaut");
  expect(wrong.out).toContain("1251 au lieu de 1250");
});

test("ledger verify: 1 and the row when someone altered a memo in place", async () => {
  await onClone(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`update transfer set memo = '{"label":"Cadeau"}' where key = 'operator 1'`.execute(tx);
  });
  const { code, out } = await operator(clone.url, "ledger", "verify");
  expect(code).toBe(1);
  expect(out).toMatch(/✗ écritures, ligne \d+ : a été modifiée après avoir été scellée/);
});
