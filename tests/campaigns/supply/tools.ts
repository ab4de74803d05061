// The tools of the audits live in tools/, a package with its own lock file, so that whoever only runs
// or tests the portal does not install them.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { complaint, npm, root } from "./step.ts";

const folder = join(root, "tools");

const packagesOf = async (path: string): Promise<Record<string, { version?: string }>> =>
  JSON.parse(await readFile(join(folder, path), "utf8")).packages;

async function areInstalled(): Promise<boolean> {
  const present = await packagesOf(join("node_modules", ".package-lock.json")).catch(() => null);
  if (!present) return false;
  const lockedPackages = await packagesOf("package-lock.json");
  // What the lock file has more of belongs to other platforms.
  return Object.entries(present).every(
    ([place, { version }]) => lockedPackages[place]?.version === version,
  );
}

/** Installs the tools where they are missing; gives the reason when that cannot be done, else null. */
export async function installTools(): Promise<string | null> {
  if (await areInstalled()) return null;
  console.log("Installing the tools of tools/ (a minute, once)…");
  const ran = await npm(["install", "--no-save", "--loglevel=error", "--no-progress"], { folder });
  return ran.code === 0 ? null : complaint(ran);
}

/** The path of a tool's program. */
export const tool = (name: string): string => join(folder, "node_modules", ".bin", name);
