// A subscription in a browser: from the formula to the receipt, a file found again on another device
// after a lost session, a payment that is refused and then goes through, papers that are checked.
import { mkdir } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { paths } from "#contract/paths.ts";
import { subscriptionCommands } from "#server/subscriptions/operator.ts";
import { violationsOf } from "../axe.ts";
import { cast, type CastName } from "../cast.ts";
import { expectNoHorizontalScroll } from "../page-width.ts";
import { payWith } from "../payment-choice.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";
import { pdfFile } from "../pdf-file.ts";

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

const path = paths.subscription;

/** The main wallet of a person, in cents, as the server has it. */
async function balanceOf(name: CastName): Promise<number> {
  const person = await portal.server.as(name);
  const { body } = await person.get(`/api/wallets?cardnumber=${cast[name].cardnumber}`);
  return body.items[0].balanceCents;
}

/** With SHOTS set, each state is also drawn there, for the eye. */
async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env["SHOTS"];
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  for (const width of [360, 1280]) {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      const file = `${folder}/${name}-${width}-${colorScheme}.png`;
      await page.screenshot({ path: file, fullPage: true });
    }
  }
}

async function check(page: Page, name: string): Promise<void> {
  await shoot(page, name);
  const before = page.viewportSize();
  for (const [width, colorScheme] of [
    [1280, "light"],
    [320, "dark"],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    expect(await violationsOf(page), name).toEqual([]);
    await expectNoHorizontalScroll(page, `${name} at ${width}`);
  }
  if (before) await page.setViewportSize(before);
}

const heading = (page: Page, name: string) =>
  page.getByRole("heading", { name, exact: true }).first().waitFor();
const press = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name, exact: typeof name === "string" }).click();

test("from the formula to the receipt, then cancelled and given back", async () => {
  const before = await balanceOf("stranger");
  const page = await portal.open();
  await portal.signIn(page, "stranger");
  await page.goto(path);
  await page.getByText("Aucun abonnement sur cette carte").waitFor();
  await check(page, "vide");
  await press(page, "Choisir une formule");
  await heading(page, "Choisissez une formule");
  await page.locator("h1:focus", { hasText: "S’abonner" }).waitFor();
  await press(page, "Continuer");
  await page.getByText("Choisissez une formule pour continuer.").waitFor();
  await check(page, "formules");
  await page.getByRole("radio", { name: "Essentiel" }).check();
  await press(page, "Continuer");
  // No document is asked for: the price comes next, with the one option on it.
  await heading(page, "Vérifiez le prix avant de payer");
  await page.locator("h1:focus", { hasText: "S’abonner" }).waitFor();
  const sms = page.getByRole("checkbox", { name: /Rappels par SMS/ });
  await sms.focus();
  await page.keyboard.press("Space");
  // 27 € is more than the wallet holds: it says so, and the bank card completes it.
  await page.getByText(/25,00\s€ de cette cagnotte et 2,00\s€ par carte bancaire/).waitFor();
  await expect.poll(() => sms.isChecked()).toBe(true);
  await expect.poll(() => sms.evaluate((box) => box === document.activeElement)).toBe(true);
  await check(page, "prix-insuffisant");
  await page.goBack();
  await heading(page, "Choisissez une formule");
  await page.getByRole("radio", { name: "Essentiel" }).check();
  await press(page, "Continuer");
  await sms.uncheck();
  await page.getByText(/Il restera 1,00/).waitFor();
  await check(page, "prix");
  // Another device changes the file: the press pays nothing, says so, and shows the new price.
  const other = await portal.open();
  await portal.signIn(other, "stranger");
  await other.goto(path);
  await press(other, "Reprendre le dossier");
  await other.getByRole("checkbox", { name: /Rappels par SMS/ }).check();
  await other.getByText(/2,00\s€ par carte bancaire/).waitFor();
  await other.context().close();
  await press(page, /^Payer 24,00/);
  await page.getByText(/25,00\s€ de cette cagnotte et 2,00\s€ par carte bancaire/).waitFor();
  await expect.poll(() => page.getByText("L’achat a changé.").isVisible()).toBe(true);
  // One's own change answers it.
  await sms.uncheck();
  await page.getByText("L’achat a changé.").waitFor({ state: "detached" });
  await press(page, /^Payer 24,00/);
  await heading(page, "Abonnement souscrit");
  await expect.poll(() => balanceOf("stranger")).toBe(before - 2400);
  await check(page, "souscrit");
  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    press(page, "Télécharger le reçu (PDF)"),
  ]);
  expect(saved.suggestedFilename()).toBe("recu-abonnement.pdf");
  await page.getByRole("link", { name: "Voir mes abonnements" }).click();
  await heading(page, "Essentiel");
  await check(page, "en-cours");
  // The dashboard knows it too: the stored user was refreshed.
  await page.goto("/dashboard?onglet=abonnements");
  await page.getByText("En cours", { exact: true }).waitFor();
  await page.goto(path);
  await press(page, "Annuler l’abonnement");
  const question = page.getByRole("alertdialog", { name: "Annuler cet abonnement ?" });
  await question.getByRole("button", { name: "Garder" }).click();
  await press(page, "Annuler l’abonnement");
  // The account, read again afterwards, cannot be had: what is cancelled is not said to be refused.
  await page.route("**/api/session", (route) => route.fulfill({ status: 503 }));
  await question.getByRole("button", { name: "Annuler l’abonnement" }).click();
  await page.getByText("Annulé", { exact: true }).waitFor();
  await question.waitFor({ state: "detached" });
  await expect.poll(() => page.getByText("L’abonnement n’a pas été annulé.").count()).toBe(0);
  await page.unroute("**/api/session");
  await expect.poll(() => balanceOf("stranger")).toBe(before);
  await check(page, "annulé");
  await page.context().close();
});

