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

test("an event in UTC, its text escaped, every line ended by CR LF", () => {
  const lines = calendarFile([event], new Date("2026-11-01T08:00:00Z")).split("\r\n");
  expect(lines).toEqual([
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Ma carte//Portail//FR",
    "CALSCALE:GREGORIAN",
    "METHOD:PUBLISH",
    "BEGIN:VEVENT",
    "UID:1@exemple.fr",
    "DTSTAMP:20261101T080000Z",
    "DTSTART:20261122T193000Z",
    "DTEND:20261122T210000Z",
    String.raw`SUMMARY:Été\, vent \; et \\ mer`,
    "LOCATION:Halle du Port",
    String.raw`DESCRIPTION:Un\ndeux `,
    "URL:https://exemple.fr/services/E-Billet",
    "END:VEVENT",
    "END:VCALENDAR",
    "",
  ]);
});

test("no line is longer than 75 bytes, no character is cut, and unfolded it is what it was", () => {
  const title = "Fête à l’été 🎭 ".repeat(20).trim();
  const file = calendarFile([{ ...event, title }], event.startsAt);
  const sizes = file.split("\r\n").map((line) => Buffer.byteLength(line));
  expect(Math.max(...sizes)).toBeLessThanOrEqual(75);
  expect(file).not.toContain("\uFFFD");
  expect(file.replaceAll("\r\n ", "")).toContain(`SUMMARY:${title}\r\n`);
});
