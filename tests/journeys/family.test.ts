// The family in a browser: an invitation answered on another device with a code, a child's card joined
// by its printed code, the member's page, and what each side may see.
import { mkdir } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cardCommands } from "#server/cards/operator.ts";
import { approveRequest } from "#server/cards/first-card-requests.ts";
import { printCode } from "#server/family/join.ts";
import { makeActive } from "../active-card.ts";
import { violationsOf } from "../axe.ts";
import { cast, castPassword } from "../cast.ts";
import { codeDialog, typeProof } from "../code-dialog.ts";
import { expectNoHorizontalScroll } from "../page-width.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

/** With SHOTS set, each state is also drawn there, for the eye. */
async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env["SHOTS"];
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  for (const width of [360, 1280]) {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      await page.screenshot({
        path: `${folder}/${name}-${width}-${colorScheme}.png`,
        fullPage: true,
      });
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
    expect(await violationsOf(page)).toEqual([]);
    await expectNoHorizontalScroll(page, `${name} at ${width}`);
  }
  if (before) await page.setViewportSize(before);
}

const heading = (page: Page, name: string | RegExp) =>
  page
    .getByRole("heading", { name, exact: typeof name === "string" })
    .first()
    .waitFor();

async function openAdd(page: Page) {
  await page.getByRole("button", { name: "Ajouter un membre" }).click();
  return page.getByRole("dialog", { name: "Ajouter un membre" });
}

