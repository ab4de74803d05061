// What `npm test` says at its end, and whether the run passed.
import { existsSync } from "node:fs";
import { relative } from "node:path";
import { failureFolder } from "#tests/failure-folder.ts";

export interface TestResult {
  fullName: string;
  status: string;
  /** In milliseconds. */
  duration?: number | null;
  /** Stacks of what failed; of a test that passed, of the tries before. */
  failureMessages: readonly string[];
}

/** What Vitest's JSON reporter writes, as far as it is read here. */
export interface Results {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  testResults: readonly {
    /** Absolute path of the file. */
    name: string;
    status: string;
    assertionResults: readonly TestResult[];
  }[];
}

export interface Report {
  lines: string[];
  /** Zero for a run that passed. */
  failed: number;
}

const slowestShown = 10;
/** More tests than these that passed at their second try alone fail the run. */
const secondTriesAllowed = 3;

/**
 * The closing lines of a run. `results` is undefined where Vitest wrote none, `vitestCode` its exit code; a check
 * that failed, a file that could not be loaded, and too many second tries count as failures.
 */
export function reportOf(
  root: string,
  results: Results | undefined,
  {
    vitestCode,
    checks,
  }: { vitestCode: number; checks: { failed: readonly string[]; report: string } },
): Report {
  const files = results?.testResults ?? [];
  const tests = files.flatMap(({ name, assertionResults }) =>
    assertionResults.map((test) => ({ ...test, file: relative(root, name) })),
  );
  const again = tests.filter(
    ({ status, failureMessages }) => status === "passed" && failureMessages.length > 0,
  );
  const unloaded = files.filter(
    ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
  );
  const tooMany = again.length > secondTriesAllowed ? 1 : 0;
  const counted = (results?.numFailedTests ?? 0) + (results ? unloaded.length : 1);
  // Whatever else made the run fail (an unhandled rejection, a teardown) is a failure too.
  const inTests = vitestCode === 0 ? counted : Math.max(counted, 1);
  const failed = inTests + checks.failed.length + tooMany;

  const lines: string[] = [];
  const slowest = tests
    .toSorted((a, b) => (b.duration ?? 0) - (a.duration ?? 0))
    .slice(0, slowestShown);
  if (slowest.length === slowestShown) {
    lines.push("", `the ${slowestShown} slowest tests`);
    for (const { file, fullName, duration } of slowest)
      lines.push(`${((duration ?? 0) / 1000).toFixed(1).padStart(6)} s  ${file} ${fullName}`);
  }
  const kept = tests
    .filter(({ status }) => status === "failed")
    .map(({ file, fullName }) => failureFolder(file, fullName))
    .filter((folder) => existsSync(folder));
  if (kept.length > 0) {
    lines.push("", "what failed browser tests left:");
    for (const folder of kept) lines.push(`  ${relative(root, folder)}`);
  }
  if (again.length > 0) {
    lines.push("", "passed at the second try only, with what failed first:");
    for (const { file, fullName, failureMessages } of again) {
      lines.push(`  ${file} ${fullName}`);
      lines.push(`    ${failureMessages[0]?.split("\n")[0]}`);
      lines.push(`    ${relative(root, failureFolder(file, fullName))}`);
    }
  }
  if (checks.report) lines.push("", checks.report);
  if (checks.failed.length > 0) lines.push(`failed checks: ${checks.failed.join(", ")}`);
  if (results && results.numPendingTests > 0) lines.push(`${results.numPendingTests} skipped`);
  if (again.length > 0) {
    const more = tooMany ? `, more than the ${secondTriesAllowed} that a run may have` : "";
    lines.push(`second tries: ${again.length}${more}`);
  }
  lines.push(`${results?.numPassedTests ?? 0} passed, ${failed} failed`);
  return { lines, failed };
}
