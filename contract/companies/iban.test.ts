import { expect, test } from "vitest";
import { groupIban, maskedIban } from "./iban.ts";

test("an IBAN is grouped as banks print it, masked for who may only know it again", () => {
  expect(groupIban("BE68539007547034")).toBe("BE68\u00A05390\u00A00754\u00A07034");
  expect(maskedIban("BE68539007547034")).toBe("BE68\u00A0••••\u00A07034");
});