test("an invitation is accepted on the other side with a code, and both see each other", async () => {
  const page = await portal.open();
  await portal.login(page, "guardian");
  await page.getByRole("link", { name: "Famille" }).first().click();
  await heading(page, "Enfants");
  await page.getByRole("link", { name: /Léo Moreau.*Avec Thomas Moreau.*Solde 35,50/s }).waitFor();
  await check(page, "famille");
  const dialog = await openAdd(page);
  await dialog.getByRole("button", { name: "Envoyer l’invitation" }).click();
  await dialog.getByText("Choisissez qui vous ajoutez.").waitFor();
  await check(page, "ajouter");
  await dialog.getByRole("radio", { name: /Un proche/ }).check();
  await dialog.getByLabel("Numéro de carte").fill(String(cast.stranger.cardnumber));
  await dialog.getByRole("button", { name: "Envoyer l’invitation" }).click();
  await dialog.waitFor({ state: "hidden" });
  await heading(page, "Invitations envoyées");
  await expect.poll(() => page.getByText("Hugo Petit").count()).toBe(0);

  const other = await portal.open({
    viewport: { width: 360, height: 740 },
  });
  await portal.login(other, "stranger");
  await other.getByRole("link", { name: "Famille" }).last().click();
  await heading(other, "Invitations reçues");
  await other.getByText("Camille Moreau vous invite comme proche", { exact: false }).waitFor();
  await check(other, "invitation");
  await other.getByRole("button", { name: "Accepter l’invitation de Camille Moreau" }).click();
  const code = codeDialog(other);
  await code.waitFor();
  const right = portal.server.lastCode();
  await other.keyboard.type(right === "000000" ? "111111" : "000000");
  await code.getByText(/Ce code n'est pas le bon/).waitFor();
  await expect.poll(() => other.getByRole("link", { name: /Camille Moreau/ }).count()).toBe(0);
  const box = code.getByRole("textbox", { name: "Code reçu" });
  await box.focus();
  for (let digit = 0; digit < 6; digit++) {
    await other.keyboard.press("End");
    await other.keyboard.press("Backspace");
  }
  await box.focus();
  await other.keyboard.type(right);
  await other.getByRole("link", { name: /Camille Moreau.*Proche/s }).click();
  await heading(other, "Camille Moreau");
  await expect.poll(() => other.getByText("Solde", { exact: true }).count()).toBe(0);
  await check(other, "proche");

  // The other screen learns it by itself.
  await page.getByRole("link", { name: /Hugo Petit.*Proche/s }).click();
  await heading(page, "Hugo Petit");
  await page.getByRole("button", { name: "Retirer", exact: true }).click();
  const question = page.getByRole("alertdialog", { name: /Retirer Hugo Petit/ });
  await question.getByRole("button", { name: "Garder" }).click();
  await page.getByRole("button", { name: "Retirer", exact: true }).click();
  await question.getByRole("button", { name: "Retirer de ma famille" }).click();
  await heading(page, "Enfants");
  await page.getByRole("link", { name: /Hugo Petit/ }).waitFor({ state: "hidden" });
  await other.goto("/family");
  await other.getByText("Personne dans votre famille pour l’instant").waitFor();
  await check(other, "famille-vide");
  await other.context().close();
  await page.context().close();
});

test("a relative is invited by a link, which waits for whoever opens it", async () => {
  const page = await portal.open({ viewport: { width: 360, height: 740 } });
  await portal.signIn(page, "guardian");
  await page.goto("/family");
  const dialog = await openAdd(page);
  await dialog.getByRole("radio", { name: /L’autre responsable/ }).check();
  await dialog.getByRole("combobox", { name: "Enfant" }).selectOption({ label: "Jade Moreau" });
  // Thomas looks after Léo already, and is proposed for Jade by his name.
  await dialog.getByRole("button", { name: "Inviter Thomas Moreau" }).waitFor();
  await check(page, "ajouter-responsable");
  await dialog.getByRole("radio", { name: /Un proche/ }).check();
  await dialog.getByRole("button", { name: "Créer un lien à partager" }).click();
  const made = page.getByRole("dialog", { name: "Votre lien est prêt" });
  await check(page, "lien-pret");
  const address = await made.getByText(/#invitation=/).textContent();
  await made.getByRole("button", { name: "C’est fait" }).click();
  await page.getByText("Par un lien", { exact: true }).waitFor();

  const other = await portal.open({ viewport: { width: 360, height: 740 } });
  await other.goto(address ?? "");
  await portal.fillLogin(other, "stranger");
  await other.getByText("Camille Moreau vous invite comme proche", { exact: false }).waitFor();
  await expect.poll(() => other.url()).not.toContain("#");
  const refuse = other.getByRole("button", { name: "Refuser l’invitation de Camille Moreau" });
  await refuse.press("Enter");
  await refuse.waitFor({ state: "hidden" });
  await other.locator("h1:focus", { hasText: "Famille" }).waitFor();
  await other.getByText("Personne dans votre famille pour l’instant").waitFor();
  await other.goto(address ?? "");
  await other.getByRole("alert").getByText("Cette invitation n’a pas pu être ouverte.").waitFor();
  await page.getByText("Par un lien", { exact: true }).waitFor({ state: "hidden" });
  await other.context().close();
  await page.context().close();
});

test("a child's card without a phone is joined by its printed code; a wrong code does nothing", async () => {
  const noe = 1000005007;
  await portal.server.deps.pool.query(
    `with p as (insert into person (type, name, password_hash) values (1, 'Noé Petit', '-')
       returning id)
     insert into card (number, person_id, state, activated_at) select $1, id, 'active', now() from p`,
    [noe],
  );
  const printed = await printCode(portal.server.deps, noe, "test");
  const page = await portal.open({ viewport: { width: 360, height: 740 } });
  await portal.signIn(page, "stranger");
  await page.goto("/family");
  const dialog = await openAdd(page);
  await dialog.getByRole("radio", { name: /qui n’a pas de téléphone/ }).check();
  await dialog.getByLabel("Numéro de carte").fill(String(noe));
  const field = dialog.getByLabel("Code imprimé");
  await field.fill(printed === "00000000" ? "11111111" : "00000000");
  await dialog.getByRole("button", { name: "Rattacher la carte" }).click();
  await dialog.getByText(/ne vont pas ensemble/).waitFor();
  await field.fill(`${printed.slice(0, 4)} ${printed.slice(4)}`);
  await dialog.getByRole("button", { name: "Rattacher la carte" }).click();
  await page.getByRole("link", { name: /Noé Petit/ }).click();
  await heading(page, "Noé Petit");
  await page.getByText("Pas de cagnotte sur cette carte").waitFor();
  await page.context().close();
});

test("a child's page: balance, movements, suspension; a card that is not mine is not found", async () => {
  await makeActive(portal.server, cast.child.cardnumber);
  const page = await portal.open();
  await portal.signIn(page, "guardian");
  await page.goto(`/family/${cast.child.cardnumber}`);
  await heading(page, "Léo Moreau");
  await page.getByText("35,50", { exact: false }).first().waitFor();
  await page.getByText(/opérations? affichée/).waitFor();
  await check(page, "enfant");
  // Each tab has its address: the keyboard opens it, a reload and Back find it again.
  await page.getByRole("tab", { name: "Argent" }).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await heading(page, "Cantine");
  await expect.poll(() => new URL(page.url()).search).toBe("?onglet=repas");
  await check(page, "enfant-repas");
  await page.getByRole("tab", { name: "Repas" }).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await heading(page, "Titres de transport");
  await page.getByRole("link", { name: "Acheter un titre" }).click();
  await heading(page, "Bus");
  await page.goBack();
  await heading(page, "Titres de transport");
  await expect.poll(() => new URL(page.url()).search).toBe("?onglet=transport");
  await check(page, "enfant-transport");
  for (const [tab, title] of [
    ["Billets", "Billets"],
    ["Garde", "Sa famille"],
    ["Droits", "Droits"],
  ] as const) {
    await page.getByRole("tab", { name: tab }).click();
    await heading(page, new RegExp(title));
    await check(page, `enfant-${tab}`);
  }
  await page.reload();
  await page.getByRole("tab", { name: "Droits", selected: true }).waitFor();
  await page.getByRole("button", { name: "Gérer la carte" }).click();
  await page.getByRole("button", { name: /Suspendre la carte/ }).click();
  await page.getByText("Elle ne paie rien pour l’instant.").waitFor();
  const { rows } = await portal.server.deps.pool.query("select state from card where number = $1", [
    cast.child.cardnumber,
  ]);
  expect(rows[0].state).toBe("suspended");
  await page.goto("/family");
  await page.getByRole("link", { name: /Léo Moreau.*Suspendue/s }).waitFor();
  for (const cardnumber of [cast.stranger.cardnumber, 1999999998]) {
    await page.goto(`/family/${cardnumber}`);
    await heading(page, "Page introuvable");
  }
  await page.context().close();
});

test("limits: a guardian sets them, the child reads them and is refused beyond", async () => {
  const page = await portal.open();
  await portal.signIn(page, "guardian");
  await page.goto(`/family/${cast.secondChild.cardnumber}`);
  await page.getByText("La carte dépense librement").waitFor();
  await page.getByRole("button", { name: "Modifier les plafonds" }).click();
  const dialog = page.getByRole("dialog", { name: "Plafonds de Jade Moreau" });
  await dialog.getByLabel(/Par jour/).fill("8");
  await dialog.getByLabel(/Par semaine/).fill("7,50");
  await dialog.getByRole("button", { name: "Enregistrer les plafonds" }).click();
  await dialog.getByText("Le plafond du jour ne peut pas dépasser celui de la semaine.").waitFor();
  await check(page, "plafonds-formulaire");
  await dialog.getByLabel(/Par jour/).fill("5");
  await dialog.getByRole("button", { name: "Enregistrer les plafonds" }).click();
  await page.getByText(/0,00.€ sur 5,00.€/).waitFor();

  const jade = await portal.open({
    viewport: { width: 360, height: 740 },
  });
  await portal.signIn(jade, "secondChild");
  await jade.goto(`/cagnottes/virement?vers=${cast.guardian.cardnumber}`);
  const send = async (amount: string) => {
    await jade.getByLabel("Montant", { exact: true }).fill(amount);
    await jade.getByRole("button", { name: "Vérifier le virement" }).click();
    await jade.getByRole("button", { name: /^Envoyer/ }).click();
  };
  await jade
    .getByText(/envoyer jusqu’à 5,00\s€, ce que vos plafonds laissent pour le moment\./)
    .waitFor();
  // Changed meanwhile, they change on the open screen.
  for (const day of ["4", "5"]) {
    await page.getByRole("button", { name: "Modifier les plafonds" }).click();
    await dialog.getByLabel(/Par jour/).fill(day);
    await dialog.getByRole("button", { name: "Enregistrer les plafonds" }).click();
    await jade
      .getByText(new RegExp(`envoyer jusqu’à ${day},00\\s€, ce que vos plafonds`))
      .waitFor();
  }
  await jade.getByLabel("Montant", { exact: true }).fill("6");
  await jade.getByRole("button", { name: "Vérifier le virement" }).click();
  await jade
    .getByText(/Vos plafonds ne le permettent pas\s: vous pouvez envoyer au plus 5,00\s€\./)
    .waitFor();
  const sent = () =>
    portal.server.deps.db.selectFrom("walletTransfer").select("amountCents").execute();
  await expect.poll(sent).toEqual([]);
  await send("5");
  await heading(jade, /envoyés à Camille/);
  await expect.poll(sent).toEqual([{ amountCents: 500 }]);
  await jade.goto(`/cagnottes/virement?vers=${cast.guardian.cardnumber}`);
  await jade.getByText("Vos plafonds ne vous laissent rien envoyer pour le moment.").waitFor();
  await jade.goto("/family");
  await heading(jade, "Vos plafonds");
  await jade.getByText(/5,00.€ sur 5,00.€/).waitFor();
  await expect
    .poll(() => jade.getByRole("button", { name: "Modifier les plafonds" }).count())
    .toBe(0);
  await check(jade, "plafonds-enfant");
  await jade.context().close();
  await page.context().close();
});

test("acting for a child: dashboard, wallets and menu show the child's card, a reload too; back again", async () => {
  const page = await portal.open();
  await portal.signIn(page, "coGuardian");
  await page.goto(`/family/${cast.child.cardnumber}`);
  await page.getByRole("button", { name: "Agir pour cette carte" }).click();
  await page.waitForURL("**/dashboard");
  const card = page.getByRole("article", { name: "Carte d’enfant de Léo Moreau" });
  await card.waitFor();
  await page.getByText("Vous agissez pour la carte de Léo Moreau.").waitFor();
  await page.reload();
  await card.waitFor();
  await expect.poll(() => page.getByRole("article", { name: /de Thomas Moreau/ }).count()).toBe(0);
  // The child's passes, and nothing of one's own subscription.
  await page.getByRole("tab", { name: "Abonnements" }).click();
  await page.getByRole("heading", { name: "Titres de transport" }).waitFor();
  await expect.poll(() => page.getByText("Valable jusqu’au").count()).toBe(0);
  await page.getByRole("tab", { name: "Opérations" }).click();
  await check(page, "agir");
  await expect
    .poll(() => page.evaluate("({ ...sessionStorage })"))
    .toEqual({ previousCardnumber: `${cast.coGuardian.cardnumber} ${cast.child.cardnumber}` });
  await page.getByRole("link", { name: "Cagnottes" }).first().click();
  await page.getByRole("region", { name: "Léo Moreau" }).waitFor();
  await page.getByRole("link", { name: "Profil" }).first().click();
  await page.getByText("1000 000 065").first().waitFor();
  // Another tab is one's own.
  const other = await page.context().newPage();
  await other.goto(`${portal.url}/dashboard`);
  await other.getByRole("article", { name: /de Thomas Moreau/ }).waitFor();
  await page.getByRole("button", { name: "Revenir à ma carte" }).click();
  await page.getByRole("article", { name: "Carte personnelle de Thomas Moreau" }).waitFor();
  await expect.poll(() => page.evaluate("sessionStorage.length")).toBe(0);

  // Whoever stops being the guardian of the card that they act for has their own again.
  await page.goto(`/family/${cast.child.cardnumber}`);
  await page.getByRole("button", { name: "Agir pour cette carte" }).click();
  await page.getByText("Vous agissez pour la carte de Léo Moreau.").waitFor();
  await page.goto(`/family/${cast.child.cardnumber}`);
  await page.getByRole("tab", { name: "Garde" }).click();
  await page.getByRole("button", { name: "Ne plus être responsable" }).click();
  const question = page.getByRole("alertdialog", { name: /responsable de Léo/ });
  await question.getByRole("button", { name: "Ne plus être responsable" }).click();
  await page.waitForURL("**/family");
  await page.getByText("Vous agissez pour la carte").waitFor({ state: "hidden" });
  await page
    .getByRole("link", { name: /Léo Moreau/ })
    .first()
    .waitFor({ state: "hidden" });
  const lost = await portal.server.as("coGuardian");
  const wallets = await lost.get(`/api/wallets?cardnumber=${cast.child.cardnumber}`);
  expect(wallets.status).toBe(404);
  await page.context().close();
});

test("a child's first card: asked here, accepted by the operator, activated when it came", async () => {
  const page = await portal.open();
  await portal.signIn(page, "coGuardian");
  await page.goto("/family");
  const dialog = await openAdd(page);
  await dialog.getByRole("radio", { name: /pas encore de carte/ }).check();
  await dialog.getByRole("button", { name: "Demander la carte" }).click();
  await dialog.getByText("Indiquez la date de naissance.").waitFor();
  await dialog.getByLabel("Prénom de l’enfant").fill("Inès");
  await dialog.getByLabel("Nom de l’enfant", { exact: true }).fill("Moreau");
  await dialog.getByLabel("Date de naissance").fill("04/05/1990");
  await dialog.getByRole("button", { name: "Demander la carte" }).click();
  await dialog.getByText(/moins de 18 ans/).waitFor();
  await check(page, "premiere-carte");
  await dialog.getByLabel("Date de naissance").fill("04/05/2019");
  await dialog.getByRole("button", { name: "Demander la carte" }).click();
  await heading(page, "Premières cartes demandées");
  await page.getByRole("button", { name: "Retirer la demande pour Inès Moreau" }).waitFor();
  await check(page, "premiere-carte-demandee");

  const { deps } = portal.server;
  const { rows } = await deps.pool.query("select number from first_card_request");
  const { cardnumber } = await approveRequest(deps, rows[0].number, "test");
  // The screen hears of it.
  await page.getByRole("link", { name: /Inès Moreau.*Acceptée/s }).waitFor();
  for (const step of ["cards produce", "cards ship"]) {
    await cardCommands.find(({ name }) => name === step)?.run(deps, [String(cardnumber)], "test");
  }
  await page.getByRole("link", { name: /Inès Moreau.*Expédiée/s }).click();
  await page.getByRole("button", { name: "Activer la carte reçue" }).click();
  await check(page, "premiere-carte-recue");
  await page
    .getByRole("alertdialog")
    .getByRole("button", { name: /Activer/ })
    .click();
  await page.getByText("Pas de cagnotte").waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Activer la carte reçue" }).waitFor({ state: "hidden" });
  const card = await deps.db
    .selectFrom("card")
    .select("state")
    .where("number", "=", cardnumber)
    .executeTakeFirst();
  expect(card?.state).toBe("active");
  await page.context().close();
});

test("a guardian gives a child another address, with their own password and a code sent there", async () => {
  const page = await portal.open({ viewport: { width: 360, height: 800 } });
  await portal.signIn(page, "guardian");
  await page.goto(`/family/${cast.secondChild.cardnumber}`);
  const section = page.getByRole("main");
  await section.getByText("Aucune adresse e-mail").waitFor();
  await section.getByRole("button", { name: "Ajouter l’adresse e-mail" }).click();
  await section.getByLabel("Nouvelle adresse e-mail").fill("jade@exemple.fr");
  await page.keyboard.press("Enter");
  const dialog = codeDialog(page);
  await dialog.getByLabel("Votre mot de passe").fill(castPassword);
  await dialog.getByRole("textbox", { name: "Code reçu" }).click();
  await page.keyboard.type(portal.server.lastCode("jade@exemple.fr"));
  await section.getByText("jade@exemple.fr").waitFor();
  await section.getByRole("button", { name: "Modifier l’adresse e-mail" }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await shoot(page, "child-contacts");
  // The guardian's own is as it was.
  await page.goto("/profil");
  await page
    .getByText(cast.guardian.email ?? "")
    .first()
    .waitFor();
  const jade = await portal.server.as("secondChild");
  await expect
    .poll(async () => (await jade.get("/api/profile")).body.email)
    .toBe("jade@exemple.fr");
  await page.context().close();
});

test("another guardian is invited with a proof, by a link or a number", async () => {
  await portal.server.deps.pool.query("delete from limiter");
  const page = await portal.open({ viewport: { width: 360, height: 740 } });
  await portal.signIn(page, "guardian");
  await page.goto("/family");
  const dialog = await openAdd(page);
  await dialog.getByRole("radio", { name: /L’autre responsable/ }).check();
  await dialog.getByRole("combobox", { name: "Enfant" }).selectOption({ label: "Jade Moreau" });
  await dialog.getByRole("button", { name: "Créer un lien à partager" }).click();
  // Given up, it is asked again.
  await codeDialog(page).getByRole("button", { name: "Fermer" }).click();
  await dialog.getByRole("button", { name: "Créer un lien à partager" }).click();
  await typeProof(page, portal.server);
  const made = page.getByRole("dialog", { name: "Votre lien est prêt" });
  await made.getByText(/#invitation=/).waitFor();
  await made.getByRole("button", { name: "C’est fait" }).click();
  await page.getByText("Par un lien", { exact: true }).waitFor();
  await page.context().close();
});
