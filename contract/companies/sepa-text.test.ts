import { expect, test } from "vitest";
import { isBankName, sepaText } from "./sepa-text.ts";

test.each([
  ["Crêperie de l’Œuvre", "Creperie de l'OEuvre"],
  ["Straße & Söhne", "Strasse + Sohne"],
  ["Bjørn Łukaszewicz-Đurić", "Bjorn Lukaszewicz-Duric"],
  ["Þórður Guðmundsson", "THordur Gudmundsson"],
  ["Ærø ﬁn № 3", "AEro fin No 3"],
  ["« Les Embruns » — SARL", "Les Embruns - SARL"],
  ["//Nom/", "Nom"],
  ["A@b_c#d", "A b c d"],
])("« %s » is « %s » for a bank", (text, written) => {
  expect(sepaText(text, 70)).toBe(written);
});

test("a name that leaves no Latin letter says nothing to a bank", () => {
  expect(["李小龙", "Ωμέγα", "Ελλάς 12", "***", "Société 李", "Bjørn"].filter(isBankName)).toEqual([
    "Société 李",
    "Bjørn",
  ]);
});
