// The report at the end of a run, and what fails it.
import { expect, test } from "vitest";
import { reportOf, type Results, type TestResult } from "../scripts/test-report.ts";

const passing = { vitestCode: 0, checks: { failed: [], report: "" } };

function resultOf(
  path: string,
  {
    seconds = 0,
    assertionResults = [],
  }: { seconds?: number; assertionResults?: readonly TestResult[] },
): Results["testResults"][number] {
  const startTime = Date.UTC(2026, 0, 1);
  const times = { startTime, endTime: startTime + 1000 * seconds };
  return { name: `/portal/${path}`, status: "passed", message: "", ...times, assertionResults };
}

/** A run of one file: `again` tests of it passed at the second try. */
function runWith(again: number): Results {
  const assertionResults = Array.from({ length: 12 }, (_, index) => ({
    fullName: `journey ${index}`,
    status: "passed",
    duration: 1000 * index,
    failureMessages: index < again ? [`Error: too early ${index}\n    at a line`] : [],
  }));
  const file = resultOf("tests/journeys/till.test.ts", { assertionResults });
  return { numPassedTests: 12, numFailedTests: 0, numPendingTests: 0, testResults: [file] };
}

test("what passed at the second try is listed with its first error and counted, up to three of them", () => {
  const { lines, failed } = reportOf("/portal", runWith(3), passing);
  expect(failed).toBe(0);
  const listed = lines.indexOf("passed at the second try only, with what failed first:");
  expect(lines.slice(listed + 1, listed + 3)).toEqual([
    "  tests/journeys/till.test.ts journey 0",
    "    Error: too early 0",
  ]);
  expect(lines.slice(-2)).toEqual(["second tries: 3", "12 passed, 0 failed"]);
});

test("more than three second tries fail the run", () => {
  const { lines, failed } = reportOf("/portal", runWith(4), passing);
  expect(failed).toBe(1);
  expect(lines.slice(-2)).toEqual([
    "second tries: 4, more than the 3 that a run may have",
    "12 passed, 1 failed",
  ]);
});

test("a run without second tries says nothing of them; a check or a lost result fails it", () => {
  const { lines } = reportOf("/portal", runWith(0), passing);
  expect(lines.join("\n")).not.toContain("second tr");
  const checks = { failed: ["lint"], report: "✗ lint" };
  expect(reportOf("/portal", runWith(0), { vitestCode: 0, checks }).failed).toBe(1);
  expect(reportOf("/portal", undefined, { ...passing, vitestCode: 1 }).lines.at(-1)).toBe(
    "0 passed, 1 failed",
  );
  expect(reportOf("/portal", runWith(0), { ...passing, vitestCode: 1 }).failed).toBe(1);
});

test("the slowest files are listed, and the seconds and tests of each project", () => {
  const passed = { fullName: "a test", status: "passed", failureMessages: [] };
  const rooms = Array.from({ length: 9 }, (_, index) =>
    resultOf(`server/room-${index}/room.test.ts`, {
      seconds: index,
      assertionResults: [passed, passed],
    }),
  );
  const testResults = [
    ...rooms,
    resultOf("tests/literals.test.ts", { seconds: 0.5, assertionResults: [passed] }),
    resultOf("tests/journeys/till.test.ts", { seconds: 61.25, assertionResults: [passed] }),
  ];
  const results = { numPassedTests: 20, numFailedTests: 0, numPendingTests: 0, testResults };
  const { lines } = reportOf("/portal", results, passing);
  const listed = lines.indexOf("the 10 slowest files, from their first test to their last");
  expect(lines.slice(listed + 1, listed + 3)).toEqual([
    "  61.3 s  tests/journeys/till.test.ts",
    "   8.0 s  server/room-8/room.test.ts",
  ]);
  // The fastest of the eleven is left out.
  expect(lines[listed + 10]).toBe("   0.5 s  tests/literals.test.ts");
  expect(lines[listed + 11]).toBe("");
  const summed = lines.indexOf("by project, the seconds of its files added up");
  expect(lines.slice(summed + 1, summed + 4)).toEqual([
    "  61.3 s  journeys (tests: 1, files: 1)",
    "  36.0 s  rooms (tests: 18, files: 9)",
    "   0.5 s  pages (tests: 1, files: 1)",
  ]);
});

test("a file that failed in a hook or at its loading is named and counted beside the tests that failed", () => {
  const skipped = { fullName: "journey", status: "skipped", failureMessages: [] };
  const file = resultOf("tests/journeys/styles.test.ts", { assertionResults: [skipped] });
  const testResults = [{ ...file, status: "failed", message: "no database\n    at a line" }];
  const results = { numPassedTests: 12, numFailedTests: 1, numPendingTests: 1, testResults };
  const { lines, failed } = reportOf("/portal", results, { ...passing, vitestCode: 1 });
  expect(lines).toContain("  tests/journeys/styles.test.ts: no database");
  expect(failed).toBe(2);
});
