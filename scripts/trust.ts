// `npm run trust` writes docs/trust.md: each promise of docs/promises.md with the tests that prove it, which say so in
// a comment (`// proves: <id>`). `--check` only compares. Both fail where a promise and its proofs do not meet.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pageName, promisesName, trustPage } from "./trust-page.ts";

const root = join(import.meta.dirname, "..");
const read = (file: string) => readFile(join(root, file), "utf8");

const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "*.ts", "*.tsx"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => file !== "" && existsSync(join(root, file)))
  .sort();
const sources = new Map(
  await Promise.all(files.map(async (file) => [file, await read(file)] as const)),
);

const { text, faults } = trustPage({
  promises: await read(promisesName),
  sources,
  exists: (path) => existsSync(join(root, path)),
});
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;

if ((await read(pageName).catch(() => "")) !== text) {
  if (process.argv.includes("--check")) {
    console.error(`${pageName} is stale: run \`npm run trust\` and review the change.`);
    process.exitCode = 1;
  } else {
    await writeFile(join(root, pageName), text);
    console.log(`${pageName} written.`);
  }
}
