// The lines of a statement: by pages on the screen, and as a CSV streamed from the database, so that its
// length costs no memory.
import { Readable } from "node:stream";
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { formatDate, formatTime } from "#contract/french.ts";
import { lists } from "#contract/limits.ts";
import type { SettlementLine, SettlementStatement } from "#contract/settlement/rows.ts";
import {
  lineReference,
  statementNames,
  statementSteps,
} from "#contract/settlement/statement-words.ts";
import { settlementLineKindNames, settlementSourceNames } from "#contract/settlement/states.ts";
import type { Db } from "#server/db/db.ts";
import { pageOf } from "#server/db/page.ts";
import type { CompanyCall } from "#server/http/caller.ts";
import { csvContinuation, csvOf, decimal, plain } from "#server/http/csv.ts";
import type { Document } from "#server/http/document.ts";
import { statementOf } from "./statement.ts";

type LineRow = Omit<SettlementLine, "at"> & { at: Date };

/** The cursor of a line in its list: its instant, source and key. */
const cursorOf = ({ at, source, key }: SettlementLine): string => `${at} ${source} ${key}`;

function afterOf(cursor: string | undefined): [string, string, string] {
  if (cursor === undefined) return ["-infinity", "", ""];
  const [, at = "", source = "", key = ""] =
    /^(20\d\d-\d\d-\d\dT[\d:.]{12}Z) (\S+) (\S+)$/.exec(cursor) ?? [];
  if (key === "" || Number.isNaN(Date.parse(at))) {
    throw new Problem("invalid_input", { what: "suite de la liste" });
  }
  return [new Date(at).toISOString(), source, key];
}

async function linesAfter(
  db: Db,
  { companyId, month, cursor, limit }: StatementKey & { cursor: string | undefined; limit: number },
): Promise<SettlementLine[]> {
  const [at, source, key] = afterOf(cursor);
  // Milliseconds, as in the cursor.
  const { rows } = await sql<LineRow>`
    select source, key, kind, date_trunc('milliseconds', at) as at, label,
      gross_cents, commission_basis_points,
      commission_cents
    from settlement_line where company_id = ${companyId} and month = ${month}
      and (date_trunc('milliseconds', at), source, key)
        > (${at}::timestamptz, ${source}::text, ${key}::text)
    order by date_trunc('milliseconds', at), source, key limit ${limit}`.execute(db);
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}

interface StatementKey {
  companyId: string;
  month: string;
}

/** A page of lines of the caller's company, in their order. */
export async function readLines(
  call: CompanyCall<{ month: string; after?: string | undefined; limit?: number | undefined }>,
): Promise<{ items: SettlementLine[]; next: string | null }> {
  const { companyId } = call.company;
  const { month, after: cursor, limit = lists.defaultLimit } = call.input;
  const { db } = call.deps;
  const found = await linesAfter(db, { companyId, month, cursor, limit: limit + 1 });
  return pageOf(found, limit, cursorOf);
}

const pageLines = 1000;

/** The lines as CSV, then the sums down to the paid amount. */
export async function linesCsv(call: CompanyCall<{ month: string }>): Promise<Document> {
  const { companyId } = call.company;
  const { month } = call.input;
  const { db } = call.deps;
  const statement = await statementOf(db, companyId, month);
  return {
    type: "text/csv; charset=utf-8",
    body: Readable.from(csvPages(db, { companyId, month }, statement)),
    filename: `reglement-${month}.csv`,
  };
}

async function* csvPages(db: Db, key: StatementKey, statement: SettlementStatement) {
  const names = statementNames;
  yield csvOf([
    [
      "Date",
      "Heure",
      names.source,
      "Nature",
      "Libellé",
      "Montant (€)",
      `${names.rate} (%)`,
      `${names.commission} (€)`,
      names.reference,
    ],
  ]);
  let cursor: string | undefined;
  for (;;) {
    const lines = await linesAfter(db, { ...key, cursor, limit: pageLines });
    if (lines.length > 0) yield csvContinuation(lines.map(toRow));
    const last = lines.at(-1);
    if (!last || lines.length < pageLines) break;
    cursor = cursorOf(last);
  }
  yield csvContinuation(totalRows(statement));
}

const toRow = (line: SettlementLine) => [
  formatDate(line.at),
  formatTime(line.at),
  settlementSourceNames[line.source],
  settlementLineKindNames[line.kind],
  plain(line.label),
  decimal(line.grossCents),
  decimal(line.commissionBasisPoints),
  decimal(line.commissionCents),
  lineReference(line),
];

/** From the sales to the remainder, each cent in one row; a total is not added again. */
function totalRows(statement: SettlementStatement) {
  const row = (nature: string, name: string, cents: number) => [
    "",
    "",
    "",
    nature,
    plain(name),
    decimal(cents),
    "",
    "",
    "",
  ];
  return [
    ...statementSteps(statement).map(({ label, cents, isTotal }) =>
      row(isTotal ? "Total" : "Relevé", label, cents),
    ),
    row("Contrôle", statementNames.control, statement.controlCents),
  ];
}
