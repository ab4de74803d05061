// Finds the statements that a call of `execute` may send, without running the program: code that builds a
// statement (templates, fragments, builder calls, the functions that return them) is evaluated with the real
// Kysely, every other value is a parameter. Where the code branches at run time, each branch is taken.
import * as ast from "typescript/unstable/ast";
import type { Type } from "typescript/unstable/sync";
import { sql } from "kysely";
import { type Frame, Names, type Plan, Refused, Unknown, Unresolved, db } from "./names.ts";
import { type Program, calleeName, mayBeValue, statementOf } from "./program.ts";

type Fn = (...args: unknown[]) => unknown;

export class Interpreter {
  readonly #program: Program;
  readonly #names: Names;
  #depth = 0;

  constructor(program: Program, plan: Plan) {
    this.#program = program;
    this.#names = new Names(program, plan, {
      evaluate: (node, frame) => this.#evaluate(node, frame),
      property: (from, name, node) => this.#property(from, name, node),
      closure: (fn, frame) => this.#closure(fn, frame),
    });
  }

  /** The branch points met, with their number of branches. */
  get met(): ReadonlyMap<string, number> {
    return this.#names.met;
  }

  /** The value of an expression in the program. */
  valueOf(node: ast.Node): unknown {
    return this.#evaluate(node, this.#names.frameAround(node));
  }

  #evaluate(node: ast.Node, frame: Frame): unknown {
    if (++this.#depth > 150) throw new Unresolved("too deep");
    try {
      const value = this.#forms(node, frame);
      return value instanceof Unknown && this.#isDb(node) ? db : value;
    } finally {
      this.#depth--;
    }
  }

  #forms(node: ast.Node, frame: Frame): unknown {
    const go = (one: ast.Node) => this.#evaluate(one, frame);
    if (
      ast.isParenthesizedExpression(node) ||
      ast.isAsExpression(node) ||
      ast.isNonNullExpression(node) ||
      ast.isSatisfiesExpression(node) ||
      ast.isAwaitExpression(node)
    )
      return go(node.expression);
    if (ast.isStringLiteral(node) || ast.isNoSubstitutionTemplateLiteral(node)) return node.text;
    if (ast.isNumericLiteral(node)) return Number(node.text);
    if (node.kind === ast.SyntaxKind.TrueKeyword) return true;
    if (node.kind === ast.SyntaxKind.FalseKeyword) return false;
    if (node.kind === ast.SyntaxKind.NullKeyword) return null;
    if (ast.isIdentifier(node)) return this.#names.identifier(node, frame);
    if (ast.isTaggedTemplateExpression(node)) return this.#tagged(node, frame);
    if (ast.isTemplateExpression(node)) {
      const spans = node.templateSpans.map((span) => [this.#text(span.expression, frame), span]);
      if (spans.some(([text]) => text instanceof Unknown)) return new Unknown(node);
      return (
        node.head.text +
        node.templateSpans
          .map((span, at) => `${String(spans[at]?.[0])}${span.literal.text}`)
          .join("")
      );
    }
    if (ast.isArrayLiteralExpression(node))
      return node.elements.flatMap((element) => {
        if (!ast.isSpreadElement(element)) return [go(element)];
        const many = go(element.expression);
        return Array.isArray(many) ? (many as unknown[]) : [new Unknown(element)];
      });
    if (ast.isObjectLiteralExpression(node)) return this.#object(node, frame);
    if (ast.isArrowFunction(node) || ast.isFunctionExpression(node))
      return this.#closure(node, frame);
    if (ast.isConditionalExpression(node))
      return this.#holds(node.condition, frame) ? go(node.whenTrue) : go(node.whenFalse);
    if (ast.isBinaryExpression(node)) return this.#binary(node, frame);
    if (ast.isCallExpression(node)) return this.#call(node, frame);
    if (ast.isPropertyAccessExpression(node))
      return this.#property(go(node.expression), node.name.text, node);
    if (ast.isElementAccessExpression(node)) {
      const [from, key] = [go(node.expression), this.#text(node.argumentExpression, frame)];
      return key instanceof Unknown
        ? this.#anyOf(from, node)
        : this.#property(from, String(key), node);
    }
    return new Unknown(node);
  }

  #anyOf(from: unknown, node: ast.Node): unknown {
    if (from instanceof Unknown || from === null || typeof from !== "object")
      return new Unknown(node);
    const every = Object.values(from);
    return every.length > 0
      ? every[this.#names.choose(node, "key", every.length)]
      : new Unknown(node);
  }

  #property(from: unknown, name: string, node: ast.Node): unknown {
    if (from === undefined || from === null || from instanceof Unknown) return new Unknown(node);
    const value = (from as Record<string, unknown>)[name];
    return typeof value === "function" && typeof from !== "function"
      ? (value as Fn).bind(from)
      : value;
  }

  #object(node: ast.Node, frame: Frame): unknown {
    const made: Record<string, unknown> = {};
    if (!ast.isObjectLiteralExpression(node)) return made;
    for (const one of node.properties) {
      if (ast.isSpreadAssignment(one)) {
        const from = this.#evaluate(one.expression, frame);
        Object.assign(made, from instanceof Unknown ? this.#shaped(from) : from);
      } else if (ast.isPropertyAssignment(one)) {
        made[String(this.#key(one.name, frame))] = this.#evaluate(one.initializer, frame);
      } else if (ast.isShorthandPropertyAssignment(one)) {
        made[(one.name as ast.Identifier).text] = this.#names.identifier(
          one.name as ast.Identifier,
          frame,
        );
      }
    }
    return made;
  }

  #key(name: ast.Node, frame: Frame): unknown {
    if (ast.isComputedPropertyName(name)) return this.#text(name.expression, frame);
    return ast.isStringLiteral(name) || ast.isIdentifier(name) ? name.text : name.getText();
  }

  /** An object of unknown values with the properties of the type. */
  #shaped(value: Unknown): Record<string, unknown> {
    const { checker } = this.#program;
    const type = this.#program.typeOf(value.node);
    const known = type && (checker.getNonNullableType(type) ?? type);
    const names = known ? checker.getPropertiesOfType(known).map(({ name }) => name) : [];
    return Object.fromEntries(names.map((name) => [name, new Unknown(value.node)]));
  }

  #binary(node: ast.Node, frame: Frame): unknown {
    if (!ast.isBinaryExpression(node)) return new Unknown(node);
    const operator = node.operatorToken.kind;
    const left = this.#evaluate(node.left, frame);
    const right = () => this.#evaluate(node.right, frame);
    if (operator === ast.SyntaxKind.QuestionQuestionToken) {
      if (left instanceof Unknown) return this.#names.choose(node, "??", 2) === 0 ? left : right();
      return left ?? right();
    }
    if (operator === ast.SyntaxKind.AmpersandAmpersandToken)
      return left instanceof Unknown
        ? this.#names.choose(node, "&&", 2) === 0
          ? right()
          : false
        : left && right();
    if (operator === ast.SyntaxKind.BarBarToken)
      return left instanceof Unknown
        ? this.#names.choose(node, "||", 2) === 0
          ? left
          : right()
        : left || right();
    const other = right();
    if (left instanceof Unknown || other instanceof Unknown) return new Unknown(node);
    if (operator === ast.SyntaxKind.PlusToken) return (left as string) + (other as string);
    if (operator === ast.SyntaxKind.EqualsEqualsEqualsToken) return left === other;
    if (operator === ast.SyntaxKind.ExclamationEqualsEqualsToken) return left !== other;
    return new Unknown(node);
  }

  /** Whether a condition holds; both branches are taken where only a running server knows. */
  #holds(condition: ast.Node, frame: Frame): boolean {
    const before = this.#names.ownArgumentsOnly;
    this.#names.ownArgumentsOnly = true;
    let value: unknown;
    try {
      value = this.#evaluate(condition, frame);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      value = new Unknown(condition);
    } finally {
      this.#names.ownArgumentsOnly = before;
    }
    if (value instanceof Unknown) return this.#names.choose(condition, "if", 2) === 0;
    return Boolean(value);
  }

  /** A text that becomes part of the statement: known, or one of the literals of its type. */
  #text(node: ast.Node, frame: Frame): unknown {
    const value = this.#evaluate(node, frame);
    if (!(value instanceof Unknown)) return value;
    for (const one of [node, value.node]) {
      const type = this.#program.typeOf(one);
      const words = (type?.isUnionType() ? (type.getTypes() ?? []) : type ? [type] : [])
        .filter((part) => part.isStringLiteralType())
        .map((part) => (part as Type & { value: string }).value);
      if (words.length > 0) return words[this.#names.choose(node, "word", words.length)];
    }
    return value;
  }

  #tagged(node: ast.TaggedTemplateExpression, frame: Frame): unknown {
    if (!ast.isIdentifier(node.tag) || node.tag.text !== "sql") return new Unknown(node);
    const { template } = node;
    if (!ast.isTemplateExpression(template)) return this.#build([template.text], []);
    const texts = [template.head.text, ...template.templateSpans.map((span) => span.literal.text)];
    const values = template.templateSpans.map(({ expression }) => this.#part(expression, frame));
    return this.#build(texts, values);
  }

  #build(texts: string[], values: unknown[]): unknown {
    return sql(texts as unknown as TemplateStringsArray, ...values);
  }

  /** A value of a statement: a fragment is evaluated, anything else is a parameter. */
  #part(node: ast.Expression, frame: Frame): unknown {
    const type = this.#program.typeOf(node);
    if (!this.#program.holdsSql(type)) return new Unknown(node);
    const value = this.#evaluate(node, frame);
    if (value instanceof Unknown && !mayBeValue(type)) throw new Unresolved(node.getText());
    return value;
  }

  #isDb(node: ast.Node): boolean {
    const type = this.#program.typeOf(node);
    return /^(Kysely|Transaction)$/.test(type?.getSymbol()?.name ?? "");
  }

  #closure(fn: ast.Node, parent: Frame): Fn {
    return (...args) => {
      const frame: Frame = { fn, args, parent, values: new Map() };
      const { body } = fn as ast.ArrowFunction;
      if (!ast.isBlock(body)) return this.#evaluate(body, frame);
      return this.#run(body.statements, frame)?.value;
    };
  }

  #run(statements: readonly ast.Statement[], frame: Frame): { value: unknown } | undefined {
    for (const one of statements) {
      const done = this.#statement(one, frame);
      if (done) return done;
    }
    return undefined;
  }

  #statement(node: ast.Node, frame: Frame): { value: unknown } | undefined {
    if (ast.isReturnStatement(node))
      return { value: node.expression ? this.#evaluate(node.expression, frame) : undefined };
    if (ast.isThrowStatement(node)) throw new Refused();
    if (ast.isBlock(node)) return this.#run(node.statements, frame);
    if (ast.isForOfStatement(node)) return this.#statement(node.statement, frame);
    if (!ast.isIfStatement(node)) return undefined;
    if (this.#holds(node.expression, frame)) return this.#statement(node.thenStatement, frame);
    return node.elseStatement ? this.#statement(node.elseStatement, frame) : undefined;
  }

  #call(node: ast.CallExpression, frame: Frame): unknown {
    try {
      return this.#called(node, frame);
    } catch (error) {
      const isPart = this.#program.holdsSql(this.#program.typeOf(node));
      if (isPart || !(error instanceof Refused || error instanceof Unresolved)) throw error;
      return new Unknown(node);
    }
  }

  #called(node: ast.CallExpression, frame: Frame): unknown {
    const { expression: callee } = node;
    if (ast.isPropertyAccessExpression(callee)) {
      if (statementOf(node)) return new Unknown(node);
      if (ast.isIdentifier(callee.expression) && callee.expression.text === "sql")
        return this.#piece(node, callee.name.text, frame);
      const [first] = node.arguments;
      const global = callee.getText();
      if (first && global === "Promise.all") return this.#evaluate(first, frame);
      if (first && global === "Object.entries") {
        const of = this.#evaluate(first, frame);
        return of instanceof Unknown ? new Unknown(node) : Object.entries(of as object);
      }
      const from = this.#evaluate(callee.expression, frame);
      if (from instanceof Unknown) return this.#unknownMethod(node, callee.name.text, frame);
      return this.#apply(this.#property(from, callee.name.text, callee), node, frame);
    }
    return this.#apply(this.#evaluate(callee, frame), node, frame);
  }

  #apply(fn: unknown, node: ast.CallExpression, frame: Frame): unknown {
    if (typeof fn !== "function") return new Unknown(node);
    const args = node.arguments.flatMap((one) => {
      if (!ast.isSpreadElement(one)) return [this.#evaluate(one, frame)];
      const many = this.#evaluate(one.expression, frame);
      return Array.isArray(many) ? (many as unknown[]) : [many];
    });
    const method = calleeName(node) ?? "";
    if (method === "$if" && args[0] instanceof Unknown)
      args[0] = this.#names.choose(node, "if", 2) === 0;
    if (/^(values|set|doUpdateSet)$/.test(method) && args[0] instanceof Unknown)
      args[0] = this.#shaped(args[0]);
    if (/^(in|not in)$/.test(String(args[1])) && args[2] instanceof Unknown) args[2] = [args[2]];
    try {
      return (fn as Fn)(...args);
    } catch (error) {
      if (error instanceof Refused || error instanceof Unresolved) throw error;
      return new Unknown(node);
    }
  }

  #unknownMethod(node: ast.CallExpression, name: string, frame: Frame): unknown {
    const [callback] = node.arguments;
    if (!/^(map|flatMap)$/.test(name) || !callback) return new Unknown(node);
    const fn = this.#evaluate(callback, frame);
    if (typeof fn !== "function") return new Unknown(node);
    const { parameters } = callback as ast.ArrowFunction;
    const made = (fn as Fn)(new Unknown(parameters?.[0]?.name ?? node));
    return name === "flatMap" && Array.isArray(made) ? made : [made];
  }

  /** `sql.ref`, `sql.raw` and the others, called with the known values of their arguments. */
  #piece(node: ast.CallExpression, name: string, frame: Frame): unknown {
    if (name === "join") {
      const [list, separator] = node.arguments.map((one) => this.#evaluate(one, frame));
      const items = Array.isArray(list) ? (list as unknown[]) : [list];
      return sql.join(items, separator as Parameters<typeof sql.join>[1]);
    }
    const args = node.arguments.map((one) => this.#text(one, frame));
    if (args.some((one) => one instanceof Unknown)) throw new Unresolved(node.getText());
    return (sql as unknown as Record<string, Fn>)[name]?.(...args);
  }
}
