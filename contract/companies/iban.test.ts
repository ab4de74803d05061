import { describe, expect, test } from "vitest";
import { compactIban, groupIban, ibanFault, isBic, maskedIban } from "./iban.ts";

describe("IBAN", () => {
  // Those of the registry's own examples.
  const known = [
    "FR1420041010050500013M02606",
    "DE89370400440532013000",
    "BE68539007547034",
    "NO9386011117947",
    "MT84MALT011000012345MTLCAST001S",
    "GB29NWBK60161331926819",
    "MC5811222000010123456789030",
  ];

  test("those of the registry are good", () => {
    for (const iban of known) expect(ibanFault(iban), iban).toBe(null);
  });

  test("one wrong character or two exchanged are found, anywhere", () => {
    const iban = "FR1420041010050500013M02606";
    for (let place = 2; place < iban.length; place++) {
      const other = iban[place] === "7" ? "8" : "7";
      const wrong = iban.slice(0, place) + other + iban.slice(place + 1);
      expect(ibanFault(wrong), wrong).toBe("digits");
      const [one, two] = [iban[place - 1] ?? "", iban[place] ?? ""];
      if (place < 3 || one === two) continue;
      const exchanged = iban.slice(0, place - 1) + two + one + iban.slice(place + 1);
      expect(ibanFault(exchanged), exchanged).toBe("digits");
    }
  });

  test("the length is that of its country, even where the sum is right", () => {
    expect(ibanFault("FR142004101005050001")).toBe("digits");
    expect(ibanFault("DE8937040044053201300")).toBe("digits");
  });

  test("a country that SEPA does not reach is told apart", () => {
    expect(ibanFault("SA0380000000608010167519")).toBe("country");
  });

  test("what is no IBAN at all is wrong", () => {
    for (const wrong of ["", "FR", "FR14", "1234", "FR٧6", "fr1420041010050500013m02606"]) {
      expect(ibanFault(wrong), wrong).toBe("digits");
    }
  });

  test("it is read as people paste it, grouped as banks print it, masked for who may only know it", () => {
    expect(compactIban(" fr14 2004-1010.0505\u00A00001 3M02606")).toBe(
      "FR1420041010050500013M02606",
    );
    expect(groupIban("BE68539007547034")).toBe("BE68\u00A05390\u00A00754\u00A07034");
    expect(maskedIban("BE68539007547034")).toBe("BE68\u00A0••••\u00A07034");
  });
});

test("a BIC has eight characters or eleven", () => {
  for (const good of ["PSSTFRPPREN", "BNPAFRPP"]) expect(isBic(good), good).toBe(true);
  for (const wrong of ["", "BNPAFRP", "BNPAFRPPX", "BN1AFRPP", "bnpafrpp"]) {
    expect(isBic(wrong), wrong).toBe(false);
  }
});
