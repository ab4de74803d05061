// The till in two browsers: the shop charges a card by its code and by its number, the holder says yes on
// their phone, money goes back, the day is closed.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTx } from "#server/db/db.ts";
import { writeTerms } from "#server/partners/partners.ts";
import { violationsOf } from "../axe.ts";
import { settle } from "#tests/settle.ts";
import { cast } from "../cast.ts";
import { furnishDirectory } from "../directory.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";

let portal: TestPortal;
let shop: Page;
let phone: Page;
beforeAll(async () => {
  portal = await openTestPortal();
  await furnishDirectory(portal.server.deps);
  await inTx(portal.server.deps.db, (tx) =>
    writeTerms(tx, {
      reference: "librairie-des-embruns",
      discountPercent: 5,
      commissionBasisPoints: 150,
      operator: "alice",
      at: new Date(0),
    }),
  );
  [shop, phone] = await Promise.all([
    portal.open({ viewport: { width: 360, height: 740 } }),
    portal.open({ viewport: { width: 360, height: 740 } }),
  ]);
  await portal.login(shop, "partnerShop");
  await portal.login(phone, "guardian");
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

const balance = async (): Promise<number> => {
  const camille = await portal.server.as("guardian");
  const { body } = await camille.get(`/api/wallets?cardnumber=${cast.guardian.cardnumber}`);
  return body.items[0].balanceCents as number;
};
const verdict = (words: string | RegExp) =>
  shop.getByRole("status").getByText(words).first().waitFor();
const read = async (text: string) => {
  await press(shop, "Saisir le numéro");
  await shop.getByLabel("Code de la carte, ou son numéro").fill(text);
  await shop.keyboard.press("Enter");
};
/** The words stand within the phone's screen, not above it. */
const isInView = async (words: string | RegExp) => {
  const place = shop.getByRole("status").getByText(words).first();
  await expect.poll(async () => (await place.boundingBox())?.y).toBeGreaterThanOrEqual(0);
  await expect
    .poll(async () => (await place.boundingBox())?.y)
    .toBeLessThan(shop.viewportSize()?.height ?? 0);
};
const focused = () => shop.evaluate(() => document.activeElement?.textContent ?? "");
const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click();
/** Opens the newest sale of that state. */
const openSale = (state: string) =>
  shop
    .getByRole("row")
    .filter({ has: shop.getByText(state, { exact: true }) })
    .getByRole("button")
    .first()
    .click();
const refunding = () => shop.getByRole("dialog", { name: "Rembourser un achat" });
const closeSale = async () => {
  await refunding().waitFor({ state: "detached" });
  await shop.keyboard.press("Escape");
  await shop.getByRole("dialog").waitFor({ state: "detached" });
};

test("by the code: the discount is shown, the verdict is large, and it is cancelled", async () => {
  const before = await balance();
  await shop.goto(`${portal.url}/partenaire/caisse`);
  await shop.getByRole("heading", { name: "Caisse", level: 1 }).waitFor();
  await read("MC1.faux");
  await shop.getByText("Indiquez le montant de l’achat.").waitFor();
  await shop.getByLabel("Montant").fill("12,50");
  await shop.getByText("À payer après la remise de").waitFor();
  // The sales of the day are looked at meanwhile.
  await shop.getByRole("tab", { name: "Ventes" }).click();
  await shop.getByRole("tab", { name: "Encaisser" }).click();
  await expect.poll(() => shop.getByLabel("Montant").inputValue()).toMatch(/^12,50/);
  expect(await violationsOf(shop)).toEqual([]);
  // A phone with its keyboard open.
  await shop.setViewportSize({ width: 360, height: 420 });
  await read("MC1.faux");
  await verdict("Rien n’est encaissé");
  await isInView("Rien n’est encaissé");
  await shop.setViewportSize({ width: 360, height: 740 });
  await expect.poll(balance).toBe(before);
  const camille = await portal.server.as("guardian");
  const { token } = (await camille.get(`/api/cards/${cast.guardian.cardnumber}/qr`)).body;
  await read(token);
  await verdict(/^Payé, 11,88/);
  await verdict(/Camille M\., carte …0016/);
  await expect.poll(focused).toMatch(/^Payé, 11,88/);
  expect(await violationsOf(shop)).toEqual([]);
  await expect.poll(balance).toBe(before - 1188);
  const home = await portal.open();
  await portal.login(home, "partnerShop");
  const taken = home.locator("section").filter({ hasText: "Caisse, Librairie des Embruns" });
  await taken.getByText("1 vente, pas encore clôturée").waitFor();
  await expect
    .poll(async () => (await taken.innerText()).replaceAll(/\s/g, ""))
    .toContain("11,88€");
  await home.context().close();
  await press(shop, "Annuler cet achat");
  await verdict("Achat annulé");
  await expect.poll(balance).toBe(before);
  await press(shop, "Vente suivante");
  await shop.locator("input[inputmode=none]:focus").waitFor();
});

test("by the number: the phone is asked, says yes, and the till hears of it by itself", async () => {
  const before = await balance();
  await shop.getByLabel("Montant").fill("8");
  await read(String(cast.guardian.cardnumber));
  // What the discount of the counter leaves, on both sides.
  await verdict(/^En attente, 7,60.€$/);
  await verdict(/^8,00.€ moins 0,40.€ de remise$/);
  await expect.poll(balance).toBe(before);
  await phone.getByText("Librairie des Embruns attend votre accord", { exact: true }).waitFor();
  await phone.getByText(/^Achat en caisse de 7,60.€ · jusqu’à/).waitFor();
  await phone.getByRole("link", { name: /^Répondre/ }).click();
  await phone.getByRole("heading", { name: "Achats à confirmer" }).waitFor();
  await settle(phone);
  expect(await violationsOf(phone)).toEqual([]);
  await phone.getByText(/Encore\s+\d:\d\d pour confirmer/).waitFor();
  await phone.getByText(/8,00.€ moins 0,40.€ de remise/).waitFor();
  await press(phone, /^Payer 7,60/);
  await phone.getByText("7,60 € payés").waitFor();
  await verdict(/^Payé, 7,60/);
  await expect.poll(balance).toBe(before - 760);
  await press(shop, "Vente suivante");
});

test("a slow answer: the till says that it is charging, then one sale is paid", async () => {
  const before = await balance();
  await shop.route(/\/api\/till\//, async (route) => {
    if (route.request().method() === "POST") await new Promise((done) => setTimeout(done, 3000));
    await route.continue();
  });
  const camille = await portal.server.as("guardian");
  const { token } = (await camille.get(`/api/cards/${cast.guardian.cardnumber}/qr`)).body;
  await shop.getByLabel("Montant").fill("3");
  await read(token);
  await verdict("Encaissement en cours…");
  await isInView("Encaissement en cours…");
  await verdict(/^Payé, 2,85/);
  await expect.poll(balance).toBe(before - 285);
  await shop.unrouteAll({ behavior: "wait" });
  await press(shop, "Annuler cet achat");
  await verdict("Achat annulé");
  await press(shop, "Vente suivante");
});

test("a request that waits after a reload is found again and given up", async () => {
  const before = await balance();
  await shop.getByLabel("Montant").fill("5");
  await read(String(cast.guardian.cardnumber));
  await verdict(/^En attente, 4,75/);
  await shop.reload();
  await shop.getByLabel("Montant").fill("5");
  await read(String(cast.guardian.cardnumber));
  await verdict(/Une demande attend déjà/);
  await isInView("Rien n’est encaissé");
  await press(shop, "Voir la demande");
  await openSale("En attente de la personne");
  await press(shop, /^Abandonner l’achat/);
  await shop.getByRole("alertdialog").getByRole("button", { name: "Abandonner" }).click();
  await shop.getByRole("dialog").getByText("Abandonné", { exact: true }).waitFor();
  await closeSale();
  await shop.getByRole("cell").getByText("Abandonné", { exact: true }).first().waitFor();
  await expect.poll(balance).toBe(before);
  await shop.getByRole("tab", { name: "Encaisser" }).click();
});

test("refused on the phone, nothing is paid", async () => {
  const before = await balance();
  await shop.getByLabel("Montant").fill("20");
  await read(String(cast.guardian.cardnumber));
  await verdict(/^En attente, 19,00/);
  // The phone has heard of this request, and that the one before was given up.
  await phone.getByRole("button", { name: /^Payer 19,00/ }).waitFor();
  await phone.getByRole("button", { name: /^Payer 4,75/ }).waitFor({ state: "detached" });
  await press(phone, "Refuser");
  await phone.getByText("Achat refusé").waitFor();
  await verdict("Refusé par la personne");
  await expect.poll(balance).toBe(before);
  await press(shop, "Vente suivante");
});

test("by a code told aloud: wrong first, then paid without the holder's page", async () => {
  // Two requests were not paid: the next one by number would wait ten minutes.
  await portal.server.deps.pool.query(
    "update till_sale set requested_at = requested_at - interval '1 hour'",
  );
  const before = await balance();
  await shop.getByLabel("Montant").fill("4");
  await read(String(cast.guardian.cardnumber));
  await verdict(/^En attente, 3,80/);
  await press(shop, "Envoyer un code à la personne");
  await shop.getByText("Code que la personne vous dit").waitFor();
  expect(await violationsOf(shop)).toEqual([]);
  const code = portal.server.lastCode();
  const wrong = code === "000000" ? "000001" : "000000";
  const codeField = shop.getByLabel("Code que la personne vous dit");
  await codeField.fill(wrong);
  await press(shop, "Valider le code");
  await shop
    .getByText(/^Ce code n'est pas le bon/)
    .first()
    .waitFor();
  await expect.poll(balance).toBe(before);
  await codeField.fill(code);
  await shop.keyboard.press("Enter");
  await verdict(/^Payé, 3,80/);
  await expect.poll(balance).toBe(before - 380);
  await press(shop, "Annuler cet achat");
  await verdict("Achat annulé");
  await press(shop, "Vente suivante");
});

test("a part is given back, and the day is closed with its totals", async () => {
  const before = await balance();
  await shop.getByRole("tab", { name: "Ventes" }).click();
  await openSale("Payé");
  await press(shop, /^Rembourser/);
  await shop.getByLabel("Montant à rendre").fill("99");
  await refunding().getByRole("button", { name: "Rembourser" }).click();
  await shop
    .getByText(/^C'est plus que ce qui reste à rembourser \(7,60.€\)\. Diminuez le montant\.$/)
    .waitFor();
  await shop.getByLabel("Montant à rendre").fill("2,60");
  await refunding().getByRole("button", { name: "Rembourser" }).click();
  await shop.getByRole("cell").getByText("2,60 € rendus").waitFor();
  await expect.poll(balance).toBe(before + 260);
  expect(await violationsOf(shop)).toEqual([]);
  await closeSale();
  await shop.getByRole("tab", { name: "Journée" }).click();
  await press(shop, "Clôturer la journée");
  await shop.getByRole("alertdialog").getByRole("button", { name: "Clôturer" }).click();
  await shop.getByRole("heading", { name: /^Clôture n° 1/ }).waitFor();
  await shop.getByText("Rien à clôturer").waitFor();
  expect(await violationsOf(shop)).toEqual([]);
});

test("stopped by the operator, the till says why, gives back, and stays in the menu", async () => {
  const before = await balance();
  await portal.server.deps.pool.query(
    "update partner set frozen_at = now(), frozen_why = 'Contrôle en cours' where reference = 'librairie-des-embruns'",
  );
  await shop.goto(`${portal.url}/partenaire/caisse`);
  await shop.getByText("Ce point de vente est arrêté par le réseau.").waitFor();
  await shop.getByText(/Motif.*Contrôle en cours/).waitFor();
  await expect.poll(() => shop.getByRole("tab", { name: "Encaisser" }).count()).toBe(0);
  await openSale("Remboursé en partie");
  await press(shop, /^Rembourser/);
  await shop.getByLabel("Montant à rendre").fill("1");
  await refunding().getByRole("button", { name: "Rembourser" }).click();
  await shop
    .getByRole("cell")
    .getByText(/3,60.€ rendus/)
    .waitFor();
  await expect.poll(balance).toBe(before + 100);
  expect(await violationsOf(shop)).toEqual([]);
  // Money is owed still: its places stay in the menu, of a wide window as of a narrow one.
  await shop.setViewportSize({ width: 1280, height: 800 });
  for (const name of ["Caisse", "Règlements"]) {
    await shop.getByRole("navigation").getByRole("link", { name }).first().waitFor();
  }
});
