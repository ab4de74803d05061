// A page changes while a journey looks at it: what is read once and compared passes or fails by the
// speed of the machine. So it is read again until it is as it should be: `await expect.poll(() => …)`.
import { existsSync, readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { parseSync } from "vite";

const root = join(import.meta.dirname, "..");

interface Node {
  type: string;
  start: number;
  [key: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value;
const childrenOf = (node: Node) => Object.values(node).flat().filter(isNode);
const isFunction = ({ type }: Node) => /Function/.test(type);
/** The node and all that it holds; what stands in a function within it only where `deep`. */
const within = (node: Node, deep = true): Node[] => [
  node,
  ...childrenOf(node).flatMap((child) => (!deep && isFunction(child) ? [] : within(child, deep))),
];
const nameOf = (node: unknown): string =>
  isNode(node) && node.type === "Identifier" ? String(node["name"]) : "";
const argumentsOf = (call: Node) => call["arguments"] as Node[];
/** The method that is called: `count` of `page.getByRole(…).count()`. */
const methodOf = ({ type, callee }: Node): string =>
  type === "CallExpression" && isNode(callee) ? nameOf(callee["property"]) : "";
const calledName = ({ type, callee }: Node): string =>
  type === "CallExpression" ? nameOf(callee) : "";

/** What Playwright answers at once, without waiting for a state. */
const reads = new Set(
  (
    "allInnerTexts allTextContents ariaSnapshot boundingBox content count evaluate evaluateAll getAttribute " +
    "innerHTML innerText inputValue isChecked isDisabled isEditable isEnabled isHidden isVisible " +
    "textContent title url"
  ).split(" "),
);

/** Reads the page, itself or through one of the functions named. */
const holdsRead = (node: Node, readers: ReadonlySet<string>) =>
  within(node).some((one) => reads.has(methodOf(one)) || readers.has(calledName(one)));

/** The functions of a program by name. */
function functionsOf(program: Node): Map<string, Node> {
  const named = within(program).flatMap((node): [string, Node][] => {
    if (node.type === "FunctionDeclaration") return [[nameOf(node["id"]), node]];
    const { id, init } = node;
    return node.type === "VariableDeclarator" && isNode(init) && isFunction(init)
      ? [[nameOf(id), init]]
      : [];
  });
  return new Map(named);
}

/** What a function answers comes from a read: in a `return`, or in a variable that one returns. */
function answersRead(one: Node, readers: ReadonlySet<string>): boolean {
  const body = one["body"] as Node;
  if (body.type !== "BlockStatement") return holdsRead(body, readers);
  const inside = within(body, false);
  const returned = inside.filter(({ type }) => type === "ReturnStatement");
  if (returned.some((node) => holdsRead(node, readers))) return true;
  const names = new Set(returned.flatMap((node) => within(node)).map(nameOf));
  return inside.some(
    ({ type, id, init }) =>
      type === "VariableDeclarator" &&
      isNode(id) &&
      isNode(init) &&
      holdsRead(init, readers) &&
      within(id).some((bound) => names.has(nameOf(bound)) && nameOf(bound) !== ""),
  );
}

const parsed = (source: string) => parseSync("journey.ts", source).program as unknown as Node;

/** The names of the program's functions, imported ones too, that answer what they read of the page. */
function readersOf(program: Node, imported: ReadonlySet<string> = new Set()): Set<string> {
  const readers = new Set(imported);
  const functions = functionsOf(program);
  for (let known = -1; known < readers.size;) {
    known = readers.size;
    for (const [name, one] of functions) if (answersRead(one, readers)) readers.add(name);
  }
  return readers;
}

const readersByFile = new Map<string, Set<string>>();
/** The same of the helpers that a file of the tests imports. */
function importedReaders(program: Node, folder: string): Set<string> {
  const readers = new Set<string>();
  for (const { type, source, specifiers } of program["body"] as Node[]) {
    if (type !== "ImportDeclaration") continue;
    const from = String((source as Node)["value"]).replace(/^#tests\//, `${root}/tests/`);
    const path = from.startsWith(".") ? join(folder, from) : from;
    if (!path.startsWith(`${root}/tests/`) || !existsSync(path)) continue;
    for (const { imported, local } of specifiers as Node[])
      if (readersOfFile(path).has(nameOf(imported))) readers.add(nameOf(local));
  }
  return readers;
}
function readersOfFile(path: string): Set<string> {
  const known = readersByFile.get(path);
  if (known) return known;
  readersByFile.set(path, new Set());
  const program = parsed(readFileSync(path, "utf8"));
  const readers = readersOf(program, importedReaders(program, dirname(path)));
  readersByFile.set(path, readers);
  return readers;
}

/** Variables that change when the page says something: `page.on("console", (line) => lines.push(line))`. */
function filledByListeners(program: Node): Set<string> {
  const listeners = within(program).filter((node) => methodOf(node) === "on");
  const filled = listeners.flatMap(argumentsOf).flatMap((listener) => within(listener));
  return new Set(
    filled.flatMap((node) => {
      if (node.type === "AssignmentExpression") return [nameOf(node["left"])];
      if (node.type === "UpdateExpression") return [nameOf(node["argument"])];
      return methodOf(node) === "push" ? [nameOf((node["callee"] as Node)["object"])] : [];
    }),
  );
}

/** Names that are bound to a value: by a declaration, or in turn by a loop. */
interface Binding {
  names: Node[];
  value: Node;
  scope: Node;
}

function bindingsOf(program: Node): Binding[] {
  const bindings: Binding[] = [];
  const visit = (node: Node, scope: Node) => {
    const { id, init, left, right } = node;
    if (node.type === "VariableDeclarator" && isNode(id) && isNode(init) && !isFunction(init))
      bindings.push({ names: namesIn(id), value: init, scope });
    if (node.type === "ForOfStatement" && isNode(left) && isNode(right))
      bindings.push({ names: namesIn(left), value: right, scope: node });
    const inner = /^(BlockStatement|Program|For)/.test(node.type) ? node : scope;
    for (const child of childrenOf(node)) visit(child, inner);
  };
  visit(program, program);
  return bindings;
}

/** Identifiers that stand for a variable: not `b` and `c` of `a.b` and `{ c: a }`. */
function namesIn(node: Node): Node[] {
  if (node.type === "Identifier") return [node];
  const { type, computed, object, key } = node;
  if (type === "MemberExpression" && !computed) return namesIn(object as Node);
  return childrenOf(node).flatMap((child) => (child === key && !computed ? [] : namesIn(child)));
}

/** The lines of a journey that compare what was read once. */
function singleReads(source: string, folder = root): string[] {
  const program = parsed(source);
  const readers = readersOf(program, importedReaders(program, folder));
  const filled = filledByListeners(program);
  const changes = (node: Node) =>
    holdsRead(node, readers) || namesIn(node).some((name) => filled.has(nameOf(name)));
  // What is awaited may be the server's answer, which changes as well. axe waits by itself.
  const isAwaited = (node: Node) =>
    within(node, false).some(
      ({ type, argument }) =>
        type === "AwaitExpression" && calledName(argument as Node) !== "violationsOf",
    );
  const compared = within(program)
    .filter((node) => calledName(node) === "expect")
    .flatMap((call) => argumentsOf(call).slice(0, 1));
  const comparedNames = new Set(compared.flatMap(namesIn));

  const bindings = bindingsOf(program);
  const isOnlyCompared = ({ names, scope }: Binding): boolean => {
    const called = new Set(names.map(nameOf));
    const uses = namesIn(scope).filter((name) => called.has(nameOf(name)) && !names.includes(name));
    return (
      uses.length > 0 &&
      uses.every(
        (use) =>
          comparedNames.has(use) ||
          bindings.some((next) => namesIn(next.value).includes(use) && isOnlyCompared(next)),
      )
    );
  };
  const onlyCompared = bindings.filter(
    (binding) => changes(binding.value) && isOnlyCompared(binding),
  );
  const lineOf = ({ start }: Node) => source.slice(0, start).split("\n").length;
  return [
    ...compared.filter((node) => changes(node) || isAwaited(node)),
    ...onlyCompared.map(({ value }) => value),
  ].map((node) => `${lineOf(node)}: ${source.slice(node.start, node["end"] as number)}`);
}

test("what is read once and compared is found, and what waits is not", () => {
  const found = singleReads(`
    const titleOf = (page) => page.title();
    async function namesOf(page) {
      const names = await page.getByRole("link").allInnerTexts();
      return names.toSorted();
    }
    test("a journey", async () => {
      const page = await portal.open();
      const lines = [];
      page.on("console", (line) => lines.push(line.text()));
      expect(await page.getByRole("alert").count()).toBe(1);
      expect(await titleOf(page)).toBe("Aide");
      expect(new URL(page.url()).pathname).toBe("/faq");
      expect(await balance()).toBe(0);
      expect(lines).toHaveLength(1);
      const names = await namesOf(page);
      expect(names).toEqual(["Aide"]);
      const boxes = await Promise.all(all.map((one) => one.boundingBox()));
      const tops = boxes.map((box) => box.y);
      for (const top of tops) expect(top).toBe(0);

      const before = await page.title();
      await expect.poll(() => page.title()).not.toBe(before);
      await expect.poll(() => lines).toHaveLength(1);
      expect(await violationsOf(page)).toEqual([]);
      const answer = await page.request.get("/api/help");
      expect(answer.status()).toBe(200);
    });
  `);
  expect(found.map((line) => line.replace(/^\d+: /, ""))).toEqual([
    'await page.getByRole("alert").count()',
    "await titleOf(page)",
    "new URL(page.url()).pathname",
    "await balance()",
    "lines",
    "await namesOf(page)",
    "await Promise.all(all.map((one) => one.boundingBox()))",
  ]);
});

test("no journey compares what it read once", async () => {
  const found: string[] = [];
  for await (const path of glob(`${root}/tests/{journeys,accessibility}/*.ts`))
    for (const line of singleReads(readFileSync(path, "utf8"), dirname(path)))
      found.push(`${relative(root, path)}:${line}`);
  expect(found).toEqual([]);
});
