import { expect, test } from "vitest";
import { byHalf, leavesAfter } from "./words.ts";

const now = Date.parse("2026-11-21T17:50:20Z");

test("the next ones after it: the day is told when it is another", () => {
  const after = (at: string, before: string) => leavesAfter(at, before, now);
  expect(after("2026-11-21T18:10:00Z", "2026-11-21T17:54:30Z")).toBe("19:10");
  expect(after("2026-11-22T05:12:00Z", "2026-11-21T18:10:00Z")).toBe("demain 06:12");
  expect(after("2026-11-22T05:42:00Z", "2026-11-22T05:12:00Z")).toBe("06:42");
  expect(after("2026-11-23T05:42:00Z", "2026-11-22T05:12:00Z")).toBe("lundi 06:42");
});

test("a day's departures by half and hour, as PD and MD; past midnight is a PD of its own", () => {
  const times = ["06:05", "06:35", "11:00", "23:10"].map((time) => ({
    at: `2026-11-21T${time}:00Z`,
    endsAt: time === "06:35" ? "Dock" : null,
    onRequest: time === "11:00",
  }));
  expect(byHalf(times)).toEqual([
    {
      half: "PD",
      hours: [
        {
          hour: "07",
          minutes: [
            { minute: "05", endsAt: null, onRequest: false },
            { minute: "35", endsAt: "Dock", onRequest: false },
          ],
        },
      ],
    },
    {
      half: "MD",
      hours: [{ hour: "12", minutes: [{ minute: "00", endsAt: null, onRequest: true }] }],
    },
    {
      half: "PD",
      hours: [{ hour: "00", minutes: [{ minute: "10", endsAt: null, onRequest: false }] }],
    },
  ]);
});
