// Resolves a name: a variable, an argument of the call under evaluation, or of one of the calls that the
// program makes. Where the code branches at run time, the plan chooses the branch.
import * as ast from "typescript/unstable/ast";
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from "kysely";
import { rowNames } from "#server/db/rows.ts";
import { type Program, functionAround, walk } from "./program.ts";

/** Stands for every database, pool and transaction of the program: it compiles and sends nothing. */
export const db = new Kysely<Record<string, never>>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (of) => new PostgresIntrospector(of),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
  plugins: [rowNames],
});

/** A value that only a running server knows. */
export class Unknown {
  readonly node: ast.Node;
  constructor(node: ast.Node) {
    this.node = node;
  }
}
/** A part of a statement that cannot be inferred from the code. */
export class Unresolved extends Error {}
/** This branch ends in a throw: no statement. */
export class Refused extends Error {
  override name = "Refused";
}

export interface Frame {
  fn: ast.Node;
  args?: unknown[];
  /** The call that gives the arguments, once one was chosen. */
  call?: { node: ast.CallExpression; frame: Frame } | null;
  parent: Frame | undefined;
  values: Map<ast.Node, unknown>;
}
/** The branch taken at each branch point; the first one where the plan has no entry. */
export type Plan = ReadonlyMap<string, number>;

export interface Evaluate {
  evaluate: (node: ast.Node, frame: Frame) => unknown;
  property: (from: unknown, name: string, node: ast.Node) => unknown;
  closure: (fn: ast.Node, frame: Frame) => unknown;
}

export class Names {
  /** The branch points met, with their number of branches. */
  readonly met = new Map<string, number>();
  /** Whether arguments of calls elsewhere are ignored: a condition cannot be decided from one caller. */
  ownArgumentsOnly = false;
  readonly #program: Program;
  readonly #plan: Plan;
  readonly #of: Evaluate;

  constructor(program: Program, plan: Plan, of: Evaluate) {
    this.#program = program;
    this.#plan = plan;
    this.#of = of;
  }

  choose(node: ast.Node, what: string, count: number): number {
    if (count <= 1) return 0;
    const key = `${what} ${node.getSourceFile().fileName}:${node.pos}`;
    this.met.set(key, count);
    return Math.min(this.#plan.get(key) ?? 0, count - 1);
  }

  frameAround(node: ast.Node): Frame {
    const fn = functionAround(node);
    const parent = fn.kind === ast.SyntaxKind.SourceFile ? undefined : this.frameAround(fn);
    return { fn, parent, values: new Map() };
  }

  #frameOf(fn: ast.Node, from: Frame): Frame {
    for (let frame: Frame | undefined = from; frame; frame = frame.parent)
      if (frame.fn === fn) return frame;
    return { fn, parent: undefined, values: new Map() };
  }

  identifier(node: ast.Identifier, frame: Frame): unknown {
    if (node.text === "undefined") return undefined;
    const declaration = this.#program.declarationOf(node);
    return declaration ? this.#declared(declaration, frame) : new Unknown(node);
  }

