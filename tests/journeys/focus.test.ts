// Where the keyboard stands after each act, as the accessibility tree tells it: never on nothing.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeActive } from "../active-card.ts";
import { cast, castPassword } from "../cast.ts";
import { codeDialog } from "../code-dialog.ts";
import { makeEvent } from "../events.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";
import { press } from "../keys.ts";

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

interface TreeNode {
  role?: { value: string };
  name?: { value: string };
  properties?: { name: string; value: { value?: unknown } }[];
}

/** What has the focus: its role, its name and, where it is refused, that it is invalid. */
async function focused(page: Page): Promise<string> {
  const debug = await page.context().newCDPSession(page);
  const { nodes } = await debug.send("Accessibility.getFullAXTree");
  await debug.detach();
  const has = (node: TreeNode, name: string, value: unknown) =>
    node.properties?.some((one) => one.name === name && one.value.value === value);
  const found = (nodes as TreeNode[]).findLast((node) => has(node, "focused", true));
  const invalid = found && has(found, "invalid", "true") ? " invalid" : "";
  return `${found?.role?.value} « ${found?.name?.value} »${invalid}`;
}
const reaches = (page: Page, what: string | RegExp) =>
  expect.poll(() => focused(page)).toMatch(what);

// proves: focus
test("each place of the menu is entered at its heading, and the tab bears its name", async () => {
  const page = await portal.open();
  await portal.login(page, "guardian");
  const menu = page.getByRole("navigation", { name: "Navigation principale" });
  const [home, ...places] = await menu.getByRole("link").all();
  if (!home) throw new Error("the menu is empty");
  for (const link of [...places, home]) {
    await link.click();
    await page.waitForURL(`**${await link.getAttribute("href")}`);
    await page.locator("h1:focus").waitFor();
    await page.getByRole("heading", { level: 1 }).waitFor();
    const title = (await page.getByRole("heading", { level: 1 }).innerText()).trim();
    await reaches(page, `heading « ${title} »`);
    await expect.poll(() => page.title()).toContain(title);
  }
  await page.context().close();
});

// proves: focus
test("the last place and the last line of a cart leave the keyboard where something is", async () => {
  const camille = await portal.server.as("guardian");
  const event = await makeEvent(portal.server);
  const page = await portal.open();
  await portal.signIn(page, "guardian");
  await page.goto(`/services/E-Billet?offre=${event.id}`);
  await page.getByText("Plusieurs places, autres tarifs").click();
  await page.getByRole("button", { name: /^Ajouter une place, Plein tarif/ }).click();
  await page.getByLabel(/^Plein tarif.*1 place/).waitFor();
  await page.getByRole("button", { name: /^Retirer une place, Plein tarif/ }).click();
  await page.getByLabel(/^Plein tarif.*0 place/).waitFor();
  await reaches(page, "button « Retirer une place, Plein tarif");
  const line = { session: event.session, category: event.full, quantity: 1 };
  await camille.post("/api/tickets/cart/lines", { ...line, cardnumber: cast.guardian.cardnumber });
  await page.goto("/services/E-Billet?panier=");
  await page.getByRole("button", { name: /^Supprimer, / }).click();
  await page.getByText("Votre panier est vide").waitFor();
  await reaches(page, "heading « Votre panier »");
  await page.getByText(/^Retiré du panier/).waitFor();
  await page.context().close();
});

// proves: focus
test("five minutes before its end the cart says so; held longer, the keyboard stays with its time", async () => {
  const camille = await portal.server.as("guardian");
  const event = await makeEvent(portal.server);
  const line = { session: event.session, category: event.full, quantity: 1 };
  await camille.post("/api/tickets/cart/lines", { ...line, cardnumber: cast.guardian.cardnumber });
  portal.server.clock.advance(21 * 60_000);
  const page = await portal.open({ viewport: { width: 360, height: 740 } });
  await portal.signIn(page, "guardian");
  await page.goto("/services/E-Billet?panier=");
  await page.getByRole("alert").getByText("moins de 5 minutes").waitFor();
  await press(page.getByRole("button", { name: "Garder mes places plus longtemps" }), "Enter");
  await page.getByText("moins de 5 minutes").waitFor({ state: "detached" });
  await page.getByText(/^2[45]:\d\d$/).waitFor();
  await expect
    .poll(() => page.evaluate("document.activeElement.textContent"))
    .toMatch(/gardées encore/);
  await page.context().close();
});

