import { expect, test } from "vitest";
import { electronicBic, electronicIban, groupIban, maskIban, needsBic } from "./iban.ts";

test("an IBAN is grouped as banks print it, masked for who may only know it again", () => {
  expect(groupIban("BE68539007547034")).toBe("BE68\u00A05390\u00A00754\u00A07034");
  expect(maskIban("BE68539007547034")).toBe("BE68\u00A0••••\u00A07034");
});

test.each([
  "FR76 3000 6000 0112 3456 7890 189",
  "FR76\u00a03000\u202f6000\u20090112\u30003456\t7890\n189",
  "fr76-3000-6000-0112-3456-7890-189",
  "IBAN : FR76 3000 6000 0112 3456 7890 189",
  "IBAN\u00a0FR7630006000011234567890189",
  "iban FR76 3000 6000 0112 3456 7890 189.",
])("« %s » is read as the bank writes it", (typed) => {
  expect(electronicIban(typed)).toBe("FR7630006000011234567890189");
});

test("a BIC loses its word and its spaces", () => {
  for (const typed of ["AGRIFRPP", " agri fr pp ", "BIC : AGRIFRPP", "BIC\u00a0AGRIFRPP"]) {
    expect(electronicBic(typed)).toBe("AGRIFRPP");
  }
  expect(electronicBic("BICIFRPP")).toBe("BICIFRPP");
  expect(electronicBic(" ")).toBe("");
});

test("a BIC is asked outside the European Economic Area alone", () => {
  const prefixes = [
    "CH93",
    "GB29",
    "MC58",
    "SM86",
    "AD12",
    "FR76",
    "DE89",
    "NO93",
    "IE29",
    "",
    "C",
  ];
  expect(prefixes.filter(needsBic)).toEqual(["CH93", "GB29", "MC58", "SM86", "AD12"]);
});
