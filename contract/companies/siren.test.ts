import { describe, expect, test } from "vitest";
import { groupSiren, isSiren, isSiret, vatNumberOf } from "./siren.ts";

describe("SIREN and SIRET", () => {
  test("known ones are accepted, one wrong digit or two exchanged are not", () => {
    expect(isSiren("732829320")).toBe(true);
    expect(isSiren("732829321")).toBe(false);
    expect(isSiren("732892320")).toBe(false);
    expect(isSiret("73282932000074")).toBe(true);
    expect(isSiret("73282932000075")).toBe(false);
  });

  test("zeros, whose sums are right, are neither", () => {
    expect(isSiren("000000000")).toBe(false);
    expect(isSiret("00000000000000")).toBe(false);
    expect(isSiret("00000000000018")).toBe(false);
  });

  test("neither is anything but its digits", () => {
    for (const wrong of ["", "73282932", "732 829 320", "7328293200", "٧٣٢٨٢٩٣٢٠"]) {
      expect(isSiren(wrong)).toBe(false);
      expect(isSiret(wrong)).toBe(false);
    }
  });

  test("the places of La Poste add up to a multiple of five", () => {
    // Its seat passes both sums; this office only the sum of its digits.
    expect(isSiret("35600000000048")).toBe(true);
    expect(isSiret("35600000049837")).toBe(true);
    expect(isSiret("35600000049838")).toBe(false);
  });

  test("another company's place has no such exception", () => {
    expect(isSiret("73282932000079")).toBe(false);
  });
});

test("the VAT number carries its control", () => {
  expect(vatNumberOf("732829320")).toBe("FR44732829320");
});

test("digits are grouped as they are read aloud", () => {
  expect(groupSiren("732829320")).toBe("732\u00A0829\u00A0320");
  expect(groupSiren("73282932000074")).toBe("732\u00A0829\u00A0320\u00A000074");
});
