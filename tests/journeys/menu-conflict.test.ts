// Two cooks who write the menu of a day at once: the second is told what the first has changed, and chooses.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Allergen } from "#contract/allergies/rows.ts";
import { todayInParis } from "#contract/days.ts";
import { menusOf } from "#server/kitchen/menus.ts";
import { violationsOf } from "../axe.ts";
import { farMonday, makeCanteen, type MadeCanteen } from "../canteens.ts";
import { expectNoHorizontalScroll } from "../page-width.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";
import type { Client } from "../test-server.ts";

let portal: TestPortal;
let made: MadeCanteen;
let colleague: Client;
let monday: string;
beforeAll(async () => {
  portal = await openTestPortal();
  made = await makeCanteen(portal.server, { kind: "staff", seats: 120 });
  colleague = await portal.server.as("canteenProvider");
  monday = farMonday(todayInParis(portal.server.clock.now()), [0, 1, 2, 3, 4]);
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

async function writeFish(allergens: readonly Allergen[], note = ""): Promise<void> {
  const fish = { course: "main", name: "Lieu", labels: [], allergens, diets: [], priceCents: null };
  const answer = await colleague.post("/api/canteen/menus", { day: monday, note, dishes: [fish] });
  expect(answer.status).toBe(200);
}
const written = () =>
  menusOf(portal.server.deps.db, made.providerId, monday, monday, { published: false });
const noteOf = (page: Page) => page.getByLabel(/^Note pour les familles/);

test("what a colleague saved is not replaced unread: what is typed stays, the change is named, and one chooses", async () => {
  await writeFish(["fish"]);
  const page = await portal.open({ viewport: { width: 360, height: 740 } });
  await portal.signIn(page, "canteenProvider");
  await page.goto(`/pro/menu?jour=${monday}`);
  await noteOf(page).fill("Semaine du goût");
  await writeFish(["fish", "milk"]);
  const save = page.getByRole("button", { name: "Enregistrer", exact: true });
  const refused = page.getByRole("alert").filter({ hasText: "Un collègue a modifié ce menu" });
  const keep = page.getByRole("button", { name: "Garder ma saisie" });
  await save.click();
  await refused.waitFor();
  await refused.getByText("Lieu (poissons, lait)").waitFor();
  await expect.poll(() => noteOf(page).inputValue()).toBe("Semaine du goût");
  await expect
    .poll(written)
    .toMatchObject([{ note: "", dishes: [{ allergens: ["fish", "milk"] }] }]);
  expect(await violationsOf(page)).toEqual([]);
  await expectNoHorizontalScroll(page);
  // Kept over the menu that was shown, and over no later one.
  await keep.click();
  await keep.waitFor({ state: "detached" });
  await expect.poll(() => noteOf(page).inputValue()).toBe("Semaine du goût");
  await writeFish(["fish", "mustard"], "Sans lait");
  await save.click();
  await refused.getByText("Lieu (poissons, moutarde)").waitFor();
  await expect.poll(written).toMatchObject([{ note: "Sans lait" }]);
  await page.getByRole("button", { name: "Relire le menu" }).click();
  await expect.poll(() => noteOf(page).inputValue()).toBe("Sans lait");
  await page.getByRole("button", { name: /^Allergènes du plat 1.*Poissons, moutarde/ }).waitFor();
  await refused.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Reprendre la saisie" }).click();
  await expect.poll(() => noteOf(page).inputValue()).toBe("Semaine du goût");
  await keep.click();
  await keep.waitFor({ state: "detached" });
  await save.click();
  await page.getByRole("button", { name: "Publier la semaine" }).waitFor();
  await expect
    .poll(written)
    .toMatchObject([{ note: "Semaine du goût", dishes: [{ allergens: ["fish"] }] }]);
  await page.context().close();
});

test("what is given up after a refusal takes the refusal along", async () => {
  await writeFish(["fish"]);
  const page = await portal.open({ viewport: { width: 1280, height: 800 } });
  await portal.signIn(page, "canteenProvider");
  await page.goto(`/pro/menu?jour=${monday}`);
  await noteOf(page).fill("Semaine du goût");
  await writeFish(["fish", "milk"], "Sans lait");
  await page.getByRole("button", { name: "Enregistrer", exact: true }).click();
  const refused = page.getByRole("alert").filter({ hasText: "Un collègue a modifié ce menu" });
  await refused.getByRole("button", { name: "Garder ma saisie" }).waitFor();
  await page.getByRole("button", { name: "Abandonner la saisie" }).click();
  await expect.poll(() => noteOf(page).inputValue()).toBe("Sans lait");
  await expect.poll(() => page.getByText("Le menu n’a pas été enregistré.").count()).toBe(0);
  await page.context().close();
});
