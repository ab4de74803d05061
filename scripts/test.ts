// `npm test`: the checks beside every test, browser journeys too. The last line counts what really ran;
// a check that failed, or a file that could not be loaded, counts as a failure.
// `npm test -- server/wallet -t "POST /api/transfers"`: words go to Vitest, and the checks stay away.
import { check } from "./check.ts";
import { reportOf } from "./test-report.ts";
import { exitStopped, root, runVitest, stopOnSignal, useDatabaseOption } from "./vitest-run.ts";

const words = process.argv.slice(2);
useDatabaseOption(words);
const stop = stopOnSignal();
const [checks, { code, results }] = await Promise.all([
  words.length === 0 ? check(stop) : { failed: [], report: "" },
  runVitest(words, stop),
]);
if (stop.aborted) await exitStopped(stop);
const { lines, failed } = reportOf(root, results, { vitestCode: code, checks });
console.log(lines.join("\n"));
process.exitCode = failed === 0 ? 0 : 1;
