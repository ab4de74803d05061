// Rows as the code reads them: PostgreSQL's snake case becomes camel case here and nowhere else.
import { CamelCasePlugin } from "kysely";

class RowNames extends CamelCasePlugin {
  /** Name in the code of a column, a table or an alias of the database. */
  nameOf(own: string): string {
    return this.camelCase(own);
  }

  /** Name in the database of what the builder is given. */
  ownOf(name: string): string {
    return this.snakeCase(name);
  }

  // Half the cost of the plugin's own way: values stay as they are, nested ones too.
  protected override mapRow(row: Record<string, unknown>): Record<string, unknown> {
    const named: Record<string, unknown> = {};
    for (const own in row) named[this.camelCase(own)] = row[own];
    return named;
  }
}

/**
 * Used by every Kysely of the server, for built and raw statements alike: the builder's `holderName` is the
 * column `holder_name`, and so is the row's. Keys inside JSON stay as the statement wrote them.
 */
export const rowNames = new RowNames({
  maintainNestedObjectKeys: true,
  // A part of one letter comes back too: `twice_a_week` is `twiceAWeek`.
  underscoreBetweenUppercaseLetters: true,
});
