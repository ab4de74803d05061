// The law EGalim requires a canteen to display shares of its products (code rural, L230-5-1 and R230-30):
// half of them sustainable or of quality, a fifth organic. The law counts euros bought in a year: the
// provider declares them (purchases.ts). By week the portal counts dishes, an indication, and its screens say
// so.
import type { DishLabel } from "./states.ts";

/** Labels that count as products of quality and sustainable; local, homemade and vegetarian do not. */
export const sustainableLabels: readonly DishLabel[] = [
  "organic",
  "label_rouge",
  "aop",
  "igp",
  "msc",
  "hve",
  "fair_trade",
];

/** Percent that the law asks. */
export const egalimGoals = { sustainable: 50, organic: 20 } as const;

export interface EgalimShares {
  dishes: number;
  sustainable: number;
  organic: number;
  /** Days whose every main dish is vegetarian; the law asks one a week (L230-5-6). */
  vegetarianDays: number;
}

interface LabelledDay {
  dishes: readonly { course: string; labels: readonly DishLabel[] }[];
}

/** Shares of the dishes of some days: the sustainable ones, and the organic ones among them. */
export function egalimShares(days: readonly LabelledDay[]): EgalimShares {
  const dishes = days.flatMap((day) => day.dishes);
  const having = (anyOf: readonly DishLabel[]) =>
    dishes.filter(({ labels }) => labels.some((label) => anyOf.includes(label))).length;
  return {
    dishes: dishes.length,
    sustainable: having(sustainableLabels),
    organic: having(["organic"]),
    vegetarianDays: days.filter(isVegetarian).length,
  };
}

function isVegetarian({ dishes }: LabelledDay): boolean {
  const mains = dishes.filter(({ course }) => course === "main");
  return mains.length > 0 && mains.every(({ labels }) => labels.includes("vegetarian"));
}
