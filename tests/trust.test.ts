// What `npm run trust` refuses and writes, on made-up promises and tests.
import { expect, test } from "vitest";
import { trustPage } from "../scripts/trust-page.ts";

const promises = `# Promises

How to read them.

- \`paid-once\`: **Nobody pays twice**, whatever
  is clicked.
- \`kept\`: **Nothing is lost.**
- **It is quick**: \`npm run bench\`.

1. \`full-disk\`: A full disk heals.
`;

const sources = {
  "server/pay/pay.test.ts": `import { describe, test } from "vitest";
describe("pay", () => {
  // Two tabs at once.
  // proves: paid-once, kept
  test("one payment", async () => {});

  // proves: paid-once
  // Why it is so.
  test.each(["a", "b"])("one payment by %s", async () => {});
});
for (const disk of [1, 2])
  // proves: full-disk
  test(\`disk \${disk}: it heals\`, () => {});
const text = "// proves: nothing";
`,
};

const page = (change: { promises?: string; sources?: Record<string, string> } = {}) =>
  trustPage({
    promises: change.promises ?? promises,
    sources: new Map(Object.entries({ ...sources, ...change.sources })),
    exists: (path) => path !== "server/gone.ts",
  });
/** The faults with one more test file. */
const faultsWith = (text: string, file = "server/pay/more.test.ts") =>
  page({ sources: { [file]: text } }).faults;

test("each promise has the tests that name it beneath it, with their titles as written", () => {
  expect(page()).toEqual({
    faults: [],
    text: `# Promises

Written by \`npm run trust\` from [promises.md](promises.md) and the comments \`// proves:\` above tests: do not edit.

How to read them.

- \`paid-once\`: **Nobody pays twice**, whatever
  is clicked.
  - \`server/pay/pay.test.ts\` "one payment"
  - \`server/pay/pay.test.ts\` "one payment by %s"
- \`kept\`: **Nothing is lost.**
  - \`server/pay/pay.test.ts\` "one payment"
- **It is quick**: \`npm run bench\`.

1. \`full-disk\`: A full disk heals.
   - \`server/pay/pay.test.ts\` "disk \${disk}: it heals"
`,
  });
});

test("a promise without a proof is refused", () => {
  expect(page({ promises: `${promises}2. \`new\`: Something new.\n` }).faults).toEqual([
    "docs/promises.md: no test has `// proves: new` above it.",
  ]);
});

test("a comment that names no promise is refused, with its place", () => {
  expect(faultsWith('\n// proves: kept, payed-once\ntest("one", () => {});')).toEqual([
    "server/pay/more.test.ts:2: docs/promises.md has no promise `payed-once`.",
  ]);
  expect(faultsWith('// proves:\ntest("one", () => {});')).toHaveLength(1);
});

test.each([
  ["code that is no test", "// proves: kept\nconst one = 1;"],
  ["an empty line before the test", '// proves: kept\n\ntest("one", () => {});'],
  ["a loop around the test", '// proves: kept\nfor (const a of all) test("one", () => {});'],
  ["the end of the file", "// proves: kept"],
])("a comment above %s is refused", (_, text) => {
  expect(faultsWith(text)).toEqual([
    "server/pay/more.test.ts:1: « proves » stands in the line above a test, and none is here.",
  ]);
});

test("a test that does not run proves nothing, nor does one whose title is elsewhere", () => {
  expect(
    faultsWith(`// proves: kept
test.skip("one", () => {});
describe.todo("all", () => {
  // proves: kept
  test("one", () => {});
});
// proves: kept
test(title, () => {});`),
  ).toEqual([
    "server/pay/more.test.ts:1: a test that does not run proves nothing.",
    "server/pay/more.test.ts:4: a test that does not run proves nothing.",
    "server/pay/more.test.ts:7: the title of this test is not written there.",
  ]);
});

test("a check that a campaign runs is a proof where a test imports its file", () => {
  const checks = 'export const checks = [\n  // proves: kept\n  { name: "one", run: one },\n];';
  const file = "tests/campaigns/pay/checks.ts";
  expect(faultsWith(checks, file)).toEqual([`${file}:2: no test runs this file.`]);
  const importing = 'import { checks } from "./pay/checks.ts";';
  const { text, faults } = page({
    sources: { [file]: checks, "tests/campaigns/pay.test.ts": importing },
  });
  expect(faults).toEqual([]);
  expect(text).toContain(`  - \`${file}\` "one"\n`);
});

test.each([
  ["- **It is safe.**", "« - **It is safe.** » has no id, and names neither a command nor a file."],
  ["- `kept`: Again.", "`kept` stands twice."],
  ["- **It holds** (`server/gone.ts`).", "`server/gone.ts` is no file."],
])("« %s » is refused among the promises", (line, fault) => {
  expect(page({ promises: `${promises}${line}\n` }).faults).toEqual([`docs/promises.md: ${fault}`]);
});
