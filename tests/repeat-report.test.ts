// The report at the end of `npm run test:repeat`.
import { expect, test } from "vitest";
import { reportOfRuns } from "../scripts/repeat-report.ts";
import type { Run } from "../scripts/vitest-run.ts";

/** A run of one test of the till, which failed with these errors, and passed at a try after them or not. */
function runWith(failureMessages: string[], status = "passed"): Run {
  const sale = { fullName: "a sale", status, failureMessages };
  const file = {
    name: "/portal/tests/journeys/till.test.ts",
    status,
    message: "",
    startTime: 0,
    endTime: 1,
    assertionResults: [sale],
  };
  const counts = { numPassedTests: 1, numFailedTests: 0, numPendingTests: 0 };
  return { code: status === "passed" ? 0 : 1, results: { ...counts, testResults: [file] } };
}

test("what failed at any try is listed with how often, each error once and what it left", () => {
  const tooEarly = "Error: too early\n    at a line";
  const runs = [
    runWith([tooEarly]),
    runWith([]),
    runWith([tooEarly, "Error: too late"], "failed"),
    runWith(["Error: gone"]),
  ];
  const { lines, failed } = reportOfRuns("/portal", runs);
  expect(failed).toBe(3);
  expect(lines.map((line) => line.replace(/\S*\.tmp/, ".tmp"))).toEqual([
    "",
    "tests/journeys/till.test.ts a sale",
    "  failed in 3 of 4 runs, 2 of them at the first try only",
    "  2 × Error: too early",
    "      .tmp/failures/run-1/till-a-sale",
    "      .tmp/failures/run-3/till-a-sale",
    "  1 × Error: gone",
    "      .tmp/failures/run-4/till-a-sale",
    "",
    "1 of 4 runs passed at the first try",
  ]);
});

test("a file that cannot be loaded, an end without results and one that no test explains are failures", () => {
  const { results } = runWith([]);
  const [file] = results?.testResults ?? [];
  if (!results || !file) throw new Error("no results");
  const unloaded = { ...file, status: "failed", message: "SyntaxError: odd", assertionResults: [] };
  const runs = [
    { code: 1, results: { ...results, testResults: [unloaded] } },
    { code: 1, results: undefined },
    { code: 1, results },
    runWith([]),
  ];
  const { lines, failed } = reportOfRuns("/portal", runs);
  expect(failed).toBe(3);
  expect(lines).toContain("  1 × SyntaxError: odd");
  expect(lines).toContain("  1 × no test ran");
  expect(lines).toContain("  1 × Vitest ended with code 1, and not for a test");
  expect(lines.at(-1)).toBe("1 of 4 runs passed at the first try");
});

test("runs without a failure say so", () => {
  const { lines, failed } = reportOfRuns("/portal", [runWith([]), runWith([])]);
  expect([failed, lines]).toEqual([0, ["", "2 of 2 runs passed at the first try"]]);
});
