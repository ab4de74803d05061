// The screen reads a number as the server does, with the few countries that it loads.
import parse from "libphonenumber-js/core";
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { expect, test } from "vitest";
import { parseFrenchPhone } from "#contract/phones.ts";
import countries from "./phone-countries.json" with { type: "json" };
import { frenchPhone } from "./phone-format.ts";

type Metadata = import("libphonenumber-js/core").MetadataJson;
const e164Of = (typed: string) => {
  const metadata = countries as unknown as Metadata;
  return parseFrenchPhone(typed, (text, region) => parse(text, region, metadata))?.number;
};

test.each([
  ["06 12 34 56 78", "+33612345678"],
  ["06 92 12 34 56", "+262692123456"],
  ["06 39 01 23 45", "+262639012345"],
  ["06 90 12 34 56", "+590690123456"],
  ["06 94 12 34 56", "+594694123456"],
  ["06 96 12 34 56", "+596696123456"],
  ["06 97 12 34 56", "+596697123456"],
])("« %s » is %s, and is shown as it is dialled", (typed, e164) => {
  expect(e164Of(typed)).toBe(e164);
  expect(frenchPhone(e164)).toBe(typed);
});

test("what the server takes for a number of France, the screen takes for the same", () => {
  const tails = ["123456", "012345", "561234", "765432", "987654"];
  const other: string[] = [];
  for (let block = 100; block < 800; block++) {
    for (const tail of tails) {
      const typed = `0${block}${tail}`;
      const parsed = parseFrenchPhone(typed, (text, region) =>
        parsePhoneNumberFromString(text, region),
      );
      if (parsed?.isValid() && parsed.number !== e164Of(typed)) other.push(typed);
    }
  }
  expect(other).toEqual([]);
});

test("a number of another country is shown as it is written there", () => {
  expect(frenchPhone("+3226123456")).toBe("+3226123456");
});
