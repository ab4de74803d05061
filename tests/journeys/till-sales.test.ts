// The sales of a till found again: searched and filtered in the address, exported as they are shown, opened beside the
// list or over it, given back in parts that the panel remembers, and the days of a month.
import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { firstOfMonth, parisDay } from "#contract/days.ts";
import { capital, formatMonth, formatShortDay } from "#contract/french.ts";
import { referenceOf } from "#contract/reference.ts";
import { violationsOf } from "../axe.ts";
import { cast } from "../cast.ts";
import { furnishDirectory } from "../directory.ts";
import { bytesOf, openTestPortal, type TestPortal } from "../test-portal.ts";

let portal: TestPortal;
let shop: Page;
let partner: string;
let book: string;
let notebook: string;
beforeAll(async () => {
  portal = await openTestPortal();
  ({ partner } = await furnishDirectory(portal.server.deps));
  book = await charge(1250, "Un roman");
  notebook = await charge(480, "Un cahier");
  shop = await portal.open({ viewport: { width: 360, height: 740 } });
  await portal.login(shop, "partnerShop");
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

async function charge(amountCents: number, label: string): Promise<string> {
  portal.server.clock.advance(61_000);
  const [till, camille] = await Promise.all([
    portal.server.as("partnerShop"),
    portal.server.as("guardian"),
  ]);
  const { token } = (await camille.get(`/api/cards/${cast.guardian.cardnumber}/qr`)).body;
  const id = randomUUID();
  const { body, text } = await till.post("/api/till/sales", {
    id,
    partner,
    amountCents,
    label,
    token,
  });
  expect(body.state, text).toBe("paid");
  return id;
}
const lines = () =>
  shop.getByRole("table", { name: "Ventes" }).getByRole("cell").filter({ hasText: "carte …" });
const press = (name: string | RegExp) => shop.getByRole("button", { name }).click();
const openSale = () =>
  shop.getByRole("table", { name: "Ventes" }).getByRole("button").first().click();
const refunding = () => shop.getByRole("dialog", { name: "Rembourser un achat" });
/** The panel of a sale, over the list on a phone, beside it on a desk. */
const panelOf = (id: string) => {
  const name = `Vente ${referenceOf(id)}`;
  return shop.getByRole("dialog", { name }).or(shop.getByRole("region", { name }));
};
const wordsOf = async (id: string) => (await panelOf(id).innerText()).replaceAll(/\s/g, "");
const parameters = () => Object.fromEntries(new URL(shop.url()).searchParams);

test("searched by its reference, filtered, kept in the address, and exported as shown", async () => {
  await shop.goto(`${portal.url}/partenaire/caisse?onglet=ventes`);
  await expect.poll(() => lines().count()).toBe(2);
  const search = shop.getByLabel("Rechercher une vente");
  await search.fill(referenceOf(book));
  await expect.poll(() => lines().count()).toBe(1);
  await shop.getByRole("cell").getByText("Un roman").waitFor();
  await search.fill("999");
  await shop.getByText("Aucune vente ne correspond").waitFor();
  expect(await violationsOf(shop)).toEqual([]);
  await press("Voir toutes les ventes");
  await expect.poll(() => lines().count()).toBe(2);
  await expect.poll(() => search.inputValue()).toBe("");
  await press("Filtrer");
  await shop.getByLabel("État").selectOption("Annulé");
  await shop.getByText("Aucune vente ne correspond").waitFor();
  await shop.getByLabel("État").selectOption("Payé");
  await shop.getByLabel("Encaissé par").selectOption("Librairie des Embruns");
  await search.fill("12,50");
  await expect.poll(() => lines().count()).toBe(1);
  await expect.poll(parameters).toEqual({
    onglet: "ventes",
    texte: "12,50",
    etat: "paid",
    encaisseur: String(cast.partnerShop.cardnumber),
  });
  expect(await violationsOf(shop)).toEqual([]);
  await shop.reload();
  await expect.poll(() => lines().count()).toBe(1);
  const [saved] = await Promise.all([shop.waitForEvent("download"), press("Exporter (CSV)")]);
  const rows = (await bytesOf(saved)).toString("utf8").trim().split("\r\n");
  expect(rows).toHaveLength(2);
  expect(rows[1]).toContain(`;${referenceOf(book)};Payé;`);
  await press("Effacer les filtres");
  await expect.poll(() => lines().count()).toBe(2);
  await expect.poll(parameters).toEqual({ onglet: "ventes" });
});

test("a period has a name, the days of it are in the address, and others are chosen", async () => {
  const today = parisDay(portal.server.clock.now());
  await shop.getByLabel("Période").selectOption("Ce mois-ci");
  await expect.poll(async () => parameters()["du"]).toBe(firstOfMonth(today));
  await shop.getByLabel("Période").selectOption("Dates choisies");
  await shop.getByLabel("Du", { exact: true }).waitFor();
  await shop.getByLabel("Période").selectOption("Toutes les dates");
  await expect.poll(parameters).toEqual({ onglet: "ventes" });
  await shop.goto(`${portal.url}/partenaire/caisse?onglet=ventes&du=2020-01-02&au=2020-01-03`);
  await press("Voir toutes les ventes");
  await expect.poll(() => lines().count()).toBe(2);
  await expect.poll(() => shop.getByLabel("Du", { exact: true }).count()).toBe(0);
  await expect.poll(parameters).toEqual({ onglet: "ventes" });
  await expect.poll(() => lines().count()).toBe(2);
});

// proves: sales-by-day
test("a day has its total, and a row opens its sale: the arrows lead on, Escape leads back", async () => {
  await shop.setViewportSize({ width: 1280, height: 800 });
  const day = shop.getByRole("rowheader").last();
  await expect
    .poll(async () => (await day.innerText()).replaceAll(/\s/g, ""))
    .toMatch(/ventes?payées?.*€$/);
  await shop
    .getByRole("button", { name: /^\d\d:\d\d Camille M\./ })
    .first()
    .press("Enter");
  await panelOf(notebook).waitFor();
  await expect.poll(async () => parameters()["vente"]).toBe(notebook);
  await expect.poll(() => wordsOf(notebook)).toContain("4,80€");
  await expect.poll(() => wordsOf(notebook)).toContain("ObjetUncahier");
  expect(await violationsOf(shop)).toEqual([]);
  await shop.keyboard.press("ArrowDown");
  await panelOf(book).waitFor();
  await expect.poll(() => wordsOf(book)).toContain("12,50€");
  await expect.poll(async () => parameters()["vente"]).toBe(book);
  // The last of the list: there is none after it.
  await shop.keyboard.press("ArrowDown");
  await shop.keyboard.press("ArrowUp");
  await panelOf(notebook).waitFor();
  await shop.reload();
  await panelOf(notebook).waitFor();
  await panelOf(notebook).getByRole("heading").focus();
  await shop.keyboard.press("Escape");
  await panelOf(notebook).waitFor({ state: "detached" });
  await expect.poll(async () => parameters()["vente"]).toBeUndefined();
  await expect
    .poll(() => shop.evaluate(() => document.activeElement?.getAttribute("data-sale")))
    .toBe(notebook);
  await shop.setViewportSize({ width: 360, height: 740 });
});

test("its receipt is had as PDF, and sent to the person, which the panel says", async () => {
  await openSale();
  const [saved] = await Promise.all([shop.waitForEvent("download"), press("Reçu (PDF)")]);
  const pdf = await bytesOf(saved);
  expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
  const before = portal.server.outbox.length;
  await press("Envoyer le reçu");
  await panelOf(notebook)
    .getByText(/^Reçu envoyé\. Camille M\./)
    .waitFor();
  await expect.poll(() => portal.server.outbox.length).toBe(before + 1);
  expect(await violationsOf(shop)).toEqual([]);
  await shop.keyboard.press("Escape");
  await panelOf(notebook).waitFor({ state: "detached" });
});

test("given back in parts: each is remembered, the rest is filled in, and no more is taken", async () => {
  await shop.getByLabel("Rechercher une vente").fill(referenceOf(book));
  await expect.poll(() => lines().count()).toBe(1);
  await openSale();
  await press(/^Rembourser l’achat/);
  await shop.getByLabel("Montant à rendre").fill("2,50");
  await refunding().getByRole("button", { name: "Rembourser" }).click();
  await shop
    .getByRole("cell")
    .getByText(/2,50.€ rendus/)
    .waitFor();
  await expect.poll(() => wordsOf(book)).toMatch(/Restepayé10,00€/);
  await press(/^Rembourser l’achat/);
  await refunding()
    .getByText(/^Rendu le \d\d\/\d\d\/\d{4} \d\d:\d\d par Librairie des Embruns$/)
    .waitFor();
  await expect.poll(() => shop.getByLabel("Montant à rendre").inputValue()).toBe("10");
  expect(await violationsOf(shop)).toEqual([]);
  await shop.getByLabel("Montant à rendre").fill("10,01");
  await refunding().getByRole("button", { name: "Rembourser" }).click();
  await refunding()
    .getByText(/^C'est plus que ce qui reste à rembourser \(10,00.€\)/)
    .waitFor();
  // A colleague gives back meanwhile: what is left follows, and nothing is given back twice.
  const colleague = await portal.server.as("partnerShop");
  const path = `/api/till/sales/${book}/refund`;
  const done = await colleague.post(path, { amountCents: 300, refundedCents: 250 });
  expect(done.status).toBe(200);
  await expect.poll(() => shop.getByLabel("Montant à rendre").inputValue()).toBe("7");
  await refunding().getByRole("button", { name: "Rembourser" }).click();
  await refunding().waitFor({ state: "detached" });
  await expect
    .poll(() =>
      panelOf(book)
        .getByText(/^Rendu le /)
        .count(),
    )
    .toBe(3);
  await expect.poll(() => wordsOf(book)).toMatch(/Restepayé0,00€/);
  await expect.poll(() => shop.getByRole("button", { name: /^Rembourser/ }).count()).toBe(0);
  expect(await violationsOf(shop)).toEqual([]);
  await shop.keyboard.press("Escape");
  await panelOf(book).waitFor({ state: "detached" });
  // Beside the list another sale shows none of them, however often the two take turns.
  await shop.setViewportSize({ width: 1280, height: 800 });
  await press("Effacer les filtres");
  await expect.poll(() => lines().count()).toBe(2);
  await shop
    .getByRole("button", { name: /^\d\d:\d\d Camille M\./ })
    .first()
    .press("Enter");
  await panelOf(notebook).waitFor();
  const takeTurns = async () => {
    await shop.keyboard.press("ArrowDown");
    const returns = (id: string) =>
      panelOf(id)
        .getByText(/^Rendu le /)
        .count();
    await expect.poll(() => returns(book)).toBe(3);
    await shop.keyboard.press("ArrowUp");
    await expect.poll(() => wordsOf(notebook)).toContain("ObjetUncahier");
    await expect.poll(() => returns(notebook)).toBe(0);
  };
  await takeTurns();
  await takeTurns();
  await shop.keyboard.press("Escape");
  await panelOf(notebook).waitFor({ state: "detached" });
  await shop.setViewportSize({ width: 360, height: 740 });
});

test("the day is closed, and its closing is kept as PDF and CSV, alone and among others", async () => {
  await shop.getByRole("tab", { name: "Journée" }).click();
  await press("Clôturer la journée");
  await shop.getByRole("alertdialog").getByRole("button", { name: "Clôturer" }).click();
  await shop.getByRole("heading", { name: /^Clôture n° 1/ }).waitFor();
  const means = shop.getByRole("table", { name: "Moyens de paiement de la clôture n° 1" });
  await expect
    .poll(async () => (await means.innerText()).replaceAll(/\s/g, ""))
    .toMatch(/Cagnotteprincipale17,30€12,50€4,80€/);
  expect(await violationsOf(shop)).toEqual([]);
  const download = async (name: string) => {
    const [saved] = await Promise.all([shop.waitForEvent("download"), press(name)]);
    return await bytesOf(saved);
  };
  const paper = await download("PDF de la clôture n° 1");
  expect(paper.subarray(0, 5).toString()).toBe("%PDF-");
  const one = (await download("CSV de la clôture n° 1")).toString("utf8").trim().split("\r\n");
  expect(one[1]).toMatch(/^1;.*;Total;;2;17,30;0,00;17,30;-12,50;4,80$/);
  const all = (await download("Exporter les clôtures (CSV)")).toString("utf8").trim().split("\r\n");
  expect(all).toEqual(one);
});

// proves: sales-by-day
test("the days of the month have their totals, are exported, and lead to their sales", async () => {
  const day = parisDay(portal.server.clock.now());
  await shop.getByRole("heading", { name: capital(formatMonth(day)), exact: true }).waitFor();
  const name = capital(formatShortDay(day));
  const link = shop.getByRole("link", { name });
  await link.waitFor();
  const [saved] = await Promise.all([
    shop.waitForEvent("download"),
    press("CSV des jours du mois"),
  ]);
  const rows = (await bytesOf(saved)).toString("utf8").trim().split("\r\n");
  expect(rows[0]).toContain("Jour;Point de vente;Ligne");
  expect(rows.some((line) => line.includes(";Encaisseur;"))).toBe(true);
  expect(await violationsOf(shop)).toEqual([]);
  await press("Mois précédent");
  await expect.poll(async () => parameters()["mois"]).toBe(firstOfMonth(day, -1).slice(0, 7));
  await press("Mois suivant");
  await expect.poll(async () => parameters()["mois"]).toBeUndefined();
  await link.click();
  await expect.poll(async () => parameters()["du"]).toBe(day);
  await expect.poll(async () => parameters()["au"]).toBe(day);
  await shop.getByRole("table", { name: "Ventes" }).waitFor();
});
