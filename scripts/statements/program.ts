// The server's program as its compiler sees it: files, declarations, call sites, types.
import { join } from "node:path";
import {
  type CallExpression,
  type Node,
  type SourceFile,
  SyntaxKind,
  isCallExpression,
  isIdentifier,
  isObjectLiteralExpression,
  isPropertyAccessExpression,
  isShorthandPropertyAssignment,
} from "typescript/unstable/ast";
import { API, type Checker, type Symbol, SymbolFlags, type Type } from "typescript/unstable/sync";

const root = join(import.meta.dirname, "..", "..");

/** Types of Kysely whose values are parts of a statement or produce one. */
const parts =
  /^(RawBuilder|Aliased\w+|Expression\w*|\w+QueryBuilder\w*|\w+QueryNode\w*|Kysely|Transaction|\w*Wrapper\w*|\w+Builder)$/;

export interface Program {
  checker: Checker;
  typeOf: (node: Node) => Type | undefined;
  /** The declaration that an identifier names, in any file. */
  declarationOf: (node: Node) => Node | undefined;
  holdsSql: (type: Type | undefined) => boolean;
  files: { name: string; file: SourceFile }[];
  /** The calls of a function or method by its name, in every file. */
  calls: Map<string, CallExpression[]>;
  /** The steps that rooms attach to a hook, by its declaration. */
  attachedTo: (hook: Node) => Node[];
  place: (node: Node) => string;
  close: () => void;
}

/** Opens the project and the files of `server/` except tests. */
export function openProgram(): Program {
  const api = new API({ cwd: root });
  const snapshot = api.updateSnapshot({ openProjects: [join(root, "server", "tsconfig.json")] });
  const project = snapshot.getProjects()[0];
  if (!project) throw new Error("server/tsconfig.json gives no project");
  const { program, checker } = project;
  const files = program
    .getSourceFileNames()
    .filter((name) => name.startsWith(join(root, "server")) && !name.endsWith(".test.ts"))
    .map((name) => ({
      name: name.slice(root.length + 1).replaceAll("\\", "/"),
      file: program.getSourceFile(name) as SourceFile,
    }));
  const calls = new Map<string, CallExpression[]>();
  const names = new Map(files.map(({ name, file }) => [file, name]));
  for (const { file } of files)
    walk(file, (node) => {
      if (!isCallExpression(node)) return;
      const name = calleeName(node);
      if (name) calls.set(name, [...(calls.get(name) ?? []), node]);
    });
  const place = (node: Node) => {
    const file = node.getSourceFile();
    const before = file.text.slice(0, node.getStart(file));
    return `${names.get(file) ?? file.fileName}:${before.split("\n").length}`;
  };
  const lookups = answers(checker);
  const attachedTo = (hook: Node) =>
    (calls.get("attach") ?? []).flatMap(({ arguments: [to, step] }) => {
      if (!to || !step || !isObjectLiteralExpression(to)) return [];
      const isTo = to.properties.some(
        (one) => isShorthandPropertyAssignment(one) && lookups.declarationOf(one.name) === hook,
      );
      return isTo ? [step] : [];
    });
  const known = new Map<Type, boolean>();
  const holds = (type: Type | undefined) => {
    if (!type) return false;
    const before = known.get(type);
    if (before !== undefined) return before;
    const found = holdsSql(checker, type);
    known.set(type, found);
    return found;
  };
  return {
    checker,
    files,
    calls,
    attachedTo,
    place,
    ...lookups,
    holdsSql: holds,
    close: () => api.close(),
  };
}

