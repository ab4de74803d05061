// What the end of a run says, and what fails it.
import { expect, test } from "vitest";
import { reportOf, type Results } from "../scripts/test-report.ts";

const passing = { vitestCode: 0, checks: { failed: [], report: "" } };

/** A run of one file: `again` tests of it passed at the second try. */
function runWith(again: number): Results {
  const assertionResults = Array.from({ length: 12 }, (_, index) => ({
    fullName: `journey ${index}`,
    status: "passed",
    duration: 1000 * index,
    failureMessages: index < again ? [`Error: too early ${index}\n    at a line`] : [],
  }));
  const file = { name: "/portal/tests/journeys/till.test.ts", status: "passed", assertionResults };
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
