// `npm run check`: every check that runs before tests. After a step that failed the others still run and are
// reported. The project's own rules are tests (tests/house-rules.test.ts).
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";

interface Step {
  name: string;
  command: string;
  arguments: string[];
  /** `npm test -- --changed` runs the step where such a file changed, on these files alone if `onFiles`. */
  changed?: RegExp;
  onFiles?: true;
}

const steps: Step[] = [
  // Three programs: the server sees no DOM, the web part no Node, tests and scripts both. The last one reads
  // the declarations of the others, so their sources are not checked twice.
  {
    name: "types",
    command: "tsc",
    arguments: ["-b", "tsconfig.build.json"],
    changed: /\.tsx?$|^package-lock|tsconfig/,
  },
  {
    name: "lint",
    command: "oxlint",
    arguments: ["--type-aware"],
    changed: /\.(?:tsx?|mjs)$/,
    onFiles: true,
  },
  { name: "format", command: "oxfmt", arguments: ["--check"], changed: /./ },
  { name: "schema", command: "node", arguments: ["scripts/schema.ts", "--check"] },
  {
    name: "access",
    command: "node",
    arguments: ["scripts/access.ts", "--check"],
    changed: /^(?:contract|docs\/access)/,
  },
  {
    name: "trust",
    command: "node",
    arguments: ["scripts/trust.ts", "--check"],
    changed: /\.tsx?$|^docs\/(?:promises|trust)\.md$/,
  },
  { name: "dead code", command: "knip", arguments: ["--no-progress"] },
];

interface Checked {
  /** Names of the steps that failed. */
  failed: string[];
  /** A line for each step, and the output of those that failed. */
  report: string;
}

/**
 * Runs the steps in order until `stop` aborts; with `changed`, only the quick steps that match those files.
 */
export async function check({
  stop,
  changed,
}: { stop?: AbortSignal; changed?: readonly string[] } = {}): Promise<Checked> {
  const chosen = changed ? stepsFor(changed) : steps;
  const failed = [];
  const lines = [];
  for (const step of chosen) {
    if (stop?.aborted) break;
    const startedMs = performance.now();
    const { ok, output } = await runStep(step, stop);
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
    lines.push(`${ok ? "✓" : "✗"} ${step.name} (${seconds} s)`);
    if (ok) continue;
    failed.push(step.name);
    lines.push(output.trimEnd());
  }
  lines.push(
    failed.length === 0
      ? `check: ${chosen.length} steps passed`
      : `check: failed at ${failed.join(", ")}`,
  );
  return { failed, report: lines.join("\n") };
}

function stepsFor(files: readonly string[]): Step[] {
  return steps.flatMap((step) => {
    const own = files.filter((file) => step.changed?.test(file));
    const present = own.filter((file) => existsSync(file));
    if (step.onFiles && present.length > 0)
      return [{ ...step, arguments: [...step.arguments, ...present] }];
    return own.length > 0 && !step.onFiles ? [step] : [];
  });
}

function runStep(step: Step, stop?: AbortSignal): Promise<{ ok: boolean; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(step.command, step.arguments, { stdio: ["ignore", "pipe", "pipe"] });
    const end = () => child.kill();
    stop?.addEventListener("abort", end);
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.once("error", (error) => resolve({ ok: false, output: error.message }));
    child.once("close", (code) => {
      stop?.removeEventListener("abort", end);
      resolve({ ok: code === 0, output });
    });
  });
}

if (import.meta.main) {
  const { failed, report } = await check();
  console.log(report);
  if (failed.length > 0) process.exitCode = 1;
}
