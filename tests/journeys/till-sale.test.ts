// A sale at the till, by touch and by the keyboard alone: the keypad, the articles, the camera, one screen of a
// phone, the day's sales beside it, and the till without the portal around it.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { violationsOf } from "../axe.ts";
import { launchBrowser } from "../browser.ts";
import { cast } from "../cast.ts";
import { furnishDirectory } from "../directory.ts";
import { filmOf } from "../fake-camera.ts";
import { furnishPriceList } from "../price-list.ts";
import { removeData, scratchFolder } from "../scratch.ts";
import { settle } from "../settle.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";

let portal: TestPortal;
let shop: Page;
const till = "/partenaire/caisse";
const phone = { width: 360, height: 640 };

beforeAll(async () => {
  portal = await openTestPortal();
  const { deps } = portal.server;
  await furnishDirectory(deps);
  await furnishPriceList(deps);
  shop = await portal.open({ viewport: phone });
  await portal.login(shop, "partnerShop");
});
beforeEach(() => portal.server.clock.advance(61_000));
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

const query = async (text: string) => (await portal.server.deps.pool.query(text)).rows;
const sales = () =>
  query("select amount_cents, lines, label from till_sale order by requested_at, id");
const qr = async (): Promise<string> => {
  const camille = await portal.server.as("guardian");
  return (await camille.get(`/api/cards/${cast.guardian.cardnumber}/qr`)).body.token;
};
const press = (name: string | RegExp, page = shop) =>
  page.getByRole("button", { name, exact: typeof name === "string" }).click();
const amount = (page = shop) => page.getByLabel("Montant");
const shows = (value: string, page = shop) =>
  expect.poll(() => amount(page).inputValue()).toBe(value);
const verdict = (words: RegExp, page = shop) =>
  page.getByRole("status").getByText(words).first().waitFor();
const open = async (address = till, page = shop) => {
  await page.goto(portal.url + address);
  await amount(page).waitFor();
};
/** The element lies within the window, clear of the bar at its foot. */
const isWithin = async (name: string | RegExp, page = shop) => {
  const box = () => page.getByRole("button", { name }).last().boundingBox();
  await expect.poll(async () => (await box())?.y).toBeGreaterThanOrEqual(0);
  await expect
    .poll(async () => {
      const place = await box();
      return place && place.y + place.height;
    })
    .toBeLessThanOrEqual(page.viewportSize()?.height ?? 0);
};

test("by touch, a whole sale fits one screen of a phone and no page scrolls", async () => {
  await open();
  await press("7");
  await settle(shop);
  await press("Effacer le dernier chiffre");
  for (const key of ["1", "2", "5", "0"]) await press(key);
  await shows("12,50");
  await press("00");
  await shows("1250,00");
  await press("Effacer le dernier chiffre");
  await press("Effacer le dernier chiffre");
  await shows("12,50");
  for (const name of ["7", "0", "Saisir le numéro", /^Sans objet/, /^Encaisser 12,50/]) {
    await isWithin(name);
  }
  await expect
    .poll(async () => {
      const key = await shop.getByRole("button", { name: "0", exact: true }).boundingBox();
      const act = await shop.getByRole("button", { name: /^Encaisser 12,50/ }).boundingBox();
      return act && key && act.y - (key.y + key.height);
    })
    .toBeGreaterThanOrEqual(0);
  await expect.poll(() => shop.evaluate(() => scrollY)).toBe(0);
  expect(await violationsOf(shop)).toEqual([]);
  // Without a card nothing is charged: the number is asked for.
  await press(/^Encaisser 12,50/);
  const number = shop.getByLabel("Code de la carte, ou son numéro");
  await number.waitFor();
  await expect.poll(() => number.evaluate((field) => field === document.activeElement)).toBe(true);
  await expect.poll(sales).toEqual([]);
  await number.fill(await qr());
  await isWithin(/^Encaisser 12,50/);
  // Pressed twice at once, it is one sale.
  await shop.getByRole("button", { name: /^Encaisser 12,50/ }).dblclick();
  await verdict(/^Payé, 12,50/);
  await verdict(/^Camille M\., carte …0016$/);
  await verdict(/^Reçu n° [0-9A-F]{4}-[0-9A-F]{4}/);
  await expect.poll(async () => (await sales()).length).toBe(1);
  expect(await violationsOf(shop)).toEqual([]);
  await press("Vente suivante");
  await shows("");
});

