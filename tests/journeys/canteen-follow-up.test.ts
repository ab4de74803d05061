// The follow-up of a provider in a browser: meals filtered, served together and taken back, one refused
// with a reason, the list kept as files; what the counter does moves it.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { addDays, parisDay } from "#contract/days.ts";
import { formatDate } from "#contract/french.ts";
import { violationsOf } from "../axe.ts";
import { makeCanteen, type MadeCanteen, placeMeal } from "../canteens.ts";
import { cast } from "../cast.ts";
import { expectNoHorizontalScroll } from "../page-width.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";

let portal: TestPortal;
let made: MadeCanteen;
beforeAll(async () => {
  portal = await openTestPortal();
  // Served every day, so that the journey is the same whatever day it runs.
  made = await makeCanteen(portal.server, { weekdays: [0, 1, 2, 3, 4, 5, 6] });
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});
beforeEach(async () => {
  const { pool } = portal.server.deps;
  await pool.query("delete from meal_scan; delete from meal_order; delete from canteen_day");
  const day = today();
  await placeMeal(portal.server, { registration: made.registrations.child, day });
  await placeMeal(portal.server, {
    registration: made.registrations.secondChild,
    day,
    priceCents: 0,
  });
});

const today = () => parisDay(portal.server.clock.now());
const states = async () => {
  const { pool } = portal.server.deps;
  const { rows } = await pool.query("select state from meal_order order by number");
  return rows.map(({ state }) => state);
};
const { child, secondChild } = cast;

test.each([360, 1280])(
  "at %s px: all served and taken back, one refused with a reason, found by its chip and kept",
  async (width) => {
    const colorScheme = width === 360 ? "dark" : "light";
    const page = await portal.open({ viewport: { width, height: 800 }, colorScheme });
    await portal.login(page, "canteenProvider");
    await page.getByRole("link", { name: "Cantine", exact: true }).first().click();
    // The home has a link « Suivi des repas » too, to the next service, which may be tomorrow's: it is
    // there until the desk is drawn, whatever the address says already.
    await page.getByRole("heading", { name: "Cantine", level: 1 }).waitFor();
    await page.getByRole("link", { name: "Suivi des repas" }).click();
    await page.getByRole("heading", { name: "Suivi de la cantine" }).waitFor();
    const press = (name: string | RegExp) => page.getByRole("button", { name }).first().click();
    const more = async (name: string) => {
      await press("Autres actions");
      await page.getByRole("menuitem", { name }).click();
    };
    const box = (name: string | RegExp) => page.getByRole("checkbox", { name });
    await box("Tout sélectionner").check();
    await page.getByText("2 repas sélectionnés").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "Servir" }).press("Enter");
    await page.getByText("2 repas servis.").waitFor();
    // What was pressed is greyed out: the keyboard stands where the next selection begins.
    await page.locator("label", { hasText: "Tout sélectionner" }).locator("input:focus").waitFor();
    await expect.poll(states).toEqual(["served", "served"]);
    await page.getByRole("button", { name: "Annuler", exact: true }).click();
    await expect.poll(states).toEqual(["reserved", "reserved"]);

    await page.getByRole("button", { name: /^Réservée/ }).waitFor();
    await box(new RegExp(child.name)).check();
    await more("Refuser…");
    await press("Refuser les repas");
    await page.getByText("Dites pourquoi").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("textbox", { name: "Motif" }).fill("Panne du four");
    await press("Refuser les repas");
    await expect.poll(states).toEqual(["refused", "reserved"]);
    await page.getByRole("button", { name: /^Refusée/ }).click();
    await page.getByText("Panne du four").waitFor();
    await page.getByText(secondChild.name).waitFor({ state: "hidden" });
    await expect.poll(() => new URL(page.url()).searchParams.get("etat")).toBe("refused");
    for (const kind of ["CSV", "PDF"]) {
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        more(`Exporter en ${kind}`),
      ]);
      expect(file.suggestedFilename()).toBe(`cantine-repas-${today()}.${kind.toLowerCase()}`);
    }
    await expectNoHorizontalScroll(page);
    expect(await violationsOf(page)).toEqual([]);
  },
);

