// The desk's rules, prices and closings: previewed as they are typed, saved, and what families are told.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { todayInParis } from "#contract/days.ts";
import { formatDate } from "#contract/french.ts";
import { violationsOf } from "../axe.ts";
import { farMonday, makeCanteen, type MadeCanteen, placeMeal } from "../canteens.ts";
import { expectNoHorizontalScroll } from "../page-width.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";

let portal: TestPortal;
let made: MadeCanteen;
beforeAll(async () => {
  portal = await openTestPortal();
  // For staff: it serves through the school holidays, whenever this runs.
  made = await makeCanteen(portal.server, { kind: "staff" });
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

const row = async (text: string) => (await portal.server.deps.pool.query(text)).rows[0];
async function open(tab: string, options: Parameters<TestPortal["open"]>[0] = {}): Promise<Page> {
  const page = await portal.open(options);
  await portal.signIn(page, "canteenProvider");
  await page.goto(`/pro/cantine?onglet=${tab}`);
  return page;
}

test("rules: the preview follows what is typed, a wrong field is said, saving changes them", async () => {
  const page = await open("regles", { viewport: { width: 360, height: 740 }, colorScheme: "dark" });
  const order = page.getByRole("group", { name: "Commander" });
  await order.getByText("Commande possible jusqu’à la veille à 10:00.").waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await expectNoHorizontalScroll(page);

  await order.getByLabel("Heure").fill("25h");
  await page.getByRole("button", { name: "Enregistrer les règles" }).click();
  await page.getByText("Indiquez une heure, par exemple 10:00.").waitFor();
  await expect
    .poll(() => order.getByLabel("Heure").evaluate((at) => at === document.activeElement))
    .toBe(true);
  expect(await violationsOf(page)).toEqual([]);

  await order.getByLabel("Heure").fill("9h30");
  await order.getByText("Commande possible jusqu’à la veille à 09:30.").waitFor();
  await page.getByText("à 09:30").nth(1).waitFor();
  await order.getByLabel("Limite").selectOption("Un jour d’une semaine d’avant");
  await order.getByText("jusqu’au jeudi de la semaine d’avant à 09:30.").waitFor();
  await page.getByText("On pourra commander trop tard").waitFor({ state: "detached" });
  const cancel = page.getByRole("group", { name: "Annuler sans frais" });
  await cancel.getByLabel("Limite").selectOption("Jamais");
  await page.getByText("On pourra commander trop tard pour annuler sans frais.").waitFor();
  await expect
    .poll(() => row("select order_deadline->>'kind' as kind from canteen"))
    .toEqual({
      kind: "days_before",
    });

  await page.getByLabel("Places par service").fill("12");
  await page.getByRole("button", { name: "Enregistrer les règles" }).click();
  await page.getByText("Les règles sont enregistrées.").waitFor();
  await expect
    .poll(() => row("select order_deadline, cancel_deadline, seats from canteen"))
    .toEqual({
      order_deadline: { kind: "weekday_before", weeks: 1, weekday: 3, at: "09:30" },
      cancel_deadline: { kind: "never" },
      seats: 12,
    });
});

test("prices: added with the reason that families read, a twin refused, ended", async () => {
  const page = await open("regles");
  await page.getByRole("button", { name: "Ajouter un tarif" }).click();
  const dialog = page.getByRole("dialog", { name: "Ajouter un tarif" });
  await dialog.getByRole("button", { name: "Ajouter le tarif" }).click();
  await dialog.getByText("Indiquez un prix en euros").waitFor();
  await dialog.getByLabel("Prix du repas").fill("1,45");
  await dialog.getByLabel("Quotient jusqu’à").fill("800");
  await dialog.getByText("Motif montré aux familles : Quotient jusqu’à 800").waitFor();
  await dialog.getByRole("button", { name: "Ajouter le tarif" }).click();
  await dialog.getByText("Un tarif a déjà les mêmes conditions").waitFor();
  await dialog.getByLabel("Quotient jusqu’à").fill("700");
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Ajouter le tarif" }).click();
  await dialog.waitFor({ state: "detached" });
  const example = page.getByRole("table", { name: "Prix d’un repas selon le quotient familial" });
  await example.getByText("Jusqu’à 700").first().waitFor();

  await page.getByRole("button", { name: "Terminer le tarif Plein tarif" }).click();
  const ask = page.getByRole("alertdialog", { name: "Terminer ce tarif" });
  expect(await violationsOf(page)).toEqual([]);
  await ask.getByRole("button", { name: "Terminer le tarif" }).click();
  await page.getByText("Pas de tarif sans condition pour").waitFor();
  await example.getByText("aucun tarif").waitFor();
  await page.getByRole("button", { name: "Terminer le tarif Plein tarif" }).waitFor({
    state: "detached",
  });
});

test("closings: the orders they cancel are said before, cancelled after; a closing is taken back", async () => {
  // The Friday before it is open, too.
  const day = farMonday(todayInParis(portal.server.clock.now()), [-3, 0]);
  const id = await placeMeal(portal.server, { registration: made.registrations.child, day });
  const page = await open("fermetures");
  await page.getByText("Aucune fermeture à venir").waitFor();
  await page.getByLabel("Premier jour").fill(formatDate(day));
  await page.getByText("1 commande à annuler").waitFor();
  await page.getByRole("button", { name: "Fermer et annuler 1 commande" }).click();
  await page.getByText("Indiquez le motif").waitFor();
  await page.getByLabel("Motif").fill("Grève");
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Fermer et annuler 1 commande" }).click();
  const ask = page.getByRole("alertdialog", { name: "Annuler 1 commande" });
  expect(await violationsOf(page)).toEqual([]);
  await ask.getByRole("button", { name: "Fermer et annuler" }).click();
  const table = page.getByRole("table", { name: "Fermetures de la cantine" });
  await table.getByText(`Le ${formatDate(day)}`).waitFor();
  const state = async () =>
    (await portal.server.deps.pool.query("select state from meal_order where id = $1", [id])).rows;
  await expect.poll(state).toEqual([{ state: "cancelled" }]);

  const family = await portal.open();
  await portal.login(family, "guardian");
  await family.getByRole("button", { name: "Notifications" }).click();
  await family.getByText("Cantine fermée").first().waitFor();

  await page.getByRole("button", { name: `Rouvrir\u202f: Le ${formatDate(day)}` }).click();
  await page.getByRole("button", { name: "Rouvrir ces jours" }).click();
  await page.getByText("Aucune fermeture à venir").waitFor();
  await expect.poll(state).toEqual([{ state: "cancelled" }]);
});
