// Forms, in a browser that speaks English: dates stay French, the first error has the focus, what the
// server refuses is told at its field, and what was typed survives a reload.
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { violationsOf } from "#tests/axe.ts";
import { expectWithinWidth } from "#tests/page-width.ts";
import { openTestPortal, type TestPortal } from "#tests/test-portal.ts";
import { press } from "#tests/keys.ts";

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(async () => {
  await portal?.close();
});

const openEnglish = (width = 1280) =>
  portal.open({
    locale: "en-US",
    timezoneId: "America/Los_Angeles",
    viewport: { width, height: 740 },
  });
const focused = (page: Page, what: string) =>
  page.evaluate<string>(`document.activeElement.${what}`);

it("a typed date is read day first, in every way of writing it", async () => {
  const page = await openEnglish();
  await page.goto("/test/ui");
  const date = page.getByLabel("Jour du voyage");
  for (const text of ["03/04/2027", "3/4/27", "03042027"]) {
    await date.fill("");
    await date.pressSequentially(text);
    await date.blur();
    await expect.poll(() => date.inputValue(), { message: text }).toBe("03/04/2027");
  }
  // Pasted from elsewhere.
  await date.fill("2027-04-03");
  await date.blur();
  await expect.poll(() => date.inputValue()).toBe("03/04/2027");
  await date.fill("31/02/2027");
  await date.blur();
  await page.getByText("Cette date n’existe pas.", { exact: false }).waitFor();
  await expect.poll(() => date.getAttribute("aria-invalid")).toBe("true");
  await date.fill("01/07/2027");
  await date.blur();
  await page.getByText("Choisissez une date du 24/11/2026 au 30/06/2027.").waitFor();
  await page.context().close();
});

it("the calendar is French, begins on Monday and answers to the keyboard, on a phone too", async () => {
  for (const width of [1280, 360]) {
    const page = await openEnglish(width);
    await page.goto("/test/ui");
    const date = page.getByLabel("Jour du voyage");
    await date.fill("15/04/2027");
    const button = date.locator("xpath=..").getByRole("button", { name: "Ouvrir le calendrier" });
    await press(button, "Enter");
    const calendar = page.getByRole("dialog", { name: "Choisir une date" });
    const grid = calendar.getByRole("grid", { name: "avril 2027" });
    await expect.poll(() => grid.getByRole("columnheader").first().innerText()).toContain("lu");
    await expect.poll(() => focused(page, "ariaLabel")).toBe("jeudi 15 avril 2027");
    for (const [key, day] of [
      ["ArrowRight", "vendredi 16 avril 2027"],
      ["ArrowDown", "vendredi 23 avril 2027"],
      ["Home", "lundi 19 avril 2027"],
      ["End", "dimanche 25 avril 2027"],
      ["ArrowUp", "dimanche 18 avril 2027"],
      ["PageDown", "mardi 18 mai 2027"],
      ["PageUp", "dimanche 18 avril 2027"],
      ["ArrowLeft", "samedi 17 avril 2027"],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(() => focused(page, "ariaLabel")).toBe(day);
    }
    expect(await violationsOf(page)).toEqual([]);
    await expectWithinWidth(calendar);
    // Closed and opened again at once, it begins at the chosen day as ever.
    await calendar.evaluate((popup) => {
      (popup as HTMLElement).hidePopover();
      (popup as HTMLElement).showPopover();
    });
    await expect.poll(() => focused(page, "ariaLabel")).toBe("jeudi 15 avril 2027");
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => focused(page, "ariaLabel")).toBe("jeudi 22 avril 2027");
    await page.keyboard.press("Escape");
    await calendar.waitFor({ state: "hidden" });
    await expect.poll(() => focused(page, "ariaLabel")).toBe("Ouvrir le calendrier");
    await expect.poll(() => date.inputValue()).toBe("15/04/2027");
    await page.keyboard.press("Enter");
    await expect.poll(() => focused(page, "ariaLabel")).toBe("jeudi 15 avril 2027");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await calendar.waitFor({ state: "hidden" });
    await expect.poll(() => date.inputValue()).toBe("16/04/2027");
    // Before the first month there is none: the button keeps the focus, and says that it does nothing.
    await date.fill("15/12/2026");
    await press(button, "Enter");
    await press(calendar.getByRole("button", { name: "Mois précédent" }), "Enter");
    await calendar.getByRole("grid", { name: "novembre 2026" }).waitFor();
    await calendar.locator("[aria-disabled=true]:focus", { hasText: "Mois précédent" }).waitFor();
    await page.keyboard.press("Enter");
    await calendar.getByRole("grid", { name: "novembre 2026" }).waitFor();
    await page.context().close();
  }
});

