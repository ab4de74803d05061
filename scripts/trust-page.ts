// docs/trust.md from the promises that people write and the proofs that tests name.
import { type Importers, importersIn, reaching, type Sources } from "./import-graph.ts";
import { type Proof, proofsIn } from "./proofs.ts";
import { projectOf } from "./test-projects.ts";

export const promisesName = "docs/promises.md";
export const pageName = "docs/trust.md";

interface Project {
  /** The text of docs/promises.md. */
  promises: string;
  /** Code with its text by path. */
  sources: Sources;
  /** Whether a file that the promises name is there. */
  exists: (path: string) => boolean;
}

export interface Page {
  text: string;
  /** What keeps a promise from its proof, a sentence each. */
  faults: string[];
}

/** An item of a list; one of a promise begins with its id: - `session-row`: **Each call asks…** */
interface Item {
  id: string | undefined;
  lines: string[];
}

const notice =
  "Written by `npm run trust` from [promises.md](promises.md) and the comments `// proves:` above tests: do not edit.";

/** The page, each promise with its proofs beneath it. */
export function trustPage({ promises, sources, exists }: Project): Page {
  const found = [...sources].map(([file, text]) => proofsIn(file, text));
  const proofs = found.flatMap((one) => one.proofs);
  const blocks = blocksOf(promises);
  const items = blocks.filter((block): block is Item => typeof block !== "string");
  const ids = items.flatMap(({ id }) => id ?? []);
  const text = blocks.flatMap((block) =>
    typeof block === "string" ? block : [...block.lines, ...proofLines(block, proofs)],
  );
  return {
    text: text.join("\n").replace("\n\n", `\n\n${notice}\n\n`),
    faults: [
      ...found.flatMap((one) => one.faults),
      ...unknownIn(proofs, new Set(ids)),
      ...notRun(proofs, sources),
      ...unprovedOf(items, proofs),
      ...ids
        .filter((id, at) => ids.indexOf(id) < at)
        .map((id) => `${promisesName}: \`${id}\` stands twice.`),
      ...[...promises.matchAll(/`((?:[\w-]+\/)+[\w.-]+\.\w+)`/g)]
        .filter(([, path = ""]) => !exists(path))
        .map(([, path]) => `${promisesName}: \`${path}\` is no file.`),
    ],
  };
}

/** The items of the lists, and the lines between them. */
function blocksOf(promises: string): (Item | string)[] {
  const blocks: (Item | string)[] = [];
  for (const line of promises.split("\n")) {
    const last = blocks.at(-1);
    const id = /^(?:-|\d+\.) (?:`([a-z][a-z0-9-]*)`: )?/.exec(line);
    if (id) blocks.push({ id: id[1], lines: [line] });
    else if (typeof last === "object" && /^ +\S/.test(line)) last.lines.push(line);
    else blocks.push(line);
  }
  return blocks;
}

function proofLines({ id, lines }: Item, proofs: readonly Proof[]): string[] {
  const indent = " ".repeat(lines[0]?.startsWith("-") ? 2 : 3);
  return proofs
    .filter(({ promises }) => id !== undefined && promises.includes(id))
    .map(({ file, title }) => `${indent}- \`${file}\` "${title}"`);
}

const unknownIn = (proofs: readonly Proof[], ids: ReadonlySet<string>): string[] =>
  proofs.flatMap(({ file, line, promises }) =>
    promises
      .filter((id) => !ids.has(id))
      .map((id) => `${file}:${line}: ${promisesName} has no promise \`${id}\`.`),
  );

/** Proofs in a file that is no test and that no test imports. */
function notRun(proofs: readonly Proof[], sources: Sources): string[] {
  const besides = proofs.filter(({ file }) => projectOf(file) === undefined);
  const importers: Importers = besides.length > 0 ? importersIn(sources) : new Map();
  const isRun = (file: string) =>
    [...reaching(importers, file, () => false)].some((one) => projectOf(one) !== undefined);
  return besides
    .filter(({ file }) => !isRun(file))
    .map(({ file, line }) => `${file}:${line}: no test runs this file.`);
}

/** What is said without a test names the command or the file that shows it. */
function unprovedOf(items: readonly Item[], proofs: readonly Proof[]): string[] {
  const proved = new Set(proofs.flatMap(({ promises }) => promises));
  return items.flatMap(({ id, lines }) => {
    const text = lines.join(" ");
    if (id !== undefined)
      return proved.has(id) ? [] : `${promisesName}: no test has \`// proves: ${id}\` above it.`;
    return /`npm run |`[\w/-]+\.(?:ts|json)`|^- Not verified/.test(text)
      ? []
      : `${promisesName}: « ${text.slice(0, 60)} » has no id, and names neither a command nor a file.`;
  });
}
