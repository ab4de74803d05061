// Dates, hours and numbers as they are written, in the time of the scheme (spec §9).
import { describe, expect, test } from "vitest";
import {
  bindGuillemets,
  firstName,
  formatAbout,
  formatCardnumber,
  formatCount,
  formatDate,
  formatDateTime,
  formatDayInWords,
  formatMoney,
  formatTime,
  formatTypedMoney,
  joinedName,
  meridiemOf,
  ofName,
  parseMoney,
  plural,
  spokenDay,
  theOthers,
  untilDay,
} from "./french.ts";
import { weekOf } from "./weeks.ts";

test("what a list leaves out is counted from two on", () => {
  expect([1, 2, 1200].map((count) => theOthers(count))).toEqual([
    "l’autre",
    "les 2 autres",
    "les 1\u202f200 autres",
  ]);
  expect(theOthers(1, "autre repas", "autres repas")).toBe("l’autre repas");
});

test("a name after « de », elided where French does", () => {
  const names = ["Léo", "Inès", "Émile", "Yanis", "Yves", "Hélène", "Hassan"];
  expect(names.map(ofName)).toEqual([
    "de Léo",
    "d’Inès",
    "d’Émile",
    "de Yanis",
    "d’Yves",
    "d’Hélène",
    "de Hassan",
  ]);
});

describe("dates and hours", () => {
  test("until a day that has a name of its own, or a date", () => {
    const now = new Date("2026-11-21T09:00:00Z");
    expect(untilDay("2026-11-22", now)).toBe("jusqu’à demain");
    expect(untilDay("2026-11-21", now)).toBe("jusqu’à aujourd’hui");
    expect(untilDay("2026-12-01", now)).toBe("jusqu’au mar. 1er déc.");
  });

  test("DD/MM/YYYY HH:mm in Paris, whatever the device says", () => {
    expect(formatDateTime("2026-07-04T22:05:09Z")).toBe("05/07/2026 00:05");
    expect(formatDateTime(new Date("2026-01-04T22:05:09Z"))).toBe("04/01/2026 23:05");
    expect(formatDate(new Date("2026-12-31T23:30:00Z"))).toBe("01/01/2027");
    expect(formatTime("2026-11-21T08:03:00Z")).toBe("09:03");
  });

  test("a day in words, its first of the month as it is said", () => {
    expect(formatDayInWords("2026-11-21")).toBe("samedi 21 novembre");
    expect(formatDayInWords("2026-12-01")).toBe("mardi 1er décembre");
    const now = new Date("2026-11-21T23:30:00Z");
    const spoken = (moment: string) => spokenDay(moment, now);
    expect(spoken("2026-11-21T22:59:00Z")).toBe("hier");
    expect(spoken("2026-11-22")).toBe("aujourd’hui");
    expect(spoken("2026-11-23")).toBe("demain");
    expect(spoken("2026-12-01T10:00:00Z")).toBe("mar. 1er déc.");
    expect(spoken("2025-12-01")).toBe("01/12/2025");
    expect(formatDayInWords("2026-11-30T23:30:00Z")).toBe("mardi 1er décembre");
  });

  test("a day that is only estimated: a third of its month, its year when it is another", () => {
    const about = (day: string) => formatAbout(day, "2026-11-21");
    expect(["2026-12-01", "2026-12-11", "2026-12-21", "2027-01-20"].map(about)).toEqual([
      "début décembre",
      "mi-décembre",
      "fin décembre",
      "mi-janvier 2027",
    ]);
  });

  test("a bare day is written as it is; what only begins or ends like one is an instant", () => {
    expect(formatDate("2026-03-09")).toBe("09/03/2026");
    // Not a day of the calendar, and still no time zone is asked: it is not for us to judge.
    expect(formatDate("2026-02-30")).toBe("30/02/2026");
    expect(formatDate("2026-03-09T23:30:00Z")).toBe("10/03/2026");
    expect(formatDate("+012026-03-09")).toBe("09/03/12026");
    expect(() => formatDate("demain")).toThrow(RangeError);
  });

  test("PD before noon, MD from noon on, by the clock of Paris", () => {
    expect(meridiemOf("2026-11-21T10:59:59Z")).toBe("PD");
    expect(meridiemOf("2026-11-21T11:00:00Z")).toBe("MD");
    expect(meridiemOf("2026-11-20T23:00:00Z")).toBe("PD");
  });
});

test.each([
  ["2026-01-04T22:59:59Z", 1],
  ["2026-01-04T23:00:00Z", 2],
  ["2025-12-29T12:00:00Z", 1],
  ["2025-12-28T12:00:00Z", 52],
  ["2021-01-03T12:00:00Z", 53],
  ["2021-01-04T12:00:00Z", 1],
  ["2024-02-29T12:00:00Z", 9],
  ["2026-07-05T12:00:00Z", 27],
  ["2026-07-06T12:00:00Z", 28],
])("the week of %s is %s", (moment, week) => {
  expect(weekOf(moment)).toBe(week);
});

