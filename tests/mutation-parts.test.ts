// What `npm run mutate` names in the code is there: its parts, the survivors that were read, the access checks. The
// run itself takes hours and is no part of `npm test`, so a renamed line would be noticed months later.
import { readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { checkFunctions } from "./campaigns/mutate/access/checks.ts";
import { pureFiles, rangeOf } from "./campaigns/mutate/pure-parts.ts";
import type { Explained } from "./campaigns/mutate/score.ts";

const root = join(import.meta.dirname, "..");
const read = (file: string) => readFileSync(join(root, file), "utf8");

test.each(pureFiles)("$name: its lines are in $file, and Stryker may read it", async (part) => {
  expect(await rangeOf(part)).toContain(part.file);
  const { ignorePatterns } = JSON.parse(read("tools/stryker.config.json")) as {
    ignorePatterns: string[];
  };
  const folders = dirname(part.file).split("/");
  const around = folders.map((_, at) => `!${folders.slice(0, at + 1).join("/")}`);
  const admitted = [...around.map((one) => `${one}/**`), `${around.at(-1)}/*.ts`];
  expect(ignorePatterns.filter((pattern) => admitted.includes(pattern))).not.toEqual([]);
});

test("each survivor that was read is a line of its file, and holds the text that is replaced", () => {
  const survivors = JSON.parse(read("tools/survivors.json")) as Explained[];
  const gone = survivors.filter(({ file, line, was }) => {
    const lines = read(file).split("\n");
    return !line.includes(was) || !lines.some((one) => one.trim() === line);
  });
  expect(gone).toEqual([]);
});

test("each access check that can vanish is a function of the server", async () => {
  let server = "";
  for await (const file of glob("server/**/*.ts", { cwd: root })) server += read(file);
  const declared = (name: string) => new RegExp(`\\b(?:function|const) ${name}\\b`).test(server);
  expect(Object.keys(checkFunctions).filter((name) => !declared(name))).toEqual([]);
});
