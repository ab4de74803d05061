// A child asks for money from its own screen; a guardian answers from the home, in one press. What each sees, and the
// money of both.
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { violationsOf } from "../axe.ts";
import { cast, type CastName } from "../cast.ts";
import { typeProof } from "../code-dialog.ts";
import { press } from "../keys.ts";
import { expectNoHorizontalScroll } from "../page-width.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";
import { ledgerFaults } from "../top-up-steps.ts";

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
beforeEach(async () => {
  portal.server.deps.config.codeFromCents = 1_000_000;
  await portal.server.owner.pool.query("delete from money_request");
  await portal.server.deps.db.deleteFrom("limiter").execute();
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  const faults = await ledgerFaults(portal);
  expect(faults).toEqual([]);
  await portal.close();
});

async function balanceOf(name: CastName): Promise<number> {
  const person = await portal.server.as(name);
  const { body } = await person.get(`/api/wallets?cardnumber=${cast[name].cardnumber}`);
  return body.items[0].balanceCents;
}
const small = { viewport: { width: 320, height: 640 } };

async function openAs(name: CastName, path: string, options = {}): Promise<Page> {
  const page = await portal.open(options);
  await portal.signIn(page, name);
  await page.goto(path);
  return page;
}
const ask = async (amountCents: number, words = "Pour le cinéma"): Promise<string> => {
  const leo = await portal.server.as("child");
  return (await leo.post("/api/money-requests", { amountCents, words })).body.id;
};
/** The line of « À faire » about Léo's request. */
const lineOf = (page: Page): Locator =>
  page.getByRole("listitem").filter({ hasText: "Léo demande" });

// proves: money-request
test("asked on a phone of 320 px, answered in one press: the child's screens say so by themselves", async () => {
  const [mine, his] = [await balanceOf("guardian"), await balanceOf("child")];
  const child = await openAs("child", "/dashboard", small);
  await child.getByRole("link", { name: "Demander", exact: true }).click();
  await child.getByRole("heading", { name: "Demander de l’argent" }).waitFor();
  await child.getByRole("button", { name: "Demander", exact: true }).click();
  await child.getByText(/Indiquez de 1,00.€ à 200,00.€/).waitFor();
  await child.getByRole("button", { name: /^10.€$/ }).click();
  await child.getByLabel("Quelques mots").fill("Appelle-moi au 06 12 34 56 78");
  await child.getByRole("button", { name: /Demander 10,00.€/ }).click();
  await child.getByText(/sans adresse, ni lien/).waitFor();
  await child.getByLabel("Quelques mots").fill("Pour le cinéma");
  await child.getByRole("button", { name: /Demander 10,00.€/ }).click();
  await child.getByRole("heading", { name: "Demande en attente" }).waitFor();
  await child.getByText(/Envoyée à Camille Moreau et Thomas Moreau/).waitFor();
  await expectNoHorizontalScroll(child);
  expect(await violationsOf(child)).toEqual([]);

  const parent = await openAs("guardian", "/dashboard", small);
  const other = await openAs("coGuardian", "/dashboard");
  await lineOf(other).waitFor();
  const line = lineOf(parent);
  await line.getByText("« Pour le cinéma »").waitFor();
  await line.getByText(/il vous restera/).waitFor();
  await expectNoHorizontalScroll(parent);
  expect(await violationsOf(parent)).toEqual([]);
  await line.getByRole("button", { name: /Envoyer 10,00.€ à Léo/ }).click();
  await parent.getByText(/10,00.€ envoyés à Léo$/).waitFor();
  await line.waitFor({ state: "detached" });
  await parent.getByRole("link", { name: /Reçu de l’envoi à Léo/ }).waitFor();
  await expect.poll(() => balanceOf("guardian")).toBe(mine - 1000);
  await expect.poll(() => balanceOf("child")).toBe(his + 1000);

  await lineOf(other).waitFor({ state: "detached" });
  await child.getByRole("heading", { name: "Mes dernières demandes" }).waitFor();
  await child.getByText(/Camille Moreau vous a envoyé l’argent aujourd’hui/).waitFor();
  await child.getByRole("button", { name: "Demander", exact: true }).waitFor();
  for (const page of [child, parent, other]) await page.context().close();
});

