// Calendar days as people write them (03/04/2026) and as the portal keeps them (2026-04-03). Days are
// counted in UTC, so that no time zone and no clock change moves them.
import { dayMs } from "#contract/days.ts";
import { formatDate } from "#contract/french.ts";

/** Two digits of a year mean at most this many years ahead, else the century before. */
const yearsAhead = 20;

/** Whether a text is an existing day, YYYY-MM-DD. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const at = Date.parse(text);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

const toDay = (at: number): string => new Date(at).toISOString().slice(0, 10);
const pad = (digits: string): string => digits.padStart(2, "0");

function yearOf(digits: string, today: string): string {
  if (digits.length === 4) return digits;
  const now = Number(today.slice(0, 4));
  const year = Math.floor(now / 100) * 100 + Number(digits);
  return String(year > now + yearsAhead ? year - 100 : year);
}

/**
 * The day that a person wrote, as YYYY-MM-DD: « 03/04/2026 », « 3-4-26 », « 3 4 2026 », « 03042026 »,
 * or an ISO day that was pasted. Null when it is no day that exists. The order is always day, month,
 * year. With `whole`, a year of two digits does not count yet: two more may follow.
 */
export function parseDay(text: string, today: string, whole = false): string | null {
  const plain = text.trim();
  if (isDay(plain)) return plain;
  const year = whole ? String.raw`(\d{4})` : String.raw`(\d{4}|\d{2})`;
  const apart = new RegExp(String.raw`^(\d{1,2})\s*[/.\-\s]\s*(\d{1,2})\s*[/.\-\s]\s*${year}$`);
  const joined = new RegExp(String.raw`^(\d{2})(\d{2})${year}$`);
  const parts = apart.exec(plain) ?? joined.exec(plain);
  if (!parts) return null;
  const [, date = "", month = "", written = ""] = parts;
  const day = `${yearOf(written, today)}-${pad(month)}-${pad(date)}`;
  return isDay(day) ? day : null;
}

/** What is shown after a key: the slashes come by themselves, and what is no part of a date does not. */
export function maskDay(before: string, typed: string): string {
  const cleaned = typed.replaceAll(/[^\d/.\-\s]/g, "");
  if (cleaned.length !== before.length + 1) return cleaned;
  const slashed = cleaned.replaceAll(/[/.\-\s]+/g, "/");
  return /^(\d{2}|\d{1,2}\/\d{2})$/.test(slashed) ? `${slashed}/` : slashed;
}

interface Bounds {
  min?: string | undefined;
  max?: string | undefined;
}

/**
 * The fault of the value of a date field, in words; false when there is none. `missing` is said of an empty
 * field: without it, the field may stay empty.
 */
export function dayFault(
  value: string,
  bounds: Bounds & { missing?: string } = {},
): string | false {
  const { min, max, missing } = bounds;
  if (value.trim() === "") return missing ?? false;
  if (!isDay(value))
    return "Cette date n’existe pas. Écrivez le jour, le mois et l’année\u202f: 27/03/2026.";
  if ((min && value < min) || (max && value > max))
    return `Choisissez une date ${spanOf({ min, max })}.`;
  return false;
}

function spanOf({ min, max }: Bounds): string {
  if (min && max) return `du ${formatDate(min)} au ${formatDate(max)}`;
  return min ? `à partir du ${formatDate(min)}` : `jusqu’au ${formatDate(max ?? "")}`;
}

/** The day that is `count` days later; earlier when negative. */
export const addDays = (day: string, count: number): string =>
  toDay(Date.parse(day) + count * dayMs);

/** The same day of the month `count` months later, or the last one of a shorter month. */
export function addMonths(day: string, count: number): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const last = new Date(Date.UTC(year, month + count, 0)).getUTCDate();
  return toDay(Date.UTC(year, month - 1 + count, Math.min(date, last)));
}

/** Days since Monday: 0 for a Monday, 6 for a Sunday. */
export const weekdayOf = (day: string): number => (new Date(day).getUTCDay() + 6) % 7;

/** The weeks of the month of a day, Monday first; null stands for a day of another month. */
export function weeksOf(day: string): (string | null)[][] {
  const first = `${day.slice(0, 8)}01`;
  const count = Number(addDays(addMonths(first, 1), -1).slice(8));
  const cells = [
    ...Array.from({ length: weekdayOf(first) }, () => null),
    ...Array.from({ length: count }, (_, index) => addDays(first, index)),
  ];
  const rows = Math.ceil(cells.length / 7);
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: 7 }, (_cell, column) => cells[row * 7 + column] ?? null),
  );
}
