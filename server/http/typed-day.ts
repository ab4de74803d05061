// A day as people and spreadsheets write it in a file.
import * as z from "zod/mini";
import { parisDay } from "#contract/days.ts";
import * as c from "#contract/endpoint.ts";
import { plainPunctuation } from "./typed-text.ts";

const yearFirst = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ](.+))?$/;
const dayFirst = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})(?:[T ](.+))?$/;
const timeForm = /^(\d{1,2})(:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(Z|[+-]\d\d:?\d\d)?$/;

/**
 * The ISO day of « 7/12/2026 », « 07.12.2026 », « 2026-12-07 » or « 2026-12-07T00:00:00+01:00 »: of a time
 * with its zone, the day that it is in Paris. Null for anything else, a year of two digits too.
 */
export function dayIn(typed: string): string | null {
  const plain = plainPunctuation(typed).replaceAll(/\s+/g, " ");
  const [, first, month, last, time] = yearFirst.exec(plain) ?? dayFirst.exec(plain) ?? [];
  if (!first || !month || !last) return null;
  const [year, day] = first.length === 4 ? [first, last] : [last, first];
  const iso = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  if (!z.safeParse(c.day, iso).success) return null;
  if (time === undefined) return iso;
  const [, hours, rest, zone] = timeForm.exec(time.trim()) ?? [];
  if (!hours || !rest) return null;
  const instant = new Date(`${iso}T${hours.padStart(2, "0")}${rest}${zone ?? "Z"}`);
  if (Number.isNaN(instant.getTime())) return null;
  return zone ? parisDay(instant) : iso;
}
