// Calendar files (RFC 5545). Instants are written in UTC, which every calendar shows at the time of its
// own place: no table of the changes of clock is needed for events that happen once.

export interface CalendarEvent {
  /** The same for ever, so that a file opened twice leaves one event. */
  uid: string;
  startsAt: Date;
  endsAt: Date;
  title: string;
  place: string;
  description: string;
  url: string;
  /** When it was last changed; the file's own time where it is not told. */
  changedAt?: Date;
  /** Larger after a change that calendars must see. */
  sequence?: number;
  cancelled?: boolean;
}

/** What a calendar that is subscribed to is called, and how often it is worth reading again (RFC 7986). */
export interface CalendarFeed {
  name: string;
  refreshHours: number;
}

/** The file that a calendar opens or imports; lines end as the RFC asks, none is longer than 75 bytes. */
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
          "X-WR-TIMEZONE:Europe/Paris",
          `REFRESH-INTERVAL;VALUE=DURATION:PT${feed.refreshHours}H`,
        ]
      : []),
    ...events.flatMap((event) => eventLines(event, madeAt)),
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${fold(line)}\r\n`).join("");
}

const eventLines = (event: CalendarEvent, madeAt: Date): string[] => [
  "BEGIN:VEVENT",
  `UID:${event.uid}`,
  `DTSTAMP:${utc(event.changedAt ?? madeAt)}`,
  `DTSTART:${utc(event.startsAt)}`,
  `DTEND:${utc(event.endsAt)}`,
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

/** 20261122T193000Z */
const utc = (at: Date): string => `${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`;

/** TEXT of section 3.3.11; other control characters, which it does not allow, become spaces. */
const escaped = (text: string): string =>
  text
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll(/\r\n|\r|\n/g, String.raw`\n`)
    .replaceAll(/\p{Cc}/gu, " ");

/** Section 3.1: at most 75 bytes a line, what follows after a break and a space; no character is cut. */
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
