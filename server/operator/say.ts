// What the command line prints. Part of it was written by users: a control character would move the
// operator's cursor or rewrite what stands above, a bidirectional one would show another order.

// Controls and format characters of Unicode, and its two separators; ends of line are left.
const unprintable = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** `text` with each control or invisible mark written out, as `\u202e`. Line ends stay. */
export const printable = (text: string): string =>
  text.replaceAll(
    unprintable,
    (mark) => `\\u${(mark.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );

/** Prints `text` on the standard output. */
export function say(text: string): void {
  console.log(printable(text));
}

/** Prints one line: an end of line inside it is written out, so that nobody adds a line of their own. */
export function sayLine(line: string): void {
  say(line.replaceAll("\n", "\\n"));
}

/** Prints `text` on the error output. */
export function complain(text: string): void {
  console.error(printable(text));
}
