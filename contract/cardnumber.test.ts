// The check digit of a card number: a typing error is found before the number is sent.
import { describe, expect, test } from "vitest";
import { isCardnumber } from "./endpoint.ts";

describe("isCardnumber", () => {
  test.each([1_000_000_016, 1_000_000_024, 2_000_000_014, 1_987_654_322, 2_999_999_994])(
    "%i is one",
    (number) => {
      expect(isCardnumber(number)).toBe(true);
    },
  );

  test.each([
    ["another kind", 3_000_000_004],
    ["nine digits", 100_000_008],
    ["eleven digits that pass the sum", 10_000_000_009],
    ["twelve digits that pass the sum", 591_000_000_016],
    ["negative", -1_000_000_016],
    ["not whole", 1_000_000_016.5],
    ["not a number", Number.NaN],
    ["zero", 0],
  ])("%s is none", (_, number) => {
    expect(isCardnumber(number)).toBe(false);
  });

  test("of the ten numbers that share nine digits exactly one is right", () => {
    for (const nine of [100_000_001, 198_765_432, 200_000_001, 299_999_999, 155_555_555]) {
      const right = Array.from({ length: 10 }, (_, digit) => nine * 10 + digit).filter(
        isCardnumber,
      );
      expect(right).toHaveLength(1);
    }
  });

  test("one wrong digit, or two neighbours swapped, is always seen", () => {
    const right = "1987654322";
    for (let at = 1; at < right.length; at++) {
      for (let digit = 0; digit < 10; digit++) {
        if (String(digit) === right[at]) continue;
        expect(isCardnumber(Number(right.slice(0, at) + digit + right.slice(at + 1)))).toBe(false);
      }
      if (right[at - 1] === right[at]) continue;
      const swapped = right.split("");
      [swapped[at - 1], swapped[at]] = [swapped[at] as string, swapped[at - 1] as string];
      expect(isCardnumber(Number(swapped.join("")))).toBe(false);
    }
  });
});
