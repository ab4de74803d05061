// CSV that a French spreadsheet opens by a double click.
import { stringify } from "csv-stringify/sync";

type Rows = readonly (readonly (string | number)[])[];

const stringifyRows = (rows: Rows, bom: boolean): string =>
  stringify(rows as (string | number)[][], { delimiter: ";", bom, record_delimiter: "\r\n" });

/** CSV: semicolons, CRLF, UTF-8 with BOM. Text that somebody wrote goes through `plain` first. */
export const csvOf = (rows: Rows): string => stringifyRows(rows, true);

/** Further rows of a file that `csvOf` began. */
export const csvContinuation = (rows: Rows): string => stringifyRows(rows, false);

/** Text that a spreadsheet would compute as a formula gets an apostrophe. */
export const plain = (text: string): string => (/^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text);

/** Cents as a number with a decimal comma, signed when it is negative. */
export const decimal = (cents: number): string => {
  const digits = String(Math.abs(cents)).padStart(3, "0");
  return `${cents < 0 ? "-" : ""}${digits.slice(0, -2)},${digits.slice(-2)}`;
};
