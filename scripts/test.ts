// `npm test`: the checks beside every test, browser journeys too. The last line counts what really ran;
// a check that failed, or a file that could not be loaded, counts as a failure.
// `npm test -- server/wallet -t "POST /api/transfers"`: words go to Vitest, and the checks stay away.
import { spawn } from "node:child_process";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { sweep } from "#tests/scratch.ts";
import { check } from "./check.ts";

const root = join(import.meta.dirname, "..");
const results = join(root, ".tmp", "results.json");
const words = process.argv.slice(2);
// `npm run test:rooms -- --database <url>`: on a PostgreSQL that runs already (docs/running.md).
const database = words.indexOf("--database");
if (database >= 0) process.env["TEST_DATABASE_URL"] = words.splice(database, 2)[1] ?? "";
const slowestShown = 10;

interface Results {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  testResults: {
    name: string;
    status: string;
    assertionResults: { fullName: string; duration?: number | null }[];
  }[];
}

const stopping = new AbortController();
let stoppedBy: NodeJS.Signals | undefined;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    stoppedBy ??= signal;
    stopping.abort();
  });
}

await mkdir(join(root, ".tmp"), { recursive: true });
await rm(results, { force: true });
const [checked, vitestCode] = await Promise.all([
  words.length === 0 ? check(stopping.signal) : { failed: [], report: "" },
  vitest(),
]);
if (stoppedBy) {
  // Vitest removes what it has made; what it had no time for is removed here.
  await sweep();
  process.exit(stoppedBy === "SIGINT" ? 130 : 143);
}
report(checked, await readResults());

function report(
  { failed: failedChecks, report: told }: Awaited<ReturnType<typeof check>>,
  read: Results | undefined,
): void {
  const files = read?.testResults ?? [];
  const unloaded = files.filter(
    ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
  );
  const counted = (read?.numFailedTests ?? 0) + (read ? unloaded.length : 1) + failedChecks.length;
  // Whatever else made the run fail (an unhandled rejection, a teardown) is a failure too.
  const failed = vitestCode === 0 ? counted : Math.max(counted, failedChecks.length + 1);
  const slowest = files
    .flatMap(({ name, assertionResults }) =>
      assertionResults.map(({ fullName, duration }) => ({ name, fullName, ms: duration ?? 0 })),
    )
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, slowestShown);
  if (slowest.length === slowestShown) {
    console.log(`\nthe ${slowestShown} slowest tests`);
    for (const { name, fullName, ms } of slowest)
      console.log(`${(ms / 1000).toFixed(1).padStart(6)} s  ${relative(root, name)} ${fullName}`);
  }
  if (told) console.log(`\n${told}`);
  if (failedChecks.length > 0) console.log(`failed checks: ${failedChecks.join(", ")}`);
  if (read && read.numPendingTests > 0) console.log(`${read.numPendingTests} skipped`);
  console.log(`${read?.numPassedTests ?? 0} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

function vitest(): Promise<number> {
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${results}`];
  const child = spawn("vitest", ["run", ...reporters, ...words], { stdio: "inherit", cwd: root });
  stopping.signal.addEventListener("abort", () => child.kill(stoppedBy));
  return new Promise((resolve) => {
    child.once("error", () => resolve(1));
    child.once("close", (code) => resolve(code ?? 1));
  });
}

async function readResults(): Promise<Results | undefined> {
  const text = await readFile(results, "utf8").catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Results);
}
