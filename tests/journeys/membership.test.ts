// Joining a service: the form on a phone, resumed on another device; the code; two tabs; the operator's
// question and its answer by keyboard; the new number.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { sql } from "kysely";
import { inTx } from "#server/db/db.ts";
import { askToJoin } from "#server/demo/demo.ts";
import { membershipCommands } from "#server/memberships/operator.ts";
import { violationsOf } from "../axe.ts";
import { cast } from "../cast.ts";
import { loseAnswers } from "../late-answers.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";
import { press } from "../keys.ts";
import { pdfFile } from "../pdf-file.ts";

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

const file = (name: string) => ({ name, mimeType: "application/pdf", buffer: pdfFile(name) });
const operator = async (name: string, ...args: string[]) => {
  const command = membershipCommands.find((one) => one.name === `memberships ${name}`);
  const result = await command?.run(portal.server.deps, args, "alice");
  expect(result).toMatchObject({ ok: true });
};
const documentQuery = "select name from document where attached_kind = 'membership_registration'";
const next = (page: Page) => page.getByRole("button", { name: "Continuer" }).click();
const title = (page: Page, name: string) => page.getByRole("heading", { name, level: 2 }).waitFor();

test("a request from the services to the new number, on two devices", async () => {
  const page = await portal.open({ viewport: { width: 360, height: 740 } });
  await portal.signIn(page, "stranger");
  await page.goto("/services");
  await page.getByRole("link", { name: "Devenir partenaire", exact: true }).click();
  await title(page, "Avant de commencer");
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Commencer ma demande" }).click();
  await title(page, "Votre entreprise");
  await next(page);
  await page.getByText("Indiquez les 14 chiffres du SIRET.").waitFor();
  await page.locator("input:focus[inputmode=numeric]").waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByLabel("SIRET du siège").fill("73282932000075");
  await page.getByText("Ce SIRET n’existe pas.").waitFor();
  // A company that has its account is refused where its number was typed.
  await page.getByLabel("SIRET du siège").fill("900 234 568 00013");
  await page.getByLabel("Nom de l’entreprise").fill("Crêperie du Phare");
  await page.getByLabel("Forme juridique").selectOption({ label: "SARL" });
  await page.getByLabel("Adresse du siège").fill("4 quai du Port");
  await page.getByLabel("Code postal").fill("35400");
  await page.getByLabel("Ville").fill("Port-Lagune");
  await page.getByLabel("L’entreprise facture la TVA").check();
  await page.getByLabel("Activité").selectOption({ label: "Manger · Restaurants et cafés" });
  await next(page);
  await page.getByText("Une entreprise de ce SIREN a déjà son compte.").waitFor();
  await page.getByLabel("SIRET du siège").fill("73282932000074");
  await page.getByText("TVA FR44732829320").waitFor();
  // What is typed and not sent yet outlives a reload.
  await page.reload();
  await title(page, "Votre entreprise");
  await page.getByText("TVA FR44732829320").waitFor();
  await expect.poll(() => page.getByLabel("Ville").inputValue()).toBe("Port-Lagune");
  await next(page);
  await title(page, "Son représentant");
  // Each step begins at its heading, though its code is loaded when it is come to.
  await page.locator("h2:focus", { hasText: "Son représentant" }).waitFor();
  await expect.poll(() => page.getByLabel("Prénom et nom").inputValue()).toBe("Hugo Petit");
  await expect.poll(() => page.getByLabel("Téléphone").inputValue()).toBe("06 12 34 56 05");
  await page.getByLabel("Fonction").fill("gérant");
  await next(page);
  await title(page, "Les documents à joindre");
  await next(page);
  await page.getByText("Ajoutez ce document.").first().waitFor();
  await page.locator("input[type=file]:focus").first().waitFor();
  // A file that is refused does not keep another one out.
  const first = page.locator("input[type=file]").first();
  await first.setInputFiles({ ...file("faux.pdf"), buffer: Buffer.from("MZ") });
  await page.getByText("ni une photo").waitFor();
  await expect.poll(() => page.getByRole("button", { name: "Réessayer" }).count()).toBe(0);
  await first.setInputFiles(file("kbis.pdf"));
  await page.getByText("kbis.pdf est ajouté.").waitFor({ state: "attached" });

  // Another device goes on where this one is.
  const desk = await portal.open({ viewport: { width: 1280, height: 900 } });
  await portal.signIn(desk, "stranger");
  await desk.goto("/dashboard");
  await desk.getByRole("link", { name: /Reprendre.*Adhésion à terminer/ }).click();
  await title(desk, "Les documents à joindre");
  await desk.getByText("kbis.pdf", { exact: true }).waitFor();
  await desk.getByLabel(/Pièce d’identité/).setInputFiles(file("cni.pdf"));
  await desk.getByText("cni.pdf est ajouté.").waitFor({ state: "attached" });
  await next(desk);
  await title(desk, "Confirmez le téléphone");
  await desk.getByRole("button", { name: "Recevoir le code" }).click();
  await desk.getByRole("dialog").waitFor();
  await desk
    .getByRole("textbox", { name: "Code reçu" })
    .fill(portal.server.lastCode("+33612345605"));
  await title(desk, "Relisez et envoyez");
  expect(await violationsOf(desk)).toEqual([]);

  // The phone still shows an older company: its write is refused, and it shows what is kept.
  await page.goto("/devenir-partenaire?etape=entreprise");
  await page.getByLabel("Ville").fill("Trévenez");
  await desk.getByRole("button", { name: "Modifier\u202f: Entreprise" }).click();
  await title(desk, "Votre entreprise");
  await desk.getByLabel("Nom de l’entreprise").fill("Crêperie du Grand Phare");
  await next(desk);
  await title(desk, "Son représentant");
  await next(page);
  await page.getByText(/modifiée dans un autre onglet/).waitFor();
  await expect
    .poll(() => page.getByLabel("Nom de l’entreprise").inputValue())
    .toBe("Crêperie du Grand Phare");
  await expect.poll(() => page.getByLabel("Ville").inputValue()).toBe("Port-Lagune");

  await desk.goto("/devenir-partenaire");
  await title(desk, "Relisez et envoyez");
  await desk.getByRole("button", { name: "Envoyer ma demande" }).dblclick();
  await title(desk, "Demande envoyée");
  await desk.getByText(/Vous recevrez une réponse sous 10 jours ouvrés/).waitFor();
  expect(await violationsOf(desk)).toEqual([]);

  const { rows } = await portal.server.deps.pool.query("select number from membership");
  const number = String(rows[0]?.number);
  await operator("review", number);
  await title(desk, "Demande à l’étude");
  await operator("ask", number, "Votre Kbis est illisible.", "documents");
  // The screen follows by itself; the rest is done without a mouse.
  await title(desk, "Une précision vous est demandée");
  await page.goto("/dashboard");
  await page.getByText("Adhésion à terminer").first().waitFor();
  await press(desk.getByRole("button", { name: "Corriger\u202f: Documents" }), "Enter");
  await title(desk, "Les documents à joindre");
  await press(desk.getByRole("button", { name: "Retirer kbis.pdf" }), "Enter");
  await desk.getByLabel(/Extrait Kbis/).setInputFiles(file("kbis-net.pdf"));
  await desk.getByText("kbis-net.pdf", { exact: true }).waitFor();
  await expect
    .poll(async () => (await portal.server.deps.pool.query(documentQuery)).rows[0]?.name)
    .toBe("kbis-net.pdf");
  await desk.locator("main:not(:has([aria-busy]))").waitFor();
  await press(desk.getByRole("button", { name: "Terminer" }), "Enter");
  await desk.getByLabel("Votre réponse").fill("Voici un extrait lisible.");
  expect(await violationsOf(desk)).toEqual([]);
  await press(desk.getByRole("button", { name: "Envoyer ma réponse" }), "Enter");
  await title(desk, "Demande à l’étude");
  await title(desk, "Nos échanges");
  await desk.getByText("Voici un extrait lisible.").waitFor();
  await operator("approve", number);
  await title(desk, "Bienvenue à Crêperie du Grand Phare");
  await desk.getByText(/Votre numéro professionnel est le 2/).waitFor();
  expect(await violationsOf(desk)).toEqual([]);
  // In at once, by a code at the address that one has proved; the home lists how to begin.
  await desk.getByRole("button", { name: "Ouvrir mon espace professionnel" }).click();
  await desk.waitForURL("**/identify");
  await expect.poll(() => desk.getByLabel("Numéro de carte").inputValue()).toMatch(/^2/);
  await desk.getByRole("button", { name: "Recevoir un code" }).click();
  await desk.getByText("Étape 2 sur 3").waitFor();
  await desk.getByRole("textbox", { name: "Code reçu" }).click();
  await desk.keyboard.type(portal.server.lastCode());
  await desk.getByRole("textbox", { name: "Nouveau mot de passe" }).fill("Un-phare-tourne-4-fois");
  await desk.getByRole("button", { name: "Changer le mot de passe" }).click();
  await desk.waitForURL("**/dashboard");
  await desk.getByRole("heading", { name: "Premiers pas, 0 sur 3" }).waitFor();
  expect(await violationsOf(desk)).toEqual([]);
  await desk.getByRole("link", { name: "Donner l’IBAN" }).click();
  await desk.getByRole("heading", { name: "Compte bancaire" }).waitFor();
  for (const one of [page, desk]) await one.context().close();
});

