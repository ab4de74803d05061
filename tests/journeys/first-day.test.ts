// The first day in a real browser: from the printed secret through the tour to the home; skipped, kept for later, and
// never opened again.
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { violationsOf } from "#tests/axe.ts";
import { makeCanteen } from "#tests/canteens.ts";
import { cast, castPassword, type CastName } from "#tests/cast.ts";
import { expectNoHorizontalScroll } from "#tests/page-width.ts";
import { openTestPortal, type PageOptions, type TestPortal } from "#tests/test-portal.ts";
import { leaveToPay, press, typeAmount } from "#tests/top-up-steps.ts";

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
  await makeCanteen(portal.server);
});
afterAll(async () => {
  await portal?.close();
});

const query = (text: string, values: unknown[]) => portal.server.deps.pool.query(text, values);
let secretHash: string;
/** A printed secret that nobody has used, as in the letter of a first card. */
beforeEach(async () => {
  const { rows } = await query(
    `select password_hash from person join card on card.person_id = person.id where number = $1`,
    [cast.resetPending.cardnumber],
  );
  secretHash ??= rows[0].password_hash;
  await query(
    `update person set must_reset = true, password_changed_at = null, tour_state = null, password_hash = $2
      where id = (select person_id from card where number = $1)`,
    [cast.resetPending.cardnumber, secretHash],
  );
  await portal.server.deps.db.deleteFrom("limiter").execute();
});

const password = "trois mouettes sur un quai";
const heading = (page: Page, name: string) => page.getByRole("heading", { name, level: 1 });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const isFocused = (one: Locator) => one.evaluate((node) => node === document.activeElement);
const addressOf = (page: Page) => page.url().slice(portal.url.length);

async function stateOf(name: CastName): Promise<string | null> {
  const { rows } = await query(
    "select tour_state from person join card on card.person_id = person.id where number = $1",
    [cast[name].cardnumber],
  );
  return rows[0].tour_state;
}

/** Signs in with the printed secret and chooses the first password. */
async function choosePassword(page: Page, address = "/login"): Promise<void> {
  await page.goto(address);
  await portal.fillLogin(page, "resetPending", castPassword);
  await page.waitForURL("**/reset/password*");
  await page.getByLabel("Nouveau mot de passe").fill(password);
  await button(page, "Enregistrer et continuer").click();
}

async function openTour(options?: PageOptions): Promise<Page> {
  const page = await portal.open(options);
  await choosePassword(page);
  await page.waitForURL("**/premiers/pas");
  await heading(page, "Votre carte").waitFor();
  await expect.poll(() => isFocused(heading(page, "Votre carte"))).toBe(true);
  return page;
}

