// `npm run check`: what a machine can say about the code before any test runs. One step fails alone:
// the others are still told. The house's own rules are tests (tests/house-rules.test.ts).
import { spawn } from "node:child_process";

interface Step {
  name: string;
  command: string;
  arguments: string[];
}

const steps: Step[] = [
  { name: "types", command: "tsc", arguments: [] },
  { name: "lint", command: "oxlint", arguments: ["--type-aware"] },
  { name: "format", command: "oxfmt", arguments: ["--check"] },
  { name: "schema", command: "node", arguments: ["scripts/schema.ts", "--check"] },
  { name: "dead code", command: "knip", arguments: ["--no-progress"] },
];

/** Runs every step in order, printing the output of those that fail; gives the names of the failed. */
export async function check(): Promise<string[]> {
  const failed = [];
  for (const step of steps) {
    const startedMs = performance.now();
    const { ok, output } = await runStep(step);
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
    console.log(`${ok ? "✓" : "✗"} ${step.name} (${seconds} s)`);
    if (ok) continue;
    failed.push(step.name);
    console.log(output.trimEnd());
  }
  console.log(
    failed.length === 0
      ? `check: ${steps.length} steps passed`
      : `check: failed at ${failed.join(", ")}`,
  );
  return failed;
}

function runStep(step: Step): Promise<{ ok: boolean; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(step.command, step.arguments, { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.once("error", (error) => resolve({ ok: false, output: error.message }));
    child.once("close", (code) => resolve({ ok: code === 0, output }));
  });
}

if (import.meta.main && (await check()).length > 0) process.exitCode = 1;
