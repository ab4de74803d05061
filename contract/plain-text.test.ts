import { expect, test } from "vitest";
import { plainText } from "./plain-text.ts";

test.each([
  ["a direction override", "Menu \u202eetxt.exe\u202c", "Menu etxt.exe"],
  ["isolates", "\u2066Purée\u2069 \u2067x\u2068", "Purée x"],
  ["direction marks", "\u200ePurée\u200f\u061c", "Purée"],
  ["zero-width signs", "Pu\u200br\u200cé\u200de\u2060\ufeff", "Purée"],
  ["soft hyphens", "ratatouille\u00ad maison", "ratatouille maison"],
  ["fillers", "\u3164\u115f\uffa0", ""],
  ["controls", "a\u0001b\u0007c\u001bd\u0085e\u007f", "abcde"],
  ["tags", "Léo\u{e0041}\u{e007f}", "Léo"],
])("takes %s away", (_, typed, plain) => {
  expect(plainText(typed)).toBe(plain);
});

test.each([
  "Crème brûlée, « maison »\u202f!",
  "12\u00a0€ l’œuf",
  "deux\nlignes\r\net\tune tabulation",
  "👩‍🍳 ❤️ 👍🏽 1️⃣ 🏳️‍🌈 👩🏽‍🚀",
  "Nguyễn, Đặng, Łukasz, Müller-Lüdenscheidt",
  "e\u0301té",
  "refused: \u0000",
  "",
])("leaves « %s » as it is", (typed) => {
  expect(plainText(typed)).toBe(typed);
});
