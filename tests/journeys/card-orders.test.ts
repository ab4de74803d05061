// The order of pro cards in a browser: entered by sealed card data, written step by step, resumed at the
// same step, paid, and followed from the printer to the company.
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cardOrderCommands } from "#server/card-orders/operator.ts";
import { violationsOf } from "../axe.ts";
import { settle } from "#tests/settle.ts";
import { cast } from "../cast.ts";
import { loseAnswers } from "../late-answers.ts";
import { removeData, scratchFolder } from "../scratch.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";
import { leaveToSpend } from "../wallet-money.ts";

let portal: TestPortal;
let page: Page;
let folder: string;
beforeAll(async () => {
  [portal, folder] = await Promise.all([openTestPortal(), scratchFolder("card-orders-journey")]);
  portal.server.deps.config.codeFromCents = 1_000_000;
  page = await portal.open({ viewport: { width: 360, height: 740 } });
  await portal.login(page, "employer");
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
  await removeData(folder);
});

const title = (name: string) => page.getByRole("heading", { name, level: 1 }).waitFor();
const step = (name: string) => page.getByRole("heading", { name, level: 2 }).waitFor();
const press = (name: string | RegExp) =>
  page.getByRole("button", { name }).filter({ visible: true }).first().click();
const operate = async (name: string, ...args: string[]) => {
  const command = cardOrderCommands.find((one) => one.name === `card-orders ${name}`);
  const done = await command?.run(portal.server.deps, args, "alice");
  expect(done?.ok, done?.lines.join()).toBe(true);
};
const informationCalls = (of: Page): string[] => {
  const calls: string[] = [];
  of.on("request", (request) => {
    if (request.url().endsWith("/api/order/getInformation")) calls.push(request.method());
  });
  return calls;
};

test("the card data are fetched once, sealed under their key, and gone at logout", async () => {
  const calls = informationCalls(page);
  await page.goto(`${portal.url}/card`);
  await title("Commande de cartes");
  await settle(page);
  const sealed = () => page.evaluate(() => localStorage.getItem("Data_card"));
  await expect.poll(sealed).not.toBeNull();
  await expect.poll(sealed).not.toContain(cast.employer.name);
  await expect.poll(sealed).not.toContain(String(cast.employer.cardnumber));
  await page.reload();
  await title("Commande de cartes");
  await settle(page);
  await expect.poll(() => calls).toEqual(["POST"]);
  const other = await portal.open();
  await portal.signIn(other, "employer");
  await other.goto(`${portal.url}/card`);
  await other.getByRole("heading", { name: "Commande de cartes" }).waitFor();
  await other.getByRole("button", { name: "Se déconnecter" }).first().click();
  await other.waitForURL("**/login**");
  await expect.poll(() => other.evaluate(() => localStorage.getItem("Data_card"))).toBeNull();
  await other.context().close();
});

test("a number without a company is told why at the top, in red, and sees its cards' page", async () => {
  const { rows } = await portal.server.deps.pool.query(
    `delete from company_member m using card c where c.person_id = m.person_id and c.number = $1
     returning m.*`,
    [cast.canteenProvider.cardnumber],
  );
  const other = await portal.open();
  await portal.signIn(other, "canteenProvider");
  await other.goto(`${portal.url}/card`);
  await other.waitForURL("**/professional/card_pro");
  const notice = other.locator('[data-position="top"]').getByText("rattaché à aucune entreprise");
  await notice.waitFor();
  await other.context().close();
  const [{ person_id, company_id, roles, since }] = rows;
  await portal.server.deps.pool.query(
    "insert into company_member (person_id, company_id, roles, since) values ($1, $2, $3, $4)",
    [person_id, company_id, roles, since],
  );
});

test("persons by form and by file; a fault adds nobody", async () => {
  await page.goto(`${portal.url}/professional/card_pro`);
  await page.getByRole("link", { name: "Commander des cartes" }).click();
  await title("Commande de cartes");
  await page.getByRole("link", { name: "Commander des cartes" }).click();
  await step("Pour qui sont les cartes\u202f?");
  await press("Continuer");
  await page.getByText("Ajoutez une personne, ou au moins une carte sans porteur.").waitFor();
  await press("Ajouter une personne");
  await page.getByLabel("Prénom").fill("Awa");
  await page.getByLabel("Nom", { exact: true }).fill("Diallo");
  await press(/^Ajouter$/);
  await page.getByRole("button", { name: "Retirer Awa Diallo" }).waitFor();
  await press("Importer un fichier");
  const send = (lines: string[]) =>
    page.getByLabel("Fichier de personnes").setInputFiles({
      name: "personnes.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(lines.join("\r\n"), "latin1"),
    });
  await send(["Prénom;Nom;E-mail", "Zoé;Kermarrec;", "7;Le Goff;x@"]);
  await page.getByText("Ligne 3").waitFor();
  await expect.poll(() => page.getByRole("button", { name: /^Ajouter$/ }).isDisabled()).toBe(true);
  await send(["Prénom;Nom;E-mail", "Zoé;Kermarrec;", "Yann;Le Goff;yann@corail.test"]);
  await press("Ajouter 2 personnes");
  await page.getByRole("button", { name: "Retirer Zoé Kermarrec" }).waitFor();
  await page.getByLabel("Cartes sans porteur").fill("7");
  await page.getByText(/10 cartes.*3,90/).waitFor();
  await press("Retirer Yann Le Goff");
  await page.getByText(/9 cartes.*4,90/).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await press("Continuer");
  await step("À quoi ressemblent-elles\u202f?");
});

