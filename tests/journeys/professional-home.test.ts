// The home of a professional: what waits leads where it is done, the figures are those of the screens
// behind them, the menu has a professional's places, and a cashier is told no money.
import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addDays, startOfWeek, todayInParis, weekdayOf } from "#contract/days.ts";
import { formatDayInWords, spokenDay } from "#contract/french.ts";
import { nextWorkingDay } from "#contract/working-days.ts";
import { violationsOf } from "../axe.ts";
import { makeCanteen, type MadeCanteen, placeMeal } from "../canteens.ts";
import { cast } from "../cast.ts";
import { furnishDirectory } from "../directory.ts";
import { expectNoHorizontalScroll } from "../page-width.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";

let portal: TestPortal;
let made: MadeCanteen;
const today = todayInParis();
beforeAll(async () => {
  portal = await openTestPortal();
  made = await makeCanteen(portal.server, {
    weekdays: [0, 1, 2, 3, 4, 5, 6],
    kind: "staff",
    classes: [],
    servesFrom: "00:00",
    servesUntil: "23:59",
    needsValidation: true,
  });
  await placeMeal(portal.server, { registration: made.registrations.child, day: today });
  const waits = made.registrations.secondChild;
  await query("update canteen_registration set state = 'requested' where id = $1", waits);
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

const query = (text: string, ...values: unknown[]) => portal.server.deps.pool.query(text, values);
const places = async (page: Page) =>
  await page
    .getByRole("navigation", { name: "Navigation principale" })
    .getByRole("link")
    .allInnerTexts();
test("a provider finds what waits, the day, and what is owed, each one press from its screen", async () => {
  const page = await portal.open();
  await portal.login(page, "canteenProvider");
  await page.getByRole("heading", { name: "Service d’aujourd’hui" }).waitFor();
  await expect
    .poll(() => places(page))
    .toEqual([
      "Ma carte",
      "Cantine",
      "Guichet",
      "Suivi",
      "Caisse",
      "Règlements",
      "Factures",
      "Cartes pro",
      "Partenaires",
      "Entreprise",
      "Répertoire",
      "Services",
      "Profil",
      "Aide",
      "Contact",
    ]);
  await page.getByText("0 sur 1").waitFor();
  await page.getByText("Aucun passage pour le moment").waitFor();
  await page.getByRole("link", { name: /Répondre.*1 inscription à étudier/ }).press("Enter");
  await page.waitForURL(/onglet=inscriptions/);
  await page.getByText(cast.secondChild.name).first().waitFor();

  await page.goBack();
  await page.getByRole("link", { name: /Valider.*1 repas à valider/ }).click();
  await page.waitForURL(/etat=reserved/);
  await page.getByText(cast.child.name).first().waitFor();
  await query("update meal_order set state = 'served', served_at = now(), charged_cents = 345");

  await page.goBack();
  await page.getByText("1 sur 1").waitFor();
  await page
    .getByRole("listitem")
    .filter({ hasText: cast.child.name })
    .getByText("Servi")
    .waitFor();
  await page.getByRole("link", { name: "Relevé des repas" }).click();
  await page.getByRole("tab", { name: "Relevé", selected: true }).waitFor();
  await page.context().close();
});

test.each([360, 1280])("at %s px the home holds, and is without violation", async (width) => {
  const colorScheme = width === 360 ? "dark" : "light";
  const page = await portal.open({ viewport: { width, height: 800 }, colorScheme });
  await portal.login(page, "canteenProvider");
  await page.getByRole("heading", { name: "Derniers passages" }).waitFor();
  await page.getByRole("link", { name: "Relevé des repas" }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await expectNoHorizontalScroll(page);
  if (width === 360) {
    const bar = page.getByRole("navigation", { name: "Navigation", exact: true });
    await expect
      .poll(() => bar.getByRole("link").allInnerTexts())
      .toEqual(["Cantine", "Guichet", "Ma carte", "Suivi"]);
    await bar.getByRole("button", { name: "Plus" }).click();
    await bar.getByRole("link", { name: "Factures" }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await expectNoHorizontalScroll(page);
    await bar.getByRole("link", { name: "Entreprise" }).click();
    await page.waitForURL("**/professional/entreprise");
    await bar.getByRole("link", { name: "Factures" }).waitFor({ state: "hidden" });
  }
  await page.context().close();
});

test("a professional without any activity is told what can be opened; their card is here and tops up", async () => {
  const page = await portal.open();
  await portal.login(page, "partnerShop");
  await page.getByText("Aucune activité n’est encore rattachée à votre compte").waitFor();
  await expect.poll(() => page.getByRole("heading", { name: "À vous verser" }).count()).toBe(0);
  await expect.poll(() => places(page)).not.toContain("Cantine");
  await page.getByRole("article", { name: "Carte pro de Librairie des Embruns" }).waitFor();
  await expect.poll(() => page.getByRole("link", { name: "Envoyer" }).count()).toBe(0);
  await page.getByRole("link", { name: "Nous écrire" }).click();
  await page.getByRole("textbox", { name: "Objet" }).waitFor();
  await page.goBack();
  await page.getByRole("link", { name: "Recharger" }).click();
  await page.getByRole("heading", { name: "Combien ajouter" }).waitFor();
  await page.context().close();
});

test("a colleague at the counter and in the kitchen has the day and the counter, and no money", async () => {
  await query(
    `update company_member set roles = '{counter,kitchen}', company_id = (select company_id from company_member
       join card using (person_id) where number = $2)
     where person_id = (select person_id from card where number = $1)`,
    cast.employer.cardnumber,
    cast.canteenProvider.cardnumber,
  );
  const page = await portal.open();
  await portal.login(page, "employer");
  await page.getByText(/Ateliers Corail · Les Tables du Lagon, guichet et cuisine/).waitFor();
  await page.getByText("1 sur 1").waitFor();
  await expect.poll(() => page.getByRole("heading", { name: "À vous verser" }).count()).toBe(0);
  await page.goto("/pro/cantine?onglet=releve");
  await page.getByRole("tab", { name: "Menus", selected: true }).waitFor();
  await expect.poll(() => page.getByRole("tab", { name: "Relevé" }).count()).toBe(0);
  await page.goto("/dashboard");
  await page.getByRole("link", { name: "Ouvrir le guichet" }).click();
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await page.waitForURL(/\/partenaire\/validation/);
  await page.context().close();
});

test("the day follows the counter without a press", async () => {
  const page = await portal.open();
  await page.clock.install();
  await portal.login(page, "canteenProvider");
  await page.getByText("1 sur 1").waitFor();
  await query("update meal_order set state = 'validated', served_at = null");
  await page.clock.runFor(61_000);
  await page.getByText("0 sur 1").waitFor();
  await page.context().close();
});

test("meals to validate open their own canteen", async () => {
  // First by its name: where the address names none, the screens open on this one.
  await query(`insert into canteen (provider_id, name, kind, street, postcode, town, lat, lon, zone,
      weekdays, serves_from, serves_until, seats, order_deadline, cancel_deadline)
    select provider_id, 'Annexe', kind, street, postcode, town, lat, lon, zone, 1, serves_from,
      serves_until, seats, order_deadline, cancel_deadline from canteen`);
  await query("update meal_order set state = 'reserved'");
  const page = await portal.open();
  await portal.login(page, "canteenProvider");
  await page.getByText("École des Embruns · dès aujourd’hui").waitFor();
  await page.getByRole("link", { name: /Valider.*1 repas à valider/ }).click();
  await page.getByText(cast.child.name).first().waitFor();
  await page.context().close();
});

test("a menu of a Sunday is written where a canteen serves it", async () => {
  const page = await portal.open({ viewport: { width: 360, height: 740 } });
  await portal.login(page, "canteenProvider");
  const sunday = addDays(startOfWeek(today), 6);
  await page.getByRole("link", { name: /Écrire.*menus à publier/ }).click();
  await page.goto(`/pro/cantine?semaine=${sunday}`);
  await page.getByRole("link", { name: `Écrire le menu du ${formatDayInWords(sunday)}` }).click();
  await page.getByRole("combobox", { name: "Nom du plat 1" }).fill("Gratin");
  await page.getByRole("button", { name: "Enregistrer", exact: true }).click();
  await page.getByText("Gratin", { exact: true }).waitFor();
  await expectNoHorizontalScroll(page);
  await page.context().close();
});

test("who runs a network alone is settled for it, and a colleague has the places that they may read", async () => {
  const slug = "reseau-essai";
  await query(
    `with made as (insert into acceptance_group (name, slug, rule) values ('Réseau', $1, '') returning id)
     insert into fare_group (group_id, lead, company_id) select id, '', m.company_id
       from made, company_member m join card using (person_id) where card.number = $2`,
    slug,
    cast.partnerShop.cardnumber,
  );
  const page = await portal.open();
  await portal.login(page, "partnerShop");
  await page.getByRole("heading", { name: "À vous verser" }).waitFor();
  await expect.poll(() => places(page)).toContain("Règlements");
  await page.context().close();

  const till = await portal.open();
  await portal.login(till, "employer");
  await till.getByText(/Les Tables du Lagon, guichet/).waitFor();
  await expect
    .poll(() => places(till))
    .toEqual(expect.arrayContaining(["Guichet", "Partenaires", "Entreprise"]));
  for (const money of ["Règlements", "Factures", "Cartes pro"]) {
    await expect.poll(() => places(till)).not.toContain(money);
  }
  await till.getByRole("link", { name: "Partenaires", exact: true }).first().click();
  await till.getByRole("heading", { name: "Partenaires", level: 1 }).waitFor();
  await till.getByRole("link", { name: "Entreprise", exact: true }).first().click();
  await till.waitForURL("**/professional/entreprise");
  await till.getByRole("heading", { name: "Entreprise", level: 1 }).waitFor();
  await till.context().close();
});

test("a till that asks the bearer of a pro card stands first in what waits, and leads to the answer", async () => {
  const { partner } = await furnishDirectory(portal.server.deps);
  const page = await portal.open();
  await portal.login(page, "canteenProvider");
  await page.getByRole("heading", { name: "Service d’aujourd’hui" }).waitFor();
  const shop = await portal.server.as("partnerShop");
  const answer = await shop.post("/api/till/sales", {
    id: randomUUID(),
    partner,
    amountCents: 1250,
    cardnumber: cast.canteenProvider.cardnumber,
  });
  expect(answer.status, answer.text).toBe(200);
  const first = page.getByRole("main").getByRole("listitem").first();
  await first.getByText("Librairie des Embruns attend votre accord").first().waitFor();
  await first.getByText(/^Achat en caisse de 12,50.€$/).waitFor();
  await first.getByRole("link", { name: /Répondre/ }).click();
  await page.getByRole("heading", { name: "Achats à confirmer" }).waitFor();
  await page.getByText("12,50").first().waitFor();
  await page.context().close();
});

test("a service that is days away says until which day it takes orders", async () => {
  await query("delete from meal_scan; delete from meal_order; delete from canteen_day");
  // Less than a week away: the only service of its weekday.
  const far = nextWorkingDay(addDays(today, 2));
  await query("update canteen set weekdays = 1 << $1", weekdayOf(far));
  const page = await portal.open();
  await portal.login(page, "canteenProvider");
  await page.getByRole("heading", { name: `Prochain service, ${formatDayInWords(far)}` }).waitFor();
  await page
    .getByText(`commandes jusqu’au ${spokenDay(addDays(far, -1))} 10:00`)
    .first()
    .waitFor();
  await page.context().close();
});
