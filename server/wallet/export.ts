// Movements as a table for a spreadsheet, the way a French one opens it by a double click.
import { formatDate, formatTime } from "#contract/french.ts";
import { movementKindNames } from "#contract/wallet/rows.ts";
import type { Db } from "#server/db/db.ts";
import { csvOf, decimal, plain } from "#server/http/csv.ts";
import { allMovements, labelOnPaper, type MovementSearch } from "./movements.ts";
import type { WalletState } from "./states.ts";

/** CSV: semicolons, CRLF, UTF-8 with BOM, decimal commas; no cell starts a formula. */
export async function movementsCsv(
  db: Db,
  wallet: WalletState,
  search: MovementSearch,
): Promise<string> {
  const movements = await allMovements(db, wallet, search);
  const rows = movements.map((movement) => [
    formatDate(movement.at),
    formatTime(movement.at),
    movementKindNames[movement.kind],
    plain(labelOnPaper(movement)),
    decimal(movement.amountCents),
    decimal(movement.balanceAfterCents),
  ]);
  const header = ["Date", "Heure", "Opération", "Libellé", "Montant (€)", "Solde (€)"];
  return csvOf([header, ...rows]);
}
