// The provider's statement in a browser: a month read by day and kind, its control, kept as a file.
import { afterAll, beforeAll, expect, test } from "vitest";
import { addDays, firstOfMonth, parisDay } from "#contract/days.ts";
import { formatMonth } from "#contract/french.ts";
import { closePastMeals } from "#server/meal-service/day-end.ts";
import { violationsOf } from "../axe.ts";
import { makeCanteen, placeMeal } from "../canteens.ts";
import { expectNoHorizontalScroll } from "../page-width.ts";
import { bytesOf, openTestPortal, type TestPortal } from "../test-portal.ts";

let portal: TestPortal;
/** A day of last month. */
let day: string;
beforeAll(async () => {
  portal = await openTestPortal();
  const { server } = portal;
  const { child, secondChild } = (await makeCanteen(server)).registrations;
  day = addDays(firstOfMonth(parisDay(server.clock.now()), -1), 9);
  await placeMeal(server, { registration: child, day });
  await placeMeal(server, { registration: secondChild, day: addDays(day, 1) });
  await server.deps.pool.query("update meal_order set absence_percent = 50 where on_day = $1", [
    addDays(day, 1),
  ]);
  await closePastMeals(server.deps);
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

test.each([360, 1280])("at %s px: last month, to the cent, and as CSV", async (width) => {
  const colorScheme = width === 360 ? "dark" : "light";
  const page = await portal.open({ viewport: { width, height: 800 }, colorScheme });
  await portal.login(page, "canteenProvider");
  await page.getByRole("link", { name: "Cantine", exact: true }).first().click();
  await page.getByRole("tab", { name: "Relevé" }).click();
  await page.getByText("Rien à vous revenir ce mois-ci").waitFor();
  await page.getByRole("button", { name: "Mois précédent" }).click();
  await page.getByRole("heading", { name: formatMonth(day) }).waitFor();
  await page.getByText("Absences (2)").waitFor();
  await expect.poll(() => new URL(page.url()).searchParams.get("mois")).toBe(day.slice(0, 7));
  const words = async () => (await page.getByRole("main").innerText()).replaceAll(/\s/g, "");
  await expect.poll(words).toContain("5,18€");
  await expect.poll(words).toContain("Écart:0,00€");
  await page.getByRole("row").filter({ hasText: "1,73" }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await expectNoHorizontalScroll(page);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Exporter en CSV" }).click(),
  ]);
  expect(file.suggestedFilename()).toBe(`cantine-releve-${day.slice(0, 7)}.csv`);
  const csv = String(await bytesOf(file));
  expect(csv).toContain("Total;;;;5,18");
});
