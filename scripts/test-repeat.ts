// `npm run test:repeat -- tests/journeys/till.test.ts --times 10 --beside-load`: runs tests repeatedly (five
// times by default), and lists at the end the failures of all runs, at a first try too. `--beside-load` keeps
// one processor busy meanwhile, which reveals tests that depend on the speed of the machine. Other words go
// to Vitest.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, rename, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { failures } from "#tests/failure-folder.ts";
import { scratchFolder } from "#tests/scratch.ts";
import { failuresIn, reportOfRuns, runFolder } from "./repeat-report.ts";
import {
  type Run,
  exitStopped,
  root,
  runVitest,
  stopOnSignal,
  takeOption,
  useDatabaseOption,
} from "./vitest-run.ts";

const words = process.argv.slice(2);
useDatabaseOption(words);
const times = Number(takeOption(words, "--times") ?? 5);
const loaded = words.includes("--beside-load");
if (loaded) words.splice(words.indexOf("--beside-load"), 1);
if (words.length === 0 || !Number.isInteger(times) || times < 1) {
  console.error(
    "npm run test:repeat -- <files, or words of Vitest> [--times <number>] [--beside-load]",
  );
  process.exit(2);
}

const stop = stopOnSignal();
const artifactFolder = await scratchFolder("repeat");
const load = loaded ? startLoad() : undefined;
const runs: Run[] = [];
try {
  while (runs.length < times && !stop.aborted) {
    const startedMs = performance.now();
    const run = await runVitest(words, stop);
    // A run stopped in its middle proves nothing about the tests.
    if (stop.aborted) break;
    runs.push(run);
    if (existsSync(failures)) await rename(failures, join(artifactFolder, runFolder(runs.length)));
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
    const failed = failuresIn(root, run).length;
    console.log(`\nrun ${runs.length} of ${times}: ${failed} failed at a try (${seconds} s)\n`);
    if (!run.results?.testResults.length) break;
  }
} finally {
  load?.kill("SIGKILL");
  await rm(failures, { recursive: true, force: true });
  const left = await readdir(artifactFolder);
  await (left.length > 0 ? rename(artifactFolder, failures) : rmdir(artifactFolder));
}
const { lines, failed } = reportOfRuns(root, runs);
console.log(lines.join("\n"));
if (stop.aborted) await exitStopped(stop);
process.exitCode = failed === 0 ? 0 : 1;

/** A process that only counts. It also ends when this one is gone, which may die without time to end it. */
function startLoad(): ChildProcess {
  const count = `while (process.ppid === ${process.pid}) for (let count = 0; count < 1e8; count++);`;
  return spawn(process.execPath, ["--eval", count], { stdio: "ignore" });
}
