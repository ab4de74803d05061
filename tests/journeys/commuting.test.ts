// Employer's transport in two browsers: the company sets its share and enrols, the employee accepts and buys
// at their part of the price, the company takes the list for payroll and ends the enrolment.
import { text as textOf } from "node:stream/consumers";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTx } from "#server/db/db.ts";
import { demoFares } from "#server/demo/fares.ts";
import { putOnSale } from "#server/passes/passes.ts";
import { violationsOf } from "../axe.ts";
import { cast } from "../cast.ts";
import { furnishDirectory } from "../directory.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";

let portal: TestPortal;
let office: Page;
let phone: Page;
let offer: string;
beforeAll(async () => {
  portal = await openTestPortal();
  portal.server.deps.config.codeFromCents = 1_000_000;
  const { transport } = await furnishDirectory(portal.server.deps);
  offer = `${portal.url}/services/transport-entreprise/${transport}`;
  await inTx(portal.server.deps.db, (tx) => putOnSale(tx, demoFares));
  [office, phone] = await Promise.all([
    portal.open({ viewport: { width: 1280, height: 900 } }),
    portal.open({ viewport: { width: 360, height: 740 } }),
  ]);
  await portal.login(office, "employer");
  await portal.login(phone, "guardian");
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click();
const tab = (name: string) => office.getByRole("tab", { name }).click();
const balance = async (): Promise<number> => {
  const camille = await portal.server.as("guardian");
  const { body } = await camille.get(`/api/wallets?cardnumber=${cast.guardian.cardnumber}`);
  return body.items[0].balanceCents as number;
};

test("the owner sets the share: less than the law asks is refused in the field", async () => {
  await office.goto(offer);
  await office.getByRole("heading", { name: "Abonnement des salariés", level: 1 }).waitFor();
  await office.getByText("Ateliers Corail ne paie encore rien.").waitFor();
  await tab("Salariés");
  await office.getByText("Fixez d’abord votre part.").waitFor();
  await tab("L’offre");
  await press(office, "Fixer notre part");
  const percent = office.getByLabel("Part de chaque abonnement, en %");
  await percent.fill("40");
  await press(office, "Enregistrer");
  await office.getByText("Indiquez un nombre entre 50 et 100.").waitFor();
  await percent.fill("75");
  await press(office, "Enregistrer");
  await office.getByText("0 salarié inscrit").waitFor();
  const prices = office.getByRole("table", { name: "Abonnements compris" });
  await expect
    .poll(async () => (await prices.innerText()).replaceAll(/\s/g, ""))
    .toContain("44,00€33,00€11,00€");
  expect(await violationsOf(office)).toEqual([]);
});

test("the list of offers says who pays what: the employer's own share once it is set", async () => {
  const other = await portal.open({ viewport: { width: 360, height: 740 } });
  // Of a company that shares nothing: what the offer says, told as the employer's.
  await portal.signIn(other, "partnerShop");
  await other.goto(`${portal.url}/services/transport-entreprise`);
  await other.getByText(/par mois\s: 50\s% payés par l’employeur, 50\s% par le salarié$/).waitFor();
  await other.context().close();
  await office.goto(`${portal.url}/services/transport-entreprise`);
  await office
    .getByText(/par mois\s: 75\s% payés par votre entreprise, 25\s% par le salarié$/)
    .waitFor();
  expect(await violationsOf(office)).toEqual([]);
  await office.goto(offer);
});

test("two numbers are asked alike, nobody's and Camille's", async () => {
  await tab("Salariés");
  await office.getByText("Aucun salarié inscrit").waitFor();
  const enrol = async (name: string, cardnumber: string) => {
    await press(office, "Inscrire un salarié");
    await office.getByLabel("Prénom et nom").fill(name);
    await office.getByLabel("Numéro de sa carte personnelle").fill(cardnumber);
    await press(office, "Envoyer la demande");
  };
  await enrol("Yann Le Goff", "1000000108");
  await office.getByText("Un chiffre est faux. Vérifiez-le avec le salarié.").waitFor();
  expect(await violationsOf(office)).toEqual([]);
  await office.getByLabel("Numéro de sa carte personnelle").fill("1000000107");
  await press(office, "Envoyer la demande");
  await office.getByText("La demande est envoyée pour Yann Le Goff.").waitFor();
  await enrol("C. Moreau", String(cast.guardian.cardnumber));
  await office.getByText("La demande est envoyée pour C. Moreau.").waitFor();
  const lines = office.getByRole("table", { name: "Salariés" }).getByText("Attend la réponse");
  await expect.poll(() => lines.count()).toBe(2);
  expect(await violationsOf(office)).toEqual([]);
  await portal.server.runJobs();
});

test("Camille reads who asks, accepts, and buys at her part of the price", async () => {
  const before = await balance();
  const [{ idgroup }] = (await (await portal.server.as("guardian")).get("/api/fares")).body.items;
  await phone.goto(`${portal.url}/Abonnement/ligne/${idgroup}`);
  await phone.getByRole("heading", { name: /^Mon employeur.*Ateliers Corail/ }).waitFor();
  await phone.getByText("C. Moreau").waitFor();
  expect(await violationsOf(phone)).toEqual([]);
  await press(phone, "Accepter");
  await phone.getByText("C’est accepté.").waitFor();
  await phone.getByText("En cours", { exact: true }).waitFor();
  const employerShare = phone.getByText(/Ateliers Corail en paie 75.*33,00/);
  await employerShare.waitFor();
  expect(await violationsOf(phone)).toEqual([]);
  await phone.getByRole("link", { name: "Acheter Mensuel" }).click();
  await phone.getByRole("heading", { name: "Acheter un titre" }).waitFor();
  await employerShare.waitFor();
  await press(phone, "Vérifier l’achat");
  await phone.getByRole("heading", { name: "Vérifiez avant de payer" }).waitFor();
  await phone.getByText("Total", { exact: true }).waitFor();
  expect(await violationsOf(phone)).toEqual([]);
  await press(phone, /^Payer 11,00/);
  await phone.getByRole("heading", { name: "Le titre est prêt" }).waitFor();
  await expect.poll(balance).toBe(before - 1100);
  await phone.getByRole("link", { name: "Afficher le QR code" }).click();
  await phone.getByText(/33,00.*vous.*11,00/).waitFor();
  expect(await violationsOf(phone)).toEqual([]);
});

test("the office sees the pass and its price, takes the list, suspends and ends", async () => {
  await office.reload();
  await office.getByText(/Mensuel, jusqu’(?:au|à)/).waitFor();
  await tab("Paie");
  await office.getByLabel("Mois de paie").waitFor();
  // Late in a month the next one is proposed first.
  const empty = office.getByText(/^Rien à déclarer en/);
  const listed = office.getByRole("table", { name: "Titres du mois" });
  await empty.or(listed).waitFor();
  if (await empty.isVisible()) {
    await office.getByLabel("Mois de paie").selectOption({ index: 0 });
  }
  await listed.getByText("C. Moreau").waitFor();
  expect(await violationsOf(office)).toEqual([]);
  const [file] = await Promise.all([
    office.waitForEvent("download"),
    press(office, "Télécharger (CSV)"),
  ]);
  expect(file.suggestedFilename()).toMatch(/^transport-paie-\d{4}-\d\d\.csv$/);
  const text = await textOf(await file.createReadStream());
  expect(text).toContain("C. Moreau;Mensuel;");
  expect(text).toContain(";44,00;33,00;75;44,00;33,00;");
  await tab("Salariés");
  await press(office, "Suspendre C. Moreau");
  await office.getByRole("alertdialog").getByRole("button", { name: "Suspendre" }).click();
  await office.getByText("Suspendue", { exact: true }).waitFor();
  await press(office, "Reprendre C. Moreau");
  await office.getByRole("alertdialog").getByRole("button", { name: "Reprendre" }).click();
  await press(office, "Terminer C. Moreau");
  await office.getByRole("alertdialog").getByRole("button", { name: "Terminer" }).click();
  await expect.poll(() => office.getByText("C. Moreau").count()).toBe(0);
  await office.getByRole("button", { name: "Retirer Yann Le Goff" }).waitFor();
  await press(office, "Terminées");
  await office.getByText("Terminée", { exact: true }).waitFor();
  const camille = await portal.server.as("guardian");
  await expect.poll(async () => (await camille.get("/api/commuting/mine")).body.items).toEqual([]);
});
