// A month is closed by the operator's command while it is killed with SIGKILL, again and again: in the end
// each line is there once, each company is settled once, and the books balance. `npm run bench -- settlement`
// closes a larger one.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { firstOfMonth, todayInParis } from "#contract/days.ts";
import { inTx } from "#server/db/db.ts";
import { verify } from "#server/ledger/ledger.ts";
import { writeTerms } from "#server/partners/partners.ts";
import { statementOf } from "#server/settlement/statement.ts";
import { proveSettlements } from "#server/settlement/verification.ts";
import { furnishDirectory } from "#tests/directory.ts";
import { writeManySales } from "#tests/many-sales.ts";
import { testRootKey } from "#tests/server-process.ts";
import { openTestServer, type TestServer } from "#tests/test-server.ts";

const sales = 12_000;
const references = ["librairie-des-embruns", "les-tables-du-lagon"];
const month = firstOfMonth(todayInParis(), -1).slice(0, 7);
const root = join(import.meta.dirname, "../..");

let server: TestServer;
let owed: number;
beforeAll(async () => {
  server = await openTestServer();
  await furnishDirectory(server.deps);
  for (const reference of references) {
    const terms = { reference, discountPercent: 0, commissionBasisPoints: 150, pointsPerEuro: 0 };
    await inTx(server.deps.db, (tx) =>
      writeTerms(tx, { ...terms, operator: "alice", at: new Date(0) }),
    );
  }
  // The role that owns the tables writes them in bulk.
  owed = await writeManySales({ db: server.owner.db }, { month, sales, references });
});
afterAll(() => server.close());

/** Runs the command; killed after so many lines of progress, if told. Gives what it printed. */
function closeByCommand(killAfter?: number): Promise<{ lines: string[]; killed: boolean }> {
  const child = spawn(
    process.execPath,
    [join(root, "server/operator/operator.ts"), "settlement", "close", month],
    {
      cwd: root,
      env: {
        ...process.env,
        DATABASE_URL: server.deps.config.databaseUrl ?? "",
        DATA_DIR: server.deps.config.dataDir,
        ROOT_KEY: testRootKey,
        PAYMENTS: "sandbox",
        DEMO: "1",
      },
    },
  );
  let text = "";
  child.stdout.on("data", (piece: Buffer) => {
    text += piece.toString();
    const seen = text.split("\n").length - 1;
    if (killAfter !== undefined && seen >= killAfter) child.kill("SIGKILL");
  });
  child.stderr.on("data", (piece: Buffer) => (text += piece.toString()));
  return new Promise((done) => {
    child.on("close", (_code, signal) => {
      done({ lines: text.trim().split("\n"), killed: signal === "SIGKILL" });
    });
  });
}

// proves: monthly-settlement
test("killed in the middle, the closing goes on: one effect, to the cent", async () => {
  const count = async (what: string): Promise<number> =>
    Number((await server.deps.pool.query(`select count(*) as n from ${what}`)).rows[0].n);
  const first = await closeByCommand(1);
  expect(first.killed).toBe(true);
  expect(await count("settlement_month where closed_at is null")).toBe(1);
  await closeByCommand(2);
  const last = await closeByCommand();
  expect(last.lines.join("\n")).toContain("2 entreprises");
  expect(await count("settlement_line")).toBe(sales + sales / 20);
  expect(await count("settlement")).toBe(2);
  expect(await count("invoice where subject_kind = 'commission'")).toBe(2);
  const { rows } = await server.deps.pool.query(
    "select company_id as id, gross_cents::int as gross from settlement",
  );
  expect(rows.reduce((sum, { gross }) => sum + gross, 0)).toBe(owed);
  for (const { id } of rows) {
    expect((await statementOf(server.deps.db, id, month)).controlCents).toBe(0);
  }
  expect((await verify(server.deps.db)).ok).toBe(true);
  expect((await proveSettlements(server.deps)).ok).toBe(true);
  const again = await closeByCommand();
  expect(again.lines.join("\n")).toContain("déjà clos");
});
