// Shares of a week's dishes as the law EGalim asks.
import { expect, test } from "vitest";
import { egalimShares } from "./egalim.ts";
import type { DishLabel } from "./states.ts";

const dish = (course: string, ...labels: DishLabel[]) => ({ course, labels });

test("a dish counts once, organic among the sustainable; local and homemade do not count", () => {
  const days = [
    {
      dishes: [
        dish("starter", "organic", "aop"),
        dish("main", "label_rouge"),
        dish("dairy", "local"),
      ],
    },
    { dishes: [dish("main", "homemade"), dish("dessert", "organic"), dish("side", "fair_trade")] },
  ];
  expect(egalimShares(days)).toEqual({ dishes: 6, sustainable: 4, organic: 2, vegetarianDays: 0 });
});

test("a day is vegetarian when each of its main dishes is", () => {
  const days = [
    { dishes: [dish("main", "vegetarian"), dish("side")] },
    { dishes: [dish("main", "vegetarian"), dish("main")] },
    { dishes: [dish("starter", "vegetarian")] },
  ];
  expect(egalimShares(days)).toMatchObject({ vegetarianDays: 1 });
});

test("no dish, no share", () => {
  expect(egalimShares([])).toEqual({ dishes: 0, sustainable: 0, organic: 0, vegetarianDays: 0 });
});
