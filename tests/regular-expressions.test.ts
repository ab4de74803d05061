// No regular expression of the portal takes more than linear time: each literal of contract/, server/ and web/ is
// run over repetitions of what it matches. Time alone is compared with time: of a text and of one four times as long.
import { readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseSync } from "vite";
import { costRatio } from "./cost-ratio.ts";

const root = join(import.meta.dirname, "..");

interface Literal {
  pattern: string;
  flags: string;
  /** The files in which it stands. */
  files: Set<string>;
}

/** Every literal of the portal's own code, once. */
async function literals(): Promise<Literal[]> {
  const found = new Map<string, Literal>();
  const look = (node: unknown, file: string): void => {
    if (typeof node !== "object" || node === null) return;
    const { regex } = node as { regex?: { pattern: string; flags: string } };
    if (regex) {
      const key = `/${regex.pattern}/${regex.flags}`;
      const one = found.get(key) ?? { ...regex, files: new Set() };
      found.set(key, one);
      one.files.add(file);
    }
    for (const inner of Object.values(node)) look(inner, file);
  };
  for await (const file of glob("{contract,server,web}/**/*.{ts,tsx,mjs}", { cwd: root })) {
    // Tests, and what the build reads of our own files, are given no text of users.
    if (/\.test\.tsx?$|^web\/build\//.test(file)) continue;
    look(parseSync(file, readFileSync(join(root, file), "utf8")).program, file);
  }
  return [...found.values()];
}

/** Characters that stand for those that a pattern names. */
function lettersOf(pattern: string): string[] {
  const named = { s: " ", d: "0", w: "a", S: "x", D: "x", W: "!", n: "\n", r: "\r", t: "\t" };
  const letters = new Set([" ", "a", "0"]);
  for (const [, escaped] of pattern.matchAll(/\\([sdwSDWnrt])/g))
    letters.add(named[escaped as keyof typeof named]);
  if (/\\p\{M/.test(pattern)) letters.add("\u0301");
  for (const letter of pattern.replaceAll(/\\[a-zA-Z]|\\u[0-9a-f]{4}/g, "")) letters.add(letter);
  return [...letters].slice(0, 12);
}

interface Attack {
  before: string;
  pump: string;
  after: string;
}

const textOf = ({ before, pump, after }: Attack, length: number): string =>
  before + pump.repeat(Math.ceil(length / pump.length)) + after;

/** Words that a pattern spells: what leads to its middle. */
const wordsOf = (pattern: string): string[] =>
  [...pattern.replaceAll("\\", "").matchAll(/[\p{L}\p{N} /:<"'=@.-]{2,}/gu)]
    .map(([word]) => word)
    .slice(0, 4);

/** Repetitions that a search may try over and over: of what the pattern names, after what it begins with. */
function attacks({ pattern }: Literal): Attack[] {
  const letters = lettersOf(pattern);
  const words = wordsOf(pattern);
  const pairs = letters.flatMap((one) => letters.map((other) => one + other));
  return ["", "\u0001", "a@", ...words, ...letters].flatMap((before) =>
    [...letters, ...words, ...(before.length === 1 ? [] : pairs)].flatMap((pump) =>
      ["\u0001", " @"].map((after) => ({ before, pump, after })),
    ),
  );
}

/** Searches a text for the first match. */
function search({ pattern, flags }: Literal, text: string): () => void {
  const expression = new RegExp(pattern, flags.replaceAll(/[gy]/g, ""));
  return () => void expression.test(text);
}

/**
 * From short to long, so that what takes exponential time is known before it takes hours, up to one at which
 * a time that grows as the square of the length is clear on a fast machine too.
 */
const lengths = [30, 250, 2500, 5000];

/** The first length at which an attack is not over at once; undefined for none. */
function suspectLength(literal: Literal, attack: Attack): number | undefined {
  return lengths.find((length) => {
    const run = search(literal, textOf(attack, length));
    // Held up by something else, it is quicker the next time.
    return [1, 2, 3].every(() => {
      const began = performance.now();
      run();
      return performance.now() - began > 0.5;
    });
  });
}

/** What four times the text takes, as often as the shorter one; the least of three tries. */
async function growthOf(literal: Literal, attack: Attack, length: number): Promise<number> {
  const [short, long] = [textOf(attack, length / 4), textOf(attack, length)];
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3 && least > 6; round++)
    least = Math.min(least, await costRatio(search(literal, short), search(literal, long)));
  return least;
}

// proves: regular-expressions
test("every literal searches a text in a time that grows as the text does", async () => {
  const all = await literals();
  const slow: string[] = [];
  for (const literal of all) {
    for (const attack of attacks(literal)) {
      const length = suspectLength(literal, attack);
      const growth = length === undefined ? 0 : await growthOf(literal, attack, length);
      if (growth <= 6) continue;
      const { pattern, flags, files } = literal;
      slow.push(
        `/${pattern}/${flags} ×${growth.toFixed(0)} for ${JSON.stringify(attack)}: ${[...files].join(", ")}`,
      );
      break;
    }
  }
  console.log(`${all.length} regular expressions`);
  expect(slow).toEqual([]);
});
