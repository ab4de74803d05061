// Movements as a table for a spreadsheet, the way a French one opens it by a double click.
import { stringify } from "csv-stringify/sync";
import { formatDate, formatTime } from "#contract/french.ts";
import { movementKindNames } from "#contract/wallet/rows.ts";
import type { Db } from "#server/db/db.ts";
import { allMovements, type MovementSearch } from "./movements.ts";
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
    plain(movement.label),
    decimal(movement.amountCents),
    decimal(movement.balanceAfterCents),
  ]);
  const header = ["Date", "Heure", "Opération", "Libellé", "Montant (€)", "Solde (€)"];
  return stringify([header, ...rows], { delimiter: ";", bom: true, record_delimiter: "\r\n" });
}

/** Amounts carry their sign and are numbers; text that a spreadsheet would compute gets an apostrophe. */
const plain = (text: string): string => (/^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text);

const decimal = (cents: number): string => {
  const digits = String(Math.abs(cents)).padStart(3, "0");
  return `${cents < 0 ? "-" : ""}${digits.slice(0, -2)},${digits.slice(-2)}`;
};
