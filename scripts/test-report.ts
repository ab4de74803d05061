// The closing lines of `npm test`, and whether the run passed.
import { existsSync } from "node:fs";
import { relative } from "node:path";
import { failureFolder } from "#tests/failure-folder.ts";
import { projectOf } from "./test-projects.ts";

export interface TestResult {
  fullName: string;
  status: string;
  /** In milliseconds. */
  duration?: number | null;
  /** Stacks of failures; for a test that passed, those of its earlier tries. */
  failureMessages: readonly string[];
}

/** The part of Vitest's JSON report that is read here. */
export interface Results {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  testResults: readonly {
    /** Absolute path of the file. */
    name: string;
    status: string;
    /** When its first test began and its last one ended, in milliseconds; its `beforeAll` came before. */
    startTime: number;
    endTime: number;
    /** Why the file could not be loaded. */
    message: string;
    assertionResults: readonly TestResult[];
  }[];
}

type TestOfFile = TestResult & { file: string };

export interface Report {
  lines: string[];
  /** Zero for a run that passed. */
  failed: number;
}

const slowestShown = 10;
/** The run fails when more tests than this passed only at their second try. */
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
  const tests: TestOfFile[] = files.flatMap(({ name, assertionResults }) =>
    assertionResults.map((test) => ({ ...test, file: relative(root, name) })),
  );
  const again = tests.filter(
    ({ status, failureMessages }) => status === "passed" && failureMessages.length > 0,
  );
  const brokenOutside = files.filter(
    ({ status, assertionResults }) =>
      status === "failed" && assertionResults.every((test) => test.status !== "failed"),
  );
  const tooMany = again.length > secondTriesAllowed ? 1 : 0;
  const counted = (results?.numFailedTests ?? 0) + (results ? brokenOutside.length : 1);
  // Any other cause (an unhandled rejection, a teardown) counts as a failure too.
  const inTests = vitestCode === 0 ? counted : Math.max(counted, 1);
  const failed = inTests + checks.failed.length + tooMany;

  const lines = [...slowestTests(tests), ...timesOfFiles(root, files)];
  const folders = tests
    .filter(({ status }) => status === "failed")
    .map(({ file, fullName }) => failureFolder(file, fullName))
    .filter((folder) => existsSync(folder));
  if (folders.length > 0) {
    lines.push("", "what failed browser tests left:");
    for (const folder of folders) lines.push(`  ${relative(root, folder)}`);
  }
  if (brokenOutside.length > 0) {
    lines.push("", "failed outside of any test (not loaded, or a hook of the file):");
    for (const { name, message } of brokenOutside)
      lines.push(`  ${relative(root, name)}: ${message.split("\n")[0]}`);
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

function slowestTests(tests: readonly TestOfFile[]): string[] {
  if (tests.length < slowestShown) return [];
  const slowest = tests.toSorted((a, b) => (b.duration ?? 0) - (a.duration ?? 0));
  const lines = ["", `the ${slowestShown} slowest tests`];
  for (const { file, fullName, duration } of slowest.slice(0, slowestShown))
    lines.push(`${inSeconds(duration ?? 0)}  ${file} ${fullName}`);
  return lines;
}

/**
 * The slowest files, and the time of each project: seconds of all its files added up, many of which ran in
 * parallel.
 */
function timesOfFiles(root: string, results: Results["testResults"]): string[] {
  if (results.length < slowestShown) return [];
  const files = results.map(({ name, startTime, endTime, assertionResults }) => ({
    file: relative(root, name),
    duration: endTime - startTime,
    tests: assertionResults.length,
  }));
  const lines = ["", `the ${slowestShown} slowest files, from their first test to their last`];
  const slowest = files.toSorted((a, b) => b.duration - a.duration);
  for (const { file, duration } of slowest.slice(0, slowestShown))
    lines.push(`${inSeconds(duration)}  ${file}`);
  const sums = new Map<string, { duration: number; files: number; tests: number }>();
  for (const { file, duration, tests } of files) {
    const project = projectOf(file) ?? "no project";
    const sum = sums.get(project) ?? { duration: 0, files: 0, tests: 0 };
    sums.set(project, {
      duration: sum.duration + duration,
      files: sum.files + 1,
      tests: sum.tests + tests,
    });
  }
  lines.push("", "by project, the seconds of its files added up");
  for (const [project, sum] of [...sums].toSorted(([, a], [, b]) => b.duration - a.duration))
    lines.push(`${inSeconds(sum.duration)}  ${project} (tests: ${sum.tests}, files: ${sum.files})`);
  return lines;
}

const inSeconds = (ms: number): string => `${(ms / 1000).toFixed(1).padStart(6)} s`;
