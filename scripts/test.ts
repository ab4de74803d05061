// `npm test`: the checks, then every test, browser journeys too. The last line counts what really
// ran; a check that failed, or a file that could not be loaded, counts as a failure.
import { spawn } from "node:child_process";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { check } from "./check.ts";

const root = join(import.meta.dirname, "..");
const results = join(root, ".tmp", "results.json");

interface Results {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  testResults: { status: string; assertionResults: unknown[] }[];
}

await mkdir(join(root, ".tmp"), { recursive: true });
await rm(results, { force: true });
const failedChecks = await check();
const vitestCode = await vitest();
const read = await readResults();
const passed = read?.numPassedTests ?? 0;
const unloaded =
  read?.testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0)
    .length ?? 1;
const counted = (read?.numFailedTests ?? 0) + unloaded + failedChecks.length;
// Whatever else made the run fail (an unhandled rejection, a teardown) is a failure too.
const failed = vitestCode === 0 ? counted : Math.max(counted, failedChecks.length + 1);
if (failedChecks.length > 0) console.log(`failed checks: ${failedChecks.join(", ")}`);
if (read && read.numPendingTests > 0) console.log(`${read.numPendingTests} skipped`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function vitest(): Promise<number> {
  const child = spawn(
    "vitest",
    ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${results}`],
    { stdio: "inherit", cwd: root },
  );
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => {
    child.once("error", () => resolve(1));
    child.once("close", (code) => resolve(code ?? 1));
  });
}

async function readResults(): Promise<Results | undefined> {
  const text = await readFile(results, "utf8").catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Results);
}
