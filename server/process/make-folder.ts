// A folder with its parents, one after the other: the recursive `mkdir` of Node never ends where a folder
// cannot be made although its parent is there, as under /proc.
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/** Makes what is missing of `path`, each folder with `mode`; throws what the system says. */
export async function makeFolder(path: string, mode: number): Promise<void> {
  const missing: string[] = [];
  for (let at = resolve(path); !existsSync(at); at = dirname(at)) missing.unshift(at);
  for (const folder of missing)
    await mkdir(folder, { mode }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
}
