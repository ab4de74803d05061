// `npm run bench -- [name…] [--flags]`: runs the benchmarks of bench/ one after the other; each is a file
// that prints its own table and receives the flags. Results are read, never asserted: no test depends on one.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname, "..", "bench");
const all = readdirSync(folder)
  .filter((name) => name.endsWith(".ts"))
  .map((name) => name.replace(/\.ts$/, ""))
  .sort();
const args = process.argv.slice(2);
const firstFlag = args.findIndex((word) => word.startsWith("--"));
const names = firstFlag < 0 ? args : args.slice(0, firstFlag);
const flags = firstFlag < 0 ? [] : args.slice(firstFlag);
const unknown = names.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`Unknown measure: ${unknown.join(", ")}. There is: ${all.join(", ")}.`);
  process.exit(2);
}
for (const name of names.length > 0 ? names : all) {
  if (!flags.includes("--json")) console.log(`\n── ${name}`);
  const file = join(folder, `${name}.ts`);
  const { status } = spawnSync("node", [file, ...flags], { stdio: "inherit" });
  if (status !== 0) process.exitCode = 1;
}
