// The sales of a till found again: searched and filtered in the address, exported as they are shown, and
// given back in parts that the dialog remembers.
import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { referenceOf } from "#contract/reference.ts";
import { violationsOf } from "../axe.ts";
import { cast } from "../cast.ts";
import { furnishDirectory } from "../directory.ts";
import { bytesOf, openTestPortal, type TestPortal } from "../test-portal.ts";

let portal: TestPortal;
let shop: Page;
let partner: string;
let book: string;
beforeAll(async () => {
  portal = await openTestPortal();
  ({ partner } = await furnishDirectory(portal.server.deps));
  book = await charge(1250, "Un roman");
  await charge(480, "Un cahier");
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
const dialog = () => shop.getByRole("dialog");
const parameters = () => Object.fromEntries(new URL(shop.url()).searchParams);

test("searched by its reference, filtered, kept in the address, and exported as shown", async () => {
  await shop.goto(`${portal.url}/partenaire/caisse?onglet=ventes`);
  await expect.poll(() => lines().count()).toBe(2);
  const search = shop.getByLabel("Rechercher une vente");
  await search.fill(referenceOf(book));
  await expect.poll(() => lines().count()).toBe(1);
  await lines().getByText(referenceOf(book)).waitFor();
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

test("given back in parts: each is remembered, the rest is filled in, and no more is taken", async () => {
  const refund = async (amount: string) => {
    await press(/^Rembourser l’achat/);
    await shop.getByLabel("Montant à rendre").fill(amount);
    await dialog().getByRole("button", { name: "Rembourser" }).click();
  };
  await shop.getByLabel("Rechercher une vente").fill(referenceOf(book));
  await expect.poll(() => lines().count()).toBe(1);
  await refund("2,50");
  await shop.getByText(/2,50.€ rendus/).waitFor();
  await press(/^Rembourser l’achat/);
  await dialog()
    .getByText(/^Rendu le \d\d\/\d\d\/\d{4} \d\d:\d\d par Librairie des Embruns$/)
    .waitFor();
  await expect.poll(() => shop.getByLabel("Montant à rendre").inputValue()).toBe("10");
  expect(await violationsOf(shop)).toEqual([]);
  await shop.getByLabel("Montant à rendre").fill("10,01");
  await dialog().getByRole("button", { name: "Rembourser" }).click();
  await dialog()
    .getByText(/^C'est plus que ce qui reste à rembourser \(10,00.€\)/)
    .waitFor();
  // A colleague gives back meanwhile: what is left follows, and nothing is given back twice.
  const colleague = await portal.server.as("partnerShop");
  const path = `/api/till/sales/${book}/refund`;
  const done = await colleague.post(path, { amountCents: 300, refundedCents: 250 });
  expect(done.status).toBe(200);
  await expect.poll(() => shop.getByLabel("Montant à rendre").inputValue()).toBe("7");
  await dialog().getByRole("button", { name: "Rembourser" }).click();
  await dialog().waitFor({ state: "detached" });
  await press(/^Ce qui a été rendu de l’achat/);
  await expect
    .poll(() =>
      dialog()
        .getByText(/^Rendu le /)
        .count(),
    )
    .toBe(3);
  await expect
    .poll(async () => (await dialog().innerText()).replaceAll(/\s/g, ""))
    .toMatch(/Reste0,00€/);
  expect(await violationsOf(shop)).toEqual([]);
  await shop.keyboard.press("Escape");
  await dialog().waitFor({ state: "detached" });
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