test("the preview follows what is typed; another device resumes at the same step", async () => {
  await page.getByLabel("Texte imprimé").fill("Corail & Cie");
  const preview = page.getByRole("article", { name: "Corail & Cie d’Awa Diallo" });
  await preview.waitFor();
  await page.getByRole("radio", { name: "Récif" }).check();
  await expect.poll(() => preview.getAttribute("data-ink")).toBe("reef");
  await page.getByLabel("Imprimer le nom de chaque personne").uncheck();
  await page.getByRole("article", { name: "Corail & Cie de Carte pro" }).waitFor();
  await press("Continuer");
  await step("Où les envoyer\u202f?");
  const other = await portal.open();
  await portal.signIn(other, "employer");
  await other.goto(`${portal.url}/card`);
  await other.getByText("Une commande de 9 cartes vous attend.").waitFor();
  await other.goto(`${portal.url}/card?etape=prix`);
  await other.getByRole("heading", { name: "Où les envoyer\u202f?" }).waitFor();
  await other.context().close();
  await page.getByRole("radio", { name: /Ailleurs/ }).check();
  await press("Continuer");
  await page.getByText("Indiquez le numéro et la rue.").waitFor();
  await page.getByLabel("Adresse de livraison").fill("3 quai du Port");
  await page.getByLabel("Code postal").fill("29982");
  await page.getByLabel("Ville").fill("Pointe-Corail");
  expect(await violationsOf(page)).toEqual([]);
  await press("Continuer");
  await step("Vérifiez avant de commander");
});

test("is paid from the wallet at the price that was seen, and followed to its arrival", async () => {
  const employer = await portal.server.as("employer");
  const number = cast.employer.cardnumber;
  const walletOf = async () =>
    (await employer.get(`/api/wallets?cardnumber=${number}`)).body.items[0];
  // 9 cards at 4,90 € and the delivery, with 20 % of VAT.
  const totalCents = 6480;
  await leaveToSpend(portal.server, (await walletOf()).objectID, totalCents);
  await page.reload();
  await step("Vérifiez avant de commander");
  expect(await violationsOf(page)).toEqual([]);
  // A colleague changes the order: the press pays nothing, and says why beside what it has become.
  const { draft } = (await employer.get("/api/card-orders/draft")).body;
  const { revision, delivery } = draft;
  const elsewhere = { ...delivery, recipient: "Accueil du port" };
  await employer.post("/api/card-orders/draft/delivery", { ...elsewhere, revision });
  await press(/^Payer 64,80/);
  await page.getByText(/^Accueil du port,/).waitFor();
  await expect.poll(() => page.getByText("L’achat a changé.").isVisible()).toBe(true);
  // The order is paid and its answer is lost: the screen says so, and does not begin another one.
  const restore = loseAnswers(portal, /^\/api\/card-orders\/[^/]+\/pay$/);
  await press(/^Payer 64,80/);
  await page.getByText("Cette commande est passée").waitFor();
  await press("Suivre la commande");
  await page.getByRole("heading", { name: /^Commande n° \d+$/, level: 1 }).waitFor();
  // The browser itself may send again what was cut; answered then, it leads to the order by itself.
  restore();
  await expect.poll(async () => (await walletOf()).balanceCents).toBe(0);
  await page.getByRole("button", { name: "Annuler la commande" }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  // The number of the invoice leads to that invoice, not to the list.
  const [invoice] = (await employer.get("/api/invoices")).body.items;
  const link = page.getByRole("link", { name: invoice.number });
  await expect
    .poll(() => link.getAttribute("href"))
    .toBe(`/professional/invoice?facture=${invoice.id}`);
  const { items } = (await employer.get("/api/card-orders")).body;
  const order = String(items[0].number);
  await page.getByText("À fabriquer").first().waitFor();
  await operate("export", order, join(folder, "one"));
  await operate("acknowledge", order, "IMP-1");
  await operate("ship", order, "La Poste", "6A0001");
  // The news of the stream brings it, well before the next look of the minute.
  await page.getByText("colis 6A0001").waitFor({ timeout: 20_000 });
  await press("J’ai reçu les cartes");
  await page.getByText("Chaque carte s’active à la première connexion.").waitFor();
  await expect
    .poll(async () => (await employer.get("/api/card-orders")).body.items[0].state)
    .toBe("delivered");
  await page.goto(`${portal.url}/card`);
  await page.getByRole("link", { name: `Commande n° ${order}` }).waitFor();
  await page.getByText("Livrée").first().waitFor();
});

test("an order that cannot be read is told by the specification's words", async () => {
  await page.goto(`${portal.url}/card?commande=0d8e2b1c-0000-4000-8000-000000000001`);
  await page
    .locator('[data-position="bottom"]')
    .getByText("Une erreur s'est produite", { exact: true })
    .waitFor();
  await page.getByText("Cette commande n’existe pas").waitFor();
});
