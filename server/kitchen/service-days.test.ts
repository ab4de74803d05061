// On which days canteens serve: weekdays, public holidays, school holidays by zone, closings.
import { afterAll, beforeAll, expect, test } from "vitest";
import { schoolHolidays, schoolZones } from "#contract/kitchen/school-calendar.ts";
import { addDays, weekdayOf } from "#contract/days.ts";
import { makeCanteen } from "#tests/canteens.ts";
import { openTestServer, type TestServer } from "#tests/test-server.ts";
import { calendarOf, serviceCalendars } from "./service-days.ts";

let server: TestServer;
beforeAll(async () => void (server = await openTestServer()));
afterAll(() => server.close());

type Pattern = Parameters<typeof calendarOf>[0];
const school: Pattern = {
  kind: "school",
  zone: "B",
  alsaceMoselle: false,
  weekdays: 0b0011011,
  closings: [],
};
const why = (day: string, more: Partial<Pattern> = {}) =>
  calendarOf({ ...school, ...more }).closedWhy(day);

test("closedWhy: the weekdays of the canteen, Monday first", () => {
  const week = Array.from({ length: 7 }, (_, index) => addDays("2026-11-23", index));
  expect(week.map((day) => why(day) === null)).toEqual([
    true,
    true,
    false,
    true,
    true,
    false,
    false,
  ]);
  expect(why("2026-11-25")).toBe("Pas de service ce jour-là");
});

test("closedWhy: public holidays by their names; Good Friday and Saint Stephen in Alsace-Moselle", () => {
  expect(why("2027-03-29")).toBe("Lundi de Pâques");
  expect(why("2027-03-26")).toBeNull();
  expect(why("2027-03-26", { alsaceMoselle: true })).toBe("Vendredi saint");
  const staff = { kind: "staff", weekdays: 0b1111111 } as const;
  expect(why("2027-12-26", staff)).toBeNull();
  expect(why("2027-12-26", { ...staff, alsaceMoselle: true })).toBe("Saint-Étienne");
});

test("closedWhy: the holidays of its zone, of both edges; a canteen for staff serves through them", () => {
  const winter: Record<(typeof schoolZones)[number], [string, string]> = {
    A: ["2027-02-13", "2027-02-28"],
    B: ["2027-02-20", "2027-03-07"],
    C: ["2027-02-06", "2027-02-21"],
  };
  for (const zone of schoolZones) {
    const [first, last] = winter[zone];
    const every = { zone, weekdays: 0b1111111 };
    expect(why(addDays(first, -1), every)).toBeNull();
    expect(why(first, every)).toBe("Vacances d’hiver");
    expect(why(last, every)).toBe("Vacances d’hiver");
    expect(why(addDays(last, 1), every)).toBeNull();
    expect(why(first, { ...every, kind: "staff" })).toBeNull();
  }
  expect(why("2026-08-31", { weekdays: 0b1111111 })).toBe("Vacances d’été");
  expect(why("2026-09-01")).toBeNull();
  // Friday of the bridge of Ascension Day.
  expect(why("2027-05-07")).toBe("Pont de l’Ascension");
});

test("schoolHolidays: in order and apart within a zone, back to school on a Monday or on 1 September", () => {
  for (const zone of schoolZones) {
    const own = schoolHolidays.filter(({ zones }) => zones.includes(zone));
    for (const [index, { name, from, to }] of own.entries()) {
      expect(from <= to, name).toBe(true);
      const next = own[index + 1];
      if (next) expect(to < next.from, `${name} ${from}`).toBe(true);
      const back = addDays(to, 1);
      expect(weekdayOf(back) === 0 || back.endsWith("-09-01"), `${name} ${from}`).toBe(true);
    }
  }
});

test("serviceCalendars: closings of the canteen with their reason, which its deadlines count too", async () => {
  const { id } = await makeCanteen(server);
  const { id: other } = await makeCanteen(server, { name: "École des Mouettes" });
  await server.deps.pool.query(
    `insert into canteen_closing (canteen_id, from_on, to_on, reason, created_at)
     values ($1, '2026-11-26', '2026-11-27', 'Grève', now()),
       ($1, '2025-01-01', '2025-12-31', 'Travaux', now())`,
    [id],
  );
  const calendars = await serviceCalendars(server.deps.db, [id, other], "2026-11-22");
  const [own, foreign] = [calendars.get(id), calendars.get(other)];
  expect(own?.closedWhy("2026-11-25")).toBeNull();
  expect(own?.closedWhy("2026-11-26")).toBe("Grève");
  expect(own?.closedWhy("2026-11-27")).toBe("Grève");
  expect(own?.closedWhy("2026-11-30")).toBeNull();
  expect([...(own?.closures.closed ?? [])]).toEqual(["2026-11-26", "2026-11-27"]);
  expect(foreign?.closedWhy("2026-11-26")).toBeNull();
});
