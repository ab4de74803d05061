// The tables of a database as TypeScript, read from PostgreSQL's own catalogue: the type of each column,
// whether it may be null, whether an insert may omit it, and the values that a check allows.
import { oneQuery } from "#server/db/one-query.ts";
import { rowNames } from "#server/db/rows.ts";

interface Column {
  table: string;
  name: string;
  type: string;
  required: boolean;
  /** An identity or a computed column: inserts must omit it. */
  always: boolean;
  hasDefault: boolean;
  /** The check that lists the values of this column alone, as PostgreSQL prints it. */
  check: string | null;
}

const columns = `
  select c.relname as table, a.attname as name, t.typname as type, a.attnotnull as required,
    a.attidentity = 'a' or a.attgenerated <> '' as always,
    a.atthasdef or a.attidentity <> '' as "hasDefault",
    (select pg_get_constraintdef(k.oid) from pg_constraint k
      where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]
        and pg_get_constraintdef(k.oid) ~ '^CHECK \\(\\(\\w+ = ANY' limit 1) as check
  from pg_class c join pg_attribute a on a.attrelid = c.oid join pg_type t on t.oid = a.atttypid
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')
    and a.attnum > 0 and not a.attisdropped
  order by c.relname, a.attnum`;

// Types that the parsers of server/db/db.ts give: amounts and ids are numbers, days stay text.
const typeScript: Record<string, string> = {
  bool: "boolean",
  bytea: "Buffer",
  date: "string",
  float4: "number",
  float8: "number",
  int2: "number",
  int4: "number",
  int8: "number",
  jsonb: "Json",
  numeric: "string",
  text: "string",
  time: "string",
  timestamptz: "Date",
  tsvector: "string",
  uuid: "string",
  _bytea: "Buffer[]",
  _float4: "number[]",
  _int2: "number[]",
  _int4: "number[]",
  _int8: "string[]",
  _text: "string[]",
  _uuid: "string[]",
};

/** JSON columns that the builder reads as more than an object. */
const shapes: Record<string, string> = { "outbox.attachments": "Attachment[]" };

const head = `// Written by \`npm run schema\` from the catalogue after all migrations: do not edit.
import type { ColumnType, Generated, GeneratedAlways } from "kysely";
import type { Attachment } from "#server/process/attachment.ts";

/** Read as the value, written as its JSON text. */
type Json<Shape = Record<string, unknown>> = ColumnType<Shape, string>;
`;

/** The interface \`Tables\` for the database at \`url\`: one property for each table, in their order. */
export async function dumpTables(url: string): Promise<string> {
  const rows = await oneQuery<Column & Record<string, unknown>>(url, columns);
  const tables = Map.groupBy(rows, (row) => row.table);
  const body = [...tables].map(
    ([name, own]) => `  ${named(name)}: {\n${own.map(line).join("")}  };\n`,
  );
  return `${head}\nexport interface Tables {\n${body.join("")}}\n`;
}

/** The camel-case name of a column for the builder, which must map back to the column. */
function named(own: string): string {
  const name = rowNames.nameOf(own);
  if (rowNames.ownOf(name) !== own)
    throw new Error(`${own} would be read as ${name} and not written`);
  return name;
}

function line(column: Column): string {
  return `    ${named(column.name)}: ${wrapped(column, allowed(column).join(" | "))};\n`;
}

/** The values that a check lists, or else the one type of the column. */
function allowed({ table, name, type, check }: Column): string[] {
  if (check !== null) {
    const strings = [...check.matchAll(/'([^']+)'::text/g)].map((match) => `"${match[1]}"`);
    const numbers = /ARRAY\[([\d, ]+)\]/.exec(check)?.[1]?.split(", ") ?? [];
    if (strings.length + numbers.length > 0) return [...strings, ...numbers];
  }
  const shape = shapes[`${table}.${name}`];
  if (shape) return [`Json<${shape}>`];
  const known = typeScript[type];
  if (!known) throw new Error(`${table}.${name} is ${type}: say in tables-dump.ts what it gives`);
  return [known];
}

function wrapped(column: Column, type: string): string {
  const full = column.required ? type : `${type} | null`;
  if (column.always) return `GeneratedAlways<${full}>`;
  if (type.startsWith("Json")) return full;
  return column.hasDefault && column.required ? `Generated<${full}>` : full;
}
