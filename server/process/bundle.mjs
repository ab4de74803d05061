// The server as a few files, made by scripts/bundle.mjs: loading them takes a third of the time of its 1,900
// modules. They are used only while every source file is unchanged; otherwise the server runs from its
// sources. Only built-ins here, and only what Node 20 understands.
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

export const bundleFolder = "dist-server";

/** One hash over names and contents; `files` are relative to `root`. */
export function hashOfFiles(root, files) {
  const hash = createHash("sha256");
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest("hex");
}

/** The change time of each file (ctime), which no program can set back. */
export const changesOfFiles = (root, files) =>
  // Concatenated: node:path would normalise each of some 700 names at every start.
  files.map((file) => statSync(`${root}/${file}`).ctimeMs).join(" ");

/** The record of the last bundling, or undefined. */
export function readBundle(root) {
  try {
    return JSON.parse(readFileSync(join(root, bundleFolder, "sources.json"), "utf8"));
  } catch {
    return undefined;
  }
}

/** The bundle's entry file, or undefined where none was made from the present sources. */
export function freshBundle(root) {
  const made = readBundle(root);
  if (!made) return undefined;
  try {
    // A copy of the whole folder has other times: then the contents decide.
    const isSame =
      changesOfFiles(root, made.files) === made.changes ||
      hashOfFiles(root, made.files) === made.sha256;
    return isSame ? join(root, bundleFolder, made.run) : undefined;
  } catch {
    return undefined;
  }
}
