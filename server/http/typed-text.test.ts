// Text pasted into files, as the person means it.
import { expect, test } from "vitest";
import { plainEmail, plainPunctuation } from "./typed-text.ts";

test.each([
  ["ana@x.fr", "ana@x.fr"],
  ["Ana Roux <ana@x.fr>", "ana@x.fr"],
  ["<ana@x.fr>;", "ana@x.fr"],
  ["mailto:ana@x.fr", "ana@x.fr"],
  ["ana @x.fr", "ana@x.fr"],
  ["ana@ x .fr", "ana@x.fr"],
  ["\u00a0ana@x.fr\u202f", "ana@x.fr"],
  ["ana\u2011zoe@x.fr", "ana-zoe@x.fr"],
  ["ana@x.fr,", "ana@x.fr"],
  // Nobody knows which of them, or which sign between: refused by who reads it.
  ["ana roux@x.fr", "ana roux@x.fr"],
  ["ana@x.fr, bo@x.fr", "ana@x.fr, bo@x.fr"],
  ["Ana <ana@x.fr> Bo <bo@x.fr>", "Ana <ana@x.fr> Bo <bo@x.fr>"],
])("the address of « %s »", (typed, address) => {
  expect(plainEmail(typed)).toBe(address);
});

test("one hyphen and one straight apostrophe, the French one as it is", () => {
  expect(plainPunctuation("Ana\u2011Zoé O\u00b4Neil, L’Hôte")).toBe("Ana-Zoé O'Neil, L’Hôte");
});
