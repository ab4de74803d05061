// How a rider is told when a bus leaves.
import { formatDate, formatTime, meridiemOf } from "#contract/french.ts";

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
  const today = dayOf(new Date(nowMs));
  const day = dayOf(new Date(at));
  if (day === today) return "";
  const late = Number(formatTime(new Date(nowMs)).slice(0, 2)) >= 18;
  if (day === dayAfter(today, 1)) return late && isNight(at) ? "cette nuit" : "demain";
  return day < dayAfter(today, 7) ? weekday.format(new Date(at)) : formatDate(at);
}

const isNight = (at: string): boolean => Number(formatTime(at).slice(0, 2)) < 4;

/** The day of an instant in Paris, YYYY-MM-DD. */
export function dayOf(moment: Date): string {
  const [day, month, year] = formatDate(moment).split("/");
  return `${year}-${month}-${day}`;
}

/** A day so many days later. */
export function dayAfter(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

interface Hour {
  hour: string;
  minutes: string[];
}

/**
 * Departures of a day in their order, by half of the day (PD, MD: spec §9) and hour: « 08 » with its
 * minutes. What rides past midnight stands in a PD of its own.
 */
export function byHalf(times: readonly string[]): { half: string; hours: Hour[] }[] {
  const halves: { half: string; hours: Hour[] }[] = [];
  for (const time of times) {
    const half = meridiemOf(time);
    if (halves.at(-1)?.half !== half) halves.push({ half, hours: [] });
    const hours = halves.at(-1)?.hours ?? [];
    const [hour = "", minute = ""] = formatTime(time).split(":");
    const last = hours.at(-1);
    if (last?.hour === hour) last.minutes.push(minute);
    else hours.push({ hour, minutes: [minute] });
  }
  return halves;
}
