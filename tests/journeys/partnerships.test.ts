// Two companies in two browsers: one invites, the other accepts, new terms are agreed, messages go both
// ways, the till takes off what was agreed, and it ends.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { violationsOf } from "../axe.ts";
import { furnishDirectory } from "../directory.ts";
import { expectNoHorizontalScroll } from "../page-width.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";

let portal: TestPortal;
let shop: Page;
let employer: Page;
const path = "/professional/partenaire";
const good = async (page: Page) => {
  expect(await violationsOf(page)).toEqual([]);
  await expectNoHorizontalScroll(page);
};

beforeAll(async () => {
  portal = await openTestPortal();
  await furnishDirectory(portal.server.deps);
  shop = await portal.open({ viewport: { width: 360, height: 800 } });
  employer = await portal.open({ viewport: { width: 1280, height: 800 }, colorScheme: "dark" });
  await portal.login(shop, "partnerShop");
  await portal.login(employer, "employer");
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

test("a company is invited by SIRET; its name comes with its yes", async () => {
  await shop.goto(`${portal.url}${path}`);
  await shop.getByText("Aucun partenariat en cours").waitFor();
  await good(shop);
  await shop.getByRole("button", { name: "Inviter une entreprise" }).first().click();
  const number = shop.getByLabel("SIRET ou numéro de carte pro");
  await number.fill("900 345 679 00015");
  await shop.getByRole("button", { name: "Envoyer l’invitation" }).click();
  await shop.getByText("Donnez un SIRET de 14 chiffres").waitFor();
  await good(shop);
  await number.fill("900 345 679 00014");
  const discount = shop.getByLabel("Votre remise à leurs cartes, en %");
  await discount.fill("1e1");
  await shop.getByRole("button", { name: "Envoyer l’invitation" }).click();
  await shop.getByText("Donnez un nombre entier").waitFor();
  await discount.fill("10");
  await shop.getByLabel("Message").fill("Des livres pour vos équipes\u202f?");
  await shop.getByRole("button", { name: "Envoyer l’invitation" }).click();
  await shop.getByText("Invitation au 900 345 679 00014").first().waitFor();
  await expect.poll(() => shop.getByText("Ateliers Corail").count()).toBe(0);

  // Invited in turn, that company is answered instead.
  await employer.goto(`${portal.url}${path}`);
  await employer.getByRole("button", { name: "Inviter une entreprise" }).first().click();
  await employer.getByLabel("SIRET ou numéro de carte pro").fill("900 234 568 00013");
  await employer.getByRole("button", { name: "Envoyer l’invitation" }).click();
  await employer.getByText("Cette entreprise vous a déjà invité").waitFor();
  await good(employer);
  await employer.getByRole("link", { name: "Répondre à l’invitation" }).click();
  await employer.getByText("Librairie des Embruns vous invite").waitFor();

  await employer.goto(`${portal.url}${path}?etat=waiting`);
  await employer.getByText("À vous de répondre").waitFor();
  await good(employer);
  await employer.getByRole("link", { name: "Librairie des Embruns" }).click();
  await employer.getByText("Librairie des Embruns vous invite").waitFor();
  await employer.getByText("Des livres pour vos équipes").waitFor();
  await good(employer);
  await employer.getByRole("button", { name: "Accepter", exact: true }).click();
  await employer.getByRole("heading", { name: "Échanges" }).waitFor();
  await good(employer);

  await shop.goto(`${portal.url}${path}`);
  await shop.getByRole("link", { name: "Ateliers Corail" }).click();
  await shop.getByRole("heading", { name: "Ateliers Corail" }).waitFor();
  await shop.getByRole("heading", { name: "Vos ventes à leurs cartes" }).waitFor();
  await good(shop);
});

test("new terms wait for the other side's yes, messages reach it", async () => {
  await shop.getByRole("button", { name: "Proposer d’autres conditions" }).click();
  await shop.getByRole("button", { name: "Proposer ces conditions" }).click();
  await shop.getByText("Ces conditions sont déjà celles du partenariat").waitFor();
  await good(shop);
  await shop.getByLabel("Votre remise à leurs cartes, en %").fill("15");
  await shop.getByRole("button", { name: "Proposer ces conditions" }).click();
  await shop.getByText("Vos nouvelles conditions attendent un accord").waitFor();
  await good(shop);
  await employer.getByRole("button", { name: "Accepter ces conditions" }).click();
  await employer
    .getByRole("row")
    .filter({ hasText: "N° 2" })
    .filter({ hasText: "Depuis" })
    .waitFor();

  await employer.getByLabel("Votre message").fill("Bonjour, merci\u202f!");
  await employer.getByRole("button", { name: "Envoyer", exact: true }).click();
  await employer.getByText("Bonjour, merci").waitFor();
  await shop.getByText("Bonjour, merci").first().waitFor();
  await good(employer);
});

test("either side ends it, and the other reads why", async () => {
  await employer.getByRole("button", { name: "Mettre fin au partenariat" }).click();
  await employer.getByLabel("Motif").fill("Nous changeons de fournisseur.");
  await good(employer);
  await employer.getByRole("button", { name: "Mettre fin", exact: true }).click();
  await employer.getByText(/^Terminé le/).waitFor();
  await shop.getByText("Nous changeons de fournisseur.").waitFor();
  await expect
    .poll(() => shop.getByRole("button", { name: "Mettre fin au partenariat" }).count())
    .toBe(0);
  await good(shop);
  const unknown = `${portal.url}/partenaire/6f1d5f0e-8f53-4a86-9d2c-0f0a4f6c1a2b`;
  await shop.goto(unknown);
  await shop.getByRole("heading", { name: /introuvable/ }).waitFor();
  const holder = await portal.open();
  await portal.signIn(holder, "guardian");
  await holder.goto(unknown);
  await holder.waitForURL(`${portal.url}/dashboard`);
});
