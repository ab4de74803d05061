// Raw statements that are read as one row. What the builder makes has its own `executeTakeFirst` and
// `executeTakeFirstOrThrow`.
import type { RawBuilder } from "kysely";
import type { Db } from "./db.ts";

/** Ways to send a statement and read one row. */
interface Query {
  /**
   * The one row of a statement that always returns one: a count, an `insert … returning`, a row that must
   * exist. Throws where it returns none or several, which is an error of ours.
   */
  one: <Row>(statement: RawBuilder<Row>) => Promise<Row>;
  /**
   * The row of a statement that returns at most one, null where it returns none. Throws where it returns
   * several.
   */
  maybeOne: <Row>(statement: RawBuilder<Row>) => Promise<Row | null>;
}

/** Sends statements to a database or within a transaction. */
export const query = (db: Db): Query => ({
  async one(statement) {
    const { rows } = await statement.execute(db);
    const [row] = rows;
    if (row === undefined || rows.length > 1) throw notOne(rows.length, statement, db);
    return row;
  },
  async maybeOne(statement) {
    const { rows } = await statement.execute(db);
    if (rows.length > 1) throw notOne(rows.length, statement, db);
    return rows[0] ?? null;
  },
});

/** The error names the statement, without its values. */
const notOne = (count: number, statement: RawBuilder<unknown>, db: Db): Error =>
  new Error(`one row was expected, there are ${count}: ${statement.compile(db).sql}`);
