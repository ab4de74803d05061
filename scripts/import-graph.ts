// The import graph of the project: which file runs which other. Imports come from a parser; type imports are
// left out.
import { dirname, join } from "node:path/posix";
import { parseSync } from "vite";

/** Text of each file by its path from the root of the project. */
export type Sources = ReadonlyMap<string, string>;

/** For each file, the files that import it. */
export type Importers = ReadonlyMap<string, ReadonlySet<string>>;

interface Import {
  to: string;
  /** The imported name; undefined for the whole module. */
  name?: string;
}

interface Module {
  imports: Import[];
  /** Re-exported names, each from another file. */
  passedOn: Map<string, Import>;
  /** Files re-exported whole (`export *`). */
  passedOnWhole: string[];
  /** Steps attached to hooks, each with the room that runs it. */
  attached: { step: Import; by: string }[];
}

/**
 * The importers of each file. A re-exported name leads to the file that defines it: a room's main file
 * re-exports most of its room, and an importer of one name does not depend on the others. A room depends on
 * the steps that later rooms attach to its hooks, but for those of a sale (`saleHooks`), which are its methods.
 */
export function importersIn(sources: Sources): Importers {
  const modules = new Map<string, Module>();
  for (const [file, text] of sources)
    if (/\.(?:tsx?|mjs)$/.test(file)) modules.set(file, parse(file, text, sources));
  const importers = new Map<string, Set<string>>();
  const add = (from: string, one: Import) => {
    for (const to of definingFiles(modules, one))
      importers.set(to, (importers.get(to) ?? new Set()).add(from));
  };
  for (const [from, { imports, attached }] of modules) {
    for (const one of imports) add(from, one);
    for (const { step, by } of attached) add(by, step);
  }
  return importers;
}

/** The file and all that run it, directly or through others; `cut` decides which imports do not count. */
export function reaching(
  importers: Importers,
  file: string,
  cut: (importer: string, imported: string) => boolean,
): Set<string> {
  const found = new Set([file]);
  // The list grows during the loop.
  for (const one of found)
    for (const importer of importers.get(one) ?? []) if (!cut(importer, one)) found.add(importer);
  return found;
}

/** `attach({ onEmptied }, seatsFreed)`, or for one kind `attachAs({ onDocumentRead }, "proof", mayReadProof)`. */
const attachedStep = /\battach(?:As)?\(\s*\{ (\w+) \},\s*(?:"\w+",\s*)?(\w+),?\s*\)/g;

function parse(file: string, text: string, sources: Sources): Module {
  const { module } = parseSync(file, text);
  const resolve = (request: string) => resolveIn(sources, file, request);
  const imports: Import[] = [];
  const named = new Map<string, Import>();
  for (const { moduleRequest, entries } of module.staticImports) {
    const to = resolve(moduleRequest.value);
    if (!to) continue;
    if (entries.length === 0) imports.push({ to });
    for (const { importName, localName, isType } of entries) {
      if (isType) continue;
      const one = importName.name ? { to, name: importName.name } : { to };
      imports.push(one);
      named.set(localName.value, one);
    }
  }
  for (const { moduleRequest } of module.dynamicImports) {
    const to = resolve(text.slice(moduleRequest.start + 1, moduleRequest.end - 1));
    if (to) imports.push({ to });
  }
  // Workers are started by URL and not imported.
  for (const [, request = ""] of text.matchAll(/new URL\("([^"]+)", import\.meta\.url\)/g)) {
    const to = resolve(/^[.#]/.test(request) ? request : `./${request}`);
    if (to) imports.push({ to });
  }
  const passedOn = new Map<string, Import>();
  const passedOnWhole: string[] = [];
  for (const { exportName, importName, moduleRequest, isType } of module.staticExports.flatMap(
    ({ entries }) => entries,
  )) {
    const to = moduleRequest && !isType ? resolve(moduleRequest.value) : undefined;
    if (!to) continue;
    if (exportName.name)
      passedOn.set(exportName.name, importName.name ? { to, name: importName.name } : { to });
    else passedOnWhole.push(to);
  }
  const attached = [...text.matchAll(attachedStep)].flatMap(([, hook = "", stepName = ""]) => {
    const [to, step] = [named.get(hook)?.to, named.get(stepName)];
    const by = to && join(dirname(to), "room.ts");
    return by && step && sources.has(by) ? [{ step, by }] : [];
  });
  return { imports, passedOn, passedOnWhole, attached };
}

function resolveIn(sources: Sources, from: string, request: string): string | undefined {
  const [path = ""] = request.split("?");
  const file = path.startsWith("#") ? path.slice(1) : join(dirname(from), path);
  return /^[.#]/.test(path) && sources.has(file) ? file : undefined;
}

/**
 * The file that defines a name; for a whole module, and for a name that several files may define, all of
 * them.
 */
function definingFiles(modules: ReadonlyMap<string, Module>, { to, name }: Import): string[] {
  const module = modules.get(to);
  if (!module) return [to];
  const whole = module.passedOnWhole.flatMap((one) => definingFiles(modules, { to: one }));
  if (name === undefined) {
    const passed = [...module.passedOn.values()];
    return [to, ...passed.flatMap((one) => definingFiles(modules, one)), ...whole];
  }
  const passed = module.passedOn.get(name);
  return passed ? definingFiles(modules, passed) : [to, ...whole];
}