// proves: subscriptions
test("a file for a child waits on another device where the session was lost", async () => {
  const page = await portal.open({
    viewport: { width: 360, height: 740 },
  });
  await portal.signIn(page, "guardian");
  await page.goto(path);
  await heading(page, "Famille");
  await check(page, "famille-en-cours");
  await press(page, "Jade Moreau");
  await press(page, "Choisir une formule");
  await page.getByRole("radio", { name: "Essentiel" }).check();
  await press(page, "Continuer");
  await heading(page, "Vérifiez le prix avant de payer");
  await page.getByText("Jade Moreau").first().waitFor();
  // The session ends under the person's fingers: nothing of what was kept is lost.
  await page.context().clearCookies();
  // What the screen reads again by itself may find the session gone before the press does.
  const gone = page.waitForURL(/\/login/);
  await Promise.race([page.getByRole("checkbox", { name: /Rappels par SMS/ }).click(), gone]);
  await gone;
  await page.context().close();

  const other = await portal.open();
  await portal.signIn(other, "guardian");
  await other.goto(`${path}?carte=${cast.secondChild.cardnumber}`);
  await heading(other, "Votre dossier vous attend");
  await check(other, "dossier");
  await press(other, "Reprendre le dossier");
  await heading(other, "Vérifiez le prix avant de payer");
  const before = await balanceOf("guardian");
  await payWith(other, /^Cagnotte principale Il restera/);
  await press(other, /^Payer/);
  await heading(other, "Abonnement souscrit");
  await other.getByText(/L’abonnement de Jade Moreau Essentiel court du/).waitFor();
  await expect.poll(() => balanceOf("guardian")).toBeLessThan(before);
  await other.context().close();
});

