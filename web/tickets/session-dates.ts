// Dates of sessions as people say them.
import { formatDayInWords } from "#contract/french.ts";

const zone = "Europe/Paris";
const short = new Intl.DateTimeFormat("fr-FR", {
  timeZone: zone,
  weekday: "short",
  day: "numeric",
  month: "short",
});
const clock = new Intl.DateTimeFormat("fr-FR", {
  timeZone: zone,
  hour: "2-digit",
  minute: "2-digit",
});

/** « Samedi 5 décembre à 20:30 » */
export function whenOf(startsAt: string): string {
  const at = new Date(startsAt);
  const said = formatDayInWords(at);
  return `${said.charAt(0).toUpperCase()}${said.slice(1)} à ${clock.format(at)}`;
}

/** « sam. 5 déc. », « mar. 1er déc. » or, of several sessions, « du sam. 5 déc. au dim. 6 déc. » */
export function datesOf({ firstAt, lastAt }: { firstAt: string; lastAt: string }): string {
  const day = (at: string) => short.format(new Date(at)).replace(" 1 ", " 1er ");
  const [first, last] = [day(firstAt), day(lastAt)];
  return first === last
    ? `${first} à ${clock.format(new Date(firstAt))}`
    : `du ${first} au ${last}`;
}

/** Tells a session from the others; in the order of their beginnings. */
export const sessionOf = ({ title, startsAt }: { title: string; startsAt: string }): string =>
  `${startsAt} ${title}`;
