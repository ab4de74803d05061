import { expect, test } from "vitest";
import { printable } from "#server/process/printable.ts";

// proves: operator-screen
test.each([
  ["a cursor moved up", "Paul\u001b[1A\u001b[2KSoldes justes"],
  ["a line begun again", "Paul\rFaux"],
  ["a C1 control", "Paul\u009b2J"],
  ["a right-to-left override", "\u202etxt.exe"],
  ["an isolate", "\u2067abc\u2069"],
  ["an invisible space", "a\u200bb\ufeff"],
  ["a tag", "a\u{e0041}"],
])("%s is written out, never obeyed", (_what, text) => {
  expect(printable(text)).toMatch(/^[\x20-\x7e\u00a0-\u00ff]*$/);
  expect(printable(text)).toContain("\\u");
});

test("French text, its narrow spaces and its line ends are left as they are", () => {
  const text = "Léa L’Hôte — 1\u202f250,00\u00a0€ « oui »\nsuite 👋";
  expect(printable(text)).toBe(text);
});
