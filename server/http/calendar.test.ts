import { expect, test } from "vitest";
import { calendarFile } from "./calendar.ts";

const event = {
  uid: "1@exemple.fr",
  startsAt: new Date("2026-11-22T19:30:00.000Z"),
  endsAt: new Date("2026-11-22T21:00:00.000Z"),
  title: String.raw`Été, vent ; et \ mer`,
  place: "Halle du Port",
  description: "Un\r\ndeux\u0007",
  url: "https://exemple.fr/services/E-Billet",
};

test("an event in hours of Paris, with its zone, its text escaped, every line ended by CR LF", () => {
  const lines = calendarFile([event], new Date("2026-11-01T08:00:00Z")).split("\r\n");
  expect(lines).toEqual([
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Ma carte//Portail//FR",
    "CALSCALE:GREGORIAN",
    "METHOD:PUBLISH",
    "BEGIN:VTIMEZONE",
    "TZID:Europe/Paris",
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
    "BEGIN:VEVENT",
    "UID:1@exemple.fr",
    "DTSTAMP:20261101T080000Z",
    "DTSTART;TZID=Europe/Paris:20261122T203000",
    "DTEND;TZID=Europe/Paris:20261122T220000",
    String.raw`SUMMARY:Été\, vent \; et \\ mer`,
    "LOCATION:Halle du Port",
    String.raw`DESCRIPTION:Un\ndeux `,
    "URL:https://exemple.fr/services/E-Billet",
    "END:VEVENT",
    "END:VCALENDAR",
    "",
  ]);
});

test("the hour that October repeats is told in UTC, the one before in hours of Paris", () => {
  const startsAt = new Date("2026-10-24T23:30:00Z");
  const endsAt = new Date("2026-10-25T00:30:00Z");
  const file = calendarFile([{ ...event, startsAt, endsAt }], startsAt);
  expect(file).toContain("DTSTART;TZID=Europe/Paris:20261025T013000\r\nDTEND:20261025T003000Z\r\n");
});

test("no line is longer than 75 bytes, no character is cut, and unfolded it is what it was", () => {
  const title = "Fête à l’été 🎭 ".repeat(20).trim();
  const file = calendarFile([{ ...event, title }], event.startsAt);
  const sizes = file.split("\r\n").map((line) => Buffer.byteLength(line));
  expect(Math.max(...sizes)).toBeLessThanOrEqual(75);
  expect(file).not.toContain("\uFFFD");
  expect(file.replaceAll("\r\n ", "")).toContain(`SUMMARY:${title}\r\n`);
});
