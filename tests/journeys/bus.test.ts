// Finding when the bus leaves: a stop typed with mistakes, the line, its stops, another day; an evening
// without a bus left; a city's station of 25 lines as a favourite.
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTx } from "#server/db/db.ts";
import { demoFares } from "#server/demo/fares.ts";
import { openNetwork } from "#server/demo/transit.ts";
import { putOnSale } from "#server/passes/passes.ts";
import { importFeed, textFeed } from "#server/transit/transit.ts";
import { violationsOf } from "../axe.ts";
import { cityFeed, station } from "../city-feed.ts";
import { expectNoHorizontalScroll } from "../page-width.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";
import { press } from "../keys.ts";

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
  await expect.poll(() => passes.getAttribute("href")).toMatch(/^\/Abonnement\/ligne\/\d+$/);

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
  await expect.poll(() => search.inputValue()).toBe("mediateque");
  await page.context().close();
});

// proves: focus
test("a line by keyboard: its two ways, one of its stops, the timetable of the next day, and back", async () => {
  const page = await portal.open();
  await portal.signIn(page, "guardian");
  await page.goto("/Abonnement/ligne");
  await page.getByRole("link", { name: /^Ligne 1 / }).focus();
  await page.keyboard.press("Enter");
  await page.locator("h1:focus", { hasText: "Ligne 1" }).waitFor();
  await page.getByRole("img", { name: /Tracé de la ligne 1 vers Pointe-Corail Plage/ }).waitFor();
  const stops = page.getByRole("list", { name: "Arrêts vers Pointe-Corail Plage" });
  await expect.poll(() => stops.getByRole("listitem").count()).toBe(13);
  await press(page.getByRole("button", { name: "Vers Gare de Port-Lagune" }), "Enter");
  const back = page.getByRole("list", { name: "Arrêts vers Gare de Port-Lagune" });
  await back.getByRole("link", { name: "Vieux Port" }).press("Enter");
  await page.locator("h1:focus", { hasText: "Vieux Port" }).waitFor();
  // From a line, that line alone in its two ways; then all of the stop.
  const departures = page.getByRole("list", { name: "Prochains départs" });
  await departures.waitFor();
  const ways = departures.locator("summary");
  await expect
    .poll(() => ways.allTextContents())
    .toEqual([
      expect.stringMatching(/^Ligne 1Pointe-Corail Plage /),
      expect.stringMatching(/^Ligne 1Gare de Port-Lagune /),
    ]);
  await page.getByLabel("Lignes montrées").selectOption("toutes");
  await expect.poll(() => ways.count()).toBeGreaterThan(2);
  await ways.first().press("Enter");
  const day = departures.getByText(
    /^(lun|mar|mercre|jeu|vendre|same|dimanche)(di)? \d+(er)? \p{L}/iu,
  );
  const today = await day.textContent();
  await press(page.getByRole("button", { name: "Jour suivant" }), "Enter");
  await expect.poll(() => day.textContent()).not.toBe(today);
  // The next day again, by the same key: the focus has stayed.
  await page.keyboard.press("Enter");
  await expect
    .poll(() => page.getByRole("button", { name: "Jour précédent" }).isEnabled())
    .toBe(true);
  // Back to today, before which there is no day: the button keeps the focus.
  await press(page.getByRole("button", { name: "Jour précédent" }), "Enter");
  await page.keyboard.press("Enter");
  await expect.poll(() => day.textContent()).toBe(today);
  await page.locator("[aria-disabled=true]:focus", { hasText: "Jour précédent" }).waitFor();
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

test("a city's feed: a station of 25 lines on a phone, made a favourite, first on the bus screen", async () => {
  const { clock, deps } = portal.server;
  // 08:00 in Paris on the day after: past the night of the test above.
  const morning = clock.now();
  morning.setUTCDate(morning.getUTCDate() + 1);
  morning.setUTCHours(7, 0, 0, 0);
  clock.advance(morning.getTime() - clock.now().getTime());
  await inTx(deps.db, (tx) =>
    importFeed(tx, { files: textFeed(cityFeed()), name: "essai", at: clock.now() }),
  );
  const page = await portal.open({ viewport: { width: 360, height: 740 } });
  await page.clock.install({ time: morning });
  await portal.signIn(page, "guardian");
  await page.goto("/Abonnement/ligne");
  await page.getByLabel("Chercher un arrêt ou une ligne").fill("gare nord");
  await page.getByRole("link", { name: station }).click();
  await page.getByRole("heading", { name: station, level: 1 }).waitFor();
  const ways = page.getByRole("list", { name: "Prochains départs" }).locator("summary");
  await expect.poll(() => ways.count()).toBe(50);
  // Each in one or two lines of text, nothing beyond the edge.
  const heights = () =>
    ways.evaluateAll((all) => all.map((way) => way.getBoundingClientRect().height));
  await expect.poll(async () => Math.max(...(await heights()))).toBeLessThanOrEqual(96);
  await expectNoHorizontalScroll(page);
  await page.getByText("Horaires théoriques").waitFor();
  await press(page.getByRole("button", { name: "Ajouter aux favoris" }), "Enter");
  await page.getByRole("button", { name: "Retirer des favoris" }).waitFor();
  expect(await violationsOf(page)).toEqual([]);

  await page.getByLabel("Lignes montrées").selectOption({ label: "Ligne 2" });
  await expect.poll(() => ways.count()).toBe(2);
  const there = () => ways.first().textContent();
  const back = () => ways.last().textContent();
  const three = /(maintenant|dans \d+\smin), \d\d:\d\d( jusqu’à Chemin Vert)?, \d\d:\d\d/;
  await expect.poll(there).toMatch(/^Ligne 2CHU Sud /);
  await expect.poll(there).toMatch(three);
  await expect.poll(there).toContain("jusqu’à Chemin Vert");
  await expect.poll(back).toMatch(/^Ligne 2Place de l'Église /);
  await expect.poll(back).toMatch(three);
  await ways.first().press("Enter");
  await page.getByText("a jusqu’à Chemin Vert").waitFor();
  await expect.poll(() => page.getByRole("definition").count()).toBe(20);
  expect(await violationsOf(page)).toEqual([]);

  await page.getByRole("link", { name: "Toutes les lignes" }).click();
  const favourites = page.getByRole("list", { name: `Prochains départs, ${station}` });
  await favourites.waitFor();
  await expect.poll(() => favourites.getByRole("listitem").count()).toBe(4);
  await page.getByText("Et 46 autres directions à cet arrêt.").waitFor();
  await expect
    .poll(() => page.getByRole("heading", { level: 2 }).allTextContents())
    .toEqual(["Mes arrêts favoris", "Bus de la Baie"]);
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole("link", { name: station }).press("Enter");
  await page.getByRole("button", { name: "Retirer des favoris" }).click();
  await page.getByRole("button", { name: "Ajouter aux favoris" }).waitFor();
  await page.getByRole("link", { name: "Toutes les lignes" }).click();
  await page.getByRole("heading", { name: "Bus de la Baie" }).waitFor();
  await expect.poll(() => favourites.count()).toBe(0);
  await page.context().close();
});
