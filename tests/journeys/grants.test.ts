// Money granted by a company in two browsers: the owner writes it by form and by file, pays it with a code; the
// bearer is told, sees it with its day, and spends it at a till; the owner sees what is spent and takes the
// rest back.
import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addDays, todayInParis } from "#contract/days.ts";
import { formatDate } from "#contract/french.ts";
import { openProCards } from "#server/demo/demo.ts";
import { inTx } from "#server/db/db.ts";
import { grantCommands } from "#server/grants/operator.ts";
import { approve } from "../approve.ts";
import { violationsOf } from "../axe.ts";
import { cast } from "../cast.ts";
import { typeProof } from "../code-dialog.ts";
import { furnishDirectory } from "../directory.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";
import { leaveToSpend } from "../wallet-money.ts";
import { runByTwo } from "#tests/two-operators.ts";

let portal: TestPortal;
let owner: Page;
let bearer: Page;
const { cardnumber } = cast.canteenProvider;
const lastDay = formatDate(addDays(todayInParis(), 40));

const query = async (text: string, ...values: unknown[]) =>
  (await portal.server.deps.pool.query(text, values)).rows;

beforeAll(async () => {
  portal = await openTestPortal();
  const { deps } = portal.server;
  deps.config.codeFromCents = 10_000;
  await furnishDirectory(deps);
  await query(
    `insert into partner_group (partner_id, group_id) select p.id, g.id
     from partner p, acceptance_group g
     where p.reference = 'librairie-des-embruns' and g.slug = 'restauration'
     on conflict do nothing`,
  );
  const [{ id: employer }] = await query(
    "select person_id as id from card where number = $1",
    cast.employer.cardnumber,
  );
  await inTx(deps.db, (tx) => openProCards(tx, { employer }, new Date()));
  // The bearer's number belongs to the employer, without any role there.
  await query(
    `update pro_card k set assigned_at = now(), company_id =
       (select company_id from company_member where person_id = $1)
     from card where card.person_id = k.person_id and card.number = $2`,
    employer,
    cardnumber,
  );
  await query(
    "delete from company_member m using card where card.person_id = m.person_id and number = $1",
    cardnumber,
  );
  const api = await portal.server.as("employer");
  const { items } = (await api.get(`/api/wallets?cardnumber=${cast.employer.cardnumber}`)).body;
  await leaveToSpend(portal.server, items[0].objectID, 20_000);
  [owner, bearer] = await Promise.all([
    portal.open(),
    portal.open({ viewport: { width: 360, height: 740 } }),
  ]);
  await portal.login(owner, "employer");
  await portal.login(bearer, "canteenProvider");
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

const title = (page: Page, name: string) => page.getByRole("heading", { name, level: 1 }).waitFor();
const press = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name }).filter({ visible: true }).first().click();

test("a new grant asks for what misses, and counts as it is typed", async () => {
  await owner.goto(`${portal.url}/professional/card_pro`);
  await owner.getByRole("link", { name: "Dotations" }).click();
  await title(owner, "Dotations");
  await owner.getByText("Aucune dotation").waitFor();
  expect(await violationsOf(owner)).toEqual([]);
  await owner.getByRole("link", { name: "Accorder de l’argent" }).click();
  await title(owner, "Accorder de l’argent");
  await press(owner, "Continuer");
  await owner.getByText("Choisissez au moins une carte.").waitFor();
  await owner.getByLabel("Libellé").fill("Repas de décembre");
  await owner.getByLabel("Où l’utiliser").selectOption({ label: "Cagnotte restauration" });
  await owner.getByLabel("À utiliser jusqu’au").fill(lastDay);
  await owner.getByLabel("Montant par carte").fill("45");
  await owner.getByRole("checkbox", { name: /^Toutes/ }).check();
  await owner.getByText(/^[7-9] cartes,/).waitFor();
  await owner.getByRole("checkbox", { name: /^Toutes/ }).uncheck();
  await owner.getByText("0 carte, 0,00 €").waitFor();
  await owner.getByRole("checkbox", { name: cast.canteenProvider.name }).check();
  await owner.getByText("1 carte, 45,00 €").waitFor();
  expect(await violationsOf(owner)).toEqual([]);
});

