// Numbers of documents: one series for invoices, one for credit notes, each from 1 every year, without a
// gap. The counter is a row, not a sequence: it is locked until the document is there, or undone with it.
import { sql } from "kysely";
import type { InvoiceKind } from "#contract/invoices/states.ts";
import type { Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";

/** Letter of the series: « F2026-00042 » and « A2026-00003 » (avoir). */
const seriesOf: Readonly<Record<InvoiceKind, string>> = { invoice: "F", credit_note: "A" };

/** The number that a document takes, held by the lock of its series. */
export interface Slot {
  series: string;
  year: number;
  sequence: number;
  number: string;
  /** The requested day, or that of the document before where it is later. */
  issuedOn: string;
}

/** Locks the series of a kind in the year of a day, until the transaction ends. */
export async function lockSeries(tx: Tx, kind: InvoiceKind, day: string): Promise<Slot> {
  const series = seriesOf[kind];
  const year = Number(day.slice(0, 4));
  await sql`insert into invoice_counter (series, year, last) values (${series}, ${year}, 0)
    on conflict do nothing`.execute(tx);
  const { last, lastOn } = await query(tx).one(sql<{ last: number; lastOn: string | null }>`
    select last, last_on from invoice_counter
    where series = ${series} and year = ${year} for update`);
  const sequence = last + 1;
  const number = `${series}${year}-${String(sequence).padStart(5, "0")}`;
  return { series, year, sequence, number, issuedOn: lastOn && lastOn > day ? lastOn : day };
}

/** Counts a number as taken; the lock on its series is held. */
export async function takeSlot(tx: Tx, { series, year, sequence, issuedOn }: Slot): Promise<void> {
  await sql`update invoice_counter set last = ${sequence}, last_on = ${issuedOn}
    where series = ${series} and year = ${year}`.execute(tx);
}

/** The creditor reference of a number (ISO 11649): transfers quote it, with two check digits. */
export function referenceOf(number: string): string {
  const body = number.replaceAll(/[^A-Z0-9]/g, "");
  const digits = `${body}RF00`.replaceAll(/[A-Z]/g, (sign) => String(Number.parseInt(sign, 36)));
  return `RF${String(98n - (BigInt(digits) % 97n)).padStart(2, "0")}${body}`;
}
