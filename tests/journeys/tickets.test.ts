// E-tickets in a browser: bought from a wallet, at the provider's page after a refusal, a cart that
// ends, a waiting list, a transfer, a cancellation.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { approveIfAsked } from "../approve.ts";
import { violationsOf } from "../axe.ts";
import { cast } from "../cast.ts";
import { makeEvent } from "../events.ts";
import type { Client } from "../test-server.ts";
import { bytesOf, openTestPortal, type TestPortal } from "../test-portal.ts";
import { seeHeading } from "../top-up-steps.ts";

let portal: TestPortal;
let page: Page;
let camille: Client;
let hugo: Client;
beforeAll(async () => {
  portal = await openTestPortal();
  page = await portal.open();
  await portal.login(page, "guardian");
});
beforeEach(async () => {
  [camille, hugo] = await Promise.all([portal.server.as("guardian"), portal.server.as("stranger")]);
  const { cart } = (await camille.get("/api/tickets/cart")).body;
  if (cart) await camille.post("/api/tickets/cart/drop", { order: cart.id });
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

const me = cast.guardian.cardnumber;
const his = cast.stranger.cardnumber;
const tickets = "/services/E-Billet";
const balance = async (): Promise<number> =>
  (await camille.get(`/api/wallets?cardnumber=${me}`)).body.items[0].balanceCents;
const press = (on: Page, name: string | RegExp) => on.getByRole("button", { name }).click();
/** The button that pays an amount in euros, whatever its spaces are. */
const pays = (euros: string) => new RegExp(`^Payer ${euros},00\\s€$`);
const follow = (name: string | RegExp) => page.getByRole("link", { name }).first().click();
const open = (title: string) =>
  page
    .getByRole("button", { name: new RegExp(title) })
    .first()
    .click();

/** From the list of events to the cart, with seats at full price. */
async function fillCart(title: string, seats: number): Promise<void> {
  await page.goto(portal.url + tickets);
  await follow(new RegExp(title));
  await seeHeading(page, "Choisir des places");
  for (let seat = 1; seat <= seats; seat++) {
    await press(page, "Ajouter une place, Plein tarif");
    await page.getByLabel(new RegExp(`^Plein tarif.*${seat} place`)).waitFor();
  }
  await follow("Continuer vers le paiement");
  await seeHeading(page, "Votre panier");
}

test("two seats paid from the wallet: the tickets are there with their code, PDF and image", async () => {
  await makeEvent(portal.server, { title: "Concert du port" });
  const before = await balance();
  await fillCart("Concert du port", 2);
  expect(await violationsOf(page)).toEqual([]);
  await page
    .getByRole("radio", { name: /^Cagnotte principale/ })
    .first()
    .check();
  await press(page, pays("24"));
  await seeHeading(page, /C’est payé/);
  expect(await balance()).toBe(before - 2400);
  await open("Concert du port");
  await page.getByRole("img", { name: /^Code du billet/ }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  const saved = async (button: string) => {
    const [download] = await Promise.all([page.waitForEvent("download"), press(page, button)]);
    return await bytesOf(download);
  };
  expect((await saved("Télécharger en PDF")).subarray(0, 5).toString()).toBe("%PDF-");
  expect((await saved("Enregistrer l’image")).subarray(1, 4).toString()).toBe("PNG");
});

test("at the provider's page: refused, the cart is still there; then paid", async () => {
  await makeEvent(portal.server, { title: "Le Grand Bal" });
  const before = await balance();
  await fillCart("Le Grand Bal", 1);
  const payOnline = async () => {
    await page.getByRole("radio", { name: /^Carte bancaire/ }).check();
    await press(page, pays("12"));
    await page.waitForURL("**/paiement/sandbox/*");
  };
  await payOnline();
  await press(page, /^Refuser/);
  await seeHeading(page, "Le paiement n’a pas abouti");
  await press(page, "Choisir un moyen de paiement");
  await seeHeading(page, "Votre panier");
  await payOnline();
  await press(page, pays("12"));
  await seeHeading(page, /C’est payé/);
  expect(await balance()).toBe(before);
});

test("a cart that ends says so, and its seats can be had again", async () => {
  await makeEvent(portal.server, { title: "La Petite Scène", seats: 3 });
  await fillCart("La Petite Scène", 2);
  portal.server.clock.advance(25 * 60_000 + 5000);
  await page.reload();
  await seeHeading(page, "Vos places ne sont plus réservées");
  expect(await violationsOf(page)).toEqual([]);
  await press(page, "Réserver de nouveau");
  await page.getByRole("button", { name: pays("24") }).waitFor();
  await press(page, "Abandonner ce panier");
  await page.getByText("Votre panier est vide").waitFor();
});

test("sold out: one waits, is told when a seat is free, and takes it", async () => {
  const event = await makeEvent(portal.server, { title: "Nuit des contes", seats: 1 });
  const seat = { session: event.session, category: event.full, cardnumber: his };
  await hugo.post("/api/tickets/cart/lines", { ...seat, quantity: 1 });
  await page.goto(portal.url + tickets);
  await follow(/Nuit des contes/);
  await seeHeading(page, "Liste d’attente");
  expect(await violationsOf(page)).toEqual([]);
  await press(page, "Me prévenir");
  await page.getByText("Vous êtes sur la liste d’attente.").waitFor();
  await follow("Mes billets");
  await page.getByRole("button", { name: "Quitter la liste" }).waitFor();
  await hugo.post("/api/tickets/cart/lines", { ...seat, quantity: 0 });
  await press(page, "Prendre ces places");
  await seeHeading(page, "Votre panier");
  await page.getByText("Nuit des contes", { exact: true }).waitFor();
  await press(page, "Abandonner ce panier");
  await page.getByText("Votre panier est vide").waitFor();
});

test("a ticket goes to another card once it accepts; another is cancelled for its price", async () => {
  const event = await makeEvent(portal.server, { title: "Trio du soir" });
  const seats = { session: event.session, category: event.full, cardnumber: me, quantity: 2 };
  const { cart } = (await camille.post("/api/tickets/cart/lines", seats)).body;
  const { objectID } = (await camille.get(`/api/wallets?cardnumber=${me}`)).body.items[0];
  await approveIfAsked(portal.server, camille, "/api/tickets/cart/pay", {
    order: cart.id,
    method: "wallet",
    objectID,
    totalCents: 2400,
  });
  const before = await balance();
  await page.goto(`${portal.url}${tickets}?onglet=billets`);
  await open("Trio du soir");
  await press(page, "Transférer");
  await page.getByLabel("Numéro de la carte qui reçoit le billet").fill(String(his));
  await press(page, "Proposer le billet");
  await page.getByRole("button", { name: "Retirer le transfert" }).waitFor();
  const { received } = (await hugo.get(`/api/tickets?cardnumber=${his}`)).body;
  await hugo.post(`/api/tickets/transfers/${received[0].id}/accept`);
  await page.getByText("Billets passés, transférés ou annulés").waitFor();
  await open("Trio du soir");
  await press(page, "Annuler ce billet");
  await page.getByText(/^12,00\s€ recrédités/).waitFor();
  await press(page, "Annuler ce billet");
  await page.getByText("Billet annulé").first().waitFor();
  expect(await balance()).toBe(before + 1200);
});
