// Pro cards in a browser: an owner finds a card, suspends it and takes it back, sets its limits, gives one
// that waits; the bearer learns of it.
import { afterAll, beforeAll, expect, test } from "vitest";
import { formatCardnumber, ofName } from "#contract/french.ts";
import { inTx } from "#server/db/db.ts";
import { openProCards } from "#server/demo/demo.ts";
import { makeActive } from "../active-card.ts";
import { violationsOf } from "../axe.ts";
import { cast } from "../cast.ts";
import { codeDialog, typeProof } from "../code-dialog.ts";
import { expectNoHorizontalScroll } from "../page-width.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
  const { deps } = portal.server;
  const { rows } = await deps.pool.query("select person_id as id from card where number = $1", [
    cast.employer.cardnumber,
  ]);
  await inTx(deps.db, (tx) => openProCards(tx, { employer: rows[0].id }, deps.now()));
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

test.each([360, 1280])(
  "at %s px: a card is suspended and taken back, with limits",
  async (width) => {
    const colorScheme = width === 360 ? "dark" : "light";
    const owner = await portal.server.as("employer");
    const { items } = (await owner.get("/api/pro-cards")).body;
    const louis = items.find((one: { name: string | null }) => one.name === "Louis Tanguy");
    await makeActive(portal.server, louis.cardnumber);
    const page = await portal.open({ viewport: { width, height: 800 }, colorScheme });
    await portal.login(page, "employer");
    await page.getByRole("link", { name: "Les cartes de l’entreprise" }).click();
    await page.getByText("Ateliers Corail, 14 cartes").waitFor();
    const rows = page.getByRole("row");
    await expect.poll(() => rows.filter({ hasText: "À attribuer" }).count()).toBe(2);
    expect(await violationsOf(page)).toEqual([]);
    await expectNoHorizontalScroll(page);

    // By the keyboard alone.
    await page.getByLabel("Nom ou numéro").fill("tanguy");
    await rows.filter({ hasText: "Malika" }).waitFor({ state: "detached" });
    await expect.poll(() => new URL(page.url()).searchParams.get("nom")).toBe("tanguy");
    const row = rows.filter({ hasText: "Louis Tanguy" });
    await page.getByRole("button", { name: "Gérer la carte de Louis Tanguy" }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Suspendre la carte" }).focus();
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.getByText("La carte de Louis Tanguy est suspendue.").waitFor();
    await row.filter({ hasText: "Suspendue" }).waitFor();
    await page.getByRole("button", { name: "Gérer la carte de Louis Tanguy" }).click();
    await dialog.getByText("Louis Tanguy en reçoit l’annonce").waitFor();
    await dialog.getByRole("button", { name: "Réactiver la carte" }).click();
    await page.getByText("La carte de Louis Tanguy est réactivée.").waitFor();
    await row.filter({ hasText: "Active" }).waitFor();

    await page.getByRole("button", { name: "Plafonds de Louis Tanguy" }).click();
    await page.getByLabel("Par jour, en euros").fill("300");
    await page.getByRole("button", { name: "Enregistrer les plafonds" }).click();
    await page.getByText("ne peut pas dépasser celui de la semaine").waitFor();
    await page.getByLabel("Par jour, en euros").fill(String(width % 50));
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "Enregistrer les plafonds" }).click();
    await row.filter({ hasText: `${width % 50},00` }).waitFor();
  },
);

test.each([360, 1280])("at %s px: a card that waits is given to somebody", async (width) => {
  const page = await portal.open({ viewport: { width, height: 800 } });
  await portal.signIn(page, "employer");
  await page.goto(`${portal.url}/professional/card_pro?etat=a-attribuer`);
  const waiting = page.getByRole("row").filter({ hasText: "À attribuer" });
  await waiting.first().getByRole("button", { name: "Attribuer la carte" }).click();
  // What is not seen, as a paste leaves it, is no address that would be wrong.
  await page.getByLabel("E-mail professionnel").fill("\u200b");
  await page.getByRole("button", { name: "Attribuer la carte", exact: true }).click();
  await page.getByText("Indiquez le prénom.").waitFor();
  await expect.poll(() => page.getByText("Vérifiez l’adresse").count()).toBe(0);
  expect(await violationsOf(page)).toEqual([]);
  await page.getByLabel("Prénom").fill("Gaëlle");
  await page.getByLabel("Nom", { exact: true }).fill(`Riou ${width}`);
  await page.getByLabel("E-mail professionnel").fill("gaelle@ateliers-corail.exemple.fr");
  await page.getByRole("checkbox", { name: /^Caisse/ }).check();
  await page.getByRole("button", { name: "Attribuer la carte", exact: true }).click();
  // A code that is not given keeps what was typed: closing the form asks first.
  await codeDialog(page).getByRole("button", { name: "Fermer" }).click();
  await page.getByLabel("Nom", { exact: true }).press("Escape");
  await page.getByRole("button", { name: "Continuer la saisie" }).click();
  await expect
    .poll(() => page.getByLabel("Nom", { exact: true }).inputValue())
    .toBe(`Riou ${width}`);
  await page.getByRole("button", { name: "Attribuer la carte", exact: true }).click();
  await typeProof(page, portal.server);
  await page.getByText(`Carte attribuée à Gaëlle Riou ${width}.`).waitFor();
  await page.getByRole("button", { name: /^Toutes/ }).click();
  await page
    .getByRole("row")
    .filter({ hasText: `Gaëlle Riou ${width}` })
    .waitFor();
  await expectNoHorizontalScroll(page);
});