test.each([360, 1280])(
  "at %s px: a selection with a meal that is served already serves the others and names that one",
  async (width) => {
    const page = await portal.open({ viewport: { width, height: 800 }, colorScheme: "dark" });
    await portal.signIn(page, "canteenProvider");
    await page.goto("/partenaire/Suivi_cantine");
    const serve = page.getByRole("button", { name: "Servir", exact: true });
    await page.getByRole("checkbox", { name: new RegExp(child.name) }).check();
    await serve.click();
    await expect.poll(states).toEqual(["served", "reserved"]);
    await page.getByRole("button", { name: /^Servie ?1/ }).waitFor();
    await page.getByRole("checkbox", { name: "Tout sélectionner" }).check();
    await serve.click();
    await expect.poll(states).toEqual(["served", "served"]);
    const said = page.getByRole("alert").filter({ hasText: "1 repas laissé tel quel" });
    await said.getByText(child.name).waitFor();
    await said.getByText(/maintenant «\s*Servie/).waitFor();
    await page.getByText("1 repas sélectionné").waitFor();
    await expectNoHorizontalScroll(page);
    expect(await violationsOf(page)).toEqual([]);
    await said.getByRole("button", { name: "J’ai lu" }).click();
    await said.waitFor({ state: "hidden" });
  },
);

test("a meal that another device serves moves the list, and may be taken back here", async () => {
  const page = await portal.open();
  await portal.signIn(page, "canteenProvider");
  await page.goto("/partenaire/Suivi_cantine");
  await page.getByRole("button", { name: /^Réservée ?2/ }).waitFor();
  const counter = await portal.server.as("canteenProvider");
  const scan = {
    id: randomUUID(),
    day: today(),
    at: portal.server.clock.now().toISOString(),
    verdict: "served",
    registration: made.registrations.child,
  };
  await counter.post(`/api/canteen/${made.id}/scans`, { scans: [scan] });
  await page.getByRole("button", { name: /^Servie ?1/ }).waitFor();
  await page.getByRole("checkbox", { name: new RegExp(child.name) }).check();
  await page.getByRole("button", { name: "Autres actions" }).click();
  await page.getByRole("menuitem", { name: "Annuler le service" }).click();
  await expect.poll(states).toEqual(["reserved", "reserved"]);
  const tomorrow = addDays(today(), 1);
  await page.getByRole("textbox", { name: "Du" }).fill(formatDate(tomorrow));
  await page.getByText("Aucun repas commandé ces jours-là.").waitFor();
  await expect.poll(() => new URL(page.url()).searchParams.get("du")).toBe(tomorrow);
  await expect
    .poll(() => page.getByRole("textbox", { name: "Au" }).inputValue())
    .toBe(formatDate(tomorrow));
});

test("another professional finds no canteen to follow; a holder is sent home", async () => {
  const shop = await portal.open();
  await portal.signIn(shop, "partnerShop");
  await shop.goto("/partenaire/Suivi_cantine");
  await shop.getByText("Vous ne tenez pas de cantine").waitFor();
  const holder = await portal.open();
  await portal.signIn(holder, "guardian");
  await holder.goto("/partenaire/Suivi_cantine");
  await holder.waitForURL(/\/dashboard$/);
});

test("a long list has pages by key in the address; a filter begins at the first", async () => {
  for (let ago = 1; ago <= 30; ago++) {
    const day = addDays(today(), -ago);
    await placeMeal(portal.server, { registration: made.registrations.child, day, priceCents: 0 });
  }
  const page = await portal.open({ viewport: { width: 360, height: 800 } });
  await portal.signIn(page, "canteenProvider");
  const from = addDays(today(), -30);
  await page.goto(`/partenaire/Suivi_cantine?du=${from}&au=${today()}`);
  const pages = page.getByRole("navigation", { name: "Pages des repas" });
  await pages.getByText(/^1 à 20 sur \d+$/).waitFor();
  await page.getByText(formatDate(from), { exact: true }).waitFor();
  await pages.getByRole("button", { name: "Page suivante" }).click();
  await pages.getByText(/^21 à (\d+) sur \1$/).waitFor();
  await expect.poll(() => new URL(page.url()).searchParams.get("avant")).toMatch(/^\d+$/);
  await page.getByText(secondChild.name).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await pages.getByRole("button", { name: "Page précédente" }).click();
  await pages.getByText(/^1 à 20 sur/).waitFor();
  await pages.getByRole("button", { name: "Page suivante" }).click();
  await pages.getByText(/^21 à/).waitFor();
  await page.getByRole("button", { name: /^Réservée/ }).click();
  await pages.getByText(/^1 à 20 sur/).waitFor();
  await expect.poll(() => new URL(page.url()).searchParams.get("avant")).toBeNull();
});