test("a file replaces the amounts, all or none", async () => {
  await press(owner, "Importer un fichier");
  const yann = (
    await query(
      `select c.number from person p cross join lateral current_card(p.id) c
       where p.name = 'Yann Le Goff' and p.type = 2`,
    )
  )[0].number;
  const send = (lines: string[]) =>
    owner.getByLabel("Fichier de montants").setInputFiles({
      name: "montants.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(lines.join("\r\n"), "latin1"),
    });
  await send(["carte;montant", `${cardnumber};45`, "2000000022;12"]);
  await owner.getByText("Ligne 3").waitFor();
  await expect
    .poll(() => owner.getByRole("button", { name: "Reprendre ces montants" }).isDisabled())
    .toBe(true);
  expect(await violationsOf(owner)).toEqual([]);
  await send(["Carte;Montant (€)", `${cardnumber};60,00`, `${yann};52,50`]);
  await owner.getByText(/2 cartes.*112,50/).waitFor();
  await press(owner, "Reprendre ces montants");
  await owner.getByText("2 cartes, 112,50 €").waitFor();
  await press(owner, "Continuer");
  await title(owner, "Repas de décembre");
});

test("it is paid with a code, and the bearer is told", async () => {
  await owner.getByRole("button", { name: "Payer 112,50 €" }).click();
  await typeProof(owner, portal.server);
  await owner.getByText("En cours").first().waitFor();
  expect(await violationsOf(owner)).toEqual([]);
  await bearer.goto(`${portal.url}/dashboard`);
  await bearer.getByText("Cagnotte restauration").first().waitFor();
  await bearer.getByRole("link", { name: "Opérations de Cagnotte restauration" }).click();
  await title(bearer, "Cagnotte restauration");
  await bearer.getByText(`Repas de décembre · ${cast.employer.name}`).first().waitFor();
  await bearer.getByText(`à utiliser jusqu’au ${lastDay}`).waitFor();
  expect(await violationsOf(bearer)).toEqual([]);
  await bearer.getByRole("link", { name: /^Cagnotte principale/ }).click();
  await bearer.getByRole("link", { name: /^Cagnotte restauration/ }).waitFor();
});

test("spent at a till, it shows in the company's figures; the rest is taken back", async () => {
  const [api, shop] = await Promise.all([
    portal.server.as("canteenProvider"),
    portal.server.as("partnerShop"),
  ]);
  const { token } = (await api.get(`/api/cards/${cardnumber}/qr`)).body;
  const [{ id: partner }] = await query(
    "select id from partner where reference = 'librairie-des-embruns'",
  );
  const sale = { id: randomUUID(), partner, amountCents: 1500, token };
  const sold = await shop.post("/api/till/sales", sale);
  expect(sold.status, sold.text).toBe(200);
  await owner.goto(`${portal.url}/professional/dotations?onglet=cartes`);
  const row = owner.getByRole("row").filter({ hasText: cast.canteenProvider.name });
  await row.getByText("15,00 €").waitFor();
  await row.getByText("45,00 €").waitFor();
  expect(await violationsOf(owner)).toEqual([]);
  await owner.getByRole("tab", { name: "Dotations" }).click();
  await owner.getByRole("link", { name: "Repas de décembre" }).click();
  await press(owner, `Reprendre à ${cast.canteenProvider.name}`);
  const confirmation = owner.getByRole("alertdialog");
  await confirmation.getByText("45,00 € reviennent").waitFor();
  expect(await violationsOf(owner)).toEqual([]);
  await confirmation.getByRole("button", { name: "Reprendre", exact: true }).click();
  await owner.getByText("45,00 € sont revenus dans la cagnotte du responsable.").first().waitFor();
  await confirmation.waitFor({ state: "hidden" });
  await bearer.goto(`${portal.url}/dashboard`);
  await title(bearer, "Ma carte");
  await expect
    .poll(async () => {
      const { items } = (await api.get(`/api/wallets?cardnumber=${cardnumber}`)).body;
      return items.find(({ main }: { main: boolean }) => !main).balanceCents as number;
    })
    .toBe(0);
});