  #declared(node: ast.Node, from: Frame): unknown {
    const frame = this.#frameOf(functionAround(node), from);
    if (ast.isFunctionDeclaration(node)) return this.#of.closure(node, frame);
    if (ast.isParameterDeclaration(node))
      return this.#argument(node, this.#frameOf(node.parent, from));
    if (ast.isBindingElement(node)) return this.#bound(node, from);
    if (!ast.isVariableDeclaration(node)) return new Unknown(node);
    if (frame.values.has(node)) return frame.values.get(node);
    if (ast.isForOfStatement(node.parent.parent)) {
      const many = this.#of.evaluate(node.parent.parent.expression, frame);
      return Array.isArray(many) && many.length > 0
        ? many[this.choose(node, "of", many.length)]
        : new Unknown(node.name);
    }
    if (!node.initializer) return new Unknown(node.name);
    let value = this.#of.evaluate(node.initializer, frame);
    frame.values.set(node, value);
    if (ast.isIdentifier(node.name)) value = this.#changed(node.name, value, frame, node);
    frame.values.set(node, value);
    return value;
  }

  /**
   * Applies what later statements of the same function do to a variable: pushes and assignments. To a list
   * declared at the top of a file, adds the steps that rooms attach to it.
   */
  #changed(name: ast.Identifier, first: unknown, frame: Frame, declaration: ast.Node): unknown {
    let value = first;
    const isVariable = (node: ast.Node) => ast.isIdentifier(node) && node.text === name.text;
    if (frame.fn.kind === ast.SyntaxKind.SourceFile) {
      if (!Array.isArray(first)) return value;
      const steps = this.#program.attachedTo(declaration);
      return [...first, ...steps.map((step) => this.#of.evaluate(step, this.frameAround(step)))];
    }
    walk(frame.fn, (node) => {
      if (!ast.isExpressionStatement(node)) return;
      const { expression } = node;
      if (Array.isArray(first) && ast.isCallExpression(expression)) {
        const { expression: callee } = expression;
        if (!ast.isPropertyAccessExpression(callee) || callee.name.text !== "push") return;
        if (!isVariable(callee.expression)) return;
        for (const one of expression.arguments) first.push(this.#of.evaluate(one, frame));
      } else if (ast.isBinaryExpression(expression) && isVariable(expression.left)) {
        if (expression.operatorToken.kind !== ast.SyntaxKind.EqualsToken) return;
        value = this.#of.evaluate(expression.right, frame);
        frame.values.set(declaration, value);
      }
    });
    return value;
  }

  #bound(node: ast.Node, from: Frame): unknown {
    if (!ast.isBindingElement(node)) return new Unknown(node);
    const pattern = node.parent as ast.ObjectBindingPattern;
    const whole = this.#declared(pattern.parent, from);
    const index = pattern.elements.findIndex((element) => element === node);
    const own = (node.propertyName ?? node.name) as ast.Identifier;
    const key = ast.isObjectBindingPattern(pattern) ? own.text : String(index);
    if (node.dotDotDotToken) return whole;
    const value = this.#of.property(whole, key, node);
    if ((value === undefined || value instanceof Unknown) && node.initializer) {
      const first = value === undefined ? 1 : this.choose(node, "default", 2);
      if (first === 1)
        return this.#of.evaluate(node.initializer, this.#frameOf(functionAround(node), from));
    }
    return value;
  }

  #argument(node: ast.ParameterDeclaration, frame: Frame): unknown {
    const fn = node.parent as ast.ArrowFunction;
    const at = fn.parameters.indexOf(node);
    const otherwise = () =>
      node.initializer ? this.#of.evaluate(node.initializer, frame) : new Unknown(node.name);
    if (frame.args) {
      if (node.dotDotDotToken) return frame.args.slice(at);
      return at < frame.args.length && frame.args[at] !== undefined ? frame.args[at] : otherwise();
    }
    if (this.ownArgumentsOnly) return new Unknown(node.name);
    const call = this.#callOf(fn, frame);
    if (!call) return this.#element(fn, at, frame) ?? otherwise();
    const argument = call.node.arguments[at];
    if (!argument) return otherwise();
    if (node.dotDotDotToken)
      return call.node.arguments.slice(at).map((one) => this.#of.evaluate(one, call.frame));
    return this.#of.evaluate(argument, call.frame);
  }

  /** The argument of a function given to `map` and the like: an element of the list. */
  #element(fn: ast.Node, at: number, frame: Frame): unknown {
    const call = fn.parent;
    if (at > 0 || !ast.isCallExpression(call) || !ast.isPropertyAccessExpression(call.expression))
      return;
    if (!/^(map|flatMap|forEach|filter)$/.test(call.expression.name.text)) return;
    const many = this.#of.evaluate(call.expression.expression, frame.parent ?? frame);
    if (Array.isArray(many) && many.length > 0)
      return many[this.choose(call, "element", many.length)];
    return;
  }

  #callOf(fn: ast.Node, frame: Frame): Frame["call"] {
    if (frame.call !== undefined) return frame.call;
    const { calls } = this.#program;
    const name = nameOf(fn);
    const every = (name ? (calls.get(name) ?? []) : []).filter((call) => this.#calls(call, fn));
    const node = every[this.choose(fn, "call", every.length)];
    frame.call = node ? { node, frame: this.frameAround(node) } : null;
    return frame.call;
  }

  #calls(call: ast.CallExpression, fn: ast.Node): boolean {
    const at = ast.isPropertyAccessExpression(call.expression)
      ? call.expression.name
      : call.expression;
    const declared = this.#program.declarationOf(at);
    return declared !== undefined && (declared === fn || declared === fn.parent);
  }
}

function nameOf(fn: ast.Node): string | undefined {
  const own = (fn as { name?: ast.Node }).name;
  if (own && ast.isIdentifier(own)) return own.text;
  const { parent } = fn;
  if (ast.isVariableDeclaration(parent) || ast.isPropertyAssignment(parent))
    return ast.isIdentifier(parent.name) ? parent.name.text : undefined;
  return undefined;
}
