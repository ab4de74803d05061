// The foot of every page and where it leads, without a session and with one.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { register } from "#server/privacy/register.ts";
import { violationsOf } from "../axe.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

const foot = (page: Page) => page.getByRole("contentinfo");
const linksOf = (page: Page) => foot(page).getByRole("link").allInnerTexts();
const labels = [
  "Accessibilité\u202f: non conforme",
  "Mentions légales",
  "Données personnelles",
  "Plan du site",
];

// proves: legal-pages
test("before the login: the foot is there, and each page opens from it", async () => {
  const page = await portal.open({ viewport: { width: 360, height: 740 } });
  for (const address of ["/login", "/identify", "/nulle/part/du/tout", "/health"]) {
    await page.goto(address);
    await foot(page).getByRole("link").first().waitFor();
    await expect.poll(async () => [address, await linksOf(page)]).toEqual([address, labels]);
  }
  await page.goto("/login");
  await foot(page).getByRole("link", { name: "Données personnelles" }).click();
  await page.getByRole("heading", { level: 1, name: "Données personnelles" }).waitFor();
  await expect.poll(() => page.title()).toBe("Données personnelles · Ma carte");
  const first = register[0];
  if (!first) throw new Error("the register is empty");
  await page.getByText(first.howLong).first().waitFor();
  await expect
    .poll(() => page.getByRole("table").getByRole("row").count())
    .toBe(register.length + 1);
  expect(await violationsOf(page)).toEqual([]);
  await foot(page)
    .getByRole("link", { name: /^Accessibilité/ })
    .click();
  await page.getByRole("heading", { name: "Voies de recours" }).waitFor();
  // The heading of the screen has the keyboard, and the address of the recourse is a link.
  await page.locator("h1:focus").waitFor();
  await page.getByRole("link", { name: "formulaire.defenseurdesdroits.fr" }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.context().close();
});

// proves: legal-pages
test("the usual addresses lead to the pages, whatever their case", async () => {
  const page = await portal.open();
  for (const [usual, there] of [
    ["/accessibilite", "/informations/accessibilite"],
    ["/Mentions-Legales", "/informations/mentions-legales"],
    ["/confidentialite", "/informations/donnees"],
    ["/plan-du-site", "/informations/plan"],
  ] as const) {
    await page.goto(usual);
    await page.waitForURL(portal.url + there);
  }
  await page.getByRole("link", { name: "Mot de passe oublié" }).waitFor();
  await page.context().close();
});

test("logged in: the same foot below each screen; the plan leads where this person may go", async () => {
  const page = await portal.open();
  await portal.login(page, "partnerShop");
  await foot(page).getByRole("link").first().waitFor();
  await expect.poll(() => linksOf(page)).toEqual(labels);
  await foot(page).getByRole("link", { name: "Plan du site" }).click();
  await page.getByRole("heading", { level: 1, name: "Plan du site" }).waitFor();
  const listed = () => page.getByRole("main").getByRole("link").allInnerTexts();
  await expect.poll(listed).toContain("Mes données");
  await expect.poll(listed).not.toContain("Famille");
  await expect.poll(listed).not.toContain("Mot de passe oublié");
  await page.getByRole("link", { name: "Mes données" }).click();
  await page.getByRole("link", { name: "Voir les durées par type de donnée" }).click();
  await page.getByRole("table", { name: "Durées de conservation" }).waitFor();
  await page.context().close();
});

test("on a phone help is one tap away at the top of every screen", async () => {
  const page = await portal.open({ viewport: { width: 360, height: 740 } });
  await portal.login(page, "stranger");
  const top = page.getByRole("banner");
  await expect.poll(() => top.getByRole("button", { name: "Se déconnecter" }).count()).toBe(0);
  await top.getByRole("link", { name: "Aide" }).click();
  await page.getByRole("heading", { level: 1, name: "Aide" }).waitFor();
  await page.context().close();
});
