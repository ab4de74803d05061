// Checks every statement of the server against the migrated database: PostgreSQL must parse it, and the type
// of its rows must name the columns it gives, with their types and nullability.
import { type CallExpression, type Node, isCallExpression } from "typescript/unstable/ast";
import { type Type, type TypeReference, TypeFlags } from "typescript/unstable/sync";
import { rowNames } from "#server/db/rows.ts";
import { type Column, type Kind, openDescriber } from "./describe.ts";
import { Interpreter } from "./interpret.ts";
import { type Plan, Unknown, db } from "./names.ts";
import { exceptions } from "./exceptions.ts";
import { type Program, calleeName, openProgram, statementOf, walk } from "./program.ts";

interface Compilable {
  compile: (db?: unknown) => { sql: string };
}

/** Maximum number of code paths checked for one statement. */
const maxPaths = 150;
const kyselyQuery = /^(RawBuilder|\w+QueryBuilder\w*|\w+QueryNode\w*|WheneableMergeQueryBuilder)$/;

/** The faults of the statements of `server/` for the database at `url`, one line each. */
export async function wrongStatements(url: string): Promise<{ wrong: string[]; count: number }> {
  const program = openProgram();
  const describer = await openDescriber(url);
  const wrong: string[] = [];
  const unused = new Set(Object.keys(exceptions));
  try {
    const statements = statementsOf(program).map((call) => ({ call, ...textsOf(program, call) }));
    const every = new Set(statements.flatMap(({ texts }) => [...texts]));
    const temporary = [...every].filter((text) => /^\s*create temp table/.test(text));
    const made = await describer.makeTemporary(temporary);
    const known = new Map(made.map((text) => [text, Promise.resolve<Column[]>([])]));
    const describe = (text: string) => {
      const answer = known.get(text) ?? describer.describe(text);
      known.set(text, answer);
      return answer;
    };
    for (const { call, texts, unresolved } of statements) {
      const where = nameAround(program, call);
      const faults = [...unresolved];
      for (const text of texts) faults.push(...(await faultsOf(program, call, text, describe)));
      for (const fault of new Set(faults)) {
        const key = `${where}: ${fault}`;
        if (exceptions[key]) unused.delete(key);
        else wrong.push(`${program.place(call)} ${fault}\n  exception: ${key}`);
      }
    }
    for (const key of unused) wrong.push(`${key}: an exception that nothing needs`);
    return { wrong, count: every.size };
  } finally {
    await describer.close();
    program.close();
  }
}

function statementsOf(program: Program): CallExpression[] {
  const found: CallExpression[] = [];
  for (const { file } of program.files)
    walk(file, (node) => {
      const statement = isCallExpression(node) && statementOf(node);
      if (!statement) return;
      const type = program.typeOf(statement);
      if (kyselyQuery.test(type?.getSymbol()?.name ?? "")) found.push(node);
    });
  return found;
}

/** A statement's name for the list of exceptions: its file and the function around it. */
function nameAround(program: Program, node: Node): string {
  let name = "";
  for (let up = node.parent; up; up = up.parent) {
    const own = (up as { name?: { text?: string } }).name?.text;
    if (own && up.parent.kind !== undefined) name = own;
  }
  return `${program.place(node).split(":")[0]} ${name}`;
}

/** The texts that the call may send, one for each code path that builds them. */
function textsOf(
  program: Program,
  call: CallExpression,
): { texts: Set<string>; unresolved: string[] } {
  const texts = new Set<string>();
  const unresolved = new Set<string>();
  const known = new Set<string>();
  const waiting: Plan[] = [new Map()];
  const query = statementOf(call) as Node;
  for (let plan = waiting.shift(), way = 0; plan && way < maxPaths; plan = waiting.shift(), way++) {
    const interpreter = new Interpreter(program, plan);
    try {
      const value = interpreter.valueOf(query);
      if (value instanceof Unknown)
        unresolved.add(`cannot be told: ${value.node.getText().slice(0, 60)}`);
      else texts.add(compiled(value as Compilable));
    } catch (error) {
      const { name, message } = error as Error;
      if (name !== "Refused") unresolved.add(`cannot be told: ${message.slice(0, 200)}`);
    }
    for (const [key, options] of interpreter.met) {
      if (known.has(key)) continue;
      known.add(key);
      for (let option = 1; option < options; option++)
        waiting.push(new Map([...plan, [key, option]]));
    }
  }
  if (texts.size > 0) return { texts, unresolved: [] };
  return { texts, unresolved: unresolved.size > 0 ? [...unresolved] : ["no statement found"] };
}

