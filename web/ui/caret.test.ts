import { expect, test } from "vitest";
import { groupDigits } from "#contract/cardnumber.ts";
import { caretAfterDigits } from "./caret.ts";

test("the caret stays after the digit that was just typed, across the groups", () => {
  expect(caretAfterDigits("1000 000 016", "1000")).toBe(4);
  expect(caretAfterDigits("1000 000 016", "10000")).toBe(6);
  expect(caretAfterDigits("1000 000 016", "1000 000 016")).toBe(12);
  expect(caretAfterDigits("1000", "")).toBe(0);
});

test("a number is grouped as far as it is typed", () => {
  expect(["1", "1000", "10000", "1000000016", "10000000169"].map(groupDigits)).toEqual([
    "1",
    "1000",
    "1000 0",
    "1000 000 016",
    "1000 000 016",
  ]);
});
