// Children at two canteens of one provider: each is named wherever both are possible, and a second meal at one time
// is asked about.
import { afterAll, beforeAll, expect, test } from "vitest";
import { addDays, todayInParis } from "#contract/days.ts";
import { workingDaysAfter } from "#contract/working-days.ts";
import { violationsOf } from "../axe.ts";
import { chosenMeals, mealCell } from "../canteen-week.ts";
import { farMonday, makeCanteen, type MadeCanteen, placeMeal } from "../canteens.ts";
import { expectNoHorizontalScroll } from "../page-width.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";
import type { Client } from "../test-server.ts";

let portal: TestPortal;
let camille: Client;
let school: MadeCanteen;
let leisure: MadeCanteen;
/** All deadlines of it are to come. */
const day = workingDaysAfter(todayInParis(), 4);
beforeAll(async () => {
  portal = await openTestPortal();
  school = await makeCanteen(portal.server, { kind: "staff" });
  leisure = await makeCanteen(portal.server, { kind: "staff", name: "Centre de loisirs" });
  camille = await portal.server.as("guardian");
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

const chosen = async () =>
  (
    await camille.get(`/api/canteen/providers/${school.groupId}/week?day=${day}`)
  ).body.request?.lines.map(({ canteen }: { canteen: string }) => canteen) ?? [];

for (const [width, colorScheme] of [
  [360, "dark"],
  [1280, "light"],
] as const) {
  test(`at ${width} px: the week, the review and the choice by weeks name the canteen`, async () => {
    await camille.post("/api/canteen/requests/drop", { idgroup: school.groupId });
    const page = await portal.open({ viewport: { width, height: 800 }, colorScheme });
    await portal.signIn(page, "guardian");
    const path = `${portal.url}/commande/cantine/restauration-essai/${school.groupId}`;
    await page.goto(`${path}?semaine=${day}`);
    await mealCell(page, "Léo · École des Embruns", day).click();
    await chosenMeals(page, 1).waitFor();
    await mealCell(page, "Léo · Centre de loisirs", day).click();
    const confirmation = page.getByRole("alertdialog", { name: "Deux repas à la même heure" });
    await confirmation
      .getByText(/Léo a déjà un repas à la même heure, à École des Embruns/)
      .waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await expectNoHorizontalScroll(page);
    await confirmation.getByRole("button", { name: "Ne pas commander" }).click();
    await expect.poll(chosen).toEqual(["École des Embruns"]);
    await mealCell(page, "Léo · Centre de loisirs", day).click();
    await confirmation.getByRole("button", { name: "Commander aussi" }).click();
    await chosenMeals(page, 2).waitFor();
    await page.getByRole("button", { name: "Commander", exact: true }).click();
    const dayLine = page.locator("summary", { hasText: "Léo (2)" });
    await dayLine.getByText(/École des Embruns/).waitFor();
    await dayLine.getByText(/Centre de loisirs/).waitFor();
    await dayLine.click();
    await page.getByRole("button", { name: /^Retirer .*, Léo, Centre de loisirs$/ }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "Continuer à choisir" }).click();
    await page.getByRole("button", { name: "Commander par semaines" }).click();
    const weeks = page.getByRole("dialog", { name: "Commander par semaines" });
    const chip = (name: string) => weeks.getByRole("button", { name, exact: true });
    await chip("Léo, École des Embruns").waitFor();
    // Of a child at two canteens the first is chosen.
    const pressed = (name: string) => chip(name).getAttribute("aria-pressed");
    await expect.poll(() => pressed("Léo, École des Embruns")).toBe("true");
    await expect.poll(() => pressed("Léo, Centre de loisirs")).toBe("false");
    expect(await violationsOf(page)).toEqual([]);
    await page.context().close();
  });
}

test("of a whole week ticked, the meals at the same time as another are asked about, the rest chosen", async () => {
  const monday = farMonday(todayInParis(), [0, 1, 2, 3, 4]);
  await camille.post("/api/canteen/requests/drop", { idgroup: school.groupId });
  const page = await portal.open();
  await portal.signIn(page, "guardian");
  const path = `/commande/cantine/restauration-essai/${school.groupId}?semaine=${monday}`;
  await page.goto(portal.url + path);
  await mealCell(page, "Léo · École des Embruns", monday).waitFor();
  // Ordered at the other canteen meanwhile, which the page does not know yet.
  const placed = [monday, addDays(monday, 1)];
  for (const on of placed)
    await placeMeal(portal.server, { registration: leisure.registrations.child, day: on });
  await page.getByRole("checkbox", { name: /^Léo · École des Embruns/ }).click();
  const question = page.getByRole("alertdialog", { name: "Deux repas à la même heure" });
  await question.getByText(/ 2 des repas choisis sont dans ce cas/).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await question.getByRole("button", { name: "Ne pas commander" }).click();
  await expect.poll(chosen).toHaveLength(3);
  await chosenMeals(page, 3).waitFor();
  await page.context().close();
});
