// Working days in France: week-ends, public holidays, and what comes so many of them later.
import { addDays, weekdayOf } from "./days.ts";

/** Saturday or Sunday. */
export const isWeekend = (day: string): boolean => weekdayOf(day) > 4;

/** Easter Sunday in the Gregorian calendar, by the method of Butcher (1876). */
function easterOf(year: number): string {
  const [golden, century, inCentury] = [year % 19, Math.floor(year / 100), year % 100];
  const skipped = century - Math.floor(century / 4) - Math.floor((8 * century + 13) / 25);
  const epact = (19 * golden + skipped + 15) % 30;
  const leaps = 2 * (century % 4) + 2 * Math.floor(inCentury / 4);
  const toSunday = (32 + leaps - epact - (inCentury % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * toSunday) / 451);
  return addDays(`${year}-03-22`, epact + toSunday - 7 * late);
}

/**
 * Public holidays of a year in metropolitan France (code du travail, L3133-1), by day with their
 * French names; `alsaceMoselle` adds Good Friday and 26 December (L3134-13).
 */
export function publicHolidays(
  year: number,
  { alsaceMoselle = false }: { alsaceMoselle?: boolean } = {},
): Map<string, string> {
  const easter = easterOf(year);
  const local: [string, string][] = [
    [addDays(easter, -2), "Vendredi saint"],
    [`${year}-12-26`, "Saint-Étienne"],
  ];
  return new Map([
    [`${year}-01-01`, "Jour de l’an"],
    [addDays(easter, 1), "Lundi de Pâques"],
    [`${year}-05-01`, "Fête du Travail"],
    [`${year}-05-08`, "Victoire 1945"],
    [addDays(easter, 39), "Ascension"],
    [addDays(easter, 50), "Lundi de Pentecôte"],
    [`${year}-07-14`, "Fête nationale"],
    [`${year}-08-15`, "Assomption"],
    [`${year}-11-01`, "Toussaint"],
    [`${year}-11-11`, "Armistice 1918"],
    [`${year}-12-25`, "Noël"],
    ...(alsaceMoselle ? local : []),
  ]);
}

export interface Closures {
  /** Days closed beside week-ends and public holidays. */
  closed?: ReadonlySet<string>;
  alsaceMoselle?: boolean;
}

/** Whether work is done on a day: no week-end, no public holiday, no closure. */
export const isWorkingDay = (day: string, { closed, alsaceMoselle = false }: Closures = {}) =>
  !isWeekend(day) &&
  !publicHolidays(Number(day.slice(0, 4)), { alsaceMoselle }).has(day) &&
  !closed?.has(day);

/** The first working day after a day. */
export function nextWorkingDay(day: string, closures?: Closures): string {
  const next = addDays(day, 1);
  return isWorkingDay(next, closures) ? next : nextWorkingDay(next, closures);
}

/** The day that comes `count` working days after a day: « sous deux jours ouvrés ». */
export function workingDaysAfter(day: string, count: number, closures?: Closures): string {
  return count === 0 ? day : workingDaysAfter(nextWorkingDay(day, closures), count - 1, closures);
}

/** The day that comes `count` working days before a day: « deux jours ouvrés avant ». */
export function workingDaysBefore(day: string, count: number, closures?: Closures): string {
  let at = day;
  for (let left = count; left > 0;) {
    at = addDays(at, -1);
    if (isWorkingDay(at, closures)) left -= 1;
  }
  return at;
}