// The compiler is another process: questions about one statement are sent in one batch, and the answers
// cached.
function answers(checker: Checker): Pick<Program, "typeOf" | "declarationOf"> {
  const types = new Map<Node, Type | undefined>();
  const symbols = new Map<Node, Symbol | undefined>();
  const declarations = new Map<Symbol, Node | undefined>();
  const ask = (node: Node) => {
    let top = node;
    while (top.parent && top.parent.kind !== SyntaxKind.SourceFile) top = top.parent;
    const every: Node[] = [node];
    walk(top, (one) => {
      if (expressionKinds.has(one.kind)) every.push(one);
    });
    const foundTypes = checker.getTypeAtLocation(every);
    const foundSymbols = checker.getSymbolAtLocation(every);
    every.forEach((one, at) => {
      types.set(one, foundTypes[at]);
      symbols.set(one, foundSymbols[at]);
    });
  };
  const declared = (symbol: Symbol) => {
    const own = symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    return own.valueDeclaration?.resolve();
  };
  return {
    typeOf: (node) => {
      if (!types.has(node)) ask(node);
      return types.get(node);
    },
    declarationOf: (node) => {
      if (!symbols.has(node)) ask(node);
      const symbol = isShorthandPropertyAssignment(node.parent)
        ? checker.getShorthandAssignmentValueSymbol(node.parent)
        : symbols.get(node);
      if (!symbol) return undefined;
      if (!declarations.has(symbol)) declarations.set(symbol, declared(symbol));
      return declarations.get(symbol);
    },
  };
}

const expressionKinds = new Set([
  SyntaxKind.Identifier,
  SyntaxKind.PropertyAccessExpression,
  SyntaxKind.CallExpression,
  SyntaxKind.TaggedTemplateExpression,
  SyntaxKind.AwaitExpression,
]);

/** Calls `visit` with the node and all that is below it. */
export function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  node.forEachChild((child) => {
    walk(child, visit);
    return undefined;
  });
}

export function calleeName({ expression }: CallExpression): string | undefined {
  if (isIdentifier(expression)) return expression.text;
  return isPropertyAccessExpression(expression) ? expression.name.text : undefined;
}

const runs = /^(execute|executeTakeFirst|executeTakeFirstOrThrow|stream)$/;
const reads = /^(one|maybeOne)$/;

/** The statement that a call sends: the object of `execute`, or the argument of `query(db).one`. */
export function statementOf({ expression, arguments: args }: CallExpression): Node | undefined {
  if (!isPropertyAccessExpression(expression)) return undefined;
  const { name, expression: on } = expression;
  if (runs.test(name.text)) return on;
  const isQuery = isCallExpression(on) && calleeName(on) === "query";
  return isQuery && reads.test(name.text) ? args[0] : undefined;
}

/** Whether a value of the type may be a part of a statement, or holds one. */
function holdsSql(checker: Checker, type: Type | undefined, depth = 0): boolean {
  if (!type || depth > 3) return false;
  if (type.isUnionType() || type.isIntersectionType())
    return (type.getTypes() ?? []).some((one) => holdsSql(checker, one, depth));
  if (!type.isObjectType()) return false;
  const name = type.getSymbol()?.name ?? "";
  if (parts.test(name)) return true;
  if (type.isTypeReference() && /^(Array|ReadonlyArray|Promise|Map|)$/.test(name))
    return checker.getTypeArguments(type).some((one) => holdsSql(checker, one, depth + 1));
  if (!/^(__object|__type|)$/.test(name) && !type.isClassOrInterface()) return false;
  if (depth > 0 && type.isClassOrInterface()) return false;
  return checker
    .getPropertiesOfType(type)
    .some((one) => holdsSql(checker, checker.getTypeOfSymbol(one), depth + 1));
}

/** The innermost function around a node, or its file. */
export function functionAround(node: Node): Node {
  let up = node.parent;
  while (up && !isFunction(up) && up.kind !== SyntaxKind.SourceFile) up = up.parent;
  return up;
}

export const isFunction = ({ kind }: Node): boolean =>
  kind === SyntaxKind.ArrowFunction ||
  kind === SyntaxKind.FunctionExpression ||
  kind === SyntaxKind.FunctionDeclaration ||
  kind === SyntaxKind.MethodDeclaration ||
  kind === SyntaxKind.Constructor;

/**
 * A parameter of a function may be a fragment or a value: as a value it is a parameter of the statement too.
 */
export function mayBeValue(type: Type | undefined): boolean {
  if (!type?.isUnionType()) return false;
  return (type.getTypes() ?? []).some((one) => !one.isObjectType());
}
