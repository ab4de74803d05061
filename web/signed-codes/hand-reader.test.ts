// The codes that a hand reader types, told from what people type.
import { expect, test } from "vitest";
import { codeIn, codeStartIn, isCode, isCodeStart } from "./hand-reader.ts";

test("a code is known by its mark, and while its mark is typed", () => {
  for (const text of ["M", "MC", "MC1", "MC1.", "MM1.abc"]) expect(isCodeStart(text)).toBe(true);
  for (const text of ["C", "MX", "1000000016", "léo"]) expect(isCodeStart(text)).toBe(false);
  for (const text of ["MC1.", "MT1.abc"]) expect(isCode(text)).toBe(true);
  for (const text of ["", "M", "MC1"]) expect(isCode(text)).toBe(false);
});

test("a code is heard after a letter that was typed before it was read", () => {
  expect(codeStartIn("MM")).toBe("MM");
  expect(codeStartIn("MMC1.abc")).toBe("MC1.abc");
  expect(codeStartIn("MC1.abcM")).toBe("MC1.abcM");
  for (const text of ["", "x", "Mx"]) expect(codeStartIn(text)).toBe("");
});

test("a code is found after what was typed in the field before it was read", () => {
  expect(codeIn("MC1.abc")).toBe("MC1.abc");
  expect(codeIn("léo MC1.abc ")).toBe("MC1.abc");
  expect(codeIn("MC1.abcMM1.def")).toBe("MM1.def");
  expect(codeIn("léo")).toBeNull();
});
