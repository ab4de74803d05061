// An amount as it is typed at a till: figures fill it from the cents, as on a payment terminal, until a comma says
// that those before it are euros.
import { parseMoney } from "#contract/french.ts";

/** Keystrokes so far: « 1250 » and « 12,5 » are both 12,50 €. Empty while nothing is typed. */
export type AmountEntry = string;

/** The keys of the keypad, and those of a keyboard that mean the same. */
export const keypadKeys = [
  "1",
  "2",
  "3",
  "4",
  "5",
  "6",
  "7",
  "8",
  "9",
  "00",
  "0",
  "Backspace",
] as const;

const maxFigures = 7;

/** The entry after a key; null for a key that no amount is typed with. */
export function pressKey(entry: AmountEntry, key: string): AmountEntry | null {
  if (key === "00") return pressKey(pressKey(entry, "0") ?? entry, "0");
  if (key === "Backspace" || key === "Delete") return entry.slice(0, -1);
  if (key === "," || key === ".") {
    return entry.includes(",") ? entry : `${entry === "" ? "0" : entry},`;
  }
  if (!/^\d$/.test(key)) return null;
  const [, decimals] = entry.split(",");
  if (decimals !== undefined) return decimals.length < 2 ? entry + key : entry;
  const next = (entry + key).replace(/^0+/, "");
  return next.length > maxFigures ? entry : next;
}

/** In cents; null while nothing is typed. */
export function centsOfEntry(entry: AmountEntry): number | null {
  if (entry === "") return null;
  const [figures = "", decimals] = entry.split(",");
  return decimals === undefined
    ? Number(figures)
    : Number(figures) * 100 + Number(decimals.padEnd(2, "0"));
}

/** What the field shows: « 12,50 », « 12, » once the comma is typed. */
export function displayEntry(entry: AmountEntry): string {
  const cents = centsOfEntry(entry);
  return cents === null || entry.includes(",") ? entry : (cents / 100).toFixed(2).replace(".", ",");
}

/**
 * The entry after the field itself was changed, where no key was told: by a paste, dictation or the keyboard of a
 * phone. A written amount is read as people write it: « 8 » is 8 €.
 */
export function changeEntry(entry: AmountEntry, text: string): AmountEntry {
  const shown = displayEntry(entry);
  if (text === shown.slice(0, -1)) return pressKey(entry, "Backspace") ?? entry;
  const added = text.startsWith(shown) && shown !== "" ? text.slice(shown.length) : null;
  if (added !== null && /^[\d,.]+$/.test(added)) {
    return added.split("").reduce((now, key) => pressKey(now, key) ?? now, entry);
  }
  const cents = parseMoney(text);
  if (cents !== null) return cents === 0 ? "" : String(cents);
  return text.trim() === "" ? "" : entry;
}