const openFirstCard = async (page: Page) => {
  await page.goto("/family");
  await page.getByRole("button", { name: "Ajouter un membre" }).first().click();
  return page.getByRole("dialog", { name: "Ajouter un membre" });
};

it("the first error has the focus, the server's too, and a reload finds what was typed", async () => {
  const page = await openEnglish();
  await portal.login(page, "coGuardian");
  let dialog = await openFirstCard(page);
  const send = () => dialog.getByRole("button", { name: "Demander la carte" }).click();
  await dialog.getByRole("radio", { name: /pas encore de carte/ }).check();
  const first = dialog.getByLabel("Prénom de l’enfant");
  const birth = dialog.getByLabel("Date de naissance");
  await send();
  await dialog.getByText("Indiquez le prénom.").waitFor();
  await expect.poll(() => first.evaluate((field) => field === document.activeElement)).toBe(true);
  await first.fill("Inès");
  await dialog.getByText("Indiquez le prénom.").waitFor({ state: "hidden" });
  await dialog.getByLabel("Nom de l’enfant", { exact: true }).fill("Moreau");
  await birth.fill("04/05/1990");
  await send();
  const refusal = dialog.getByText(/moins de 18 ans/);
  await refusal.waitFor();
  await expect.poll(() => refusal.count()).toBe(1);
  await expect.poll(() => birth.evaluate((field) => field === document.activeElement)).toBe(true);
  await expect.poll(() => birth.getAttribute("aria-invalid")).toBe("true");
  expect(await violationsOf(page)).toEqual([]);

  await page.reload();
  dialog = await openFirstCard(page);
  await expect.poll(() => first.inputValue()).toBe("Inès");
  await expect.poll(() => birth.inputValue()).toBe("04/05/1990");
  // Two presses at once make one request.
  await birth.fill("4/5/2019");
  await dialog.getByRole("button", { name: "Demander la carte" }).dblclick();
  // The list may hear of it before the form has its answer.
  await dialog.waitFor({ state: "hidden" });
  await page.getByRole("heading", { name: "Premières cartes demandées" }).waitFor();
  const { rows } = await portal.server.deps.pool.query(
    "select born_on::text from first_card_request",
  );
  expect(rows).toEqual([{ born_on: "2019-05-04" }]);

  dialog = await openFirstCard(page);
  await dialog.getByRole("radio", { name: /pas encore de carte/ }).check();
  await expect.poll(() => first.inputValue()).toBe("");
  await page.context().close();
});

it("what is typed outlives a session that ends by itself, for the same person; a logout in another tab forgets it", async () => {
  const page = await portal.open();
  await portal.login(page, "coGuardian");
  const endElsewhere = async () => {
    await (await portal.server.as("coGuardian")).post("/api/profile/sessions/end-others");
    await page.getByText("Votre session est terminée. Reconnectez-vous.").waitFor();
  };
  const typed = async () => {
    const dialog = await openFirstCard(page);
    await dialog.getByRole("radio", { name: /pas encore de carte/ }).check();
    return dialog.getByLabel("Prénom de l’enfant");
  };
  await (await typed()).fill("Inès");
  await endElsewhere();
  await portal.fillLogin(page, "coGuardian");
  await page.waitForURL("**/family");
  const back = await typed();
  await expect.poll(() => back.inputValue()).toBe("Inès");

  await endElsewhere();
  await portal.fillLogin(page, "stranger");
  await page.waitForURL("**/family");
  const ofAnother = await typed();
  await expect.poll(() => ofAnother.inputValue()).toBe("");

  await (await typed()).fill("Hugo");
  const other = await page.context().newPage();
  await other.goto("/profil");
  // The profile has such a button of its own once it is read.
  const menu = other.getByRole("complementary", { name: "Menu" });
  await menu.getByRole("button", { name: "Se déconnecter" }).click();
  await page.getByText("Vous êtes déconnecté.").waitFor();
  await portal.fillLogin(page, "stranger");
  await page.waitForURL("**/dashboard");
  const forgotten = await typed();
  await expect.poll(() => forgotten.inputValue()).toBe("");
  await page.context().close();
});

it("nothing was refused by the content security policy, no script threw", () => {
  expect(portal.faults).toEqual([]);
});
