// The month of a family's meals in a browser, « Suivi des repas ».
import type { Locator, Page } from "playwright-core";
import { capital, formatDayInWords, formatMonth } from "#contract/french.ts";

/** The button of a day (ISO date) of the month on the screen. */
export const monthDay = (page: Page, day: string): Locator =>
  page.getByRole("grid").getByRole("button", { name: new RegExp(`^${formatDayInWords(day)}\\b`) });

/** Goes on to the month of a day and chooses the day: its meals are shown. */
export async function showMealDay(page: Page, day: string): Promise<void> {
  const title = page.getByRole("heading", { level: 2, name: /\b20\d\d$/ });
  await title.waitFor();
  const month = capital(formatMonth(day));
  while ((await title.innerText()) !== month) {
    await page.getByRole("button", { name: "Mois suivant" }).click();
  }
  await monthDay(page, day).click();
  await page
    .getByRole("heading", { level: 2, name: new RegExp(formatDayInWords(day), "i") })
    .waitFor();
}
