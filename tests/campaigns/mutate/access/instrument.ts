// Finds the access checks of a source file and writes each so that it can be switched off while the program runs
// (mutant schemata): one load of the server serves every mutant.
import { parseSync } from "vite";
import { isNode, type Node } from "#web/build/syntax.ts";
import { checkFunctions, ownerColumns, ownerNames, rowWrappers, type Vanishing } from "./checks.ts";
import { switchName } from "./mutant-switch.ts";

/** A check in the source. */
export interface Site {
  file: string;
  line: number;
  /** The line's text: survivors that were read are recognised by it (tools/survivors.json). */
  lineText: string;
  was: string;
  becomes: string;
  /** Where many rows share it: it is taken from one of them at a time. */
  perRow?: boolean;
}

interface Insertion {
  at: number;
  text: string;
}

/** A stretch of the source, what stands before and after it once it can vanish, and what it becomes. */
interface Wrapped {
  start: number;
  end: number;
  before: (site: number) => string;
  after: string;
  becomes: string;
  perRow?: boolean;
}

const columns = ownerColumns.join("|");
const column = `(?:[a-z_0-9]+\\.)?(?:${columns})`;
/** `… and t.person_id = ` before a value. */
const comparesColumn = new RegExp(
  `(?:^|[(]|\\b(?:where|and|or|on|not))\\s*(${column}\\s*(?:=|is not distinct from)\\s*(any\\s*\\(\\s*)?)$`,
);
const opensCondition = /(?:^|[(]|\b(?:where|and|or|on|not))\s*$/;
/** ` in (inviter_id, invited_id)` after one. */
const amongColumns = new RegExp(
  `^(?:::[a-z]+)?\\s+in\\s*\\(\\s*${column}(?:\\s*,\\s*${column})*\\s*\\)`,
);
const negated = /\bnot\s*$/;

const nameOf = (node: unknown): string =>
  isNode(node) && node.type === "Identifier" ? String(node["name"]) : "";
const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode);

function visit(
  node: Node,
  parents: readonly Node[],
  see: (node: Node, parents: readonly Node[]) => void,
): void {
  see(node, parents);
  const inner = [node, ...parents];
  for (const child of childrenOf(node)) visit(child, inner, see);
}

/** Whether the node waits for something, itself and not in a function within it. */
const waits = (node: Node): boolean =>
  node.type === "AwaitExpression" ||
  childrenOf(node).some((child) => !/Function/.test(child.type) && waits(child));

/** The source with its checks behind switches, their sites numbered from `first`. */
export function instrument(
  file: string,
  source: string,
  first: number,
): { code: string; sites: Site[] } {
  const { program } = parseSync(file, source);
  const found: Wrapped[] = [];
  visit(program as unknown as Node, [], (node, parents) => {
    if (node.type === "CallExpression") {
      const perRow = parents.some(({ id }) => rowWrappers.includes(nameOf(id)));
      found.push(...callIn(source, node, parents).map((one) => ({ ...one, perRow })));
    }
    if (node.type === "TaggedTemplateExpression") found.push(...conditionsIn(source, node));
    if (node.type === "BinaryExpression") found.push(...comparisonIn(source, node));
  });
  const lines = source.split("\n");
  const insertions: (Insertion & { length: number })[] = [];
  found.sort((one, other) => one.start - other.start);
  const sites = found.map(({ start, end, before, after, becomes, perRow = false }, index): Site => {
    insertions.push({ at: start, text: before(first + index), length: end - start });
    insertions.push({ at: end, text: after, length: start - end });
    const line = source.slice(0, start).split("\n").length;
    const lineText = lines[line - 1]?.trim() ?? "";
    return {
      file,
      line,
      lineText,
      was: source.slice(start, end).replaceAll(/\s+/g, " "),
      becomes,
      perRow,
    };
  });
  return { code: inserted(source, insertions), sites };
}

/** At one place what ends comes before what begins; of two that begin there the longer comes first. */
function inserted(source: string, insertions: (Insertion & { length: number })[]): string {
  const rank = ({ length }: { length: number }) => (length < 0 ? [0, -length] : [1, -length]);
  const inOrder = insertions.toSorted((one, other) => {
    const [a = 0, b = 0] = rank(one);
    const [c = 0, d = 0] = rank(other);
    return one.at - other.at || a - c || b - d;
  });
  let [code, at] = ["", 0];
  for (const one of inOrder) {
    code += source.slice(at, one.at) + one.text;
    at = one.at;
  }
  return code + source.slice(at);
}

const off = (site: number): string => `globalThis.${switchName}.isOff(${site})`;

function callIn(source: string, node: Node, parents: readonly Node[]): Wrapped[] {
  const built = builtCondition(node);
  if (built) return [built];
  const vanishing = checkFunctions[nameOf(node["callee"])];
  if (!vanishing) return [];
  const { start, end } = node;
  if (vanishing === "unchecked") {
    const async = (node["arguments"] as Node[]).some(waits) ? "async " : "";
    const before = (site: number) => `globalThis.${switchName}.unchecked(${site}, ${async}() => (`;
    return [{ start, end, before, after: "))", becomes: "the same for anybody" }];
  }
  const becomes = instead(source, node, { vanishing, parents });
  const before = (site: number) => `(${off(site)} ? ${becomes.code} : (`;
  return [{ start, end, before, after: "))", becomes: becomes.words }];
}

/** `.where("person_id", "=", …)` and `eb("person_id", "=", …)` of the query builder. */
function builtCondition(node: Node): Wrapped | undefined {
  const callee = node["callee"] as Node;
  const [named, operator, value] = node["arguments"] as Node[];
  const isOwner = new RegExp(`^${column}$`).test(String(named?.["value"]));
  if (!isOwner || !value || !["=", "in"].includes(String(operator?.["value"]))) return undefined;
  const becomes = "true";
  const whole = `globalThis.${switchName}.true`;
  if (nameOf(callee) === "eb") {
    const before = (site: number) => `(${off(site)} ? ${whole} : (`;
    return { start: node.start, end: node.end, before, after: "))", becomes };
  }
  if (nameOf(callee["property"]) !== "where") return undefined;
  const before = (site: number) => `...(${off(site)} ? [${whole}] : [`;
  return { start: (named as Node).start, end: value.end, before, after: "])", becomes };
}

function instead(
  source: string,
  node: Node,
  { vanishing, parents }: { vanishing: Vanishing; parents: readonly Node[] },
): { code: string; words: string } {
  const [firstArgument, act] = node["arguments"] as Node[];
  const text = (one: Node | undefined) => (one ? source.slice(one.start, one.end) : "undefined");
  switch (vanishing) {
    case "membership":
      return act && nameOf(node["callee"]) === "holdRoles"
        ? { code: `(${text(act)}).caller.company`, words: "the caller's membership" }
        : { code: `(${text(firstArgument)})`, words: "the membership as it is" };
    case "true": {
      const template = parents.find(({ type }) => type === "TemplateLiteral");
      const before = template
        ? source.slice(template.start, node.start).replace(/\$\{\s*$/, "")
        : "";
      const word = negated.test(before) ? "false" : "true";
      return { code: `globalThis.${switchName}.${word}`, words: word };
    }
    default:
      return { code: "undefined", words: "nothing" };
  }
}

/** Conditions in the text of SQL: `person_id = ${…}` where something is chosen, never where it is set. */
function conditionsIn(source: string, node: Node): Wrapped[] {
  const tag = nameOf(node["tag"]);
  if (tag !== "sql") return [];
  const template = node["quasi"] as Node;
  const values = template["expressions"] as Node[];
  let textStart = template.start + 1;
  return values.flatMap((value, index): Wrapped[] => {
    const opens = source.lastIndexOf("${", value.start);
    const closes = source.indexOf("}", value.end) + 1;
    const next = values[index + 1];
    const before = source.slice(textStart, opens);
    const after = source.slice(
      closes,
      next ? source.lastIndexOf("${", next.start) : template.end - 1,
    );
    // After another value only a word tells that a condition begins.
    const isFirst = index === 0;
    textStart = closes;
    const compared = comparesColumn.exec(before);
    const isLed = (match: RegExpExecArray) =>
      isFirst || match[0].trimStart() !== match[1]?.trimStart();
    if (compared?.[1] && isLed(compared)) {
      const rest = /^(?:::[a-z]+(?:\[\])?)?/.exec(after)?.[0] ?? "";
      const bracket = compared[2] ? /^[^()]*\)/.exec(after)?.[0] : rest;
      if (bracket === undefined) return [];
      const start = opens - compared[1].length;
      return [condition(before, start, closes + bracket.length)];
    }
    const among = amongColumns.exec(after);
    if (!among || !opensCondition.test(before)) return [];
    return [condition(before, opens, closes + among[0].length)];
  });
}

function condition(textBefore: string, start: number, end: number): Wrapped {
  const word = negated.test(
    textBefore.replace(comparesColumn, (all, cond: string) =>
      all.slice(0, all.length - cond.length),
    ),
  )
    ? "false"
    : "true";
  return {
    start,
    end,
    before: (site) => `\${${off(site)} ? globalThis.${switchName}.${word} : sql\``,
    after: "`}",
    becomes: word,
  };
}

/** `row.personId !== caller.personId`: as if everything were one's own. */
function comparisonIn(source: string, node: Node): Wrapped[] {
  const operator = String(node["operator"]);
  if (operator !== "===" && operator !== "!==") return [];
  const sides = [node["left"], node["right"]].map((side) =>
    source.slice((side as Node).start, (side as Node).end),
  );
  if (!sides.every((side) => ownerNames.test(side) || side.endsWith("Id"))) return [];
  if (!sides.some((side) => ownerNames.test(side))) return [];
  const becomes = operator === "===" ? "true" : "false";
  const { start, end } = node;
  return [{ start, end, before: (site) => `(${off(site)} ? ${becomes} : (`, after: "))", becomes }];
}
