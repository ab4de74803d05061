// What keeps a wallet filled, in a browser: an alert, an automatic top-up and its refusal, a relative's
// link from its making to its end.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTx } from "#server/db/db.ts";
import { fundingTasks } from "#server/funding/funding.ts";
import { schemeAccount, spend } from "#server/wallet/wallet.ts";
import { violationsOf } from "../axe.ts";
import { typeProof } from "../code-dialog.ts";
import { expectNoHorizontalScroll } from "../page-width.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";
import { ledgerFaults, letPass, type Payer, payerOf } from "../top-up-steps.ts";

let portal: TestPortal;
let payer: Payer;
let path: string;
beforeAll(async () => {
  portal = await openTestPortal();
  payer = await payerOf(portal, "guardian");
  path = `/cagnottes/${(await payer.wallet()).objectID}/automatismes`;
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  const faults = await ledgerFaults(portal);
  expect(faults).toEqual([]);
  await portal.close();
});

/** A purchase leaves the wallet at so many cents. */
async function spendDownTo(cents: number): Promise<void> {
  const { objectID, balanceCents } = await payer.wallet();
  const { db } = portal.server.deps;
  await inTx(db, async (tx) => {
    const { id } = await tx
      .selectFrom("wallet")
      .select("id")
      .where("objectId", "=", objectID)
      .executeTakeFirstOrThrow();
    await spend(tx, {
      walletId: id,
      amountCents: balanceCents - cents,
      to: await schemeAccount(tx, "purchases"),
      kind: "purchase",
      key: `journey:${balanceCents}:${cents}`,
      at: portal.server.clock.now(),
    });
  });
}

/** A minute's look at the rules, until what it charged has its outcome; the portal's own jobs help. */
async function lookAtRules(): Promise<void> {
  await fundingTasks(portal.server.deps).run_rules();
  await portal.server.runJobs();
  const { pool } = portal.server.deps;
  await expect
    .poll(
      async () => (await pool.query("select from top_up_rule where charging is not null")).rowCount,
    )
    .toBe(0);
}

async function typeCode(page: Page): Promise<void> {
  await typeProof(page, portal.server);
}

/** No violation; with SHOTS set, drawn there at both widths, in light and dark. */
async function drawn(page: Page, name: string): Promise<void> {
  expect(await violationsOf(page)).toEqual([]);
  const folder = process.env["SHOTS"];
  if (!folder) return;
  for (const [width, colorScheme] of [
    [1280, "light"],
    [360, "dark"],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: `${folder}/${name}-${width}.png` });
  }
}

/** Programs a top-up on a threshold and leaves for the payment page. */
async function program(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Programmer une recharge" }).click();
  const form = page.getByRole("dialog", { name: "Programmer une recharge" });
  await form.getByRole("button", { name: "Continuer vers le paiement" }).click();
  await form.getByText("Cochez cette case pour autoriser").waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await form.getByRole("checkbox", { name: /J’autorise Ma carte/ }).check();
  await form.getByRole("button", { name: "Continuer vers le paiement" }).click();
  await typeCode(page);
  await page.waitForURL("**/paiement/sandbox/*");
}

