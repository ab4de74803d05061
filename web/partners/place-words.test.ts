// The words for the next opening of a place.
import { expect, test } from "vitest";
import { untilText } from "./place-words.ts";

const opens = (on: string, inDays: number) =>
  untilText({ open: false, until: null, closure: null, next: { on, inDays, at: "12:00" } });

test("the next opening is said in words, near or far", () => {
  expect(opens("2026-11-25", 0)).toBe("ouvre à 12:00");
  expect(opens("2026-11-26", 1)).toBe("ouvre demain à 12:00");
  expect(opens("2026-11-28", 3)).toBe("ouvre samedi à 12:00");
  expect(opens("2026-12-03", 8)).toBe("ouvre le jeudi 3 décembre à 12:00");
});
