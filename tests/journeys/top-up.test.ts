// Topping up: each outcome of the provider's page, as the person sees it and as the ledger keeps it.
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { violationsOf } from "../axe.ts";
import { codeDialog, typeProof } from "../code-dialog.ts";
import { bytesOf, openTestPortal, type TestPortal } from "../test-portal.ts";
import { addressOfScript } from "../web-build.ts";
import {
  goAndPay,
  leaveToPay,
  ledgerFaults,
  letPass,
  payerOf,
  press,
  seeHeading,
  typeAmount,
} from "../top-up-steps.ts";
import { leaveToSpend } from "../wallet-money.ts";

let portal: TestPortal;
let page: Page;
beforeAll(async () => {
  portal = await openTestPortal();
  page = await portal.open();
  await portal.login(page, "guardian");
});
afterEach(async () => {
  const faults = await ledgerFaults(portal);
  expect(faults).toEqual([]);
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

test("paid: from the dashboard to the credited balance and its receipt", async () => {
  const payer = await payerOf(portal, "guardian");
  const before = (await payer.wallet()).balanceCents;
  await page.getByRole("button", { name: "Recharger" }).first().click();
  await seeHeading(page, "Combien ajouter");
  await page.getByRole("button", { name: "20 €", exact: true }).click();
  await leaveToPay(page, "20");
  await press(page, "Payer 20,00 €");
  await seeHeading(page, "20 € ajoutés à votre cagnotte");
  await expect.poll(() => new URL(page.url()).pathname).toBe(payer.path);
  const track = page.getByRole("list", { name: "Suivi de la recharge" });
  await expect
    .poll(() => track.getByRole("listitem").allInnerTexts())
    .toEqual(["Commencée", "Autorisée", "Créditée"].map((state) => expect.stringContaining(state)));
  await expect.poll(async () => (await payer.wallet()).balanceCents).toBe(before + 2000);
  await expect
    .poll(async () => (await payer.topUps())[0])
    .toMatchObject({ state: "credited", amountCents: 2000 });

  const saved = page.waitForEvent("download");
  await press(page, "Télécharger le reçu (PDF)");
  const file = await bytesOf(await saved);
  expect(file.subarray(0, 5).toString()).toBe("%PDF-");

  await page.getByRole("link", { name: "Revenir à ma carte" }).click();
  await page.getByText("140,00").first().waitFor();
});

test("a kept card pays at once, without the provider's page", async () => {
  const payer = await payerOf(portal, "guardian");
  await page.goto(payer.path);
  await typeAmount(page, "12");
  await page.getByLabel("Garder cette carte bancaire pour la prochaine fois").check();
  await leaveToPay(page, "12");
  await page.getByRole("checkbox", { name: /Garder ce moyen de paiement/ }).check();
  await press(page, "Payer 12,00 €");
  await seeHeading(page, "12 € ajoutés à votre cagnotte");
  await portal.server.runJobs();
  const before = (await payer.wallet()).balanceCents;

  await page.goto(payer.path);
  await expect.poll(() => page.getByRole("radio", { name: /4242/ }).isChecked()).toBe(true);
  // Where payments are fictitious nothing is said to be debited at once.
  await page.getByText(/Paiements fictifs\s: aucune carte bancaire n’est débitée\./).waitFor();
  await expect.poll(() => page.getByText(/débitée tout de suite/).count()).toBe(0);
  await press(page, "20 €");
  await press(page, "Payer 20 €");
  await seeHeading(page, "20 € ajoutés à votre cagnotte");
  await expect.poll(() => new URL(page.url()).pathname).toBe(payer.path);
  await expect.poll(async () => (await payer.wallet()).balanceCents).toBe(before + 2000);

  const { items } = (await payer.client.get("/api/payment-methods")).body;
  await payer.client.post(`/api/payment-methods/${items[0].id}/forget`);
  await page.goto(payer.path);
  await seeHeading(page, "Combien ajouter");
  await expect.poll(() => page.getByRole("radio", { name: /4242/ }).count()).toBe(0);
});

test("refused: nothing is added, and trying again starts another payment that can be paid", async () => {
  const payer = await payerOf(portal, "guardian");
  const before = (await payer.wallet()).balanceCents;
  await goAndPay(page, payer.path, "15");
  const refused = page.url();
  await press(page, "Refuser");
  await seeHeading(page, "La recharge n’a pas été payée");
  await page.getByText("Rien n'a été débité").waitFor();
  await expect.poll(async () => (await payer.wallet()).balanceCents).toBe(before);

  await press(page, "Réessayer");
  await seeHeading(page, "Combien ajouter");
  await leaveToPay(page, "15");
  await expect.poll(() => page.url()).not.toBe(refused);
  await press(page, "Payer 15,00 €");
  await seeHeading(page, "15 € ajoutés à votre cagnotte");
  await expect.poll(async () => (await payer.wallet()).balanceCents).toBe(before + 1500);
  await expect
    .poll(async () => (await payer.topUps()).slice(0, 2).map(({ state }) => state))
    .toEqual(["credited", "declined"]);
});

test("3-D Secure: the bank asks, the confirmation credits", async () => {
  const payer = await payerOf(portal, "guardian");
  const before = (await payer.wallet()).balanceCents;
  await goAndPay(page, payer.path, "12,50");
  await press(page, "3-D Secure");
  await seeHeading(page, "Confirmation 3-D Secure");
  await expect.poll(async () => (await payer.wallet()).balanceCents).toBe(before);
  await press(page, "Confirmer le paiement");
  await seeHeading(page, "12,50 € ajoutés à votre cagnotte");
  await expect.poll(async () => (await payer.wallet()).balanceCents).toBe(before + 1250);
});

test("pending: the page says not to pay twice, then shows the late success by itself", async () => {
  const payer = await payerOf(portal, "guardian");
  const before = (await payer.wallet()).balanceCents;
  await goAndPay(page, payer.path, "30");
  await press(page, "Laisser en attente");
  await seeHeading(page, "Votre banque a accepté le paiement");
  await page.getByText("Ne payez pas une seconde fois").waitFor();
  await expect.poll(() => page.getByRole("button", { name: /reprendre/ }).count()).toBe(0);
  await expect.poll(async () => (await payer.wallet()).balanceCents).toBe(before);
  await letPass(portal, 21);
  await seeHeading(page, "30 € ajoutés à votre cagnotte");
  await expect.poll(async () => (await payer.wallet()).balanceCents).toBe(before + 3000);
});

test("paid and announced late: in doubt it is never asked again, and is credited once", async () => {
  const payer = await payerOf(portal, "guardian");
  const before = (await payer.wallet()).balanceCents;
  await goAndPay(page, payer.path, "25");
  await press(page, "Payer, réponse en retard");
  await seeHeading(page, "Nous attendons la réponse du paiement");
  await page.getByText("Si vous venez de payer, ne payez pas une seconde fois").waitFor();
  // Whoever resumes nevertheless meets the same payment, which is over.
  await page.getByRole("button", { name: /reprendre/ }).click();
  await seeHeading(page, "Ce paiement à Ma carte est terminé");
  await page.getByRole("link", { name: "Revenir à ma cagnotte" }).click();
  await seeHeading(page, "Nous attendons la réponse du paiement");
  await letPass(portal, 21);
  await seeHeading(page, "25 € ajoutés à votre cagnotte");
  await expect.poll(async () => (await payer.wallet()).balanceCents).toBe(before + 2500);
});

test("announced three times: credited once", async () => {
  const payer = await payerOf(portal, "guardian");
  const before = (await payer.wallet()).balanceCents;
  await goAndPay(page, payer.path, "10");
  await press(page, "Payer, annonce en doublon");
  await seeHeading(page, "10 € ajoutés à votre cagnotte");
  await letPass(portal, 60);
  await expect.poll(async () => (await payer.wallet()).balanceCents).toBe(before + 1000);
});

test("disputed: the money goes, the wallet is blocked and says so wherever it is shown", async () => {
  const payer = await payerOf(portal, "stranger");
  const other = await portal.open();
  await portal.login(other, "stranger");
  const before = (await payer.wallet()).balanceCents;
  await goAndPay(other, payer.path, "20");
  await press(other, "Payer, puis litige");
  await seeHeading(other, "20 € ajoutés à votre cagnotte");
  await expect.poll(async () => (await payer.wallet()).balanceCents).toBe(before + 2000);
  await leaveToSpend(portal.server, (await payer.wallet()).objectID, 500);
  await letPass(portal, 21);
  await seeHeading(other, "Ce paiement est contesté");
  await expect.poll(() => payer.wallet()).toMatchObject({ balanceCents: 0, frozen: true });
  await expect
    .poll(async () => (await payer.topUps())[0])
    .toMatchObject({ state: "disputed", owedCents: 1500 });
  await other.getByText(/^15,00\s€ restent à régler$/).waitFor();
  const folder = process.env["SHOTS"];
  for (const [width, colorScheme] of [
    [360, "dark"],
    [1280, "light"],
  ] as const) {
    if (!folder) break;
    await other.setViewportSize({ width, height: 800 });
    await other.emulateMedia({ colorScheme });
    await other.screenshot({ path: `${folder}/owed-${width}.png`, fullPage: true });
  }

  await other.getByRole("link", { name: "Cagnottes" }).first().click();
  await other.getByText("Bloquée", { exact: true }).waitFor();
  await expect.poll(() => other.getByRole("link", { name: /^Recharger/ }).count()).toBe(0);
  await other.goto(payer.path);
  await other.getByText("Cette cagnotte est bloquée").waitFor();
  await other.getByText(/^15,00\s€ restent à régler$/).waitFor();
  if (folder) await other.screenshot({ path: `${folder}/owed-wallet.png`, fullPage: true });
  await expect.poll(() => other.getByRole("button", { name: /^Payer/ }).count()).toBe(0);
  await other.context().close();
});

test("the limits are the wallet's own: what is refused is told beside the field, nothing starts", async () => {
  const payer = await payerOf(portal, "guardian");
  const { length } = await payer.topUps();
  await page.goto(payer.path);
  const field = page.getByLabel("Montant", { exact: true });
  for (const [typed, message] of [
    ["", "Indiquez le montant à ajouter"],
    ["4,99", "Le montant minimal est de 5 €."],
    ["500,01", "Le montant maximal est de 500 € par recharge."],
    ["2 50", "Ce montant ne se lit pas."],
    ["1e3", "Ce montant ne se lit pas."],
    ["-25", "Ce montant ne se lit pas."],
  ] as const) {
    await field.fill(typed);
    await page.getByRole("button", { name: /^Payer/ }).click();
    await page.getByText(message).waitFor();
    await expect.poll(() => field.getAttribute("aria-invalid")).toBe("true");
    await expect
      .poll(() => field.evaluate((one) => one === one.ownerDocument.activeElement))
      .toBe(true);
  }
  await field.fill("20€50");
  await page.getByRole("button", { name: /^Payer 20,50\s€$/ }).waitFor();
  // An address that was written by hand is refused like a field that was.
  await page.goto(`${payer.path}?montant=60000`);
  await page.getByText("Le montant maximal est de 500 € par recharge.").waitFor();
  await expect.poll(() => payer.topUps()).toHaveLength(length);
});

test("a full wallet says so in the dialog of « Ma carte », and asks for no amount", async () => {
  const payer = await payerOf(portal, "guardian");
  const { objectID, balanceCents } = await payer.wallet();
  await leaveToSpend(portal.server, objectID, portal.server.deps.config.walletCapCents);
  await page.goto("/dashboard");
  await press(page, "Recharger");
  const dialog = page.getByRole("dialog", { name: "Recharger la cagnotte" });
  await dialog.getByText("Cette cagnotte est pleine").waitFor();
  await expect.poll(() => dialog.getByRole("button", { name: /^Payer/ }).count()).toBe(0);
  await expect.poll(() => dialog.getByRole("textbox").count()).toBe(0);
  expect(await violationsOf(page)).toEqual([]);
  const folder = process.env["SHOTS"];
  if (folder) await page.screenshot({ path: `${folder}/full.png` });
  await leaveToSpend(portal.server, objectID, balanceCents);
});

test("the ids of the address decide: another name is corrected, another wallet is not found", async () => {
  const payer = await payerOf(portal, "guardian");
  const foreign = await payerOf(portal, "coGuardian");
  const { objectID, idgroup } = await payer.wallet();
  await page.goto(`/services/${objectID}/nom-invente/${idgroup}?montant=2000`);
  await page.getByRole("button", { name: "Payer 20 €" }).waitFor();
  await expect
    .poll(() => new URL(page.url()).pathname + new URL(page.url()).search)
    .toBe(`${payer.path}?montant=2000`);
  await page.goto(foreign.path);
  await seeHeading(page, "Page introuvable");
  await page.goto(payer.path.replace(/\d+$/, "99"));
  await seeHeading(page, "Page introuvable");
  await page.goto(`${payer.path}?recharge=0d8e2b1c-0000-4000-8000-000000000001`);
  await page.getByText("Nous ne trouvons pas cette recharge").waitFor();
});

test("a guardian tops up the wallet of a child", async () => {
  const child = await payerOf(portal, "child");
  const before = (await child.wallet()).balanceCents;
  await page.goto(child.path);
  await page.getByText("Carte de Léo Moreau").first().waitFor();
  await typeAmount(page, "10");
  await leaveToPay(page, "10");
  await press(page, "Payer 10,00 €");
  await seeHeading(page, "10 € ajoutés à la cagnotte de Léo Moreau");
  await expect.poll(async () => (await child.wallet()).balanceCents).toBe(before + 1000);
});

test("a large amount asks for a code first; giving up starts nothing, the code leads to the payment", async () => {
  const payer = await payerOf(portal, "secondChild");
  const before = (await payer.wallet()).balanceCents;
  await page.goto(payer.path);
  await typeAmount(page, "300");
  const dialog = codeDialog(page);
  await press(page, "Payer 300 €");
  await dialog.waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await expect.poll(() => payer.topUps()).toEqual([]);
  await press(page, "Payer 300 €");
  await dialog.waitFor();
  await typeProof(page, portal.server);
  await page.waitForURL("**/paiement/sandbox/*");
  await press(page, "Payer 300,00 €");
  await seeHeading(page, "300 € ajoutés à la cagnotte de Jade Moreau");
  await expect.poll(async () => (await payer.wallet()).balanceCents).toBe(before + 30_000);
  await expect.poll(() => payer.topUps()).toHaveLength(1);
});

test("where the window of the code cannot be had, the screen stays and says so; nothing starts", async () => {
  const payer = await payerOf(portal, "secondChild");
  const before = (await payer.topUps()).length;
  const dialog = `**${await addressOfScript(portal.web, "app/shared/code-dialog.tsx")}`;
  await page.route(dialog, (route) => route.abort());
  await page.goto(payer.path);
  // More than the proof given before has opened.
  await typeAmount(page, "301");
  await press(page, "Payer 301 €");
  await page.getByText("Rien n’a été fait. Rechargez la page et recommencez.").waitFor();
  await page.getByRole("button", { name: "Payer 301 €" }).waitFor();
  await expect.poll(() => payer.topUps()).toHaveLength(before);
  await page.unroute(dialog);
});
