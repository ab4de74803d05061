// Characters of the typeface of PDF pages (Source Sans 3): Latin, Greek and Cyrillic letters, and signs.
// Others would be drawn as an empty box: they are refused when somebody writes a text that will be printed.
import * as z from "zod/mini";
import * as c from "#contract/endpoint.ts";
import { Problem } from "#contract/errors.ts";

const unprinted =
  /[^\u0300-\u030d\u0323-\u032a\t\n\r\x20-\x7e\u00a0-\u0181\u018e-\u0190\u0192-\u0194\u01a0\u01a1\u01af\u01b0\u01cd-\u01dc\u01e6\u01e7\u01ea\u01eb\u01f4\u01f5\u01f8-\u0201\u0218-\u021b\u0259\u0384-\u038a\u038c\u038e-\u03a1\u03a3-\u03ce\u0400-\u045f\u0490-\u0493\u1e02\u1e03\u1e0a-\u1e11\u1e9e-\u1ef9\u2009-\u200a\u2010-\u201e\u2020-\u2022\u2026\u202f-\u2033\u2039\u203a\u2044\u20ac\u2116\u2122\u2212]/gu;

/** « 李 » of « Ana 李 »: the characters of a text that cannot be printed, each once; "" where all can. */
export const unprintedIn = (text: string): string =>
  [...new Set(text.normalize("NFC").match(unprinted) ?? [])].join("");

const refusalOf = (signs: string): string => `${signs} ne s'imprime pas`;

/**
 * Refuses `invalid_input` for a text that pages cannot print; `whose` names what must be written without
 * these characters.
 */
export function requirePrinted(text: string, whose: string, field?: string): void {
  const signs = unprintedIn(text);
  if (signs === "") return;
  const what = `${refusalOf(signs)}\u202f: écrivez ${whose} sans ces signes`;
  throw new Problem("invalid_input", { ...(field !== undefined && { field }), what });
}

/** A text of 1 to `max` characters, all of which pages can print. */
export const printedText = (max: number) =>
  c.text(max, 1).check(
    z.refine((text) => unprintedIn(text) === "", {
      error: ({ input }) => refusalOf(unprintedIn(String(input))),
    }),
  );