// proves: focus
test("the code dialog begins at its first field; a refused code empties its boxes and takes the keyboard back; the next whole code is sent by itself", async () => {
  const page = await portal.open({ viewport: { width: 360, height: 740 } });
  await portal.signIn(page, "guardian");
  await page.goto(`/cagnottes/virement?vers=${cast.child.cardnumber}`);
  await page.getByLabel("Montant", { exact: true }).fill("60");
  await page.getByRole("button", { name: "Vérifier le virement" }).click();
  await page.getByRole("button", { name: /^Envoyer 60/ }).click();
  const dialog = codeDialog(page);
  await dialog.getByRole("textbox").first().waitFor();
  await reaches(page, "textbox « Votre mot de passe »");
  await page.keyboard.type(castPassword);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await reaches(page, "textbox « Code reçu »");
  const right = portal.server.lastCode();
  await page.keyboard.type(right === "000000" ? "111111" : "000000");
  await dialog.getByText(/Ce code n'est pas le bon/).waitFor();
  await reaches(page, /^textbox « Code reçu.*» invalid$/);
  const boxes = dialog.getByRole("group").getByRole("textbox");
  await expect
    .poll(async () => await Promise.all((await boxes.all()).map((box) => box.inputValue())))
    .toEqual(Array.from({ length: 6 }, () => ""));
  await page.keyboard.type(right);
  await page.getByRole("heading", { name: /60,00.€ envoyés/ }).waitFor();
  await page.context().close();
});

test("a suspension is undone at once from what announces it", async () => {
  await makeActive(portal.server, cast.stranger.cardnumber);
  const page = await portal.open({ viewport: { width: 360, height: 740 } });
  await portal.login(page, "stranger");
  await page.getByRole("button", { name: "Gérer la carte" }).click();
  await page.getByRole("button", { name: /Suspendre la carte/ }).click();
  await page.getByText("Votre carte est suspendue", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Annuler", exact: true }).click();
  await page.getByText("Votre carte est suspendue", { exact: true }).waitFor({ state: "hidden" });
  await page.getByRole("button", { name: /Afficher le QR/ }).waitFor();
  await page.context().close();
});

test("at 360 px with large text, what became of an act that was confirmed is seen without scrolling", async () => {
  const page = await portal.open({ viewport: { width: 360, height: 640 } });
  await portal.signIn(page, "guardian");
  await page.goto(`${portal.url}/profil/allergenes?carte=${cast.secondChild.cardnumber}`);
  await page.evaluate(() => {
    document.documentElement.style.fontSize = "200%";
  });
  await page.getByRole("checkbox", { name: "Fruits à coque" }).check();
  await page.getByRole("checkbox", { name: /J’accepte/ }).check();
  await page.getByRole("button", { name: "Enregistrer" }).click();
  await page.getByRole("button", { name: "Tout effacer" }).click();
  const confirmation = page.getByRole("alertdialog");
  await page.route("**/api/health-record/withdraw", (route) => route.abort());
  await confirmation.getByRole("button", { name: "Effacer", exact: true }).click();
  const errorBanner = confirmation.getByRole("alert");
  await errorBanner.waitFor();
  await expect
    .poll(() =>
      errorBanner.evaluate((banner) => {
        const { top, bottom } = banner.getBoundingClientRect();
        const dialog = (banner.closest("dialog") as HTMLElement).getBoundingClientRect();
        return [top >= dialog.top, bottom <= dialog.bottom];
      }),
    )
    .toEqual([true, true]);
  await page.context().close();
});

test("a dialog that is opened in the moment that another one closes stays", async () => {
  const page = await portal.open();
  await portal.signIn(page, "employer");
  await page.goto(`${portal.url}/card`);
  await page.getByRole("link", { name: "Commander des cartes" }).first().click();
  await page.getByRole("button", { name: "Ajouter une personne" }).click();
  await page.getByRole("dialog", { name: "Ajouter une personne" }).waitFor();
  // Pressed once the dialog is closed and before its event tells so.
  await page.evaluate(() => {
    const buttons = [...document.querySelectorAll("button")];
    const next = buttons.find(({ textContent }) => textContent === "Importer un fichier");
    const dialog = document.querySelector("dialog[open]") as HTMLDialogElement;
    dialog.close = () => {
      Reflect.deleteProperty(dialog, "close");
      dialog.close();
      next?.click();
    };
  });
  const dialogClosed = page.evaluate(
    () =>
      new Promise((resolve) => {
        document.addEventListener("close", () => setTimeout(resolve), {
          capture: true,
          once: true,
        });
      }),
  );
  await page.getByRole("button", { name: "Fermer" }).click();
  await dialogClosed;
  await page.getByRole("dialog", { name: "Importer des personnes" }).waitFor();
  await page.getByLabel("Fichier de personnes").waitFor();
  await page.context().close();
});

test("what a test types behind a dialog waits for it to close", async () => {
  const page = await portal.open();
  await page.setContent(`<label>Behind <input /></label><dialog><button>Close</button></dialog>`);
  await page.evaluate(() => document.querySelector("dialog")?.showModal());
  const field = page.getByLabel("Behind");
  let isTyped = false;
  const typed = field.fill("7").then(() => (isTyped = true));
  const activeTag = () => page.evaluate(() => document.activeElement?.tagName);
  for (let look = 0; look < 5; look++) {
    await expect.poll(activeTag).toBe("BUTTON");
    expect(isTyped).toBe(false);
  }
  await page.evaluate(() => document.querySelector("dialog")?.close());
  await typed;
  await expect.poll(() => field.inputValue()).toBe("7");
  await page.context().close();
});
