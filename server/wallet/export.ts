// Movements as CSV, in the form that a French spreadsheet opens by a double click.
import { Readable } from "node:stream";
import { formatDate, formatTime } from "#contract/french.ts";
import { type Movement, movementKindNames } from "#contract/wallet/rows.ts";
import { reading } from "#server/db/replica.ts";
import { csvContinuation, csvOf, decimal, plain } from "#server/http/csv.ts";
import type { Deps } from "#server/process/deps.ts";
import { labelOnPaper, movementPage, movementPages, type MovementSearch } from "./movements.ts";
import type { WalletState } from "./states.ts";

/**
 * CSV of every line that matches the search, streamed: semicolons, CRLF, UTF-8 with BOM, decimal commas; no
 * cell starts a formula.
 */
export const movementsCsv = (deps: Deps, wallet: WalletState, search: MovementSearch): Readable =>
  Readable.from(csvPages(deps, wallet, search));

async function* csvPages(deps: Deps, wallet: WalletState, search: MovementSearch) {
  yield csvOf([["Date", "Heure", "Opération", "Libellé", "Montant (€)", "Solde (€)"]]);
  const readPage = (one: MovementSearch) => reading(deps, (db) => movementPage(db, wallet, one));
  for await (const page of movementPages(readPage, search)) {
    if (page.length > 0) yield csvContinuation(page.map(toRow));
  }
}

const toRow = (movement: Movement) => [
  formatDate(movement.at),
  formatTime(movement.at),
  movementKindNames[movement.kind],
  plain(labelOnPaper(movement)),
  decimal(movement.amountCents),
  decimal(movement.balanceAfterCents),
];