test("a payment that is refused leaves the file as it was; the next one goes through", async () => {
  const before = await balanceOf("coGuardian");
  const page = await portal.open();
  await portal.signIn(page, "coGuardian");
  await page.goto(path);
  await heading(page, "Essentiel");
  await press(page, "Prolonger l’abonnement");
  await page.getByRole("radio", { name: "Essentiel" }).check();
  await press(page, "Continuer");
  await payWith(page, /^Carte bancaire/);
  await press(page, /^Payer 24,00/);
  await page.waitForURL(/\/paiement\/sandbox\//);
  await press(page, /Refus/);
  await page.waitForURL(/dossier=/);
  await heading(page, "Le paiement n’a pas abouti");
  await check(page, "refusé");
  await press(page, "Choisir un moyen de paiement");
  await page.getByText("Le dernier paiement n’a pas abouti.").waitFor();
  await check(page, "prix-après-refus");
  await payWith(page, /^Carte bancaire/);
  await press(page, /^Payer 24,00/);
  await page.waitForURL(/\/paiement\/sandbox\//);
  await press(page, /^Payer 24,00/);
  await page.waitForURL(/dossier=/);
  await heading(page, "Abonnement souscrit");
  await page.getByRole("link", { name: "Voir mes abonnements" }).click();
  await page.getByText("Prendra la suite").waitFor();
  // Both payments were by bank card: the wallet has neither lent nor kept anything.
  await expect.poll(() => balanceOf("coGuardian")).toBe(before);
  await check(page, "à-venir");
  await page.context().close();
});

test("papers are added, paid for, and checked by the operator", async () => {
  const before = await balanceOf("stranger");
  const page = await portal.open({
    viewport: { width: 360, height: 740 },
  });
  await portal.signIn(page, "stranger");
  await page.goto(`${path}?etape=formule`);
  await page.getByRole("radio", { name: "Étudiant" }).check();
  await press(page, "Continuer");
  await heading(page, "Vérifiez le titulaire");
  await press(page, "Continuer");
  await page.getByText("Ajoutez ce document.").first().waitFor();
  await check(page, "justificatifs-manquants");
  for (const label of ["Photo d’identité", "Certificat de scolarité"]) {
    const name = `${label}.pdf`;
    const buffer = pdfFile(label.length);
    const field = page.getByLabel(label, { exact: true });
    await field.setInputFiles({ name, mimeType: "application/pdf", buffer });
    await page.getByText(`${name} est ajouté.`).waitFor({ state: "attached" });
  }
  await check(page, "justificatifs");
  await press(page, "Continuer");
  await page.getByText("Vos documents seront vérifiés après le paiement.").waitFor();
  // The months left of the school year make the price: it is the one that the day gives.
  const payButton = page.getByRole("button", { name: /^Payer/ });
  const price = /\d+,\d\d/.exec((await payButton.textContent()) ?? "")?.[0] ?? "no price";
  await payButton.click();
  await heading(page, "Payé, en vérification");
  await expect.poll(() => balanceOf("stranger")).toBe(before - Number(price.replace(",", "")));
  await page.getByText("commencera dès qu’ils seront acceptés").waitFor();
  await check(page, "en-vérification");
  // One that comes after another begins on its day, whenever its documents are accepted.
  const { pool } = portal.server.deps;
  await pool.query(
    "update subscription set starts_on = '2031-09-01', ends_on = '2032-08-31' where state = 'review'",
  );
  await page.reload();
  await page.getByText("commencera le 01/09/2031 s’ils sont acceptés").waitFor();
  await page.goto(path);
  await page.getByText(/Il est payé\s: nous vérifions vos documents/).waitFor();
  await page.getByText(/Vous recevrez une réponse sous 2 jours ouvrés, le/).waitFor();
  await check(page, "vue-en-vérification");
  await pool.query(
    "update subscription set paid_at = now() - interval '20 days' where state = 'review'",
  );
  await page.reload();
  await page.getByText(/en retard/).waitFor();
  await expect.poll(() => page.getByText(/sous 2 jours ouvrés/).count()).toBe(0);
  const run = async (name: string, ...args: string[]) =>
    await subscriptionCommands
      .find((one) => one.name === name)
      ?.run(portal.server.deps, args, "test");
  const number = (await run("subscriptions list"))?.lines[0]?.split(" ")[0] ?? "";
  await run("subscriptions refuse", number, "Le certificat est celui de l’an dernier.");
  await page.goto(path);
  await page
    .getByText(/Le certificat est celui de l’an dernier/)
    .first()
    .waitFor();
  const refused = page.getByText(/Le certificat est celui de l’an dernier/).first();
  await expect.poll(() => refused.textContent()).toMatch(new RegExp(`[.] ${price}.€ remboursés`));
  await expect.poll(() => balanceOf("stranger")).toBe(before);
  await check(page, "refusé-par-nous");
  // Nothing was paid for a free one: nothing is told to come back.
  await pool.query("update subscription set paid_cents = 0 where state = 'refused'");
  await page.reload();
  await refused.waitFor();
  await expect.poll(() => refused.textContent()).not.toContain("remboursé");
  await page.context().close();
});
