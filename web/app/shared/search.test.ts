// What a screen finds in its address.
import { expect, it } from "vitest";
import { searchIn } from "./search.ts";

it("finds what was written for it by its English name, and nothing else of the address", () => {
  const onWire = { onglet: "ventes", tab: "journee", topic: "1" };
  expect(searchIn<"till">(onWire)).toEqual({ tab: "ventes" });
});
