// Tells whether sources are still those of an earlier run.
import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

export interface SourceFile {
  /** From the root of the project. */
  path: string;
  changedMs: number;
}

/** The files of the folders (or the files themselves) in a steady order, tests left out. */
export async function filesUnder(paths: readonly string[]): Promise<SourceFile[]> {
  const found: SourceFile[] = [];
  for (const path of paths.toSorted()) {
    const about = await stat(join(root, path)).catch(() => null);
    if (about?.isDirectory()) {
      const names = await readdir(join(root, path));
      found.push(...(await filesUnder(names.map((name) => join(path, name)))));
    } else if (about && !/\.test\.tsx?$/.test(path)) {
      found.push({ path, changedMs: about.mtimeMs });
    }
  }
  return found;
}

/** A hash of the names and contents of the files. */
export async function hashOf(files: readonly SourceFile[]): Promise<string> {
  const hash = createHash("sha256");
  for (const { path } of files) hash.update(path).update(await readFile(join(root, path)));
  return hash.digest("hex");
}