describe("after the first password", () => {
  it("four cards lead to the home; signed in again, there is no tour", async () => {
    const page = await openTour();
    await page.getByText("Votre mot de passe est choisi.").waitFor();
    await page.getByText("Étape 1 sur 4").waitFor();
    await page.getByRole("article", { name: /Carte personnelle de Nadia/ }).waitFor();
    await button(page, "Afficher mon QR code").click();
    await page.getByRole("dialog", { name: "QR code de la carte" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });

    for (const [name, step, place] of [
      ["Votre enfant", "enfant", 2],
      ["Recharger", "recharge", 3],
      ["Cantine", "cantine", 4],
    ] as const) {
      await button(page, "Suivant").click();
      await heading(page, name).waitFor();
      await expect.poll(() => addressOf(page)).toBe(`/premiers/pas?etape=${step}`);
      await page.getByText(`Étape ${place} sur 4`).waitFor();
      await expect.poll(() => isFocused(heading(page, name))).toBe(true);
      await expect.poll(() => button(page, "Passer").isVisible()).toBe(true);
    }
    await expect.poll(() => stateOf("resetPending")).toBe("offered");
    await button(page, "Terminer").click();
    await page.waitForURL("**/dashboard");
    await expect.poll(() => stateOf("resetPending")).toBe("ended");

    await page.context().close();
    const later = await portal.open();
    await portal.loginByForm(later, "resetPending", password);
    await later.getByRole("heading", { name: "Solde" }).waitFor();
    await later.getByRole("tab", { name: "Opérations" }).waitFor();
    await expect.poll(() => addressOf(later)).toBe("/dashboard");
    await expect
      .poll(() => later.getByRole("link", { name: "Faire le tour de votre carte" }).count())
      .toBe(0);
    await later.context().close();
  });

  it("« Passer » closes it at once, on another device too", async () => {
    const page = await openTour();
    const other = await portal.open();
    await portal.login(other, "resetPending", password);
    await other.getByRole("link", { name: "Faire le tour de votre carte" }).waitFor();
    await button(page, "Passer").click();
    await page.waitForURL("**/dashboard");
    await expect.poll(() => stateOf("resetPending")).toBe("ended");
    await other.reload();
    await other.getByRole("tab", { name: "Opérations" }).waitFor();
    await expect
      .poll(() => other.getByRole("link", { name: "Faire le tour de votre carte" }).count())
      .toBe(0);
    await other.context().close();
    await page.context().close();
  });

  it("goes by the keyboard: arrows, and Escape skips", async () => {
    const page = await openTour();
    await page.keyboard.press("ArrowRight");
    await heading(page, "Votre enfant").waitFor();
    await expect.poll(() => isFocused(heading(page, "Votre enfant"))).toBe(true);
    await page.keyboard.press("ArrowRight");
    await heading(page, "Recharger").waitFor();
    await page.keyboard.press("ArrowLeft");
    await heading(page, "Votre enfant").waitFor();
    await page.keyboard.press("Tab");
    await expect.poll(() => isFocused(button(page, "Ajouter mon enfant"))).toBe(true);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Ajouter un membre" }).waitFor();
    // In a dialog the keys are its own: Escape closes it and the tour stays.
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await heading(page, "Votre enfant").waitFor();
    await expect.poll(() => stateOf("resetPending")).toBe("offered");
    await page.keyboard.press("Escape");
    await page.waitForURL("**/dashboard");
    await expect.poll(() => stateOf("resetPending")).toBe("ended");
    await page.context().close();
  });

  it("a followed link comes first; the home offers the tour in a line that goes for good", async () => {
    const page = await portal.open();
    await choosePassword(page, "/faq?q=bus");
    await page.waitForURL("**/faq?q=bus");
    await page.getByText("Votre mot de passe est choisi.").waitFor();
    await page.goto("/dashboard");
    const line = page.getByRole("link", { name: "Faire le tour de votre carte" });
    await line.click();
    await heading(page, "Votre carte").waitFor();
    await page.goto("/dashboard");
    await line.waitFor();
    await button(page, "Ne plus proposer").click();
    await line.waitFor({ state: "detached" });
    await expect.poll(() => stateOf("resetPending")).toBe("ended");
    await expect.poll(() => addressOf(page)).toBe("/dashboard");
    await page.context().close();
  });

  it("where the end cannot be kept it says so, and the home offers the tour again", async () => {
    const page = await openTour();
    await page.route("**/api/tour/end", (route) => route.abort());
    await button(page, "Passer").click();
    await page.waitForURL("**/dashboard");
    await page.getByText("La fin des premiers pas n’a pas été enregistrée.").waitFor();
    await page.unroute("**/api/tour/end");
    await page.getByRole("link", { name: "Faire le tour de votre carte" }).waitFor();
    await expect.poll(() => stateOf("resetPending")).toBe("offered");
    await page.context().close();
  });

  it("a second tab that chooses too late goes to the home", async () => {
    const page = await portal.open();
    await page.goto("/login");
    await portal.fillLogin(page, "resetPending", castPassword);
    await page.waitForURL("**/reset/password");
    const other = await page.context().newPage();
    await other.goto("/reset/password");
    await other.getByLabel("Nouveau mot de passe").waitFor();
    await page.getByLabel("Nouveau mot de passe").fill(password);
    await button(page, "Enregistrer et continuer").click();
    await page.waitForURL("**/premiers/pas");
    await other.getByLabel("Nouveau mot de passe").fill("quatre phares éteints");
    await button(other, "Enregistrer et continuer").click();
    await other.waitForURL("**/dashboard");
    await page.context().close();
  });
});

