// At which of several canteens the counter opens, by the clock and by the list that the device has.
import { expect, test } from "vitest";
import type { OwnCanteen } from "#contract/kitchen/own.ts";
import { canteenToOpen, withServices } from "./opening-canteen.ts";

const canteen = (id: string, servesFrom: string, servesUntil: string): OwnCanteen => ({
  id,
  name: id,
  kind: "school",
  classes: [],
  seats: 10,
  weekdays: [0, 1, 2, 3, 4],
  servesFrom,
  servesUntil,
  needsValidation: false,
  waiting: 0,
  frozenWhy: null,
});

const [monday, tuesday] = ["2026-11-23", "2026-11-24"];
const canteens = withServices(
  [
    canteen("closed", "11:00", "14:00"),
    canteen("early", "11:30", "13:00"),
    canteen("late", "12:30", "14:00"),
  ],
  [
    { canteen: "early", serviceDays: [monday, tuesday] },
    { canteen: "late", serviceDays: [monday, tuesday] },
  ],
);

// Paris is one hour ahead of UTC in November.
test.each([
  ["before the first service", "09:00", undefined, "early"],
  ["before it, with the list of the second", "09:00", "late", "late"],
  ["before it, with the list of one that is closed today", "09:00", "closed", "early"],
  ["during the first", "11:00", undefined, "early"],
  ["during the first, with the list of the second", "11:00", "late", "early"],
  ["during both", "11:45", undefined, "early"],
  ["during both, with the list of the second", "11:45", "late", "late"],
  ["during the second", "12:30", "early", "late"],
  ["after both", "14:00", undefined, "early"],
])("%s", (_, time, stored, opened) => {
  const now = new Date(`${monday}T${time}:00Z`);
  expect(canteenToOpen(canteens, { stored, now })).toBe(opened);
});

test("where no service is known, the one of the device's list is opened, else the first", () => {
  const unknown = withServices(canteens, []);
  const now = new Date(`${monday}T11:00:00Z`);
  expect(canteenToOpen(unknown, { stored: "late", now })).toBe("late");
  expect(canteenToOpen(unknown, { stored: undefined, now })).toBe("closed");
});

test("without a canteen there is nothing to open", () => {
  expect(canteenToOpen([], { stored: undefined, now: new Date() })).toBeUndefined();
});