test("by the keyboard alone: amount, comma, correction, a reader's code, and the next sale", async () => {
  await open();
  await shop.keyboard.type("995");
  await shows("9,95");
  await shop.keyboard.press("Backspace");
  await shows("0,99");
  await shop.keyboard.press("Escape");
  await shows("");
  await shop.keyboard.type("12,5");
  await shows("12,5");
  await shop.getByRole("button", { name: /^Encaisser 12,50/ }).waitFor();
  await shop.keyboard.press("Enter");
  await shop.getByLabel("Code de la carte, ou son numéro").waitFor();
  await shop.keyboard.press("Escape");
  await expect
    .poll(() => amount().evaluate((field) => field === document.activeElement))
    .toBe(true);
  // A reader types the code and Enter, whatever was pressed last; its figures are none of the amount.
  await press("Articles");
  await shop.keyboard.type(await qr());
  await shows("12,5");
  await shop.keyboard.press("Enter");
  await verdict(/^Payé, 12,50/);
  await expect.poll(async () => (await sales()).length).toBe(2);
  await shop.keyboard.press("Enter");
  await amount().waitFor();
  await expect
    .poll(() => amount().evaluate((field) => field === document.activeElement))
    .toBe(true);
  await press("Clavier");
  await amount().focus();
  // The walk of the keys, from the amount: each key of the till, then its line, then the act.
  const reached: string[] = [];
  await expect
    .poll(async () => {
      await shop.keyboard.press("Tab");
      reached.push(await shop.evaluate(() => document.activeElement?.textContent ?? ""));
      return reached.some((text) => text.startsWith("Encaisser"));
    })
    .toBe(true);
  expect(reached.join(" | ")).toMatch(/1 \| 2 \| 3 .* 0 .*Saisir le numéro.*Sans objet.*Encaisser/);
});

test("articles add up with an amount, with their counts, and outlive a reload", async () => {
  await open();
  await press("Articles");
  await press(/^Café/);
  await press(/^Café/);
  await press(/^Cahier/);
  await shop.getByText("2 dans l’achat").waitFor();
  expect(await violationsOf(shop)).toEqual([]);
  await isWithin(/^Encaisser 6,00/);
  await press("Clavier");
  for (const key of ["1", "00"]) await press(key);
  await shop.getByRole("button", { name: /^Encaisser 7,00/ }).waitFor();
  await shop.getByRole("button", { name: /^Sans objet/ }).click();
  await shop.getByRole("textbox", { name: /^Objet/ }).fill("Petit déjeuner");
  await press("Valider");
  await shop.reload();
  await shop.getByRole("button", { name: /^Encaisser 7,00/ }).waitFor();
  await shop.getByRole("button", { name: /^Petit déjeuner/ }).waitFor();
  await press(/^3 articles/);
  await press(/^Un de moins.*Café/);
  expect(await violationsOf(shop)).toEqual([]);
  await press("Valider");
  await shop.getByRole("button", { name: /^Encaisser 5,20/ }).waitFor();
  await press("Saisir le numéro");
  await shop.getByLabel("Code de la carte, ou son numéro").fill(await qr());
  await shop.keyboard.press("Enter");
  await verdict(/^Payé, 5,20/);
  await verdict(/^1\s× Café, 1\s× Cahier$/);
  await expect
    .poll(async () => (await sales()).at(-1))
    .toEqual({
      amount_cents: 520,
      label: "Petit déjeuner",
      lines: [
        { name: "Café", priceCents: 180, count: 1 },
        { name: "Cahier", priceCents: 240, count: 1 },
      ],
    });
  // What is paid is not typed any more.
  await shop.reload();
  await shows("");
  const home = await portal.open({ viewport: phone });
  await portal.login(home, "guardian");
  const [{ id }] = await query("select id from till_sale order by requested_at desc limit 1");
  await home.goto(`${portal.url}/cagnottes/achats/${id}`);
  await home.getByRole("heading", { name: "Articles" }).waitFor();
  await home.getByText("Autre montant").waitFor();
  expect(await violationsOf(home)).toEqual([]);
  await home.context().close();
});

