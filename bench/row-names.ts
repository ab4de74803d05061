// The cost of naming the columns of rows in camel case (docs/decisions/028): `rowNames`, Kysely's own plugin,
// and none. No database: a driver answers the same rows again and again, so that only Node's part is timed.
// Rounds are interleaved.
import {
  CamelCasePlugin,
  Kysely,
  type KyselyPlugin,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  sql,
} from "kysely";
import { rowNames } from "#server/db/rows.ts";

const columns = 12;
const rounds = 15;
const statements = 2000;

const row = Object.fromEntries(
  Array.from({ length: columns }, (_, index) => [`name_of_column_${"abcdefghijkl"[index]}`, index]),
);

function openDb(rows: number, plugins: KyselyPlugin[]): Kysely<unknown> {
  const answer: QueryResult<unknown> = { rows: Array.from({ length: rows }, () => ({ ...row })) };
  const connection = {
    executeQuery: <R>() => Promise.resolve(answer as QueryResult<R>),
    // oxlint-disable-next-line require-yield -- no statement is streamed here
    async *streamQuery() {
      throw new Error("no statement is streamed");
    },
  };
  const nothing = () => Promise.resolve();
  return new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => ({
        init: nothing,
        acquireConnection: () => Promise.resolve(connection),
        beginTransaction: nothing,
        commitTransaction: nothing,
        rollbackTransaction: nothing,
        releaseConnection: nothing,
        destroy: nothing,
      }),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    plugins,
  });
}

/** Microseconds per statement, the mean of a round. */
async function microseconds(db: Kysely<unknown>): Promise<number> {
  const from = performance.now();
  for (let index = 0; index < statements; index++)
    await sql`select from holder where id = ${index}`.execute(db);
  return ((performance.now() - from) * 1000) / statements;
}

const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;

const ways: [name: string, plugins: KyselyPlugin[]][] = [
  ["none", []],
  ["rowNames", [rowNames]],
  ["CamelCasePlugin", [new CamelCasePlugin({ maintainNestedObjectKeys: true })]],
];
const sizes = [1, 10, 100];
const cases = sizes.flatMap((rows) =>
  ways.map(([name, plugins]) => ({ rows, name, db: openDb(rows, plugins), taken: [] as number[] })),
);
for (let round = -3; round < rounds; round++)
  for (const { db, taken } of cases) {
    const took = await microseconds(db);
    if (round >= 0) taken.push(took);
  }

console.log(`µs for a statement whose rows have ${columns} columns, median of ${rounds} rounds`);
for (const rows of sizes) {
  const own = cases.filter((one) => one.rows === rows);
  const bare = median(own[0]?.taken ?? []);
  for (const { name, taken } of own) {
    const more = median(taken) - bare;
    console.log(
      `${String(rows).padStart(4)} rows  ${name.padEnd(16)} ${median(taken).toFixed(1).padStart(7)}` +
        `  (+${more.toFixed(1)} µs, ${(more / rows).toFixed(2)} a row)`,
    );
  }
}
