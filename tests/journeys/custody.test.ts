// Custody in a browser: two guardians on two devices agree on whose week it is, and the child reads it.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { violationsOf } from "../axe.ts";
import { cast } from "../cast.ts";
import { expectNoHorizontalScroll } from "../page-width.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

/** With SHOTS set, each state is also drawn there, for the eye. */
async function check(page: Page, name: string): Promise<void> {
  const folder = process.env["SHOTS"];
  for (const width of [1280, 360, 320]) {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      if (folder && width !== 320) {
        const path = `${folder}/${name}-${width}-${colorScheme}.png`;
        await page.screenshot({ path, fullPage: true });
      }
    }
    expect(await violationsOf(page), `${name} at ${width}`).toEqual([]);
    await expectNoHorizontalScroll(page);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

const member = `/family/${cast.child.cardnumber}?onglet=garde`;
const openAs = async (name: "guardian" | "coGuardian" | "child") => {
  const page = await portal.open();
  await portal.login(page, name);
  return page;
};

// proves: focus
test("one proposes, the other refuses, then accepts; each day then says with whom", async () => {
  const camille = await openAs("guardian");
  await camille.goto(member);
  await camille.getByText("Rien n’est convenu pour l’instant.", { exact: false }).waitFor();
  await camille.getByRole("button", { name: /^Proposer/ }).click();
  const dialog = camille.getByRole("dialog", { name: "Garde de Léo Moreau" });
  await dialog.getByRole("button", { name: "Envoyer la proposition" }).click();
  await dialog.getByText("Choisissez ce que vous proposez.").waitFor();
  const propose = async () => {
    await dialog.getByRole("radio", { name: /Une semaine sur deux/ }).check();
    await dialog.getByRole("radio", { name: "Camille (vous)" }).check();
    await check(camille, "garde-proposer");
    await dialog.getByRole("button", { name: "Envoyer la proposition" }).click();
    await dialog.waitFor({ state: "hidden" });
    await camille.getByText(/Une réponse de Thomas est attendue sous 7 jours/).waitFor();
  };
  await propose();

  const thomas = await openAs("coGuardian");
  await thomas.goto(member);
  await thomas.getByText("Camille propose", { exact: false }).waitFor();
  await check(thomas, "garde-proposee");
  await thomas.getByRole("button", { name: /^Refuser la proposition/ }).press("Enter");
  await thomas.getByText("Camille propose", { exact: false }).waitFor({ state: "hidden" });
  await thomas.locator("h2:focus", { hasText: "Garde" }).waitFor();
  // The other screen learns it by itself, and nothing is agreed.
  await camille.getByText(/Une réponse de Thomas/).waitFor({ state: "hidden" });
  await camille.getByText("Rien n’est convenu pour l’instant.", { exact: false }).waitFor();

  await camille.getByRole("button", { name: /^Proposer/ }).click();
  await propose();
  await thomas.getByRole("button", { name: /^Accepter la proposition/ }).click();
  const words = "Semaines paires avec Camille, semaines impaires avec Thomas.";
  await camille.getByText(words).waitFor();
  await camille.getByText(/^Semaine \d+ : semaine de (Camille|Thomas)$/).waitFor();
  await check(camille, "garde-convenue");
  await camille.getByRole("button", { name: "Mois suivant" }).click();
  await camille
    .getByRole("cell", { name: /^lundi .*, avec (Camille|Thomas)$/ })
    .first()
    .waitFor();

  const leo = await openAs("child");
  await leo.goto("/family");
  await leo.getByText(words).waitFor();
  await expect.poll(() => leo.getByRole("button", { name: /^Proposer/ }).count()).toBe(0);
  await check(leo, "garde-enfant");
  for (const page of [camille, thomas, leo]) await page.context().close();
});

test("dates that do not fit are told at their field; a child of one guardian has no custody", async () => {
  const page = await openAs("guardian");
  await page.goto(member);
  await page.getByRole("button", { name: /^Proposer/ }).click();
  const dialog = page.getByRole("dialog", { name: "Garde de Léo Moreau" });
  await dialog.getByRole("radio", { name: /Des vacances par moitié/ }).check();
  await dialog.getByRole("radio", { name: "Thomas" }).check();
  await dialog.getByLabel("Premier jour").fill("01/01/2020");
  await dialog.getByRole("button", { name: "Envoyer la proposition" }).click();
  await dialog.getByText("Ce jour est passé. Choisissez à partir d’aujourd’hui.").waitFor();
  await dialog.getByText("Indiquez le dernier jour.").waitFor();
  await page.goto(`/family/${cast.secondChild.cardnumber}?onglet=garde`);
  await page.getByRole("heading", { name: "Sa famille" }).waitFor();
  await expect.poll(() => page.getByRole("heading", { name: "Garde" }).count()).toBe(0);
  await page.context().close();
});
