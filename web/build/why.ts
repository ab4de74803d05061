// The parts of a visit's bytes, by package and by folder of ours: `npm run build -- --mode why`.
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { SourceMap } from "node:module";
import { join, relative, resolve } from "node:path";

/** The mode of a build that tells it; its scripts have source maps meanwhile. */
export const whyMode = "why";
const root = join(import.meta.dirname, "..", "..");
const KB = 1024;
/** Parts smaller than this are told together. */
const minKb = 0.1;

/** The package of a module, or the folder of ours that holds it. */
function partOf(file: string): string {
  const at = file.lastIndexOf("node_modules/");
  if (at === -1) return file.split("/").slice(0, 2).join("/");
  const [scope = "", name = ""] = file.slice(at + "node_modules/".length).split("/");
  return scope.startsWith("@") ? `${scope}/${name}` : scope;
}

/** Bytes of no module of the project: lists of files, imports and exports. */
const glue = "between modules";

/** Characters of a minified script by the module that they come from, named from the project's root. */
function charactersOf(path: string): Map<string, number> {
  const found = new Map<string, number>();
  const map = new SourceMap(JSON.parse(readFileSync(`${path}.map`, "utf8")));
  for (const [line, text] of readFileSync(path, "utf8").split("\n").entries()) {
    for (let column = 0; column < text.length; column++) {
      const entry = map.findEntry(line, column);
      const named = "originalSource" in entry ? entry.originalSource : undefined;
      const source = named ? relative(root, resolve(path, "..", named)) : glue;
      found.set(source, (found.get(source) ?? 0) + 1);
    }
  }
  return found;
}

/** Bytes of each module, a compressed file being shared out by characters; a style sheet is one. */
function bytesByModule(folder: string, files: readonly string[]): Map<string, number> {
  const bytes = new Map<string, number>();
  for (const file of files) {
    const path = join(folder, file);
    const whole = readFileSync(`${path}.br`).length;
    const parts = existsSync(`${path}.map`) ? charactersOf(path) : new Map([[file, 1]]);
    const characters = parts.values().reduce((sum, count) => sum + count, 0);
    for (const [name, count] of parts) {
      bytes.set(name, (bytes.get(name) ?? 0) + (whole * count) / characters);
    }
  }
  return bytes;
}

function print(title: string, bytes: ReadonlyMap<string, number>): void {
  const sorted = [...bytes].toSorted(([, one], [, other]) => other - one);
  const large = sorted.filter(([, size]) => size >= minKb * KB);
  const rest = sorted.slice(large.length).reduce((sum, [, size]) => sum + size, 0);
  process.stdout.write(`\n${title}\n`);
  for (const [name, size] of [...large, ["smaller ones", rest] as const]) {
    process.stdout.write(`${(size / KB).toFixed(1).padStart(6)} KB ${name}\n`);
  }
}

/** Prints what the files of one line of the budget hold, and leaves no map behind. */
export function explain(folder: string, what: string, files: readonly string[]): void {
  const modules = bytesByModule(folder, files);
  const parts = new Map<string, number>();
  for (const [name, size] of modules) {
    parts.set(partOf(name), (parts.get(partOf(name)) ?? 0) + size);
  }
  print(`${what}, by package and folder`, parts);
  const ours = modules.entries().filter(([name]) => /^(?:web|contract)\//.test(name));
  print(`${what}, by file of ours`, new Map(ours));
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (name.endsWith(".map")) rmSync(join(folder, name));
  }
}
