import { expect, test } from "vitest";
import { centsOfEntry, changeEntry, displayEntry, pressKey } from "./amount-entry.ts";

const type = (keys: readonly string[], from = "") =>
  keys.reduce((entry, key) => pressKey(entry, key) ?? entry, from);
const amount = (keys: string) => {
  const entry = type(keys.split(""));
  return [displayEntry(entry), centsOfEntry(entry)];
};

test("figures fill an amount from the cents, until a comma says that they are euros", () => {
  expect(amount("")).toEqual(["", null]);
  expect(amount("5")).toEqual(["0,05", 5]);
  expect(amount("1250")).toEqual(["12,50", 1250]);
  expect(amount("12,")).toEqual(["12,", 1200]);
  expect(amount("12,5")).toEqual(["12,5", 1250]);
  expect(amount("12.50")).toEqual(["12,50", 1250]);
  expect(amount(",5")).toEqual(["0,5", 50]);
  expect(amount("007")).toEqual(["0,07", 7]);
});

test("what would be no amount is not typed", () => {
  expect(amount("12,345,6")).toEqual(["12,34", 1234]);
  expect(centsOfEntry(type("123456789".split("")))).toBe(1_234_567);
  expect(pressKey("12", "a")).toBeNull();
  expect(type(["0", "00"])).toBe("");
  expect(centsOfEntry(type(["8", "00"]))).toBe(800);
});

test("the last key is taken back, one at a time", () => {
  expect(type(["Backspace"], "1250")).toBe("125");
  expect(type(["Backspace", "Backspace"], "12,5")).toBe("12");
  expect(type(["Backspace"], "")).toBe("");
});

test("a field changed without keys is read as people write, or as the keys that it adds", () => {
  expect(centsOfEntry(changeEntry("", "8"))).toBe(800);
  expect(centsOfEntry(changeEntry("1250", "9,90"))).toBe(990);
  expect(centsOfEntry(changeEntry("125", "1,250"))).toBe(1250);
  expect(changeEntry("1250", "12,5")).toBe("125");
  expect(changeEntry("1250", "")).toBe("");
  expect(changeEntry("1250", "douze")).toBe("1250");
});
