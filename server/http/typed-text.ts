// Text that people type or paste into files: replaces the characters that word processors and keyboards put
// for a hyphen or an apostrophe, and extracts addresses as mail programs copy them.

/**
 * `text` with one hyphen and one straight apostrophe for those that only look like them; « ’ » stays as it
 * is.
 */
export const plainPunctuation = (text: string): string =>
  text
    .replaceAll(/[\u2010-\u2013\u2212\ufe63\uff0d]/g, "-")
    .replaceAll(/[\u00b4`\u02b9\u02bc\u2018\u2032\uff07]/g, "'");

/**
 * The address of « Ana Roux <ana@x.fr> », « mailto:ana@x.fr », « ana @x.fr » or « ana@x.fr; ». A space
 * elsewhere stays: a character might be missing there.
 */
export function plainEmail(typed: string): string {
  const [, inside = typed] = /^[^<>]*<([^<>]*)>[\s,;]*$/.exec(typed) ?? [];
  return plainPunctuation(inside)
    .trim()
    .replace(/^mailto:/i, "")
    .replace(/[,;]$/, "")
    .replaceAll(/(?<!\s)\s+(?=[@.])|(?<=[@.])\s+/g, "")
    .trim();
}
