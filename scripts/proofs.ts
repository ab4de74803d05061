// What proves a promise: a test with `// proves: <id>[, <id>]` in the line above it.
import { type ESTree, type ParseResult, parseSync, Visitor } from "vite";

type Comment = ParseResult["comments"][number];

/** A test, a group of tests, or an entry of the checks of a campaign, with the ids of what it proves. */
export interface Proof {
  file: string;
  line: number;
  /** As it is written: `%s`, `$name` and `${…}` stand for what the test is repeated with. */
  title: string;
  promises: string[];
}

export interface Found {
  proofs: Proof[];
  faults: string[];
}

interface Candidate {
  /** Undefined where it is not written in the call. */
  title: string | undefined;
  end: number;
  isSkipped: boolean;
}

const mark = "proves:";

/** The proofs of a file in its order, and comments that prove nothing. */
export function proofsIn(file: string, text: string): Found {
  const found: Found = { proofs: [], faults: [] };
  if (!text.includes(mark)) return found;
  const { program, comments } = parseSync(file, text);
  const claims = comments.filter(({ value }) => value.trimStart().startsWith(mark));
  const candidates = claims.length > 0 ? candidatesIn(program, text) : new Map<number, Candidate>();
  for (const claim of claims) {
    const line = text.slice(0, claim.start).split("\n").length;
    const refuse = (sentence: string) => found.faults.push(`${file}:${line}: ${sentence}`);
    const start = nextStart(claim, comments, text);
    const candidate = candidates.get(start);
    const promises = claim.value.trim().slice(mark.length).trim().split(", ");
    if (!candidate) refuse("« proves » stands in the line above a test, and none is here.");
    else if (isSkippedAt(start, candidates)) refuse("a test that does not run proves nothing.");
    else if (candidate.title === undefined) refuse("the title of this test is not written there.");
    else found.proofs.push({ file, line, title: candidate.title, promises });
  }
  return found;
}

/** Whether a test, or a group around it, does not run. */
const isSkippedAt = (at: number, candidates: ReadonlyMap<number, Candidate>): boolean =>
  [...candidates].some(([start, { end, isSkipped }]) => isSkipped && start <= at && at < end);

/** Where the code after a comment starts; NaN where an empty line comes first. */
function nextStart(comment: Comment, comments: readonly Comment[], text: string): number {
  const gap = /^[^\S\n]*\n?[^\S\n]*/.exec(text.slice(comment.end))?.[0].length ?? 0;
  const start = comment.end + gap;
  if (text[start] === "\n") return Number.NaN;
  const next = comments.find((one) => one.start === start);
  return next ? nextStart(next, comments, text) : start;
}

/** What may prove something, by where it starts. */
function candidatesIn(program: ESTree.Program, text: string): Map<number, Candidate> {
  const candidates = new Map<number, Candidate>();
  const titleOf = (node: ESTree.Argument | undefined) => {
    if (node?.type === "TemplateLiteral") return text.slice(node.start + 1, node.end - 1);
    return node?.type === "Literal" && typeof node.value === "string" ? node.value : undefined;
  };
  new Visitor({
    ExpressionStatement({ start, end, expression }) {
      if (expression.type !== "CallExpression") return;
      const [name = "", ...words] = namesOf(expression.callee);
      if (!["test", "it", "describe"].includes(name)) return;
      candidates.set(start, {
        title: titleOf(expression.arguments[0]),
        end,
        isSkipped: words.some((word) => ["skip", "todo", "fails"].includes(word)),
      });
    },
    // A list of checks that a test runs one by one: { name: "sessions", run: sessions }.
    ObjectExpression({ start, end, properties }) {
      const valueOf = (key: string) =>
        properties.flatMap((one) =>
          one.type === "Property" && one.key.type === "Identifier" && one.key.name === key
            ? [one.value]
            : [],
        )[0];
      const name = valueOf("name");
      if (name?.type === "Literal" && typeof name.value === "string" && valueOf("run"))
        candidates.set(start, { title: name.value, end, isSkipped: false });
    },
  }).visit(program);
  return candidates;
}

/** The names in a callee: test, each of `test.each(rows)("…")`. */
function namesOf(callee: ESTree.Expression): string[] {
  if (callee.type === "Identifier") return [callee.name];
  if (callee.type === "CallExpression") return namesOf(callee.callee);
  if (callee.type === "TaggedTemplateExpression") return namesOf(callee.tag);
  if (callee.type === "MemberExpression" && callee.property.type === "Identifier")
    return [...namesOf(callee.object), callee.property.name];
  return [];
}
