// Card numbers: ten digits, the first tells the kind of account, the last is Luhn's check digit.
import { randomInt } from "node:crypto";
import { isCardnumber } from "#contract/endpoint.ts";

/** The number made of a kind of account and an eight-digit serial. */
export function numberOf(type: 1 | 2, serial: number): number {
  const body = type * 1_000_000_000 + serial * 10;
  const check = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].find((digit) => isCardnumber(body + digit));
  if (check === undefined) throw new Error(`${serial} is not a serial of eight digits`);
  return body + check;
}

/**
 * A number that cannot be guessed from another one. It may be taken: the caller then tries again (issue.ts).
 */
export const drawNumber = (type: 1 | 2): number =>
  numberOf(type, randomInt(10_000_000, 100_000_000));

/** How a message names a card: its last four digits; the whole number is never sent. */
export const last4 = (number: number) => String(number).slice(-4);