test("a step whose answer is lost goes on from what was kept, and a request sent so is told as sent", async () => {
  const { deps } = portal.server;
  const { cardnumber, name, email, phonenumber: phone } = cast.coGuardian;
  const { personId } = await deps.db
    .selectFrom("card")
    .select("personId")
    .where("number", "=", cardnumber)
    .executeTakeFirstOrThrow();
  await inTx(deps.db, (tx) =>
    askToJoin(tx, { personId, cardnumber, name, email, phone }, deps.now()),
  );
  await sql`update membership set state = 'draft', requested_parts = '{}', submitted_at = null,
    siret = '55208131766522' where person_id = ${personId}`.execute(deps.db);
  const readMembership = async () => {
    const { rows } = await sql<{ state: string; version: number }>`
      select state, version from membership where person_id = ${personId}`.execute(deps.db);
    return rows;
  };
  const page = await portal.open({ viewport: { width: 360, height: 740 } });
  await portal.signIn(page, "coGuardian");
  await page.goto("/devenir-partenaire?etape=representant");
  await title(page, "Son représentant");
  await page.getByLabel("Fonction").fill("directrice générale");
  const [before] = await readMembership();
  const restore = loseAnswers(portal, /^\/api\/memberships\//);
  await next(page);
  await title(page, "Les documents à joindre");
  await expect
    .poll(readMembership)
    .toEqual([{ state: "draft", version: Number(before?.version) + 1 }]);

  // What tells whether it was done does not come either: trying again does.
  await page.goto("/devenir-partenaire?etape=representant");
  await page.getByLabel("Fonction").fill("présidente");
  await page.route("**/api/memberships/devenir-partenaire", (route) => route.abort());
  await next(page);
  await page.getByText("Nous ne savons pas si c’est fait.").waitFor();
  await expect.poll(() => page.getByLabel("Fonction").inputValue()).toBe("présidente");
  await page.unroute("**/api/memberships/devenir-partenaire");
  restore();
  await next(page);
  await title(page, "Les documents à joindre");
  await expect.poll(() => page.getByText("Rien n’a été enregistré.").count()).toBe(0);

  await page.goto("/devenir-partenaire");
  await title(page, "Relisez et envoyez");
  await page.getByText("présidente").waitFor();
  const end = loseAnswers(portal, /^\/api\/memberships\//);
  await page.getByRole("button", { name: "Envoyer ma demande" }).click();
  await title(page, "Demande envoyée");
  await expect
    .poll(async () => (await readMembership()).map(({ state }) => state))
    .toEqual(["submitted"]);
  end();
  await page.context().close();
});

test("an unknown code is not found; people of a company are told that they have an account", async () => {
  const page = await portal.open();
  await portal.signIn(page, "partnerShop");
  await page.goto("/nulle-part");
  await page.getByRole("heading", { name: "Page introuvable" }).waitFor();
  await page.goto("/devenir-partenaire");
  await page.getByText("Votre numéro appartient déjà à une entreprise.").waitFor();
  await page.goto("/services");
  await page.getByRole("link", { name: "Où ma carte est acceptée", exact: true }).waitFor();
  await expect.poll(() => page.getByRole("link", { name: "Devenir partenaire" }).count()).toBe(0);
  await page.context().close();
});
