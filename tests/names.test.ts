// Words that say nothing to whoever searches the tree: no variable, parameter, function or type bears one of them, no
// property (columns, stored JSON, the wire's names, options), and nothing that the schema names.
import { readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseSync } from "vite";

const root = join(import.meta.dirname, "..");

/** The word, and what to write in its place. */
const words: ReadonlyMap<string, string> = new Map(
  Object.entries({
    asked: "request, query, input, or the thing that is asked for",
    given: "input, options, args, or the thing that is given",
    wanted: "request, target, expected, or the thing that is wanted",
    kept: "stored, saved or cached and the thing, draft",
    told: "notice, message, view, recipients",
    wish: "request",
    wishes: "requests",
    judge: "check, evaluate",
    judged: "evaluated and the thing",
    together: "batch, runPipelined",
    fly: "send, run",
    flight: "pipeline, pending request",
    wake: "event, publish",
    obey: "handle",
    complain: "print error",
    remembering: "memoize",
    whereabouts: "position",
    patience: "timeout",
    patiencems: "timeoutMs",
    askahead: "prefetch",
    chargealone: "charge off session",
    lifeof: "events",
    freeaside: "release holds",
    noneaside: "no hold",
    plannedanew: "custom plan",
    behindanother: "the condition's name",
    requirecalm: "require rate limit",
  }),
);
/** These say as little as a part of a longer name. */
const parts = new Set(["asked", "given", "wanted", "kept", "told"]);
const superlative = /(^|_)most(?![a-z]|Recent|Frequent)/;

/** What to write instead of the name; undefined where it may stand. */
function betterThan(name: string): string | undefined {
  if (superlative.test(name)) return "max…";
  const lower = name.toLowerCase();
  const part = name.split(/_|(?=[A-Z])/).find((one) => parts.has(one.toLowerCase()));
  return words.get(lower) ?? (part && words.get(part.toLowerCase()));
}

interface Node {
  type: string;
  start: number;
  [key: string]: unknown;
}
const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value;
const childrenOf = (node: Node) => Object.values(node).flat().filter(isNode);

/** The names that a pattern binds; a property that is bound under its own name is not counted. */
function boundBy(pattern: unknown): Node[] {
  if (!isNode(pattern)) return [];
  switch (pattern.type) {
    case "Identifier":
      return [pattern];
    case "ObjectPattern":
      return (pattern["properties"] as Node[]).flatMap((property) =>
        property["shorthand"] ? [] : boundBy(property["value"] ?? property["argument"]),
      );
    case "ArrayPattern":
      return (pattern["elements"] as unknown[]).flatMap(boundBy);
    case "AssignmentPattern":
      return boundBy(pattern["left"]);
    case "RestElement":
      return boundBy(pattern["argument"]);
    default:
      return [];
  }
}

const properties =
  /^(TS)?(Property|PropertySignature|PropertyDefinition|MethodDefinition|MethodSignature)$/;

/** The name of a property that the node writes, also of one that a pattern reads; not of a computed one. */
function propertyOf(node: Node): string | null {
  const key = node["key"];
  if (!properties.test(node.type) || node["computed"] === true || !isNode(key)) return null;
  const name = key["name"] ?? key["value"];
  return typeof name === "string" && /^[\w$]+$/.test(name) ? name : null;
}

/** The names that a node declares: of variables, parameters, functions and types. */
function declaredBy(node: Node): Node[] {
  const params = Array.isArray(node["params"]) ? node["params"].flatMap(boundBy) : [];
  if (node.type === "VariableDeclarator" || /Function|^TS.*Declaration$|^Class/.test(node.type)) {
    return [...boundBy(node["id"]), ...params];
  }
  if (node.type === "TSTypeParameter") return boundBy(node["name"]);
  return node.type === "ImportSpecifier" ? boundBy(node["local"]) : params;
}

/** What stands in the list of each declaration and property of the text: `line: name, better …`. */
function faultsOf(file: string, text: string): string[] {
  const look = (node: Node): string[] => {
    const property = propertyOf(node);
    const named = declaredBy(node).map((one) => ({ name: String(one["name"]), start: one.start }));
    if (property !== null) named.push({ name: property, start: node.start });
    const own = named.flatMap(({ name, start }) => {
      const better = betterThan(name);
      if (better === undefined) return [];
      return [`${file}:${text.slice(0, start).split("\n").length}: ${name}, better ${better}`];
    });
    return [...own, ...childrenOf(node).flatMap(look)];
  };
  return look(parseSync(file, text).program as unknown as Node);
}

/** What stands in the list of all names and values of a schema, comments aside. */
function faultsOfSchema(text: string): string[] {
  const names = new Set(text.replaceAll(/--.*/g, "").match(/\w+/g));
  return [...names].flatMap((name) => {
    const better = betterThan(name);
    return better ? [`${name}, better ${better}`] : [];
  });
}

test("no declaration and no property bears a word of the list", async () => {
  const faults: string[] = [];
  const files = glob("{bench,contract,scripts,server,tests,web}/**/*.{ts,tsx,mjs}", { cwd: root });
  for await (const file of files) {
    if (file === "tests/names.test.ts") continue;
    faults.push(...faultsOf(file, readFileSync(join(root, file), "utf8")));
  }
  expect(faults).toEqual([]);
});

test("nothing in the schema bears a word of the list", () => {
  const schema = readFileSync(join(root, "server", "db", "schema.sql"), "utf8");
  expect(faultsOfSchema(schema)).toEqual([]);
});

test.each([
  ["const asked = 1;", "asked"],
  ["const { told: [kept] } = row;", "kept told"],
  ["function send({ a, ...given }: Input) {}", "given"],
  ["type Work<Asked> = (wanted: Asked) => void;", "Asked wanted"],
  ["const mostLines = 3;", "mostLines"],
  ["interface Told {}", "Told"],
  ['import { request as asked } from "./request.ts";', "asked"],
  ["const { wanted } = row; const mostRecent = { asked };", "wanted asked"],
  ["const row: { askedAt: Date } = { birthday_told_at: at };", "askedAt birthday_told_at"],
  ["class Faults { readonly #most = 3; card_order_most() {} }", "most card_order_most"],
  ["const { atMost, unasked, gone } = row; const text = { 'cannot be told': 1 };", ""],
])("%s", (text, names) => {
  const faults = faultsOf("a.ts", text).map((fault) => fault.split(" ")[1]?.replace(",", ""));
  expect(faults.join(" ")).toBe(names);
});

test.each([
  ["create table canteen (most_a_week smallint, name text, -- most are asked", "most_a_week"],
  ["CHECK ((state = ANY (ARRAY['asked'::text, 'paid'::text])))", "asked"],
  ["CREATE INDEX transfer_given_back ON public.transfer", "transfer_given_back"],
])("schema: %s", (text, names) => {
  expect(faultsOfSchema(text).map((fault) => fault.split(",")[0])).toEqual([names]);
});
