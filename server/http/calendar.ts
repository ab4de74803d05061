// Calendar files (RFC 5545). Events are written in Paris time, with its time zone: a calendar shows and moves
// them as hours of the place where they happen.
import { parisDay, parisTime } from "#contract/days.ts";

export interface CalendarEvent {
  /** Never changes, so that a file opened twice leaves one event. */
  uid: string;
  startsAt: Date;
  endsAt: Date;
  title: string;
  place: string;
  description: string;
  url: string;
  /** When it was last changed; the file's own time by default. */
  changedAt?: Date;
  /** Larger after a change that calendars must see. */
  sequence?: number;
  cancelled?: boolean;
}

/** Name of a subscribed calendar, and how often to read it again (RFC 7986). */
export interface CalendarFeed {
  name: string;
  refreshHours: number;
}

/** The file that a calendar opens or imports; lines end as the RFC requires, none is longer than 75 bytes. */
export function calendarFile(
  events: readonly CalendarEvent[],
  madeAt: Date,
  feed?: CalendarFeed,
): string {
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Ma carte//Portail//FR",
    "CALSCALE:GREGORIAN",
    "METHOD:PUBLISH",
    ...(feed
      ? [
          `NAME:${escaped(feed.name)}`,
          // Calendars that do not know the RFC's names know these.
          `X-WR-CALNAME:${escaped(feed.name)}`,
          `X-WR-TIMEZONE:${zone}`,
          `REFRESH-INTERVAL;VALUE=DURATION:PT${feed.refreshHours}H`,
        ]
      : []),
    ...parisZone,
    ...events.flatMap((event) => eventLines(event, madeAt)),
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${fold(line)}\r\n`).join("");
}

const zone = "Europe/Paris";

/** Section 3.6.5: the changes of clock since 1996, when the last one of the year moved to October. */
const parisZone: readonly string[] = [
  "BEGIN:VTIMEZONE",
  `TZID:${zone}`,
  "BEGIN:DAYLIGHT",
  "DTSTART:19960331T020000",
  "TZOFFSETFROM:+0100",
  "TZOFFSETTO:+0200",
  "TZNAME:CEST",
  "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU",
  "END:DAYLIGHT",
  "BEGIN:STANDARD",
  "DTSTART:19961027T030000",
  "TZOFFSETFROM:+0200",
  "TZOFFSETTO:+0100",
  "TZNAME:CET",
  "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU",
  "END:STANDARD",
  "END:VTIMEZONE",
];

const eventLines = (event: CalendarEvent, madeAt: Date): string[] => [
  "BEGIN:VEVENT",
  `UID:${event.uid}`,
  `DTSTAMP:${utc(event.changedAt ?? madeAt)}`,
  `DTSTART${atParis(event.startsAt)}`,
  `DTEND${atParis(event.endsAt)}`,
  `SUMMARY:${escaped(event.title)}`,
  `LOCATION:${escaped(event.place)}`,
  `DESCRIPTION:${escaped(event.description)}`,
  `URL:${event.url}`,
  ...(event.sequence === undefined ? [] : [`SEQUENCE:${event.sequence}`]),
  ...(event.cancelled === undefined
    ? []
    : [`STATUS:${event.cancelled ? "CANCELLED" : "CONFIRMED"}`]),
  "END:VEVENT",
];

/**
 * `;TZID=Europe/Paris:20261122T203000`; an hour that October repeats is written in UTC: readers disagree on
 * it.
 */
function atParis(at: Date): string {
  const time = clock(at);
  const isRepeated = [-hourMs, hourMs].some((ms) => clock(new Date(at.getTime() + ms)) === time);
  return isRepeated ? `:${utc(at)}` : `;TZID=${zone}:${time}`;
}

const hourMs = 3_600_000;

/** 20261122T203000, an instant in Paris time. */
const clock = (at: Date): string =>
  `${`${parisDay(at)}T${parisTime(at)}`.replaceAll(/[-:]/g, "")}00`;

/** 20261122T193000Z */
const utc = (at: Date): string => `${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`;

/** TEXT of section 3.3.11; other control characters, which it does not allow, become spaces. */
const escaped = (text: string): string =>
  text
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll(/\r\n|\r|\n/g, String.raw`\n`)
    .replaceAll(/\p{Cc}/gu, " ");

/** Section 3.1: at most 75 bytes a line, the rest after a break and a space; no character is cut. */
function fold(line: string): string {
  const parts: string[] = [];
  let part = "";
  let bytes = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > 75) {
      parts.push(part);
      part = "";
      // The space that begins the next line counts too.
      bytes = 1;
    }
    part += character;
    bytes += size;
  }
  return [...parts, part].join("\r\n ");
}
