// docs/trust.md names the tests that prove its promises: each of them must exist.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const page = readFileSync(join(root, "docs", "trust.md"), "utf8").replaceAll(/\n\s*/g, " ");

/** Each file named on the page with the titles that follow it: `file` "title", "title". */
const named = [
  ...page.matchAll(/`((?:contract|server|web|tests|scripts)\/[^`]+\.tsx?)`([^`]*)/g),
].map(([, file = "", rest = ""]) => ({
  file,
  titles: [...rest.matchAll(/"([^"]+)"/g)].map((match) => match[1] as string),
}));

test("every test that docs/trust.md names exists under that title", () => {
  const missing = named.flatMap(({ file, titles }) => {
    if (!existsSync(join(root, file))) return [file];
    const text = readFileSync(join(root, file), "utf8");
    return titles.filter((title) => !text.includes(title)).map((title) => `${file}: ${title}`);
  });
  expect(missing).toEqual([]);
  expect(named.flatMap(({ titles }) => titles).length).toBeGreaterThan(80);
});