test("by transfer: the reference to quote is shown, and the cards are paid once it has come", async () => {
  await owner.goto(`${portal.url}/professional/dotations?nouvelle=oui`);
  await title(owner, "Accorder de l’argent");
  await owner.getByLabel("Libellé").fill("Repas de janvier");
  await owner.getByLabel("Où l’utiliser").selectOption({ label: "Cagnotte restauration" });
  await owner.getByLabel("À utiliser jusqu’au").fill(lastDay);
  await owner.getByLabel("Montant par carte").fill("30");
  await owner.getByRole("checkbox", { name: cast.canteenProvider.name }).check();
  await press(owner, "Continuer");
  await title(owner, "Repas de janvier");
  await owner.getByRole("radio", { name: /^Par virement/ }).check();
  expect(await violationsOf(owner)).toEqual([]);
  await press(owner, "Régler 30,00 € par virement");
  await owner.getByText("Virement attendu").waitFor();
  // Nothing is granted yet, and no column says so.
  await owner.getByRole("columnheader", { name: "Montant" }).waitFor();
  await expect.poll(() => owner.getByText("Accordé", { exact: true }).count()).toBe(0);
  const reference = await owner.getByText(/^RF\d\dD\d{6}$/).innerText();
  expect(await violationsOf(owner)).toEqual([]);
  // Given up, then chosen again: the owner may pay otherwise until the money has come.
  await press(owner, "Payer autrement");
  await owner.getByRole("radio", { name: /^Par virement/ }).check();
  await press(owner, "Régler 30,00 € par virement");
  await owner.getByText(reference).waitFor();
  // The home says what is to be transferred, and what is on the cards of the company's people.
  await owner.goto(`${portal.url}/dashboard`);
  await owner.getByRole("heading", { name: "Vos salariés" }).waitFor();
  await owner.getByText("Dotations encore sur leurs cartes").waitFor();
  expect(await violationsOf(owner)).toEqual([]);
  await owner.getByRole("link", { name: /Voir.*1 virement de dotation à faire/ }).click();
  await title(owner, "Repas de janvier");
  const received = grantCommands.find(({ name }) => name === "grants transfer-received");
  const noted = await runByTwo(portal.server.deps, received, [reference, "30", "V1"]);
  expect(noted.lines.join()).toContain("notés sur la dotation");
  await owner.getByText("En cours").first().waitFor();
  await owner.getByText("Par virement").waitFor({ state: "detached" });
});

test("on credit: what is taken back before the transfer is no longer to be transferred", async () => {
  const credit = grantCommands.find(({ name }) => name === "grants credit");
  await runByTwo(portal.server.deps, credit, [String(cast.employer.cardnumber), "100"]);
  const api = await portal.server.as("employer");
  const { body: draft } = await api.post("/api/grants", {
    idgroup: 1,
    label: "Repas de février",
    expiresOn: addDays(todayInParis(), 40),
    cards: [{ cardnumber, amountCents: 3000 }],
  });
  // With what the company granted before on this day.
  const transferred = await approve(portal.server, api, `/api/grants/${draft.id}/transfer`);
  expect(transferred.status, transferred.text).toBe(200);
  await owner.goto(`${portal.url}/professional/dotations?dotation=${draft.id}`);
  await owner.getByText(/^L’argent est sur les cartes. Virez-le avant/).waitFor();
  await press(owner, "Tout reprendre");
  const confirmation = owner.getByRole("alertdialog");
  await confirmation.getByText("30,00 € sont retirés de ce qu’il vous reste à virer").waitFor();
  expect(await violationsOf(owner)).toEqual([]);
  // The stream brings what was taken back before the answer is there.
  await owner.route("**/take-back", async (route) => {
    const response = await route.fetch();
    await owner.getByText("Terminée").first().waitFor();
    await route.fulfill({ response });
  });
  await confirmation.getByRole("button", { name: "Reprendre", exact: true }).click();
  await owner.getByText("30,00 € sont repris et ne sont plus à virer.").first().waitFor();
  await owner.getByText("Par virement").waitFor({ state: "detached" });
  await owner.getByText("Terminée").first().waitFor();
});