test("the owner keeps the list; a price that changes meanwhile is said, and taken on a press alone", async () => {
  await open();
  await press("Articles");
  await press(/^Thé/);
  await press("Modifier les articles");
  const dialog = shop.getByRole("dialog", { name: "Articles" });
  await dialog.getByRole("button", { name: "Descendre Café" }).click();
  await expect
    .poll(async () => (await query("select name from till_article order by position"))[0].name)
    .toBe("Thé");
  await dialog.getByRole("button", { name: "Ajouter un article" }).click();
  await dialog.getByLabel("Nom").fill("Thé");
  await dialog.getByLabel("Prix").fill("3,20");
  await dialog.getByRole("button", { name: "Ajouter", exact: true }).click();
  await dialog
    .getByText(/^Un article porte déjà ce nom/)
    .first()
    .waitFor();
  await dialog.getByLabel("Nom").fill("Tarte");
  await dialog.getByRole("button", { name: "Ajouter", exact: true }).click();
  await dialog.getByRole("button", { name: "Modifier Tarte" }).waitFor();
  expect(await violationsOf(shop)).toEqual([]);
  await dialog.getByRole("button", { name: "Fermer" }).click();
  await shop.getByRole("button", { name: /^Tarte/ }).waitFor();
  // Another device changes the price of what this sale holds.
  const other = await portal.server.as("partnerShop");
  const { items } = (await other.get("/api/till/articles")).body;
  const tea = items.find(({ name }: { name: string }) => name === "Thé");
  await other.post(`/api/till/articles/${tea.id}`, { ...tea, id: undefined, priceCents: 290 });
  await shop.getByText(/^Thé coûte 2,90\s€ au lieu de 2,50\s€/).waitFor({ timeout: 60_000 });
  await shop.getByRole("button", { name: /^Encaisser 2,50/ }).waitFor();
  expect(await violationsOf(shop)).toEqual([]);
  await press("Appliquer le nouveau prix");
  await shop.getByRole("button", { name: /^Encaisser 2,90/ }).waitFor();
  await press(/^1 article/);
  await press("Tout retirer");
  await shop.getByRole("button", { name: "Encaisser", exact: true }).waitFor();
});

test("the camera is open where it was allowed; a card that it reads is charged by the act alone", async () => {
  const folder = await scratchFolder("till-camera");
  const { clock } = portal.server;
  clock.freeze();
  const browser = await launchBrowser(await filmOf(folder, [await qr()]));
  try {
    const context = await browser.newContext({ permissions: ["camera"], viewport: phone });
    const page = await context.newPage();
    await portal.signIn(page, "partnerShop");
    const before = (await sales()).length;
    await open(till, page);
    await page.getByLabel("Image de l’appareil photo").waitFor();
    await page.getByRole("status").getByText("Carte lue").waitFor({ timeout: 60_000 });
    await expect.poll(async () => (await sales()).length).toBe(before);
    for (const key of ["4", "2", "0"]) await press(key, page);
    await isWithin("Saisir le numéro", page);
    await isWithin(/^Encaisser 4,20/, page);
    expect(await violationsOf(page)).toEqual([]);
    await press(/^Encaisser 4,20/, page);
    await verdict(/^Payé, 4,20/, page);
    await expect.poll(async () => (await sales()).length).toBe(before + 1);
    // A card that was read and is not to pay is forgotten.
    const other = await context.newPage();
    await open(till, other);
    await other.getByRole("status").getByText("Carte lue").waitFor({ timeout: 60_000 });
    await press("Oublier la carte lue", other);
    await other.getByRole("status").getByText("Nouvel achat").waitFor();
    for (const key of ["4", "2", "0"]) await press(key, other);
    await press(/^Encaisser 4,20/, other);
    await other.getByRole("status").getByText("Présentez la carte").waitFor();
    await expect.poll(async () => (await sales()).length).toBe(before + 1);
  } finally {
    await browser.close();
    await removeData(folder);
  }
});

