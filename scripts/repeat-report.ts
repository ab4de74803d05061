// The summary that `npm run test:repeat` prints at its end.
import { basename, join, relative } from "node:path";
import { failureFolder, failures } from "#tests/failure-folder.ts";
import type { Report } from "./test-report.ts";
import type { Run } from "./vitest-run.ts";

interface Failure {
  file: string;
  /** Empty where the failure belongs to no test: a file that could not be loaded, a run that ended badly. */
  title: string;
  firstLine: string;
  /** Its second try passed. */
  passed: boolean;
}

/** Folder of a run's failures, one for each run. */
export const runFolder = (number: number): string => `run-${number}`;

/** Failures of a run, at a first try too. */
export function failuresIn(root: string, { code, results }: Run): Failure[] {
  const found = (results?.testResults ?? []).flatMap(
    ({ name, status, message, assertionResults }) => {
      const file = relative(root, name);
      const failed = assertionResults.filter(
        (test) => test.status === "failed" || test.failureMessages.length > 0,
      );
      if (failed.length === 0 && status === "failed")
        return [{ file, title: "", firstLine: firstLineOf(message), passed: false }];
      return failed.map((test) => ({
        file,
        title: test.fullName,
        firstLine: firstLineOf(test.failureMessages[0]),
        passed: test.status === "passed",
      }));
    },
  );
  const ofRun = (firstLine: string) => [
    ...found,
    { file: "", title: "", firstLine, passed: false },
  ];
  if (found.some(({ passed }) => !passed)) return found;
  if (!results?.numPassedTests) return ofRun("no test ran");
  return code === 0 ? found : ofRun(`Vitest ended with code ${code}, and not for a test`);
}

/**
 * Lists the failures of all runs: how often each occurred, its error messages once each, the paths of its
 * files.
 */
export function reportOfRuns(root: string, runs: readonly Run[]): Report {
  const byTest = new Map<string, (Failure & { run: number })[]>();
  for (const [index, run] of runs.entries()) {
    for (const failure of failuresIn(root, run)) {
      const name = `${failure.file} ${failure.title}`.trim() || "the run";
      byTest.set(name, [...(byTest.get(name) ?? []), { ...failure, run: index + 1 }]);
    }
  }
  const lines: string[] = [];
  const oftenFirst = [...byTest].toSorted(([, a], [, b]) => b.length - a.length);
  for (const [name, found] of oftenFirst) {
    const runsWith = new Set(found.map(({ run }) => run)).size;
    const again = found.filter(({ passed }) => passed).length;
    const second = again > 0 ? `, ${again} of them at the first try only` : "";
    lines.push("", name, `  failed in ${runsWith} of ${runs.length} runs${second}`);
    for (const [firstLine, same] of Map.groupBy(found, (one) => one.firstLine)) {
      lines.push(`  ${same.length} × ${firstLine}`);
      for (const { file, title, run } of same)
        if (title) lines.push(`      ${folderOf(root, { file, title, run })}`);
    }
  }
  const passed = runs.filter((run) => failuresIn(root, run).length === 0).length;
  lines.push("", `${passed} of ${runs.length} runs passed at the first try`);
  return { lines, failed: runs.length - passed };
}

function folderOf(
  root: string,
  { file, title, run }: { file: string; title: string; run: number },
): string {
  return relative(root, join(failures, runFolder(run), basename(failureFolder(file, title))));
}

const firstLineOf = (message = ""): string => message.split("\n")[0] ?? "";
