// Style rules, checked by reading the sheets and the screens: which classes there are, and who may write
// what.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "web"], {
  cwd: root,
  encoding: "utf8",
}).split("\n");
const read = (file: string) => readFileSync(join(root, file), "utf8");

const sheets = files.filter((file) => /^web\/.*\.css$/.test(file));
const modules = sheets.filter((file) => file.endsWith(".module.css"));
/** Global: the kit, and the login page, which is a document of its own. */
const globals = sheets.filter((file) => /^web\/(ui|app\/shell\/prerender)\//.test(file));
/** Set by the widget library, not by us. */
const foreign = new Set(["base-ui-disable-scrollbar"]);
/** Class names of a selector text, without the strings and comments that hold a dot. */
const classesOf = (css: string) =>
  [...css.matchAll(/(?<=^|[\s,>+~(\]\w:*-])\.([a-z][\w-]*)/g)].map((found) => found[1] ?? "");
const selectorsOf = (file: string) =>
  [
    ...read(file)
      .replaceAll(/\/\*[\s\S]*?\*\//g, "")
      .matchAll(/([^{};@]+)\{/g),
  ]
    .map((found) => found[1] ?? "")
    .join("\n");
const isGlobal = /:global\(([^()]*)\)/g;
const camel = (name: string) =>
  name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
/** A hook takes class names too. */
const code = files.filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file));
const written = new Set(
  code
    .flatMap((file) => [...read(file).matchAll(/\b\w*[cC]lassName="([^"]*)"/g)])
    .flatMap((found) => (found[1] ?? "").split(/\s+/)),
);
const kit = new Set(globals.flatMap((file) => classesOf(selectorsOf(file))));
/** Each use of a class of a module: the sheet and the name. */
const used = new Set(
  code.flatMap((file) =>
    [...read(file).matchAll(/import (\w+) from "([^"]+\.module\.css)"/g)].flatMap(
      ([, name = "", from = ""]) => {
        const sheet = from.startsWith("#") ? from.slice(1) : normalize(join(dirname(file), from));
        return [...read(file).matchAll(new RegExp(`\\b${name}\\.(\\w+)`, "g"))].map(
          (found) => `${sheet} ${found[1]}`,
        );
      },
    ),
  ),
);
const scoped = new Set(
  modules.flatMap((file) =>
    classesOf(selectorsOf(file).replaceAll(isGlobal, "")).map((name) => `${file} ${camel(name)}`),
  ),
);

test("a room's sheet is a module: no global class is defined outside the kit", () => {
  expect(sheets.filter((file) => !modules.includes(file) && !globals.includes(file))).toEqual([]);
  const reached = modules.flatMap((file) =>
    [...selectorsOf(file).matchAll(isGlobal)].flatMap((found) => classesOf(found[1] ?? "")),
  );
  expect(reached.filter((name) => !kit.has(name) && !written.has(name))).toEqual([]);
});

test("breakpoints follow the browser's text size: they are told in em", () => {
  const breakpoints = sheets.flatMap((file) =>
    [...read(file).matchAll(/@media[^{]*width[^{]*\d(?:px|rem)/g)].map(
      ([text]) => `${file} ${text}`,
    ),
  );
  expect(breakpoints).toEqual([]);
});

test("a class that is used is defined, and one that is defined is used", () => {
  expect([...used].filter((name) => !scoped.has(name))).toEqual([]);
  expect([...scoped].filter((name) => !used.has(name))).toEqual([]);
  expect([...written].filter((name) => !kit.has(name))).toEqual([]);
  const ours = code.map(read).join("\n");
  const loose = [...kit].filter((name) => !new RegExp(`["\\s]${name}["\\s]`).test(ours));
  expect(loose.filter((name) => !foreign.has(name))).toEqual([]);
});

test("what a sixth room would write alike is said by the kit", () => {
  // Text, Stack, Row and Actions (web/ui/) began as such rules. One declaration alone is no pattern.
  const alike = new Map<string, Set<string>>();
  for (const file of modules) {
    const sheet = read(file).replaceAll(/\/\*[\s\S]*?\*\//g, "");
    for (const [, body = ""] of sheet.matchAll(/[^{};]+\{([^{}]*)\}/g)) {
      const declarations = body.split(";").map((one) => one.trim().replaceAll(/\s+/g, " "));
      const said = declarations.filter(Boolean).sort();
      if (said.length < 2) continue;
      const key = said.join("; ");
      alike.set(key, (alike.get(key) ?? new Set()).add(file));
    }
  }
  expect([...alike].filter(([, among]) => among.size > 5)).toEqual([]);
});
