// The page that everyone meets first, and the parts that every screen is made of.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Locator } from "playwright-core";
import { violationsOf } from "#tests/axe.ts";
import { cast, castPassword } from "#tests/cast.ts";
import { expectNoHorizontalScroll, expectWithinWidth } from "#tests/page-width.ts";
import { openTestPortal, type TestPortal } from "#tests/test-portal.ts";
import { press } from "#tests/keys.ts";

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(async () => {
  await portal?.close();
});

const themes = ["light", "dark"] as const;
const widths = [320, 360, 1280];

describe("the login page", () => {
  it("is readable without a script, and needs three requests", async () => {
    const page = await portal.open({ javaScriptEnabled: false });
    await page.goto("/login");
    await page.getByRole("heading", { name: "Connectez-vous" }).waitFor();
    await expect.poll(() => page.getByLabel("Numéro de carte").isVisible()).toBe(true);
    await page.context().close();

    const live = await portal.open();
    const paths: string[] = [];
    live.on("request", (request) => {
      if (!request.url().startsWith("data:")) paths.push(new URL(request.url()).pathname);
    });
    await live.goto("/login", { waitUntil: "load" });
    await live.evaluate("document.fonts.ready.then(() => null)");
    await expect.poll(() => paths.filter((path) => /login|figtree/.test(path))).toHaveLength(3);
    await live.context().close();
  });

  it("groups the number as it is typed and pasted, and draws the card of that number", async () => {
    const page = await portal.open();
    await page.goto("/login");
    const number = page.getByLabel("Numéro de carte");
    const drawn = () => page.locator("#motif path").first().getAttribute("d");
    await number.pressSequentially("10000000");
    await expect.poll(() => number.inputValue()).toBe("1000 000 0");
    const before = await drawn();
    await number.fill(" 1000 0000-16 ");
    await expect.poll(() => number.inputValue()).toBe("1000 000 016");
    await expect.poll(drawn).not.toBe(before);
    await number.press("Home");
    await number.press("ArrowRight");
    await number.press("Delete");
    await expect.poll(() => number.inputValue()).toBe("1000 000 16");
    await expect.poll(() => number.evaluate("document.activeElement.selectionStart")).toBe(1);
    await page.context().close();
  });

  it("registers the worker, and offline is the page of a lost connection that blames nothing", async () => {
    const page = await portal.open({ worker: true });
    const lines: string[] = [];
    page.on("console", (message) => lines.push(message.text()));
    await page.goto("/login");
    await expect.poll(() => lines).toContain("Service Worker enregistré");
    await page.getByLabel("Numéro de carte").fill(String(cast.guardian.cardnumber));
    const password = page.getByLabel("Mot de passe", { exact: true });
    await password.fill(castPassword);
    await page.context().setOffline(true);
    await page.getByRole("heading", { name: "Connexion perdue" }).waitFor();
    await expect.poll(() => page.getByRole("button").allInnerTexts()).toEqual(["rafraîchir"]);
    await expect.poll(() => password.isVisible()).toBe(false);
    expect(await violationsOf(page)).toEqual([]);
    await page.context().setOffline(false);
    await expect.poll(() => password.inputValue()).toBe(castPassword);
    await expect.poll(() => password.evaluate("document.activeElement.id")).toBe("password");
    await page.context().close();
  });

  it("asks for what is missing, sends nothing, and says what was wrong", async () => {
    const page = await portal.open();
    const sent: string[] = [];
    page.on("request", (request) => request.url().endsWith("/api/login") && sent.push("login"));
    await page.goto("/login");
    const send = page.getByRole("button", { name: "Se connecter" });
    await send.click();
    await expect
      .poll(() => page.getByRole("alert").textContent())
      .toBe("Indiquez votre numéro de carte.");
    await expect.poll(() => sent).toEqual([]);
    const number = page.getByRole("textbox", { name: "Numéro de carte" });
    const password = page.getByLabel("Mot de passe", { exact: true });
    const exposed = async (field: Locator) => [
      await field.getAttribute("aria-invalid"),
      await field.getAttribute("aria-describedby"),
    ];
    await expect.poll(() => exposed(number)).toEqual(["true", "problem"]);
    await expect.poll(() => exposed(password)).toEqual([null, null]);
    await page.getByLabel("Numéro de carte").fill(String(cast.guardian.cardnumber));
    await page.getByLabel("Mot de passe", { exact: true }).fill("pas le bon mot de passe");
    await send.click();
    await page.getByText("Erreur d'identifiant et/ou de mot de passe.").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await expect.poll(() => exposed(number)).toEqual(["true", "problem"]);
    await expect.poll(() => exposed(password)).toEqual(["true", "problem"]);
    await expect.poll(() => new URL(page.url()).pathname).toBe("/login");
    await page.getByLabel("Mot de passe", { exact: true }).fill(castPassword);
    await page.keyboard.press("Enter");
    await page.waitForURL(`${portal.url}/dashboard`);
    await expect.poll(() => page.title()).toBe("Ma carte");
    await expect.poll(() => sent).toHaveLength(2);
    await page.goto("/login");
    await page.waitForURL(`${portal.url}/dashboard`);
    await page.context().close();
  });

  it.each(themes)(
    "has no accessibility violation and no sideways scroll, %s",
    async (colorScheme) => {
      for (const width of widths) {
        const page = await portal.open({ colorScheme, viewport: { width, height: 760 } });
        await page.goto("/login");
        await page.getByRole("heading", { level: 1 }).waitFor();
        expect(await violationsOf(page)).toEqual([]);
        await expectNoHorizontalScroll(page);
        await page.context().close();
      }
    },
  );
});

