// One run of Vitest, for the commands that report on it (scripts/test.ts, scripts/test-repeat.ts).
import { spawn } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { failureFolder, failures } from "#tests/failure-folder.ts";
import { sweep } from "#tests/scratch.ts";
import type { Results } from "./test-report.ts";

export const root = join(import.meta.dirname, "..");
const tmp = join(root, ".tmp");
const resultsFile = join(tmp, "results.json");

export interface Run {
  code: number;
  /** Undefined where Vitest wrote none. */
  results: Results | undefined;
}

/** Aborted by Ctrl-C or SIGTERM, with the signal as its reason: the caller ends what it runs. */
export function stopOnSignal(): AbortSignal {
  const stopping = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => stopping.abort(signal));
  return stopping.signal;
}

/** Exits with the signal, once all child processes have ended. */
export async function exitStopped(stop: AbortSignal): Promise<never> {
  // Vitest removes its temporary folders; those that it had no time for are removed here.
  await sweep();
  process.exit(stop.reason === "SIGINT" ? 130 : 143);
}

/** Takes the option `name` and its value out of the words. */
export function takeOption(words: string[], name: string): string | undefined {
  const at = words.indexOf(name);
  return at < 0 ? undefined : (words.splice(at, 2)[1] ?? "");
}

/** `npm run test:rooms -- --database <url>`: on a PostgreSQL that runs already (docs/running.md). */
export function useDatabaseOption(words: string[]): void {
  const url = takeOption(words, "--database");
  if (url !== undefined) process.env["TEST_DATABASE_URL"] = url;
}

/** Runs Vitest with the words as its own; .tmp/failures then has the files of this run, and of no other. */
export async function runVitest(words: readonly string[], stop: AbortSignal): Promise<Run> {
  await mkdir(tmp, { recursive: true });
  await rm(resultsFile, { force: true });
  await rm(failures, { recursive: true, force: true });
  const code = await spawnVitest(words, stop);
  const text = await readFile(resultsFile, "utf8").catch(() => undefined);
  const results = text === undefined ? undefined : (JSON.parse(text) as Results);
  await keepFirstErrors(results);
  return { code, results };
}

async function spawnVitest(words: readonly string[], stop: AbortSignal): Promise<number> {
  if (stop.aborted) return 1;
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${resultsFile}`];
  const child = spawn("vitest", ["run", ...reporters, ...words], { stdio: "inherit", cwd: root });
  const end = () => child.kill(stop.reason as NodeJS.Signals);
  stop.addEventListener("abort", end);
  return await new Promise((resolve) => {
    child.once("error", () => resolve(1));
    child.once("close", (code) => {
      stop.removeEventListener("abort", end);
      resolve(code ?? 1);
    });
  });
}

/** Writes the errors of each failed test into its folder: a test may fail before it has a page to save. */
async function keepFirstErrors(results: Results | undefined): Promise<void> {
  for (const { name, assertionResults } of results?.testResults ?? []) {
    for (const { fullName, failureMessages } of assertionResults) {
      if (failureMessages.length === 0) continue;
      const folder = failureFolder(name, fullName);
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, "error.txt"), failureMessages.join("\n\n"));
    }
  }
}