test("from the wallets to an alert: set, told once in the portal when the balance passes below", async () => {
  const page = await portal.open({ viewport: { width: 360, height: 740 } });
  await portal.signIn(page, "guardian");
  await page.goto("/services/cagnottes");
  await page
    .getByRole("region", { name: "Ma carte" })
    .getByRole("link", { name: /Cagnotte principale/ })
    .click();
  await page.getByRole("link", { name: /Alertes et recharge automatique/ }).click();
  await page.getByRole("heading", { name: "Alerte de solde bas" }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByLabel("Me prévenir sous").fill("30");
  await page.getByRole("button", { name: "Créer l’alerte" }).click();
  await page.getByText("Sous 30 €").waitFor();
  await spendDownTo(2800);
  await fundingTasks(portal.server.deps).watch_balances();
  const { body } = await payer.client.get("/api/notifications");
  expect(body.items[0]).toMatchObject({ title: "Solde bas" });
  await expectNoHorizontalScroll(page);
});

test("a rule whose card was forgotten takes another that is kept", async () => {
  const page = await portal.open({ viewport: { width: 360, height: 740 } });
  await portal.signIn(page, "guardian");
  await page.goto(path);
  await program(page);
  await page.getByRole("checkbox", { name: /Garder ce moyen de paiement/ }).check();
  await page.getByRole("button", { name: /^Payer 20,00/ }).click();
  await page.getByText("La recharge automatique est active.").waitFor();
  await portal.server.deps.pool.query(
    `insert into payment_method (person_id, provider, customer, ref, label, saved_at)
     select person_id, provider, customer, ref || ':other', 'Mastercard •••• 5454', saved_at - interval '1 day'
     from payment_method where forgotten_at is null order by saved_at desc limit 1`,
  );
  await page.goto(path);
  const rule = page.getByRole("article", { name: /Quand le solde passe sous 10/ });
  await rule.getByRole("button", { name: "Changer de carte" }).waitFor();
  await page
    .getByRole("button", { name: /^Oublier .*4242/ })
    .first()
    .click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Oublier" }).click();
  await rule
    .getByText("Son moyen de paiement n’est plus enregistré. Choisissez-en un autre.")
    .waitFor();
  await drawn(page, "carte-oubliee");
  await rule.getByRole("button", { name: "Choisir une carte enregistrée" }).click();
  const form = page.getByRole("dialog", { name: "Choisir le moyen de paiement" });
  await form.getByRole("radio", { name: "Mastercard •••• 5454" }).check();
  await drawn(page, "choisir-carte");
  await form.getByRole("button", { name: "Utiliser ce moyen de paiement" }).click();
  await typeCode(page);
  await page
    .getByText("La recharge automatique utilise maintenant ce moyen de paiement.")
    .waitFor();
  await rule.getByText("Active", { exact: true }).waitFor();
  await rule.getByText(/Mastercard •••• 5454/).waitFor();
  await rule.getByRole("button", { name: "Supprimer" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Supprimer" }).click();
  await page.getByRole("button", { name: "Programmer une recharge" }).waitFor();
  await page.getByRole("button", { name: /^Oublier Mastercard/ }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Oublier" }).click();
  await page.getByRole("button", { name: /^Oublier Mastercard/ }).waitFor({ state: "detached" });
  // Codes are few in a while: those of this test are not counted against the next.
  await portal.server.deps.db.deleteFrom("limiter").execute();
  await page.context().close();
});

test("paid without keeping the payment method: said so, tried again, and the rule runs", async () => {
  const page = await portal.open();
  await portal.signIn(page, "guardian");
  await page.goto(path);
  await program(page);
  await page.getByRole("button", { name: /^Payer 20,00/ }).click();
  await page.getByText("Payé, mais rien n’a été gardé.").waitFor();
  await page.getByRole("button", { name: "Payer et enregistrer ma carte" }).click();
  await page.waitForURL("**/paiement/sandbox/*");
  await page.getByRole("checkbox", { name: /Garder ce moyen de paiement/ }).check();
  await page.getByRole("button", { name: /^Payer 20,00/ }).click();
  await page.getByText("La recharge automatique est active.").waitFor();
  const rule = page.getByRole("article", { name: /Quand le solde passe sous 10/ });
  await rule.getByText("Active", { exact: true }).waitFor();
  await page.getByRole("button", { name: /^Oublier/ }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await rule.getByRole("button", { name: "Mettre en pause" }).click();
  await rule.getByText("En pause", { exact: true }).waitFor();
  // What the payment brought about is over: nothing says any more that the rule runs.
  await page.getByText("La recharge automatique est active.").waitFor({ state: "detached" });
  await rule.getByRole("button", { name: "Reprendre" }).click();
  await rule.getByText("Active", { exact: true }).waitFor();
  await page.getByRole("button", { name: /^Oublier/ }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Oublier" }).click();
  await rule.getByRole("button", { name: "Payer et enregistrer ma carte" }).click();
  await page.waitForURL("**/paiement/sandbox/*");
  await page.getByRole("button", { name: /^Payer 20,00/ }).click();
  await page.getByText("Payé, mais rien n’a été gardé.").waitFor();
  await rule.getByText("En pause", { exact: true }).waitFor();
  await rule.getByRole("button", { name: "Payer et enregistrer ma carte" }).click();
  await page.waitForURL("**/paiement/sandbox/*");
  await page.getByRole("checkbox", { name: /Garder ce moyen de paiement/ }).check();
  await page.getByRole("button", { name: /^Payer 20,00/ }).click();
  await page.getByText("La recharge automatique est active.").waitFor();
  await rule.getByRole("button", { name: "Supprimer" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Supprimer" }).click();
  await page.getByRole("button", { name: "Programmer une recharge" }).waitFor();
});

test("a first payment under dispute is told as one, not waited for", async () => {
  const other = await payerOf(portal, "stranger");
  const page = await portal.open({ viewport: { width: 360, height: 740 }, colorScheme: "dark" });
  await portal.signIn(page, "stranger");
  await page.goto(`/cagnottes/${(await other.wallet()).objectID}/automatismes`);
  await program(page);
  await page.getByRole("button", { name: "Payer, puis litige" }).click();
  await page.getByText("Payé, mais rien n’a été gardé.").waitFor();
  await letPass(portal, 21);
  await page.reload();
  await page.getByText("Ce paiement est contesté").waitFor();
  await page.getByText(/^Référence\s:/).waitFor();
  await expect.poll(() => page.getByText("Nous attendons la réponse du paiement.").count()).toBe(0);
  expect(await violationsOf(page)).toEqual([]);
  const folder = process.env["SHOTS"];
  if (folder) await page.screenshot({ path: `${folder}/first-payment.png` });
  await page.getByRole("button", { name: "Fermer" }).click();
  await page.context().close();
});

test("the bank refuses an automatic top-up: told, with the next try; after the last it rests", async () => {
  const page = await portal.open({ viewport: { width: 360, height: 740 } });
  await portal.signIn(page, "guardian");
  await page.goto(path);
  await page.getByRole("button", { name: "Programmer une recharge" }).click();
  const form = page.getByRole("dialog", { name: "Programmer une recharge" });
  await form
    .getByRole("combobox", { name: "Moyen de paiement" })
    .selectOption("Enregistrer un autre moyen");
  await form.getByRole("checkbox", { name: /J’autorise Ma carte/ }).check();
  await form.getByRole("button", { name: "Continuer vers le paiement" }).click();
  await typeCode(page);
  await page.getByRole("checkbox", { name: /Garder ce moyen de paiement/ }).check();
  await page.getByRole("button", { name: /Payer, puis refuser la suite/ }).click();
  await page.getByText("La recharge automatique est active.").waitFor();
  await spendDownTo(400);
  await lookAtRules();
  await page.goto(path);
  await page.getByText(/La banque a refusé. Nouvel essai le/).waitFor();
  await page.getByText("Nouvel essai", { exact: true }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  for (const hours of [1, 6]) {
    await letPass(portal, hours * 3600 + 60);
    await lookAtRules();
  }
  const client = await portal.server.as("guardian");
  const { body } = await client.get("/api/notifications");
  const titles = (body.items as { title: string }[]).map(({ title }) => title);
  expect(titles.filter((title) => title === "Recharge automatique refusée")).toHaveLength(3);
  await expect
    .poll(async () => (await payerOf(portal, "guardian").then((one) => one.wallet())).balanceCents)
    .toBe(400);
});

test("the secret of a link is taken for no place of the page that waits for an answer", async () => {
  const page = await portal.open();
  await page.addInitScript(`window.told = 0;
    new MutationObserver(() => {
      if (document.body?.textContent.includes("n’attend plus")) window.told++;
    }).observe(document, { subtree: true, childList: true });`);
  await page.goto(`${portal.url}/recharge/proche#${"x".repeat(43)}`);
  await page.getByRole("heading", { name: "Ce lien ne sert plus" }).waitFor();
  // The screen has been calm for longer than a place is waited for.
  await expect.poll(() => page.evaluate("performance.now()")).toBeGreaterThan(4000);
  await expect.poll(() => page.evaluate("told")).toBe(0);
  await page.context().close();
});

test("a relative's link: made, opened without an account, paid, thanked; revoked, it says so", async () => {
  const page = await portal.open();
  await portal.signIn(page, "guardian");
  await page.goto(path);
  await page.getByRole("button", { name: "Créer un lien" }).click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Prénom à montrer").fill("Camille");
  await form.getByLabel("Un mot pour vos proches").fill("Appelez le 06 12 34 56 78");
  await form.getByRole("button", { name: "Créer le lien" }).click();
  await form.getByText(/^Écrivez-le sans adresse/).waitFor();
  await form.getByLabel("Un mot pour vos proches").fill("Pour mes livres et le théâtre");
  await form.getByLabel("Un merci").fill("Merci beaucoup !");
  await form.getByRole("button", { name: "Créer le lien" }).click();
  await form.getByRole("heading", { name: "Votre lien est prêt" }).waitFor();
  const address = (await form.getByText(/^https?:/).textContent()) ?? "";
  await form.getByRole("button", { name: "C’est fait" }).click();

  const relative = await portal.open({ viewport: { width: 360, height: 740 } });
  await relative.goto(address);
  await relative.getByRole("heading", { name: "Recharger la carte de Camille" }).waitFor();
  await relative.getByText("Pour mes livres et le théâtre").waitFor();
  await expect.poll(() => relative.locator("body").textContent()).not.toContain("Moreau");
  await expect.poll(() => relative.getByText("Merci beaucoup !").count()).toBe(0);
  // The way on stays in view, however long the page is.
  const pay = relative.getByRole("button", { name: /^Payer/ });
  const endOfPay = async () => {
    const box = await pay.boundingBox();
    return box === null ? Number.POSITIVE_INFINITY : box.y + box.height;
  };
  await expect.poll(endOfPay).toBeLessThanOrEqual(740);
  expect(await violationsOf(relative)).toEqual([]);
  await relative.getByRole("button", { name: /^Payer/ }).click();
  await relative.getByText("Indiquez votre nom.").waitFor();
  const relativeName = relative.getByLabel("Votre nom");
  await relativeName.fill("Mamie www.exemple.fr");
  await relative.getByRole("button", { name: "20 €" }).click();
  await relative.getByRole("button", { name: "Payer 20 €" }).click();
  await relative.getByText(/^Ce nom ne convient pas/).waitFor();
  await expect.poll(() => relativeName.getAttribute("aria-invalid")).toBe("true");
  await expect.poll(() => relative.getByText("Le paiement n’a pas commencé.").count()).toBe(0);
  await relativeName.fill("Mamie Jeanne");
  await relative.getByRole("button", { name: "Payer 20 €" }).click();
  await relative.waitForURL("**/paiement/sandbox/*");
  // Refused by the bank: nothing is told as paid, and the same link begins again.
  await relative.getByRole("button", { name: /^Refuser/ }).click();
  await relative.getByRole("heading", { name: "Le paiement n’a pas abouti" }).waitFor();
  await expect.poll(() => relative.getByText("Montant payé").count()).toBe(0);
  await relative.getByRole("button", { name: "Recommencer" }).click();
  await relativeName.waitFor();
  await expect.poll(() => relativeName.inputValue()).toBe("Mamie Jeanne");
  await relative.getByRole("button", { name: "Payer 20 €" }).click();
  await relative.waitForURL("**/paiement/sandbox/*");
  await relative.getByRole("button", { name: /^Payer 20,00/ }).click();
  await relative.getByRole("heading", { name: "20 € pour Camille" }).waitFor();
  await relative.getByText("Merci beaucoup !").waitFor();
  await relative.getByText("Montant payé").waitFor();
  expect(await violationsOf(relative)).toEqual([]);

  await page.reload();
  const link = page.getByRole("article", { name: "Lien au nom de Camille" });
  await link.getByText(/20\s€ reçus sur 100\s€/).waitFor();
  await link.getByRole("button", { name: "Supprimer le lien" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Supprimer le lien" }).click();
  await link.getByText("Supprimé", { exact: true }).waitFor();
  await relative.goto("/login");
  await relative.goto(address);
  await relative.getByRole("heading", { name: "Ce lien ne sert plus" }).waitFor();
  await relative.getByText(/Demandez-en un nouveau/).waitFor();
  expect(await violationsOf(relative)).toEqual([]);
});