const compiled = (value: Compilable): string => value.compile(db).sql;

async function faultsOf(
  program: Program,
  call: CallExpression,
  text: string,
  describe: (text: string) => Promise<Column[]>,
): Promise<string[]> {
  let columns: Column[];
  try {
    columns = await describe(text);
  } catch (error) {
    return [`${(error as Error).message} in: ${text.replaceAll(/\s+/g, " ").slice(0, 2000)}`];
  }
  const row = rowType(program, call);
  if (!row || row.flags & (TypeFlags.Any | TypeFlags.Unknown)) return [];
  return compareRow(program, row, columns, text);
}

/** The type of the rows that the call answers. */
function rowType({ checker, typeOf }: Program, call: CallExpression): Type | undefined {
  const promise = typeOf(call) as TypeReference | undefined;
  let result = promise && checker.getTypeArguments(promise)[0];
  if (!result) return undefined;
  if (result.getSymbol()?.name === "QueryResult" || checker.isArrayType(result))
    return checker.getTypeArguments(result as TypeReference)[0];
  if (calleeName(call) !== "execute") result = checker.getNonNullableType(result);
  return result;
}

function compareRow(program: Program, row: Type, columns: Column[], text: string): string[] {
  const { checker } = program;
  const properties = checker.getPropertiesOfType(row);
  if (/^(Insert|Update|Delete|Merge)Result$/.test(row.getSymbol()?.name ?? "")) return [];
  const found = new Map(columns.map((column) => [rowNames.nameOf(column.name), column]));
  return properties.flatMap((property) => {
    const column = found.get(property.name);
    const type = checker.getTypeOfSymbol(property);
    if (!type) return [];
    if (!column) return allows(type, TypeFlags.Undefined) ? [] : [`no column "${property.name}"`];
    return faultOf(program, type, column, text);
  });
}

function faultOf(program: Program, type: Type, column: Column, text: string): string[] {
  const { checker } = program;
  const said = `${rowNames.nameOf(column.name)}: ${checker.typeToString(type)}`;
  const faults = [];
  if (!accepts(program, type, column.kind)) faults.push(`${said}, yet it is ${column.type}`);
  const isSaid = new RegExp(`\\b${column.source ?? column.name}\\b"? is not null`).test(text);
  if (column.nullable && !isSaid && !allows(type, TypeFlags.Null))
    faults.push(`${said}, yet it may be null`);
  return faults;
}

const members = (type: Type): readonly Type[] =>
  type.isUnionType() ? (type.getTypes() ?? []) : [type];

const allows = (type: Type, flag: TypeFlags): boolean =>
  members(type).some(({ flags }) => flags & (flag | TypeFlags.Any | TypeFlags.Unknown));

/** Whether a value of the kind is assignable to the declared type. */
function accepts(program: Program, type: Type, kind: Kind): boolean {
  return members(type).some((one) => {
    if (one.flags & (TypeFlags.Any | TypeFlags.Unknown)) return true;
    const name = one.getSymbol()?.name;
    if (Array.isArray(kind)) {
      if (!program.checker.isArrayType(one)) return false;
      const element = program.checker.getTypeArguments(one as TypeReference)[0];
      return element !== undefined && accepts(program, element, kind[0] ?? "json");
    }
    switch (kind) {
      case "number":
        return Boolean(one.flags & TypeFlags.NumberLike);
      case "string":
        return Boolean(one.flags & TypeFlags.StringLike);
      case "boolean":
        return Boolean(one.flags & TypeFlags.BooleanLike);
      case "Date":
      case "Buffer":
        return name === kind;
      case "json":
        return !holdsDate(program, one);
      default:
        return false;
    }
  });
}

/** Whether the type has a Date or Buffer: JSON has neither, both come as text. */
function holdsDate(program: Program, type: Type, depth = 0): boolean {
  const { checker } = program;
  if (type.flags & TypeFlags.Never || depth > 4) return false;
  if (members(type).length > 1) return members(type).some((one) => holdsDate(program, one, depth));
  if (!type.isObjectType()) return false;
  if (/^(Date|Buffer)$/.test(type.getSymbol()?.name ?? "")) return true;
  if (checker.isArrayType(type))
    return checker
      .getTypeArguments(type as TypeReference)
      .some((one) => holdsDate(program, one, depth + 1));
  return checker.getPropertiesOfType(type).some((one) => {
    const own = checker.getTypeOfSymbol(one);
    return own !== undefined && holdsDate(program, own, depth + 1);
  });
}