describe("the components", () => {
  it.each(themes)("have no accessibility violation at any width, %s", async (colorScheme) => {
    for (const width of widths) {
      const page = await portal.open({
        colorScheme,
        viewport: { width, height: 800 },
      });
      for (const path of ["/test/ui", "/test/ui?cadre"]) {
        await page.goto(path);
        await page.getByRole("heading", { level: 1 }).first().waitFor();
        expect(await violationsOf(page)).toEqual([]);
        await expectNoHorizontalScroll(page);
      }
      await page.context().close();
    }
  });

  it("answer to the keyboard: menu, tabs, dialog, combobox, chart", async () => {
    const page = await portal.open();
    await page.goto("/test/ui");
    const more = page.getByRole("button", { name: "Autres actions" });
    await more.focus();
    await page.keyboard.press("Enter");
    const focused = () => page.evaluate<string>("document.activeElement.textContent.trim()");
    await expect.poll(focused).toBe("Télécharger le relevé");
    await page.keyboard.press("ArrowUp");
    await expect.poll(focused).toBe("Opposer la carte");
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await expect.poll(focused).toBe("Autres actions");

    await page.getByRole("tab", { name: "Opérations" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.getByRole("tabpanel").textContent()).toBe("Deux abonnements.");

    await press(page.getByRole("button", { name: "Demander confirmation" }), "Enter");
    await page.getByRole("alertdialog", { name: "Opposer la carte ?" }).waitFor();
    await expect.poll(focused).toBe("Annuler");
    await page.keyboard.press("Escape");
    await expect.poll(focused).toBe("Demander confirmation");

    const town = page.getByRole("combobox", { name: "Commune" });
    await town.fill("ile");
    const list = page.getByRole("listbox", { name: "Commune" });
    await expect.poll(() => list.getByRole("option").allTextContents()).toEqual(["Île-Tudy"]);
    expect(await violationsOf(page)).toEqual([]);
    await town.press("Enter");
    await expect.poll(() => town.inputValue()).toBe("Île-Tudy");
    await town.fill("zzz");
    await page.getByText("Aucun résultat.").waitFor();
    await town.press("Escape");
    await expect.poll(() => town.inputValue()).toBe("Île-Tudy");

    const chart = page.getByRole("slider").first();
    const before = await chart.getAttribute("aria-valuetext");
    await chart.press("ArrowLeft");
    await expect.poll(() => chart.getAttribute("aria-valuetext")).not.toBe(before);
    await page.context().close();
  });

  it("turn pages and act from joined buttons, by keyboard alone, on a phone too", async () => {
    for (const width of [1280, 360]) {
      const page = await portal.open({ viewport: { width, height: 800 } });
      await page.goto("/test/ui");
      const pages = page.getByRole("navigation", { name: "Pages des opérations" });
      const where = pages.locator("[aria-live=polite]");
      const before = pages.getByRole("button", { name: "Page précédente" });
      const next = pages.getByRole("button", { name: "Page suivante" });
      await expect.poll(() => before.getAttribute("aria-disabled")).toBe("true");
      await before.press("Enter");
      await expect.poll(() => where.innerText()).toBe("1 à 20 sur 47");
      await press(next, "Enter");
      await press(next, "Space");
      await expect.poll(() => where.innerText()).toBe("41 à 47 sur 47");
      await expect.poll(() => next.getAttribute("aria-disabled")).toBe("true");
      await next.press("Enter");
      await expect
        .poll(() => next.evaluate((button) => button === document.activeElement))
        .toBe(true);
      await press(before, "Enter");
      await expect.poll(() => where.innerText()).toBe("21 à 40 sur 47");
      await expectWithinWidth(pages);

      const acts = page.getByRole("group", { name: "Commande", exact: true });
      await press(acts.getByRole("button", { name: "Servir" }), "Enter");
      await page.getByText("Servie.", { exact: true }).waitFor();
      await press(acts.getByRole("button", { name: "Suite de la commande" }), "Enter");
      await expect.poll(() => page.getByRole("menuitem").filter({ visible: true }).count()).toBe(2);
      expect(await violationsOf(page)).toEqual([]);
      await page.keyboard.press("Enter");
      await page.getByText("Exportée.", { exact: true }).waitFor();
      const chips = page.getByRole("group", { name: "Filtrer" });
      await expect
        .poll(() => chips.getByRole("button", { pressed: true }).innerText())
        .toContain("Entrées");
      await press(chips.getByRole("button", { name: "Dépenses" }), "Space");
      await expect.poll(() => chips.getByRole("button", { pressed: true }).count()).toBe(2);
      await expect
        .poll(() => chips.getByRole("button", { name: "Refusé" }).isDisabled())
        .toBe(true);
      await page.context().close();
    }
  });

  it("show a notification for five seconds at the bottom, and red at the top when told", async () => {
    const page = await portal.open();
    await page.clock.install();
    await page.goto("/test/ui");
    const button = page.getByRole("button", { name: "Notification", exact: true });
    await button.waitFor();
    // From here on only the test moves the page's time: what is shown stays until it is looked at.
    await page.clock.pauseAt(Date.now() + 3_600_000);
    await page.getByRole("button", { name: "Alerte en haut" }).click();
    const top = page.getByRole("region", { name: "Alertes" });
    await top.getByText("Une erreur s'est produite").waitFor();
    await button.click();
    const bottom = page.getByRole("region", { name: "Notifications", exact: true });
    const notice = bottom.getByText("Votre profil est enregistré.");
    await notice.waitFor();
    await page.clock.runFor(4900);
    await expect.poll(() => notice.count()).toBe(1);
    await page.clock.runFor(100);
    await notice.waitFor({ state: "detached" });
    await page.context().close();
  });
});

// proves: content-security-policy
it("nothing was refused by the content security policy, no script threw", () => {
  expect(portal.faults).toEqual([]);
});
