// Texts in the characters that every bank of SEPA reads (EPC 217-08): letters without accents, digits, some
// signs.

/** Replacements that banks expect for letters that are no Latin letter with an accent, and for signs. */
const written: Readonly<Record<string, string>> = {
  œ: "oe",
  Œ: "OE",
  æ: "ae",
  Æ: "AE",
  ß: "ss",
  ẞ: "SS",
  ø: "o",
  Ø: "O",
  ł: "l",
  Ł: "L",
  đ: "d",
  Đ: "D",
  ð: "d",
  Ð: "D",
  þ: "th",
  Þ: "TH",
  ħ: "h",
  Ħ: "H",
  ı: "i",
  "&": "+",
  "’": "'",
  "‘": "'",
  "–": "-",
  "—": "-",
};
const others = new RegExp(`[${Object.keys(written).join("")}]`, "gu");

/** Letters, digits and the signs of the SEPA set; others become a space. At most `max` characters. */
export function sepaText(text: string, max: number): string {
  const plain = text
    .normalize("NFC")
    .replaceAll(others, (sign) => written[sign] ?? sign)
    .normalize("NFKD")
    .replaceAll(/\p{Diacritic}/gu, "")
    .replaceAll(/[^A-Za-z0-9/\-?:().,'+ ]/g, " ")
    .replaceAll(/ +/g, " ");
  // No field begins or ends with a slash, none has two of them together.
  return plain
    .replaceAll(/\/{2,}/g, "/")
    .trim()
    .replaceAll(/^\/|\/$/g, "")
    .slice(0, max)
    .trim();
}

/** Whether the name of an account's holder is readable to a bank that reads Latin letters alone. */
export const isBankName = (name: string): boolean => /[A-Za-z]/.test(sepaText(name, 70));