// proves: keyboard
test("by the keyboard alone: the notice leads to the request, which is refused with a word", async () => {
  const id = await ask(500);
  const [mine, his] = [await balanceOf("guardian"), await balanceOf("child")];
  const page = await openAs("guardian", "/dashboard");
  await press(page.getByRole("button", { name: "Notifications" }), "Enter");
  const bell = page.getByRole("dialog", { name: "Notifications" });
  await bell.getByRole("link", { name: /Léo demande 5,00/ }).press("Enter");
  const request = page.locator(`#demande-${id}`);
  await expect
    .poll(() => request.evaluate((element) => element === element.ownerDocument.activeElement))
    .toBe(true);
  await press(request.getByRole("button", { name: /Refuser/ }), "Enter");
  const dialog = page.getByRole("dialog", { name: /Refuser la demande de 5,00/ });
  await dialog.getByLabel(/Un mot pour Léo/).press("P");
  await page.keyboard.type("as cette semaine");
  await press(dialog.getByRole("button", { name: "Refuser la demande" }), "Enter");
  await request.waitFor({ state: "detached" });

  const child = await openAs("child", "/cagnottes/demander");
  await child.getByText(/Camille Moreau a refusé aujourd’hui.*Pas cette semaine/).waitFor();
  await expect.poll(() => balanceOf("guardian")).toBe(mine);
  await expect.poll(() => balanceOf("child")).toBe(his);
  for (const one of [page, child]) await one.context().close();
});

test("a wallet that is short leads to the recharge of what is missing; less can be sent", async () => {
  const [mine, his] = [await balanceOf("coGuardian"), await balanceOf("child")];
  await ask(mine + 700, "");
  const page = await openAs("coGuardian", "/dashboard", small);
  const line = lineOf(page);
  await line.getByText(/Il manque 7,00.€ dans votre cagnotte/).waitFor();
  await expectNoHorizontalScroll(page);
  await line.getByRole("link", { name: /Recharger 7,00.€/ }).click();
  await expect.poll(() => page.getByLabel("Montant", { exact: true }).inputValue()).toBe("7");
  await page.goBack();
  await line.getByRole("button", { name: /Autre montant/ }).click();
  const dialog = page.getByRole("dialog", { name: "Envoyer à Léo" });
  await dialog.getByLabel("Montant", { exact: true }).fill(String((mine + 100) / 100));
  await dialog.getByRole("button", { name: /^Envoyer/ }).click();
  await dialog.getByText(/Le solde ne suffit pas/).waitFor();
  await dialog.getByRole("button", { name: /^5.€$/ }).click();
  await dialog.getByRole("button", { name: /Envoyer 5,00/ }).click();
  await page.getByText(/5,00.€ envoyés à Léo$/).waitFor();
  await expect.poll(() => balanceOf("coGuardian")).toBe(mine - 500);
  await expect.poll(() => balanceOf("child")).toBe(his + 500);
  await page.context().close();
});

test("from the threshold on a code is asked, and then the money leaves", async () => {
  await ask(2000);
  portal.server.deps.config.codeFromCents = 2000;
  const [mine, his] = [await balanceOf("guardian"), await balanceOf("child")];
  const page = await openAs("guardian", `/family/${cast.child.cardnumber}`);
  await page.getByRole("button", { name: /Envoyer 20,00.€ à Léo/ }).click();
  await typeProof(page, portal.server);
  // On the child's page too what was sent stays, with its receipt.
  await page.getByText(/20,00.€ envoyés à Léo$/).waitFor();
  await page.getByRole("link", { name: /Reçu de l’envoi à Léo/ }).waitFor();
  await expect.poll(() => balanceOf("guardian")).toBe(mine - 2000);
  await expect.poll(() => balanceOf("child")).toBe(his + 2000);
  await page.context().close();
});

test("answered by the other guardian meanwhile: nothing is sent, and it is said", async () => {
  const id = await ask(300);
  const page = await openAs("guardian", "/dashboard");
  const button = lineOf(page).getByRole("button", { name: /Envoyer 3,00.€ à Léo/ });
  await button.waitFor();
  const mine = await balanceOf("guardian");
  // Between the press and the server, whatever the screen reads meanwhile.
  await page.route(`**/api/money-requests/${id}/send`, async (route) => {
    await portal.server.owner.pool.query(
      `update money_request set state = 'refused', ended_at = now(),
         answered_by = (select person_id from card where number = $2) where id = $1`,
      [id, cast.coGuardian.cardnumber],
    );
    await route.continue();
  });
  await button.click();
  await page.getByText(/Une réponse a déjà été donnée à cette demande/).waitFor();
  await lineOf(page).waitFor({ state: "detached" });
  await expect.poll(() => balanceOf("guardian")).toBe(mine);
  await page.context().close();
});

test("taken back: the child's screen is ready for another, the guardian's line goes", async () => {
  await ask(400);
  const parent = await openAs("guardian", "/dashboard");
  await lineOf(parent).waitFor();
  const child = await openAs("child", "/cagnottes/demander");
  await child.getByRole("button", { name: "Retirer la demande" }).click();
  await child.getByRole("button", { name: "Demander", exact: true }).waitFor();
  await lineOf(parent).waitFor({ state: "detached" });
  for (const page of [parent, child]) await page.context().close();
});
