// When a bus leaves, as riders say it.
import { addDays, parisDay } from "#contract/days.ts";
import { formatDate, formatTime } from "#contract/french.ts";

const minuteMs = 60_000;
const space = "\u00a0";
const weekday = new Intl.DateTimeFormat("fr-FR", { timeZone: "Europe/Paris", weekday: "long" });

/** « maintenant », « dans 4 min », « 14:05 », « demain 06:12 », « lundi 06:12 », « 03/12/2026 06:12 ». */
export function leavesIn(at: string, nowMs: number): string {
  const waitMs = Date.parse(at) - nowMs;
  if (waitMs < minuteMs) return "maintenant";
  if (waitMs < 60 * minuteMs) return `dans ${Math.floor(waitMs / minuteMs)}${space}min`;
  const day = dayWord(at, nowMs);
  return day === "" ? formatTime(at) : `${day} ${formatTime(at)}`;
}

/** « » today, « cette nuit », « demain », then the day of the week, then the date. */
export function dayWord(at: string, nowMs: number): string {
  const today = parisDay(new Date(nowMs));
  const day = parisDay(new Date(at));
  if (day === today) return "";
  const late = Number(formatTime(new Date(nowMs)).slice(0, 2)) >= 18;
  if (day === addDays(today, 1)) return late && isNight(at) ? "cette nuit" : "demain";
  return day < addDays(today, 7) ? weekday.format(new Date(at)) : formatDate(at);
}

const isNight = (at: string): boolean => Number(formatTime(at).slice(0, 2)) < 4;