test("nothing asks for the camera before somebody presses for it", async () => {
  const page = await portal.open({ viewport: phone });
  await page.addInitScript(() => {
    const { mediaDevices } = navigator;
    const calls = ((globalThis as { cameraCalls?: number[] }).cameraCalls = []) as number[];
    const ask = mediaDevices.getUserMedia.bind(mediaDevices);
    mediaDevices.getUserMedia = (constraints) => {
      calls.push(1);
      return ask(constraints);
    };
  });
  const calls = () => page.evaluate<number>("cameraCalls.length");
  await portal.signIn(page, "partnerShop");
  await open(till, page);
  const button = page.getByRole("button", { name: "Ouvrir l’appareil photo" });
  await button.waitFor();
  await settle(page);
  await expect.poll(calls).toBe(0);
  await button.click();
  await expect.poll(calls).toBe(1);
  await page.getByText("L’appareil photo n’est pas accessible.").waitFor();
  await page.getByLabel("Code de la carte, ou son numéro").waitFor();
  await page.context().close();
});

test("on a tablet the day's sales stand at the right, newest first, and each opens", async () => {
  for (const width of [768, 1280]) {
    await shop.setViewportSize({ width, height: 800 });
    await open();
    const day = shop.locator("section").filter({ hasText: "Ventes du jour" });
    await day.getByText("4 ventes payées").waitFor();
    await settle(shop);
    await expect
      .poll(async () => (await day.innerText()).replaceAll(/\s/g, ""))
      .toContain("34,40€");
    await expect
      .poll(async () => {
        const [left, right] = [await amount().boundingBox(), await day.boundingBox()];
        return left && right && right.x - (left.x + left.width);
      })
      .toBeGreaterThan(0);
    expect(await violationsOf(shop)).toEqual([]);
  }
  await shop.getByRole("link", { name: /4,20/ }).first().click();
  const panel = shop.getByRole("region", { name: /^Vente / });
  await panel.getByRole("button", { name: /^Rembourser/ }).waitFor();
  await expect
    .poll(async () => (await panel.innerText()).replaceAll(/\s/g, ""))
    .toMatch(/^Vente[\dA-F]{4}-[\dA-F]{4}.*?4,20€/);
  await shop.setViewportSize(phone);
  await open();
  await expect.poll(() => shop.getByText("Ventes du jour").count()).toBe(0);
});

test("the till alone on its screen, and back", async () => {
  await open();
  await press("1");
  await shop.getByRole("link", { name: "Ma carte" }).first().waitFor();
  await press("Mode caisse");
  await expect.poll(() => shop.getByRole("link", { name: "Ma carte" }).count()).toBe(0);
  await expect.poll(() => shop.getByRole("contentinfo").count()).toBe(0);
  await shows("0,01");
  await expect.poll(() => shop.url()).toContain("mode=caisse");
  await shop.reload();
  await amount().waitFor();
  await expect.poll(() => shop.getByRole("navigation").count()).toBe(0);
  await shows("0,01");
  await settle(shop);
  await isWithin(/^Encaisser 0,01/);
  expect(await violationsOf(shop)).toEqual([]);
  await press("Quitter le mode caisse");
  await shop.getByRole("link", { name: "Ma carte" }).first().waitFor();
});
