// Creates a folder with its parents, one after the other: the recursive `mkdir` of Node never returns where a
// folder cannot be made although its parent exists, as under /proc.
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/** Creates the missing folders of `path`, each with `mode`; throws the system's error. */
export async function makeFolder(path: string, mode: number): Promise<void> {
  const missing: string[] = [];
  for (let at = resolve(path); !existsSync(at); at = dirname(at)) missing.unshift(at);
  for (const folder of missing)
    await mkdir(folder, { mode }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
}
