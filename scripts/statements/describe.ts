// Asks PostgreSQL for the columns of a statement without running it: it parses the text and gives their
// names, their types, and for a column of a table whether that may be null.
import { Client, types } from "pg";
// Loads the server's type parsers, which decide the JavaScript type of a value.
import "#server/db/db.ts";

/** JavaScript type that the driver gives for a value: `json` is anything, `null` is an absent value. */
export type Kind = "number" | "string" | "boolean" | "Date" | "Buffer" | "json" | "object" | Kind[];

export interface Column {
  name: string;
  type: string;
  kind: Kind;
  /** True where the database knows that it may be null. */
  nullable: boolean;
  /** The column of a table that it comes from, null when it is computed. */
  source: string | null;
}

interface Field {
  name: string;
  tableID: number;
  columnID: number;
  dataTypeID: number;
}

export interface Describer {
  /** The columns in their order, none for a statement that gives no rows. Throws PostgreSQL's error. */
  describe: (text: string) => Promise<Column[]>;
  /**
   * Creates the temporary tables that other statements read, retrying until none can be added; gives those
   * created.
   */
  makeTemporary: (texts: readonly string[]) => Promise<string[]>;
  close: () => Promise<void>;
}

/** One value of each type as PostgreSQL writes it. */
const samples: Record<string, string> = {
  bool: "t",
  bytea: String.raw`\x00`,
  date: "2026-01-02",
  float4: "1.5",
  float8: "1.5",
  int2: "1",
  int4: "1",
  int8: "1",
  interval: "01:00:00",
  json: "{}",
  jsonb: "{}",
  name: "a",
  numeric: "1.5",
  oid: "1",
  pg_lsn: "0/1",
  regclass: "a",
  text: "a",
  time: "03:04:05",
  timestamp: "2026-01-02 03:04:05",
  timestamptz: "2026-01-02 03:04:05+00",
  tsvector: "a",
  uuid: "00000000-0000-0000-0000-000000000000",
  varchar: "a",
  void: "",
};

export async function openDescriber(url: string): Promise<Describer> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows: known } = await client.query<PgType>(
    "select oid::int, typname as name, typelem > 0 and typcategory = 'A' as list from pg_type",
  );
  const typeOf = new Map(known.map((type) => [type.oid, type]));
  const { rows: attributes } = await client.query<{ at: string; name: string; required: boolean }>(
    `select attrelid || '.' || attnum as at, attname as name, attnotnull as required
      from pg_attribute where attnum > 0`,
  );
  const attributeOf = new Map(attributes.map((attribute) => [attribute.at, attribute]));
  const describe = async (text: string) => {
    const fields = await fieldsOf(client, text);
    const outer = /\b(left|right|full)\s+join\b/i.test(text)
      ? await outerColumns(client, text)
      : new Set<number>();
    return fields.map(({ name, tableID, columnID, dataTypeID }, at) => {
      const source = tableID > 0 ? attributeOf.get(`${tableID}.${columnID}`) : undefined;
      const type = typeOf.get(dataTypeID);
      return {
        name,
        type: type?.name ?? "?",
        kind: type ? kindOf(type) : "object",
        nullable: outer.has(at) || source?.required === false,
        source: source?.name ?? null,
      };
    });
  };
  const makeTemporary = async (texts: readonly string[]) => {
    const made = new Set<string>();
    for (const _ of texts)
      for (const text of texts)
        if (!made.has(text))
          await client.query(text.replace(/on commit drop/i, "")).then(
            () => made.add(text),
            // It may read another table that is created later; in the end its own fault is reported.
            () => {},
          );
    return [...made];
  };
  return { describe, makeTemporary, close: () => client.end() };
}

interface PgType {
  oid: number;
  name: string;
  /** Whether its values are lists of another type. */
  list: boolean;
}

const parserOf = types.getTypeParser as (oid: number) => (text: string) => unknown;

function kindOf({ oid, name, list }: PgType): Kind {
  const own = list ? name.slice(1) : name;
  if (/^jsonb?$/.test(own)) return list ? ["json"] : "json";
  // A row as one value, which comes as text.
  const single = samples[own] ?? "(1)";
  const sample = list ? `{"${single}"}` : single;
  const value: unknown = parserOf(oid)(sample);
  const kindOfValue = (one: unknown): Kind => {
    if (Array.isArray(one)) return one.map(kindOfValue);
    if (one instanceof Date) return "Date";
    if (Buffer.isBuffer(one)) return "Buffer";
    return typeof one as "number" | "string" | "boolean" | "object";
  };
  return kindOfValue(value);
}

/** Sends Parse and Describe, the two messages that come before a statement runs. */
function fieldsOf(client: Client, text: string): Promise<Field[]> {
  return new Promise((resolve, reject) => {
    let fields: Field[] = [];
    const query = {
      submit(connection: Connection) {
        connection.parse({ name: "", text, types: [] }, true);
        connection.describe({ type: "S", name: "" }, true);
        connection.sync();
      },
      handleRowDescription(message: { fields: Field[] }) {
        fields = message.fields;
      },
      handleError: reject,
      handleReadyForQuery: () => resolve(fields),
    };
    void client.query(query as unknown as Parameters<Client["query"]>[0]);
  });
}

interface Connection {
  parse: (message: { name: string; text: string; types: number[] }, more: boolean) => void;
  describe: (message: { type: "S"; name: string }, more: boolean) => void;
  sync: () => void;
}

interface PlanNode {
  "Join Type"?: string;
  "Parent Relationship"?: string;
  Output?: string[];
  Plans?: PlanNode[];
}

/** The positions of columns that come from the side of an outer join that may have no row. */
async function outerColumns(client: Client, text: string): Promise<Set<number>> {
  const { rows } = await client.query<{ "QUERY PLAN": { Plan: PlanNode }[] }>(
    `explain (generic_plan, verbose, format json) ${text}`,
  );
  const plan = rows[0]?.["QUERY PLAN"][0]?.Plan;
  const missing = new Set<string>();
  const visit = (node: PlanNode) => {
    for (const child of node.Plans ?? []) {
      const side = child["Parent Relationship"];
      const join = node["Join Type"];
      const mayMiss =
        join === "Full" ||
        (join === "Left" && side === "Inner") ||
        (join === "Right" && side === "Outer");
      if (mayMiss) for (const one of child.Output ?? []) missing.add(one);
      visit(child);
    }
  };
  if (plan) visit(plan);
  const found = (plan?.Output ?? []).flatMap((one, at) => (missing.has(one) ? [at] : []));
  return new Set(found);
}
