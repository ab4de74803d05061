// An e-mail address: the one rule that the server refuses by and that a form checks before it sends.
import { plainText } from "./plain-text.ts";

export const emailPattern =
  /^(?:[A-Za-z0-9_'+-]+\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/;

/** The input without surrounding blanks and invisible characters: neither belongs to an address. */
export const trimEmail = (typed: string): string => plainText(typed).trim();

/** Whether the input is a whole address. */
export const isEmail = (typed: string): boolean => emailPattern.test(trimEmail(typed));
