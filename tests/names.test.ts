// Words that say nothing to whoever searches the tree: no variable, parameter, function or type bears one of them.
// Properties may: their names are columns, stored JSON or the wire's.
import { readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseSync } from "vite";

const root = join(import.meta.dirname, "..");

/** The word, and what to write in its place. */
const words: Readonly<Record<string, string>> = {
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
};
const superlative = /^most[A-Z](?!requent|ecent)/;

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

/** The names that a node declares: of variables, parameters, functions and types. */
function declaredBy(node: Node): Node[] {
  const params = Array.isArray(node["params"]) ? node["params"].flatMap(boundBy) : [];
  if (node.type === "VariableDeclarator" || /Function|^TS.*Declaration$|^Class/.test(node.type)) {
    return [...boundBy(node["id"]), ...params];
  }
  if (node.type === "TSTypeParameter") return boundBy(node["name"]);
  return node.type === "ImportSpecifier" ? boundBy(node["local"]) : params;
}

/** What stands in the list of each declaration of the text: `line: name, better …`. */
function faultsOf(file: string, text: string): string[] {
  const look = (node: Node): string[] => {
    const own = declaredBy(node).flatMap((one) => {
      const name = String(one["name"]);
      const better = words[name.toLowerCase()] ?? (superlative.test(name) ? "max…" : undefined);
      const line = text.slice(0, one.start).split("\n").length;
      return better ? [`${file}:${line}: ${name}, better ${better}`] : [];
    });
    return [...own, ...childrenOf(node).flatMap(look)];
  };
  return look(parseSync(file, text).program as unknown as Node);
}

test("no declaration bears a word of the list", async () => {
  const faults: string[] = [];
  const files = glob("{bench,contract,scripts,server,tests,web}/**/*.{ts,tsx,mjs}", { cwd: root });
  for await (const file of files)
    faults.push(...faultsOf(file, readFileSync(join(root, file), "utf8")));
  expect(faults).toEqual([]);
});

test.each([
  ["const asked = 1;", "asked"],
  ["const { told: [kept] } = row;", "kept"],
  ["function send({ a, ...given }: Input) {}", "given"],
  ["type Work<Asked> = (wanted: Asked) => void;", "Asked wanted"],
  ["const mostLines = 3;", "mostLines"],
  ["interface Told {}", "Told"],
  ['import { request as asked } from "./request.ts";', "asked"],
  ["const { wanted } = row; const mostRecent = { asked: wanted };", ""],
])("%s", (text, names) => {
  const faults = faultsOf("a.ts", text).map((fault) => fault.split(" ")[1]?.replace(",", ""));
  expect(faults.join(" ")).toBe(names);
});
