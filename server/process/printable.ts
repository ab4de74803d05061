// Text for an operator's screen or file. Part of it was written by users: a control character would move the
// cursor or rewrite what stands above, a bidirectional one would show another order.

// Controls and format characters of Unicode, and its two separators; ends of line are left.
const unprintable = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** `text` with each control or invisible mark written out, as `\u202e`. Line ends stay. */
export const printable = (text: string): string =>
  text.replaceAll(
    unprintable,
    (mark) => `\\u${(mark.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );
