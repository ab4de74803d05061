// The web build that journeys are served.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { scratchFolder } from "./scratch.ts";
import { filesUnder, hashOf } from "./source-hash.ts";

const root = join(import.meta.dirname, "..");
const tmp = join(root, ".tmp");
const sources = ["web", "contract", "vite.config.ts", "package-lock.json"];
/** Another run may still be reading a build that is no longer the newest. */
const maxAgeMs = 2 * 3_600_000;

/** The folder of a build of the sources as they are: `dist/` when it is fresh, else one of our own. */
export async function webBuild(): Promise<string> {
  const files = await filesUnder(sources);
  const changed = Math.max(...files.map(({ changedMs }) => changedMs));
  const stamp = await stat(join(root, "dist", ".stamp")).catch(() => null);
  if (stamp && stamp.mtimeMs > changed) return join(root, "dist");
  const folder = join(tmp, `web-${(await hashOf(files)).slice(0, 16)}`);
  if (!existsSync(folder)) await build(folder);
  return folder;
}

/** Where a build serves the script of a module that is loaded by itself, e.g. `app/shared/code-dialog.tsx`. */
export async function addressOfScript(web: string, module: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(web, "manifest.json"), "utf8")) as Record<
    string,
    { file: string }
  >;
  const chunk = manifest[module];
  if (!chunk) throw new Error(`The build has no script of ${module}.`);
  return `/${chunk.file}`;
}

// Built aside and put in place by one rename: two workers may build at once, neither sees half.
async function build(folder: string): Promise<void> {
  const aside = await scratchFolder("building");
  const vite = join(root, "node_modules", "vite", "bin", "vite.js");
  const args = ["build", "--outDir", aside, "--emptyOutDir", "--logLevel", "error"];
  await promisify(execFile)(process.execPath, [vite, ...args], {
    cwd: root,
    env: { ...process.env, NODE_ENV: "production" },
  });
  await rename(aside, folder).catch(() => rm(aside, { recursive: true, force: true }));
  await forgetOld();
}

async function forgetOld(): Promise<void> {
  const names = await readdir(tmp);
  for (const name of names.filter((one) => one.startsWith("web-"))) {
    const about = await stat(join(tmp, name)).catch(() => null);
    if (about && about.mtimeMs < Date.now() - maxAgeMs)
      await rm(join(tmp, name), { recursive: true, force: true });
  }
}
