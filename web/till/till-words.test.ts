import { describe, expect, it } from "vitest";
import { pointWordsOf } from "./till-words.ts";

const spaces = (text: string) => text.replaceAll(/\s/g, " ");

describe("points of a sale", () => {
  const points = { pointsUsed: 80, pointsEarned: 1 };
  it("are to come while the holder is asked, and counted once it is paid", () => {
    expect(spaces(pointWordsOf({ ...points, state: "requested" }))).toBe(
      "80 points à utiliser, −0,80 € · 1 point à gagner",
    );
    expect(spaces(pointWordsOf({ ...points, state: "paid" }))).toBe(
      "80 points utilisés, −0,80 € · 1 point gagné",
    );
  });
  it("come back once it is given back, and were never used where nobody paid", () => {
    expect(pointWordsOf({ ...points, state: "cancelled" })).toBe("80 points rendus");
    expect(pointWordsOf({ ...points, state: "refunded" })).toBe("80 points rendus");
    expect(pointWordsOf({ ...points, state: "expired" })).toBe("");
  });
  it("earn nothing once the sale is cancelled", () => {
    expect(pointWordsOf({ pointsUsed: 0, pointsEarned: 12, state: "cancelled" })).toBe("");
  });
});
