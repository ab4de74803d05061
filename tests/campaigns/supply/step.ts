// A step of the supply chain's audit, and how one is run. A step that could not be done is never
// counted with those that passed.
import { spawn } from "node:child_process";
import { join } from "node:path";

export const root = join(import.meta.dirname, "..", "..", "..");

export interface Outcome {
  state: "passed" | "failed" | "not done";
  /** One line for the table. */
  says: string;
  /** The faults, one line each. */
  details: readonly string[];
}

export const passed = (says: string): Outcome => ({ state: "passed", says, details: [] });
export const notDone = (says: string): Outcome => ({ state: "not done", says, details: [] });

/** Passed with `says` when nothing is wrong, else failed with each wrong thing. */
export const toOutcome = (wrong: readonly string[], says: string): Outcome =>
  wrong.length === 0
    ? passed(says)
    : { state: "failed", says: `${wrong.length} to look at`, details: wrong };

export interface Ran {
  code: number;
  out: string;
  err: string;
}

interface RunOptions {
  folder?: string;
  /** Written to the program's standard input. */
  input?: string;
  timeoutMs?: number;
}

/** Runs a program to its end; a program that cannot be started answers code 127. */
export function run(
  command: string,
  args: readonly string[],
  { folder = root, input, timeoutMs = 300_000 }: RunOptions = {},
): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: folder, timeout: timeoutMs });
    let [out, err] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => (out += chunk));
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => (err += chunk));
    // A program may end before it has read all of its input.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    child.once("error", (error) => resolve({ code: 127, out, err: error.message }));
    child.once("close", (code) => resolve({ code: code ?? 1, out, err }));
  });
}

/** Runs the npm that runs us, or the one in PATH. */
export function npm(args: readonly string[], options?: RunOptions): Promise<Ran> {
  const cli = process.env["npm_execpath"];
  return cli ? run(process.execPath, [cli, ...args], options) : run("npm", args, options);
}

/** The first line of npm's complaint that says something. */
export const complaint = ({ out, err }: Ran): string =>
  `${err}\n${out}`
    .split("\n")
    .find((line) => /error|warn audit/i.test(line) && !/complete log/.test(line))
    ?.trim() ?? "no reason given";
