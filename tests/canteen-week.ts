// The week of a provider of meals in a browser, as its families see it.
import type { Locator, Page } from "playwright-core";
import { formatDayInWords } from "#contract/french.ts";

/** The cell of somebody's meal on a day (ISO date); `name` as the row says it. */
export const mealCell = (page: Page, name: string, day: string): Locator =>
  page.getByRole("button", { name: new RegExp(`^${name}, ${formatDayInWords(day)}\\b`) });

/** What stands under the cells of a day: its people and its menu. On a phone the chosen day alone is seen. */
export const dayDetails = (page: Page, day: string): Locator =>
  page.getByRole("listitem").filter({
    has: page.getByRole("heading", { level: 3, name: new RegExp(formatDayInWords(day), "i") }),
  });

/** The bar at the foot: so many meals are chosen, and « Commander ». */
export const chosenMeals = (page: Page, count: number): Locator =>
  page.getByText(new RegExp(`^${count} repas, `));
