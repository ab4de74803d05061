// `npm test`: the checks beside every test, browser journeys too. The last line counts what really ran;
// a check that failed, or a file that could not be loaded, counts as a failure.
// `npm test -- server/wallet -t "POST /api/transfers"`: words go to Vitest, and the checks stay away.
import { spawn } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { failureFolder, failures } from "#tests/failure-folder.ts";
import { sweep } from "#tests/scratch.ts";
import { check } from "./check.ts";
import { reportOf, type Results } from "./test-report.ts";

const root = join(import.meta.dirname, "..");
const resultsFile = join(root, ".tmp", "results.json");
const words = process.argv.slice(2);
// `npm run test:rooms -- --database <url>`: on a PostgreSQL that runs already (docs/running.md).
const database = words.indexOf("--database");
if (database >= 0) process.env["TEST_DATABASE_URL"] = words.splice(database, 2)[1] ?? "";

const stopping = new AbortController();
let stoppedBy: NodeJS.Signals | undefined;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    stoppedBy ??= signal;
    stopping.abort();
  });
}

await mkdir(join(root, ".tmp"), { recursive: true });
await rm(resultsFile, { force: true });
await rm(failures, { recursive: true, force: true });
const [checked, vitestCode] = await Promise.all([
  words.length === 0 ? check(stopping.signal) : { failed: [], report: "" },
  vitest(),
]);
if (stoppedBy) {
  // Vitest removes what it has made; what it had no time for is removed here.
  await sweep();
  process.exit(stoppedBy === "SIGINT" ? 130 : 143);
}
const read = await readResults();
await keepFirstErrors(read);
const { lines, failed } = reportOf(root, read, { vitestCode, checks: checked });
console.log(lines.join("\n"));
process.exitCode = failed === 0 ? 0 : 1;

/** Beside what a page of the test left: a test may fail before it has a page. */
async function keepFirstErrors(results: Results | undefined): Promise<void> {
  for (const { name, assertionResults } of results?.testResults ?? []) {
    for (const { fullName, failureMessages } of assertionResults) {
      if (failureMessages.length === 0) continue;
      const folder = failureFolder(name, fullName);
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, "error.txt"), failureMessages.join("\n\n"));
    }
  }
}

function vitest(): Promise<number> {
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${resultsFile}`];
  const child = spawn("vitest", ["run", ...reporters, ...words], { stdio: "inherit", cwd: root });
  stopping.signal.addEventListener("abort", () => child.kill(stoppedBy));
  return new Promise((resolve) => {
    child.once("error", () => resolve(1));
    child.once("close", (code) => resolve(code ?? 1));
  });
}

async function readResults(): Promise<Results | undefined> {
  const text = await readFile(resultsFile, "utf8").catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Results);
}
