// A month with 100,000 till sales of several companies closed by the operator's function, with its progress:
// the time it takes and the memory it needs beyond the process's baseline.
//   SALES=100000
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { firstOfMonth, todayInParis } from "#contract/days.ts";
import { startEmbedded } from "#server/db/embedded.ts";
import { inTx } from "#server/db/db.ts";
import { migrate } from "#server/db/migrate.ts";
import { verify } from "#server/ledger/ledger.ts";
import { writeTerms } from "#server/partners/partners.ts";
import { demoIssuer } from "#server/process/issuer.ts";
import { closeMonth, proveSettlements } from "#server/settlement/settlement.ts";
import { castInto } from "#tests/cast.ts";
import { furnishDirectory } from "#tests/directory.ts";
import { writeManySales } from "#tests/many-sales.ts";
import { openDeps } from "./deps.ts";

const sales = Math.min(1_000_000, Number(process.env["SALES"] ?? 100_000));
const references = ["librairie-des-embruns", "les-tables-du-lagon"];
const month = firstOfMonth(todayInParis(), -1).slice(0, 7);
const mib = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MiB`;

const dataDir = await mkdtemp(join(tmpdir(), "ma-carte-settlement-"));
const embedded = await startEmbedded({ dataDir });
try {
  await migrate(embedded.url);
  await castInto(embedded.url);
  const { deps, close } = openDeps(embedded.url);
  deps.config.issuer = demoIssuer;
  await furnishDirectory(deps);
  for (const reference of references) {
    const terms = { reference, discountPercent: 0, commissionBasisPoints: 150, pointsPerEuro: 0 };
    await inTx(deps.db, (tx) => writeTerms(tx, { ...terms, operator: "bench", at: new Date(0) }));
  }
  const owed = await writeManySales(deps, { month, sales, references });
  await deps.pool.query("analyze");
  const before = process.memoryUsage().rss;
  let peak = before;
  let steps = 0;
  const started = performance.now();
  const closed = await closeMonth(deps, {
    month,
    operator: "bench",
    progress: (at) => {
      steps += 1;
      peak = Math.max(peak, process.memoryUsage().rss);
      if (at.phase === "companies" || steps % 5 === 0) console.log(JSON.stringify(at));
    },
  });
  const seconds = (performance.now() - started) / 1000;
  const again = performance.now();
  await closeMonth(deps, { month, operator: "bench" });
  const { ok } = await verify(deps.db);
  const proof = await proveSettlements(deps);
  console.log(
    `${sales} sales and ${Math.ceil(sales / 20)} refunds of ${closed.companies} companies, ` +
      `${availableParallelism()} cores, load ${(loadavg()[0] ?? 0).toFixed(1)}\n` +
      `closed in ${seconds.toFixed(1)} s, ${(closed.lines / seconds).toFixed(0)} lines a second, ` +
      `${steps} steps of progress; closed again in ${(performance.now() - again).toFixed(0)} ms with its proofs\n` +
      `memory: ${mib(before)} before, ${mib(peak)} at most\n` +
      `control: ${closed.grossCents - owed} cents; ledger ${ok && proof.ok ? "verified" : "WRONG"}`,
  );
  if (closed.grossCents !== owed || !ok || !proof.ok) process.exitCode = 1;
  await close();
} finally {
  await embedded.stop();
  await rm(dataDir, { recursive: true, force: true });
}
