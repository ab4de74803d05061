// Card numbers: ten digits, the first tells the kind of account, the last is Luhn's check digit.
import { sql } from "kysely";
import { isCardnumber } from "#contract/endpoint.ts";
import type { Tx } from "#server/db/db.ts";

/** The number made of a kind of account and an eight-digit serial. */
export function numberOf(type: 1 | 2, serial: number): number {
  const body = type * 1_000_000_000 + serial * 10;
  const check = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].find((digit) => isCardnumber(body + digit));
  if (check === undefined) throw new Error(`${serial} is not a serial of eight digits`);
  return body + check;
}

/** The next number of the scheme. One that is never used leaves a gap, which harms nobody. */
export async function nextNumber(tx: Tx, type: 1 | 2): Promise<number> {
  const sequence = type === 1 ? "card_serial_holder" : "card_serial_professional";
  const { rows } = await sql<{ serial: number }>`select nextval(${sequence}) as serial`.execute(tx);
  return numberOf(type, rows[0]?.serial ?? 0);
}

/** How a message names a card: its last four digits, the number stays out of the post. */
export const ending = (number: number) => String(number).slice(-4);
