// Rows as the code reads them: PostgreSQL's snake case becomes camel case here and nowhere else.
import { CamelCasePlugin } from "kysely";

class RowNames extends CamelCasePlugin {
  /** What a row calls a column, a table or an alias of the database. */
  nameOf(own: string): string {
    return this.camelCase(own);
  }

  /** What the database calls what the builder is given. */
  ownOf(name: string): string {
    return this.snakeCase(name);
  }

  // Half of what the plugin's own way costs: values stay as they are, what is inside them too.
  protected override mapRow(row: Record<string, unknown>): Record<string, unknown> {
    const named: Record<string, unknown> = {};
    for (const own in row) named[this.camelCase(own)] = row[own];
    return named;
  }
}

/**
 * For every Kysely of the server, built and raw statements alike: the builder's `holderName` is the column
 * `holder_name`, and so is the row's. Keys inside JSON stay as the statement wrote them.
 */
export const rowNames = new RowNames({
  maintainNestedObjectKeys: true,
  // `most_a_week` is `mostAWeek`, and back.
  underscoreBetweenUppercaseLetters: true,
});
