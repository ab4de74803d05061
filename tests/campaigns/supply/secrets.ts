// No key in the files nor in the history. The scanner is first shown a planted key: one that misses it
// proves nothing about the rest.
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { toOutcome, notDone, type Outcome, root, run } from "./step.ts";
import { installTools, tool } from "./tools.ts";

interface Scanned {
  filePath: string;
  messages: { message: string; loc: { start: { line: number } } }[];
}

/** The findings of the scanner in files, one line each, the secrets masked; null when it did not run. */
async function scan(paths: readonly string[]): Promise<string[] | null> {
  const config = join(root, "tools", ".secretlintrc.json");
  // The history is written where git looks away: without the last option it would be passed over.
  const options = ["--secretlintrc", config, "--format", "json", "--no-gitignore"];
  const ran = await run(tool("secretlint"), [...options, ...paths]);
  try {
    const files = JSON.parse(ran.out) as Scanned[];
    return files.flatMap(({ filePath, messages }) =>
      messages.map(
        ({ message, loc }) => `${relative(root, filePath)}:${loc.start.line} ${message}`,
      ),
    );
  } catch {
    return null;
  }
}

export async function auditSecrets(): Promise<Outcome> {
  const missing = await installTools();
  if (missing) return notDone(`secretlint could not be installed: ${missing}`);
  const folder = await mkdtemp(join(root, ".tmp", "secrets-"));
  try {
    const planted = join(folder, "planted.txt");
    await writeFile(planted, `token = ghp_${randomBytes(18).toString("hex")}\n`);
    if ((await scan([planted]))?.length !== 1) {
      return { state: "failed", says: "the scanner misses a planted key", details: [] };
    }
    const listed = await run("git", ["ls-files", "-co", "--exclude-standard"]);
    const files = listed.out.split("\n").filter((file) => file && !/\.(png|woff2?)$/.test(file));
    const history = join(folder, "history.txt");
    const options = ["--all", "--no-color", "-p", "--", ".", ":!*package-lock.json"];
    const log = await run("git", ["log", ...options]);
    await writeFile(history, log.out);
    const [inFiles, inHistory] = [await scan(files), await scan([history])];
    if (listed.code !== 0 || log.code !== 0 || !inFiles || !inHistory) {
      return notDone("git or the scanner did not answer");
    }
    const megabytes = (log.out.length / 1e6).toFixed(1);
    return toOutcome(
      [...inFiles, ...inHistory],
      `${files.length} files and ${megabytes} MB of history; a planted key was found`,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
