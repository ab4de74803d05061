// Finding when the bus leaves: a stop typed with mistakes, the line, its stops, another day; and an
// evening without a bus left.
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTx } from "#server/db/db.ts";
import { demoFares } from "#server/demo/fares.ts";
import { openNetwork } from "#server/demo/transit.ts";
import { putOnSale } from "#server/passes/passes.ts";
import { violationsOf } from "../axe.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

test("without a network the screen says so; with one, a stop typed with mistakes shows its next buses", async () => {
  const page = await portal.open({ viewport: { width: 360, height: 740 } });
  await portal.signIn(page, "guardian");
  await page.goto("/Abonnement/ligne");
  await page.getByText("Les lignes ne sont pas encore publiées").waitFor();
  expect(await violationsOf(page)).toEqual([]);
  const { deps, clock } = portal.server;
  // What is sold for a network before its feed comes is its group.
  await inTx(deps.db, async (tx) => {
    await putOnSale(tx, demoFares);
    await openNetwork(tx, clock.now());
  });
  await page.reload();
  await page.getByRole("heading", { name: "Réseau du Lagon" }).waitFor();
  await page.getByRole("heading", { name: "Transport scolaire" }).waitFor();
  const passes = page.getByRole("link", { name: "Acheter un abonnement" }).first();
  expect(await passes.getAttribute("href")).toMatch(/^\/Abonnement\/ligne\/\d+$/);

  const search = page.getByLabel("Chercher un arrêt ou une ligne");
  await search.fill("xylophone");
  await page.getByText("Aucun arrêt ni aucune ligne de ce nom").waitFor();
  await page.getByRole("button", { name: "Voir toutes les lignes" }).click();
  await page.getByRole("heading", { name: "Réseau du Lagon" }).waitFor();
  await search.fill("mediateque");
  await page.getByRole("link", { name: /Médiathèque/ }).click();
  await page.getByRole("heading", { name: "Médiathèque", level: 1 }).waitFor();
  await page
    .getByRole("list", { name: "Prochains départs" })
    .getByRole("listitem")
    .first()
    .waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.goBack();
  await page.getByRole("link", { name: /Médiathèque/ }).waitFor();
  expect(await search.inputValue()).toBe("mediateque");
  await page.context().close();
});

test("a line by keyboard: its two ways, one of its stops, the timetable of the next day, and back", async () => {
  const page = await portal.open();
  await portal.signIn(page, "guardian");
  await page.goto("/Abonnement/ligne");
  await page.getByRole("link", { name: /^Ligne 1 / }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Ligne 1", level: 1 }).waitFor();
  await page.getByRole("img", { name: /Tracé de la ligne 1 vers Pointe-Corail Plage/ }).waitFor();
  const stops = page.getByRole("list", { name: "Arrêts vers Pointe-Corail Plage" });
  expect(await stops.getByRole("listitem").count()).toBe(13);
  await page.getByRole("button", { name: "Vers Gare de Port-Lagune" }).press("Enter");
  const back = page.getByRole("list", { name: "Arrêts vers Gare de Port-Lagune" });
  await back.getByRole("link", { name: "Vieux Port" }).click();
  await page.getByRole("heading", { name: "Vieux Port", level: 1 }).waitFor();
  // From a line, that line alone; then all of the stop.
  await page.locator("button[aria-pressed=true]", { hasText: "Ligne 1" }).waitFor();
  await page.getByRole("button", { name: "Toutes les lignes" }).click();
  await page.locator("button[aria-pressed=true]", { hasText: "Toutes les lignes" }).waitFor();
  const day = page.getByText(/^(lun|mar|mercre|jeu|vendre|same)di \d|^dimanche \d/i);
  const today = await day.textContent();
  await page.getByRole("button", { name: "Jour suivant" }).click();
  await expect.poll(() => day.textContent()).not.toBe(today);
  expect(await page.getByRole("button", { name: "Jour précédent" }).isEnabled()).toBe(true);
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole("link", { name: "Retour à la ligne" }).click();
  await back.waitFor();
  await page.goto("/Abonnement/ligne?ligne=99999");
  await page.getByRole("heading", { name: "Page introuvable" }).waitFor();
  await page.context().close();
});

test("no bus left today: the next one is told with its day", async () => {
  const { clock, deps } = portal.server;
  // Past ten in Paris, summer and winter alike: line 3 has no bus left on any day of the week.
  const night = clock.now();
  night.setUTCHours(21, 15, 0, 0);
  clock.advance(night.getTime() - clock.now().getTime());
  const { rows } = await deps.pool.query(
    "select id from transit_stop where name = 'Trévenez Église'",
  );
  const page = await portal.open({ viewport: { width: 360, height: 740 } });
  await page.clock.install({ time: night });
  await portal.signIn(page, "guardian");
  await page.goto(`/Abonnement/ligne?arret=${rows[0].id}`);
  await page
    .getByText(/^Plus de départ aujourd’hui\. Le prochain : demain à 0[68]:\d\d\.$/)
    .waitFor();
  await page
    .getByText(/^demain 0[68]:\d\d$/)
    .first()
    .waitFor();
  await page.context().close();
});
