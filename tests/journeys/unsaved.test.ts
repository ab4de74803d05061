// What is typed and not saved: nothing takes it away without asking.
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { violationsOf } from "../axe.ts";
import { makeCanteen } from "../canteens.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
  await makeCanteen(portal.server);
  await makeCanteen(portal.server, { name: "École du Large" });
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

const questionOf = (page: Page) => page.getByRole("alertdialog", { name: /^Abandonner/ });

async function openForm(page: Page): Promise<Locator> {
  await page.getByRole("button", { name: "Déclarer une année" }).click();
  const editor = page.getByRole("dialog");
  await shareOf(editor).waitFor();
  return editor;
}
const shareOf = (editor: Locator) => editor.getByRole("textbox", { name: /^Produits durables/ });

test("a form that is being filled in is kept from Escape, the cross and a press outside", async () => {
  const page = await portal.open({ viewport: { width: 1280, height: 800 } });
  await portal.login(page, "canteenProvider");
  await page.goto(`${portal.url}/pro/cantine`);
  const editor = await openForm(page);
  const question = questionOf(page);
  // Nothing typed, nothing asked.
  await page.keyboard.press("Escape");
  await editor.waitFor({ state: "hidden" });
  await openForm(page);
  const share = shareOf(editor);
  const first = await share.inputValue();
  await share.fill("33");
  // A browser asks the page about the first Escape only: each one is tried.
  for (let time = 0; time < 3; time++) {
    await page.keyboard.press("Escape");
    await question.waitFor();
    if (time === 0) expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "hidden" });
    await editor.waitFor();
  }
  await page.keyboard.press("Escape");
  await question.getByRole("button", { name: "Continuer la saisie" }).press("Enter");
  await editor.locator("input:focus").waitFor();
  await editor.getByRole("button", { name: "Fermer" }).click();
  await question.getByRole("button", { name: "Continuer la saisie" }).click();
  await page.mouse.click(5, 400);
  await question.getByRole("button", { name: "Continuer la saisie" }).click();
  await expect.poll(() => share.inputValue()).toBe("33");
  await page.keyboard.press("Escape");
  await question.getByRole("button", { name: "Abandonner" }).click();
  await editor.waitFor({ state: "hidden" });
  await openForm(page);
  await expect.poll(() => share.inputValue()).toBe(first);
  await page.keyboard.press("Escape");
  await editor.waitFor({ state: "hidden" });
});

test("a form of the page is kept from another tab, another page, the way back and a closed window", async () => {
  const page = await portal.open({ viewport: { width: 1280, height: 800 } });
  await portal.login(page, "canteenProvider");
  await page.getByRole("link", { name: "Cantine", exact: true }).first().click();
  await page.getByRole("tab", { name: "Règles" }).click();
  const question = questionOf(page);
  const field = page.getByRole("textbox").first();
  await field.fill("9");
  const there = page.url();
  const stays = async () => {
    await question.getByRole("button", { name: "Continuer la saisie" }).click();
    await question.waitFor({ state: "hidden" });
    await expect.poll(() => page.url()).toBe(there);
    await expect.poll(() => field.inputValue()).toBe("9");
  };
  await page.getByRole("tab", { name: "Menus" }).click();
  await stays();
  await page.getByLabel("Restaurant").selectOption("École du Large");
  await stays();
  await page.getByRole("link", { name: "Factures", exact: true }).first().click();
  await stays();
  await page.goBack();
  await stays();
  // Another window is looked at meanwhile, and what the server says is read again.
  const other = await page.context().newPage();
  await other.bringToFront();
  await page.bringToFront();
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await other.close();
  await expect.poll(() => field.inputValue()).toBe("9");
  const closing = page.waitForEvent("dialog");
  const closed = page.close({ runBeforeUnload: true });
  const dialog = await closing;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.dismiss();
  await closed;
  await page.getByRole("tab", { name: "Menus" }).click();
  await question.getByRole("button", { name: "Abandonner" }).click();
  await page.getByRole("button", { name: "Semaine suivante" }).waitFor();
  // Given up is given up: nothing is asked any more.
  await page.getByRole("link", { name: "Factures", exact: true }).first().click();
  await page.getByRole("heading", { level: 1, name: "Factures" }).waitFor();
});

test("what is saved is left without a question, with no word of what was typed before", async () => {
  const page = await portal.open({ viewport: { width: 1280, height: 800 } });
  await portal.login(page, "canteenProvider");
  await page.goto(`${portal.url}/pro/cantine`);
  const editor = await openForm(page);
  await shareOf(editor).fill("33");
  await editor.getByRole("textbox", { name: /^dont biologiques/ }).fill("12");
  await editor.getByRole("button", { name: "Enregistrer" }).click();
  await editor.waitFor({ state: "hidden" });
  await page.getByRole("link", { name: "Factures", exact: true }).first().click();
  await page.getByRole("heading", { level: 1, name: "Factures" }).waitFor();
});

test("where the question cannot be loaded, one leaves as before", async () => {
  const page = await portal.open({ viewport: { width: 1280, height: 800 } });
  await portal.login(page, "canteenProvider");
  await page.goto(`${portal.url}/pro/cantine`);
  const editor = await openForm(page);
  // Whatever is not loaded yet.
  await page.route("**/assets/*.js", (route) => route.abort());
  const refused = page.waitForEvent("requestfailed");
  await shareOf(editor).fill("33");
  await refused;
  await editor.getByRole("button", { name: "Fermer" }).click();
  await editor.waitFor({ state: "hidden" });
});
