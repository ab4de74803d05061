import { expect, test } from "vitest";
import { pageNumbers } from "./page-numbers.ts";

const shown = (page: number, pages: number) =>
  pageNumbers(page, pages)
    .map(({ number, isGap }) => (isGap ? "…" : number))
    .join(" ");

test("up to seven pages all are shown; beyond, the ends, the current one and its neighbours", () => {
  expect(shown(1, 1)).toBe("1");
  expect(shown(3, 7)).toBe("1 2 3 4 5 6 7");
  expect(shown(1, 8)).toBe("1 2 3 4 5 … 8");
  expect(shown(4, 8)).toBe("1 2 3 4 5 … 8");
  expect(shown(5, 8)).toBe("1 … 4 5 6 7 8");
  expect(shown(6, 12)).toBe("1 … 5 6 7 … 12");
  expect(shown(12, 12)).toBe("1 … 8 9 10 11 12");
});

test("a gap never stands for one page alone, and never for the current one", () => {
  for (let pages = 8; pages <= 20; pages += 1) {
    for (let page = 1; page <= pages; page += 1) {
      const places = pageNumbers(page, pages);
      expect(places).toHaveLength(7);
      const numbers = places.filter(({ isGap }) => !isGap).map(({ number }) => number);
      expect(numbers).toContain(page);
      numbers.slice(1).forEach((number, index) => {
        expect(number - (numbers[index] ?? 0), `${page} of ${pages}`).not.toBe(2);
      });
    }
  }
});