describe("the acts", () => {
  it("what is done is said, not asked; the top-up leads back to the next card", async () => {
    const page = await portal.open();
    await portal.signIn(page, "guardian");
    await page.goto("/premiers/pas?etape=enfant");
    await page.getByText(/2\senfants rattachés\s: (?:Jade et Léo|Léo et Jade)/).waitFor();
    await expect.poll(() => button(page, "Ajouter mon enfant").count()).toBe(0);
    await page.goto("/premiers/pas?etape=cantine");
    await page.getByText(/Déjà à la cantine\s: (?:Jade et Léo|Léo et Jade)/).waitFor();
    await button(page, "Voir les repas de la semaine").click();
    await page.waitForURL("**/commande/cantine/**");
    await expect.poll(() => stateOf("guardian")).toBe("ended");
    await page.context().close();
  });

  it("an empty wallet is topped up, and the tour goes on", async () => {
    const page = await openTour();
    await page.goto("/premiers/pas?etape=recharge");
    await page.getByRole("link", { name: "Recharger ma cagnotte" }).click();
    await page.getByRole("heading", { name: "Recharger la cagnotte" }).waitFor();
    await typeAmount(page, "20");
    await leaveToPay(page, "20");
    await press(page, "Payer 20,00 €");
    await page.getByRole("link", { name: "Continuer les premiers pas" }).click();
    await heading(page, "Cantine").waitFor();
    await expect.poll(() => isFocused(heading(page, "Cantine"))).toBe(true);
    await page.keyboard.press("ArrowLeft");
    await page.getByText(/Votre cagnotte contient 20,00/).waitFor();
    await page.context().close();
  });

  it("a child sees what a child can do; a professional has no tour", async () => {
    const page = await portal.open();
    await portal.signIn(page, "child");
    await page.goto("/premiers/pas");
    await page.getByText("Étape 1 sur 3").waitFor();
    await page.goto("/premiers/pas?etape=enfant");
    await heading(page, "Votre carte").waitFor();
    await page.context().close();
    const shop = await portal.open();
    await portal.signIn(shop, "partnerShop");
    await shop.goto("/premiers/pas");
    await shop.waitForURL("**/dashboard");
    await shop.context().close();
  });
});

describe("the room that it takes", () => {
  it("at 360 × 640 each card fits the screen with its act", async () => {
    const page = await portal.open({ viewport: { width: 360, height: 640 } });
    await portal.signIn(page, "stranger");
    for (const [step, act] of [
      ["carte", "Afficher mon QR code"],
      ["enfant", "Ajouter mon enfant"],
      ["recharge", /^(?:Recharger ma cagnotte|Voir mes cagnottes)$/],
      ["cantine", "Inscrire mon enfant"],
    ] as const) {
      await page.goto(`/premiers/pas?etape=${step}`);
      const shown = page
        .getByRole("button", { name: act })
        .or(page.getByRole("link", { name: act }));
      const passes = button(page, "Passer");
      for (const one of [shown, passes])
        await expect
          .poll(() =>
            one.evaluate((node) => {
              const { top, bottom } = node.getBoundingClientRect();
              return top >= 0 && bottom <= innerHeight;
            }),
          )
          .toBe(true);
      expect(await violationsOf(page)).toEqual([]);
    }
    await page.context().close();
  });

  it("at 320 px and with text at 200 % nothing scrolls sideways", async () => {
    const page = await portal.open({ viewport: { width: 320, height: 640 } });
    await portal.signIn(page, "guardian");
    for (const step of ["carte", "enfant", "recharge", "cantine"]) {
      await page.goto(`/premiers/pas?etape=${step}`);
      await button(page, step === "cantine" ? "Terminer" : "Suivant").waitFor();
      await expectNoHorizontalScroll(page);
      await page.evaluate("document.documentElement.style.fontSize = '200%'");
      await expectNoHorizontalScroll(page);
    }
    await page.context().close();
  });
});

it("leaves no fault of a script behind", () => expect(portal.faults).toEqual([]));
