// Text for an operator's terminal or file. Part of it was written by users: a control character could move
// the cursor or overwrite lines above, a bidirectional one could show another order.

// Controls and format characters of Unicode, and its two separators; line breaks are allowed.
const unprintable = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** `text` with each control or invisible character escaped, as `\u202e`. Line breaks stay. */
export const printable = (text: string): string =>
  text.replaceAll(
    unprintable,
    (mark) => `\\u${(mark.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );
