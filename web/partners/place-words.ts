// The words for a place: its distance, its opening.
import { formatDayInWords, thin } from "#contract/french.ts";
import type { Opening } from "#contract/partners/rows.ts";

/** « 120 m », « 3,4 km ». */
export function distanceText(metres: number): string {
  if (metres < 950) return `${Math.max(10, Math.round(metres / 10) * 10)}${thin}m`;
  const km = metres / 1000;
  return `${km.toFixed(km < 10 ? 1 : 0).replace(".", ",")}${thin}km`;
}

const weekdays = ["lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"];

/** 1 is Monday. */
export const weekdayName = (weekday: number): string => weekdays[weekday - 1] ?? "";

/** What follows « Ouvert » or « Fermé »: « jusqu’à 19:00 », « ouvre demain à 09:30 ». */
export function untilText({ open, until, next }: Opening): string {
  if (open) return until === "24:00" || until === null ? "jusqu’à minuit" : `jusqu’à ${until}`;
  if (!next) return "";
  if (next.inDays === 0) return `ouvre à ${next.at}`;
  if (next.inDays === 1) return `ouvre demain à ${next.at}`;
  if (next.inDays > 6) return `ouvre le ${formatDayInWords(next.on)} à ${next.at}`;
  return `ouvre ${weekdayName(weekdayOf(next.on))} à ${next.at}`;
}

/** The weekday of a day, 1 for Monday. */
const weekdayOf = (day: string): number => ((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7) + 1;
