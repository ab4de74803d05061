// A source that the code names is something that a reader can open: a file of this tree with its heading,
// or a number of docs/spec.md. Only the specification itself and the law lie outside.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { everyRow } from "#contract/api.ts";

const root = join(import.meta.dirname, "..");
const read = (file: string) => readFileSync(join(root, file), "utf8");
const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => existsSync(join(root, file)));

/** Code with comments, and the documents. The one left out names a document by what it looks for. */
const texts = files.filter(
  (file) =>
    /\.(?:tsx?|mjs|css|sql|md|json|ya?ml|sh)$/.test(file) &&
    file !== "package-lock.json" &&
    file !== "tests/sources.test.ts",
);

/** The sections of a document by the anchor of their heading, as GitHub writes it. */
const sectionsOf = (markdown: string) =>
  new Map(
    `\n${markdown}`
      .split(/\n#+ /)
      .slice(1)
      .map((section) => {
        const heading = section.split("\n")[0] ?? "";
        const slug = heading.toLowerCase().replaceAll(/[^\p{L}\p{N}_ -]/gu, "");
        return [slug.replaceAll(" ", "-"), section];
      }),
  );

/** The numbers of docs/spec.md: decided there, or in the README that its table names. */
const numbers = new Map(
  [...read("docs/spec.md").matchAll(/^(\d+)\. |^\| (\d+) +\| \[[^\]]+\]\(\.\.\/([^)]+)\)/gm)].map(
    ([, here, elsewhere, place]) => [Number(here ?? elsewhere), place ?? "docs/spec.md"],
  ),
);

const decisionNumbers = new Set(
  readdirSync(join(root, "docs/decisions")).map((name) => name.slice(0, 3)),
);

/** Words of a comment over two lines stand on one, without the marks of the comment. */
const joined = (text: string) => text.replaceAll(/\s*\n\s*(?:\/\/|\*(?!\/)|--|#)?\s*/g, " ");

/** What is wrong with a document and heading that are named; null where both exist. */
function faultOf(path: string, anchor: string | undefined): string | null {
  if (!existsSync(join(root, path))) return `${path} is no file`;
  if (anchor === undefined) return null;
  return sectionsOf(read(path)).has(anchor) ? null : `${path} has no heading #${anchor}`;
}

/** The sources that a text names and a reader cannot open. */
function unopened(text: string): string[] {
  const words = joined(text);
  const documents = [
    ...words.matchAll(
      /(?<![\w/.:+-])((?:docs|server|contract|web|tests)\/[\w./-]*\.md)(?:#([\w-]+))?/g,
    ),
  ].map(([, path = "", anchor]) => faultOf(path, anchor));
  const decisions = [
    ...words.matchAll(/\bdocs\/decisions\/(\d{3}(?:(?:, | and )\d{3}\b)*)/g),
  ].flatMap(([, list = ""]) =>
    list
      .split(/, | and /)
      .filter((number) => !decisionNumbers.has(number))
      .map((number) => `docs/decisions/${number} is no decision`),
  );
  const numbered = [...words.matchAll(/\bspec\.md ((?:\d+(?:, | and | to )?)+)/g)].flatMap(
    ([, list = ""]) =>
      (list.match(/\d+/g) ?? [])
        .filter((number) => !numbers.has(Number(number)))
        .map((number) => `spec.md ${number} is no number of docs/spec.md`),
  );
  const unnamed = [
    ...words.matchAll(
      /product\.md|[Pp]roduct decisions?|\bspec\.md,? (?:\(|[A-Z"])|(?<!docs\/)\btrust\.md|(?<![\w/])(?:spec|trust|README)\.md,? "/g,
    ),
  ].map(([name]) => `« ${name} » is no source`);
  return [...documents, ...decisions, ...numbered, ...unnamed].filter((fault) => fault !== null);
}

test("every source that code or a document names can be opened, with its heading or number", () => {
  const faults = texts.flatMap((file) =>
    [...new Set(unopened(read(file)))].map((fault) => `${file}: ${fault}`),
  );
  expect(faults).toEqual([]);
});

test("a migration, which never changes, names no file or document: they move", () => {
  const naming =
    /(?:\b(?:docs|server|contract|web|tests|scripts)\/|\b[\w-]+\.(?:tsx?|md)\b)[^\s)]*/g;
  const named = files
    .filter((file) => file.startsWith("server/db/migrations/"))
    .flatMap((file) => [...read(file).matchAll(naming)].map(([name]) => `${file}: ${name}`));
  expect(named).toEqual([]);
});

test("every link between documents leads to a file, and to a heading where it names one", () => {
  const links = texts
    .filter((file) => file.endsWith(".md"))
    .flatMap((file) =>
      [
        ...read(file)
          .replaceAll(/`[^`]*`/g, "")
          .matchAll(/\]\(([^():\s]*?)(?:#([\w-]+))?\)/g),
      ].map(([, path = "", anchor]) => ({ file, path, anchor })),
    );
  const faults = links.map(({ file, path, anchor }) => {
    const fault = faultOf(path ? join(dirname(file), path) : file, anchor);
    return fault && `${file}: ${fault}`;
  });
  expect(faults.filter((fault) => fault !== null)).toEqual([]);
});

test("every command that code or a document names is a script of package.json", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const faults = texts.flatMap((file) =>
    [...joined(read(file)).matchAll(/\bnpm run (?:-s |--silent )?([a-z][\w:]*\w)/g)]
      .filter(([, name = ""]) => !Object.hasOwn(scripts, name))
      .map(([command]) => `${file}: ${command}`),
  );
  expect(faults).toEqual([]);
});

test("a row's sources are the specification, the law, or what can be opened", () => {
  const outside =
    /^(?:spec §\d|RGAA \d|RGPD \d|RFC \d|Code (?:du travail|général des impôts), article)/;
  const inside =
    /^(?:spec\.md \d+(?:, \d+)*(?: and \d+)?$|docs\/decisions\/\d{3}$|(?:server|docs)\/[\w-]+(?:\/README)?\.md(?:#[\w-]+)?$)/;
  const faults = everyRow().flatMap(({ name, row }) =>
    row.source
      .split("; ")
      .filter((source) => !outside.test(source) && !inside.test(source))
      .map((source) => `${name}: ${source}`),
  );
  expect(faults).toEqual([]);
});

test("each number of docs/spec.md stands once, where its table says", () => {
  const expected = Array.from({ length: 40 }, (_, index) => index + 1);
  expect([...numbers.keys()].sort((a, b) => a - b)).toEqual(expected);
  const misplaced = [...numbers].filter(([number, place]) => {
    if (place === "docs/spec.md") return false;
    const [path = "", anchor = ""] = place.split("#");
    const section = sectionsOf(read(path)).get(anchor) ?? "";
    return !section.includes(`**spec.md ${number}.**`);
  });
  expect(misplaced).toEqual([]);
});