test("an opposed card shows its chain of numbers, found by any of them; nobody else comes in", async () => {
  const page = await portal.open();
  await portal.signIn(page, "employer");
  await page.goto(`${portal.url}/professional/card_pro`);
  const row = page.getByRole("row").filter({ hasText: "Inès Caradec" });
  await row.waitFor();
  await page.getByRole("button", { name: "Gérer la carte d’Inès Caradec" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Mettre en opposition" }).click();
  // In the words of an employer: whose card, and what becomes of what the company put on it.
  const question = page.getByRole("alertdialog");
  await question.getByRole("heading", { name: /carte d’Inès Caradec/ }).waitFor();
  await question.getByText("Les dotations de l’entreprise").waitFor();
  await expect.poll(() => question.getByText(/\b[Vv]otre\b|\b[Vv]os\b/).count()).toBe(0);
  expect(await violationsOf(page)).toEqual([]);
  await page.getByLabel("Elle a été volée").check();
  await page.getByRole("button", { name: "Mettre en opposition", exact: true }).click();
  await page.getByText("Opposition faite sur la carte d’Inès Caradec.").waitFor();
  await row.filter({ hasText: "remplacée par" }).waitFor();
  const next = /remplacée par ([\d\s\u202f\u00a0]+)/.exec(await row.innerText())?.[1] ?? "";
  const digits = next.replaceAll(/\D/g, "");
  expect(formatCardnumber(Number(digits)).replaceAll(/\D/g, "")).toBe(digits);
  await page.getByLabel("Nom ou numéro").fill(digits);
  await page.getByRole("row").filter({ hasText: "Louis" }).waitFor({ state: "detached" });
  await expect
    .poll(() => page.getByRole("row").filter({ hasText: "Inès Caradec" }).count())
    .toBe(1);

  const holder = await portal.open();
  await portal.signIn(holder, "guardian");
  await holder.goto(`${portal.url}/professional/card_pro`);
  await holder.waitForURL(`${portal.url}/dashboard`);
});

test("the card that replaces a suspended one is the owner's to activate, and nobody else's is", async () => {
  const owner = await portal.server.as("employer");
  const { items } = (await owner.get("/api/pro-cards")).body;
  const card = items.find(
    (one: { own: boolean; name: string | null; state: string }) =>
      !one.own && one.name !== null && one.state === "active",
  );
  const suspended = await owner.post(`/api/cards/${card.cardnumber}/suspend`, {});
  expect(suspended.status, suspended.text).toBe(200);
  const opposed = await owner.post(`/api/cards/${card.cardnumber}/oppose`, { reason: "lost" });
  const next = opposed.body.replacement.cardnumber as number;
  const page = await portal.open({ viewport: { width: 360, height: 800 }, colorScheme: "dark" });
  await portal.signIn(page, "employer");
  await page.goto(`${portal.url}/professional/card_pro`);
  const row = page.getByRole("row").filter({ hasText: card.name });
  await row.filter({ hasText: "remplacée par" }).waitFor();
  const activate = page.getByRole("button", { name: /^Activer/ });
  await expect.poll(() => activate.count()).toBe(0);

  await portal.server.owner.pool.query("update card set state = 'shipped' where number = $1", [
    next,
  ]);
  await page.reload();
  await row.waitFor();
  await expect.poll(() => activate.count()).toBe(1);
  await activate.click();
  await page.getByRole("alertdialog").getByText(formatCardnumber(next)).waitFor();
  await expectNoHorizontalScroll(page);
  await page.getByRole("button", { name: "Activer la carte", exact: true }).click();
  await page.getByText(`La nouvelle carte ${ofName(card.name)} est active.`).waitFor();
  await activate.waitFor({ state: "detached" });
  const after = (await owner.get("/api/pro-cards")).body.items;
  expect(after.find((one: { name: string }) => one.name === card.name)).toMatchObject({
    cardnumber: next,
    state: "active",
    held: false,
  });
});

test("the card of who leaves is closed without another: what becomes of it is said before, a proof is asked", async () => {
  const page = await portal.open({ viewport: { width: 360, height: 800 } });
  await portal.signIn(page, "employer");
  await page.goto(`${portal.url}/professional/card_pro`);
  const row = page.getByRole("row").filter({ hasText: "Yann Le Goff" });
  await page.getByRole("button", { name: "Gérer la carte de Yann Le Goff" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Fermer la carte" }).click();
  const question = page.getByRole("alertdialog");
  await question.getByRole("heading", { name: /Fermer la carte de Yann Le Goff/ }).waitFor();
  await question.getByText("aucune nouvelle carte n’est demandée").waitFor();
  await question.getByText("aucune dotation de l’entreprise").waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await expectNoHorizontalScroll(page);
  await question.getByRole("button", { name: "Fermer la carte" }).click();
  await typeProof(page, portal.server);
  await page.getByText("La carte de Yann Le Goff est fermée.").waitFor();
  await row.waitFor({ state: "detached" });
  await page.context().close();
});