// proves: server-clock
test("the weeks of twenty years follow each other: one more each Monday, or 1 again", () => {
  const monday = Date.UTC(2015, 0, 5, 12);
  let last = weekOf(new Date(monday - 604_800_000));
  for (let step = 0; step < 52 * 20; step++) {
    const [first, end] = [0, 6].map((day) =>
      weekOf(new Date(monday + step * 604_800_000 + day * 86_400_000)),
    );
    expect(first).toBe(end);
    expect(first === last + 1 || (first === 1 && last >= 52)).toBe(true);
    last = first as number;
  }
});

describe("numbers", () => {
  test("a count is grouped by narrow no-break spaces, in words too", () => {
    expect(formatCount(12_480)).toBe("12\u202f480");
    expect(formatCount(1_234_567)).toBe("1\u202f234\u202f567");
    expect(plural(12_480, "repas", "repas")).toBe("12\u202f480 repas");
    expect(plural(2, "cheval", "chevaux")).toBe("2 chevaux");
    expect(plural(-1, "point")).toBe("-1 point");
  });

  test("a guillemet stays with its word, where somebody typed a plain space", () => {
    expect(bindGuillemets("Ouvrez « Mes billets », puis «\u202fAnnuler\u202f».")).toBe(
      "Ouvrez «\u00a0Mes billets\u00a0», puis «\u202fAnnuler\u202f».",
    );
  });

  test("a card number is grouped as it is typed", () => {
    expect(formatCardnumber(1_000_000_016)).toBe("1000 000 016");
    expect(formatCardnumber("1000 0-00a0")).toBe("1000 000 0");
    expect(formatCardnumber("")).toBe("");
  });

  test("large amounts keep all their groups, and are signed only where asked", () => {
    expect(formatMoney(123_456_789)).toBe("1\u202f234\u202f567,89\u202f€");
    expect(formatMoney(500)).toBe("5,00\u202f€");
    expect(formatMoney(500, {})).toBe("5,00\u202f€");
    expect(formatMoney(-500, { signed: true })).toBe("\u2212\u202f5,00\u202f€");
  });

  test.each([
    ["12,", 1200],
    ["12.5", 1250],
    ["1234567", 123_456_700],
    ["12345678", null],
    ["1.234,50", null],
    ["12,5x", null],
    ["x12,5", null],
    [",50", null],
    ["€", null],
    ["€ 12", 1200],
    ["€12", 1200],
    ["12 €", 1200],
    ["12\u00a0€", 1200],
    ["2 50", null],
    ["2\u00a050", null],
    ["2€50", 250],
    ["9€99", 999],
    ["2€5", null],
    ["2€500", null],
    ["€2€50", null],
    ["2€50€", null],
    ["1 234,50", 123_450],
    ["1\u202f234,50\u202f€", 123_450],
    ["1\u00a0234\u00a0567", 123_456_700],
    ["12 345 678", null],
    ["1 2345", null],
    ["1234 567", null],
    ["1 234€50", 123_450],
    ["12,5", 1250],
    [" 12,5 ", 1250],
    ["\u202a12,50\u202c\u200b", 1250],
    ["12,5 0", null],
    ["1,234", null],
    ["1,234.50", null],
    ["-5", null],
    ["\u22125", null],
    ["1e3", null],
    ["0x10", null],
    ["１２", null],
    ["", null],
    [" ", null],
  ])("« %s » typed is %s cents", (typed, cents) => {
    expect(parseMoney(typed)).toBe(cents);
  });

  test("an amount that is written back into its field, or copied from a screen, is read again", () => {
    for (const cents of [0, 5, 250, 1200, 123_450, 999_999_999]) {
      expect(parseMoney(formatTypedMoney(cents))).toBe(cents);
      expect(parseMoney(formatMoney(cents))).toBe(cents);
    }
  });
});

test("a first name, with as many words as tell who else is in the family", () => {
  const family = [
    "Camille Moreau",
    "Léo Moreau",
    "Léo Petit",
    "Anna Maria Rossi",
    "Anna Maria Bianchi",
  ];
  expect(family.map((name) => firstName(name, family))).toEqual([
    "Camille",
    "Léo Moreau",
    "Léo Petit",
    "Anna Maria Rossi",
    "Anna Maria Bianchi",
  ]);
  expect(firstName("Léo Moreau")).toBe("Léo");
  expect(firstName("Léo Moreau", ["Léo Moreau"])).toBe("Léo");
  expect(firstName("Léo Moreau", ["LÉO PETIT"])).toBe("Léo Moreau");
  // A single name has no second word to add.
  expect(firstName("Léo", ["Léo", "Léo Petit"])).toBe("Léo");
});

test("a name of two parts, or a single one", () => {
  expect(joinedName({ firstName: "Awa", lastName: "Diallo" })).toBe("Awa Diallo");
  expect(joinedName({ firstName: "", lastName: "Sukarno" })).toBe("Sukarno");
});
