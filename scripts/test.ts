// `npm test`: the checks beside every test, browser journeys too. The last line counts what really ran; a
// check that failed, or a file that could not be loaded, counts as a failure.
// `npm test -- server/wallet -t "POST /api/transfers"`: words go to Vitest, and the checks do not run.
// `npm test -- --changed [commit]`: the tests that a change can reach (scripts/changed.ts), and the checks.
import { takeChanged } from "./changed.ts";
import { check } from "./check.ts";
import { reportOf } from "./test-report.ts";
import { exitStopped, root, runVitest, stopOnSignal, useDatabaseOption } from "./vitest-run.ts";

const words = process.argv.slice(2);
useDatabaseOption(words);
const checked = words.length === 0;
const changed = takeChanged(words);
if (changed) console.log(changed.lines.join("\n"));
const stop = stopOnSignal();
const [checks, { code, results }] = await Promise.all([
  checked || changed
    ? check({ stop, ...(changed && { changed: changed.files }) })
    : { failed: [], report: "" },
  runVitest([...words, ...(changed?.tests ?? [])], stop),
]);
if (stop.aborted) await exitStopped(stop);
const { lines, failed } = reportOf(root, results, { vitestCode: code, checks });
console.log(lines.join("\n"));
process.exitCode = failed === 0 ? 0 : 1;
