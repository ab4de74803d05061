// The service at the counter of a canteen: which one is open by the clock, classes with what is served of each, an
// allergen said before anybody is pressed, two panes, the keyboard, and the counter alone on its screen.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { instantOfParis, parisDay } from "#contract/days.ts";
import { workingDaysAfter } from "#contract/working-days.ts";
import { violationsOf } from "../axe.ts";
import { makeCanteen, type MadeCanteen, placeMeal } from "../canteens.ts";
import { cast } from "../cast.ts";
import { settle } from "../settle.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";

let portal: TestPortal;
let canteen: MadeCanteen;
let day: string;
const phone = { width: 360, height: 740 };
beforeAll(async () => {
  portal = await openTestPortal();
  const { server } = portal;
  server.clock.freeze();
  day = workingDaysAfter(parisDay(server.clock.now()), 1);
  // On a day on which a canteen of its kind serves, whenever this runs; each test is later on that day.
  moveTo("08:00");
  canteen = await makeCanteen(server, {
    kind: "staff",
    servesFrom: "11:30",
    servesUntil: "13:30",
  });
  await makeCanteen(server, {
    kind: "staff",
    // First by its name.
    name: "Accueil du soir",
    servesFrom: "15:00",
    servesUntil: "16:30",
  });
  await query(`update canteen_registration set class = 'CP' where id = '${registrations().child}'`);
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});
beforeEach(async () => {
  await query(
    "delete from meal_scan; delete from meal_order; delete from canteen_day; delete from canteen_menu",
  );
});

/** The clock of the server, which stands still, at a time of the day in Paris. */
function moveTo(time: string): void {
  const { clock } = portal.server;
  clock.advance(instantOfParis(day, time).getTime() - clock.now().getTime());
}
const registrations = () => canteen.registrations;
const query = async (text: string) => (await portal.server.deps.pool.query(text)).rows;
const states = async () =>
  (await query("select state from meal_order order by number")).map(({ state }) => state);
const place = (registration: string) => placeMeal(portal.server, { registration, day });
/** The counter on a device whose clock, like the server's, shows a time. */
async function openCounter(time: string): Promise<Page> {
  moveTo(time);
  const page = await portal.open({ viewport: phone });
  await page.clock.setFixedTime(portal.server.clock.now());
  await portal.signIn(page, "canteenProvider");
  await page.goto(`${portal.url}/partenaire/validation`);
  await page.getByText(/^\d servis? sur \d/).waitFor();
  return page;
}
const verdictOn = (page: Page) => page.getByRole("status").first();
const press = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name, exact: typeof name === "string" }).click();
const row = (page: Page, name: string) =>
  page.getByRole("button", { name: new RegExp(`^${name}`) });
const atCanteen = (page: Page, name: string) =>
  page.getByText(new RegExp(`^${name} · service`)).waitFor();
const isWithinWidth = (page: Page) =>
  expect
    .poll(() => page.evaluate("document.documentElement.scrollWidth - innerWidth"))
    .toBeLessThanOrEqual(0);
/** The words of what has the keyboard. */
const focused = (page: Page) => page.evaluate<string>("document.activeElement?.textContent ?? ''");

/** A menu of the day that holds an allergen of the child. */
async function serveAllergen(): Promise<void> {
  const desk = await portal.server.as("canteenProvider");
  const dish = { course: "main", labels: [], priceCents: null, diets: [] };
  const dishes = [{ ...dish, name: "Poulet satay", allergens: ["peanuts"] }];
  const menu = await desk.post("/api/canteen/menus", { day, note: "", dishes });
  expect(menu.status, menu.text).toBe(200);
  const camille = await portal.server.as("guardian");
  const saved = await camille.post("/api/health-record", {
    cardnumber: cast.child.cardnumber,
    allergens: ["peanuts"],
    note: "",
    consent: true,
  });
  expect(saved.status, saved.text).toBe(200);
}

test("before the service the counter says when it is, and its list serves all the same", async () => {
  await place(registrations().child);
  const page = await openCounter("09:00");
  await atCanteen(page, "École des Embruns");
  await verdictOn(page).getByText("Pas de service en ce moment.").waitFor();
  await verdictOn(page)
    .getByText(/^Prochain\s: aujourd’hui 11:30\.$/)
    .waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await isWithinWidth(page);
  await row(page, cast.child.name).click();
  await verdictOn(page).getByText("Servi", { exact: true }).waitFor();
  await expect.poll(states).toEqual(["served"]);
  // It is undone in the frame itself, within reach.
  await press(page, `Annuler le passage de ${cast.child.name}`);
  await verdictOn(page).getByText("Pas de service en ce moment.").waitFor();
  await page.locator('section[aria-label="Passage"]:focus').waitFor();
  await expect.poll(states).toEqual(["reserved"]);
  await page.context().close();
});

test("classes are chips with what is served of each, and one of them is the list", async () => {
  await place(registrations().child);
  const page = await openCounter("12:00");
  await atCanteen(page, "École des Embruns");
  await verdictOn(page).getByText("Présentez une carte ou choisissez un nom.").waitFor();
  await page.getByRole("heading", { name: "CE1", exact: true }).waitFor();
  await press(page, "CP · 0 sur 1");
  await row(page, cast.secondChild.name).waitFor({ state: "detached" });
  await row(page, cast.child.name).click();
  await page.getByRole("button", { name: "CP · 1 sur 1", pressed: true }).waitFor();
  await press(page, "CE1 · 0 sur 0");
  await row(page, cast.secondChild.name).waitFor();
  await row(page, cast.child.name).waitFor({ state: "detached" });
  await press(page, "Toutes");
  await row(page, cast.child.name).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await isWithinWidth(page);
  await page.evaluate("document.documentElement.style.fontSize = '200%'");
  await isWithinWidth(page);
  await page.evaluate("document.documentElement.style.fontSize = ''");
  // A verdict that asks for nothing goes by itself.
  await verdictOn(page).getByText("Présentez une carte ou choisissez un nom.").waitFor();
  await expect.poll(states).toEqual(["served"]);
  await page.context().close();
});

test("an allergen is said before the press, which then asks; by the keyboard alone", async () => {
  await serveAllergen();
  await place(registrations().child);
  const page = await openCounter("12:10");
  await page.setViewportSize({ width: 1280, height: 800 });
  const child = page.getByRole("button", {
    name: new RegExp(`^${cast.child.name}.*Au menu\\s: arachides`),
  });
  await child.press("Enter");
  await verdictOn(page).getByText("Allergène au menu").waitFor();
  await page.locator('.verdict[data-tone="warning"]').waitFor();
  await page.getByText(/^Plat\s: Poulet satay$/).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.press("Tab");
  await expect.poll(() => focused(page)).toBe("Ne pas servir");
  await page.keyboard.press("Enter");
  await verdictOn(page).getByText("Présentez une carte ou choisissez un nom.").waitFor();
  // The keyboard is back at the name, and nothing was recorded.
  await expect.poll(() => focused(page)).toContain(cast.child.name);
  await expect.poll(states).toEqual(["reserved"]);
  await expect.poll(() => query("select id from meal_scan")).toEqual([]);
  await page.keyboard.press("Enter");
  await press(page, "Servir quand même");
  await verdictOn(page).getByText("Servi", { exact: true }).waitFor();
  await expect.poll(states).toEqual(["served"]);
  await child.waitFor({ state: "detached" });
  await page.context().close();
});

test("a hand reader is heard wherever the keyboard stands, and its Enter presses no name", async () => {
  await place(registrations().child);
  const page = await openCounter("12:15");
  await row(page, cast.child.name).focus();
  await page.keyboard.type("MC1.faux");
  await page.keyboard.press("Enter");
  await verdictOn(page).getByText("Code inconnu").waitFor();
  const search = page.getByLabel("Chercher un nom ou une classe");
  await search.fill("léo");
  await search.pressSequentially("MT1.faux");
  await search.press("Enter");
  await verdictOn(page).getByText("Code d’un billet").waitFor();
  await expect.poll(() => search.inputValue()).toBe("");
  await expect.poll(() => query("select verdict from meal_scan")).toHaveLength(2);
  await expect.poll(states).toEqual(["reserved"]);
  await page.context().close();
});

test("from 768 px the list stands beside the frame; the camera is asked for by a press alone", async () => {
  const page = await openCounter("12:20");
  const frame = page.getByRole("region", { name: "Passage" });
  const list = page.locator("section").filter({ hasText: "Liste du jour" });
  for (const width of [768, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await settle(page);
    await expect
      .poll(async () => {
        const [left, right] = [await frame.boundingBox(), await list.boundingBox()];
        return left && right && right.x - (left.x + left.width);
      })
      .toBeGreaterThan(0);
    expect(await violationsOf(page)).toEqual([]);
  }
  // In a low window the whole frame can be reached: it scrolls by itself.
  await page.setViewportSize({ width: 1280, height: 500 });
  await expect
    .poll(async () => (await frame.boundingBox())?.height ?? Infinity)
    .toBeLessThanOrEqual(430);
  await page.setViewportSize({ width: 1280, height: 800 });
  await press(page, "Ouvrir l’appareil photo");
  await page.getByText("L’appareil photo n’est pas accessible.").waitFor();
  // The number is at hand instead.
  await page.getByLabel("Numéro de carte, ou code d’un lecteur").waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.context().close();
});

test("whoever comes back finds the meals that were handed, and no verdict of before", async () => {
  // Who has no allergen on the menu of this day is served by one press.
  const { name } = cast.secondChild;
  await place(registrations().secondChild);
  const page = await openCounter("12:25");
  // The list is not read again from here on: what the cache has of it knows no meal that is handed.
  await page.route("**/day-list", (route) => route.abort());
  await row(page, name).click();
  await verdictOn(page).getByText("Servi", { exact: true }).waitFor();
  await expect.poll(states).toEqual(["served"]);
  await page.getByRole("link", { name: "Suivi des repas" }).click();
  await page.getByRole("heading", { level: 1, name: "Suivi de la cantine" }).waitFor();
  const failure = page.waitForEvent("requestfailed", (one) => one.url().endsWith("/day-list"));
  await page.goBack();
  await failure;
  await verdictOn(page).getByText("Présentez une carte ou choisissez un nom.").waitFor();
  await page.getByText("1 servi sur 1").waitFor();
  // Pressed again, the meal is not handed twice.
  await row(page, name).click();
  await verdictOn(page)
    .getByText(/^Déjà servi à /)
    .waitFor();
  await expect.poll(states).toEqual(["served"]);
  // Enter that is held takes the meal back, and does not serve it again from the line that has the keyboard then.
  await page.getByRole("button", { name: /^Annuler le passage/ }).focus();
  await page.keyboard.down("Enter");
  await row(page, name).getByText("À servir").waitFor();
  await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  await row(page, name).getByText("À servir").waitFor();
  await expect.poll(states).toEqual(["reserved"]);
  await page.context().close();
});

test("the counter alone on a screen that stays lit, and back", async () => {
  const page = await openCounter("12:30");
  await page.addInitScript(() => {
    const requests = ((globalThis as { wakeLocks?: string[] }).wakeLocks = []) as string[];
    const { wakeLock } = navigator;
    const request = wakeLock.request.bind(wakeLock);
    wakeLock.request = (type) => {
      requests.push(type ?? "screen");
      return request(type);
    };
  });
  await page.getByRole("link", { name: "Ma carte" }).first().waitFor();
  await press(page, "Mode guichet");
  await expect.poll(() => page.getByRole("link", { name: "Ma carte" }).count()).toBe(0);
  await expect.poll(() => page.getByRole("contentinfo").count()).toBe(0);
  await expect.poll(() => page.url()).toContain("mode=guichet");
  await page.reload();
  await page.getByText(/^\d servis? sur \d/).waitFor();
  await expect.poll(() => page.getByRole("navigation").count()).toBe(0);
  await expect.poll(() => page.evaluate<number>("wakeLocks.length")).toBeGreaterThan(0);
  expect(await violationsOf(page)).toEqual([]);
  await press(page, "Quitter le mode guichet");
  await page.getByRole("link", { name: "Ma carte" }).first().waitFor();
  await page.context().close();
});

test("of several canteens the one whose service is open; another is one press away", async () => {
  const page = await openCounter("15:30");
  await atCanteen(page, "Accueil du soir");
  await verdictOn(page).getByText("Présentez une carte ou choisissez un nom.").waitFor();
  await press(page, "Changer de restaurant");
  await page.getByLabel("Restaurant").selectOption({ label: "École des Embruns" });
  await atCanteen(page, "École des Embruns");
  await verdictOn(page).getByText("Pas de service en ce moment.").waitFor();
  await verdictOn(page)
    .getByText(/^Prochain\s: .* 11:30\.$/)
    .waitFor();
  expect(await violationsOf(page)).toEqual([]);
  // What was chosen outlives a reload.
  await page.reload();
  await atCanteen(page, "École des Embruns");
  // What waits for a decision at one canteen is not decided at the other.
  await row(page, cast.child.name).click();
  await verdictOn(page).getByText("Pas de commande aujourd’hui").waitFor();
  await press(page, "Changer de restaurant");
  await page.getByLabel("Restaurant").selectOption({ label: "Accueil du soir (service ouvert)" });
  await atCanteen(page, "Accueil du soir");
  await expect.poll(() => focused(page)).toBe("Guichet de cantine");
  await verdictOn(page).getByText("Présentez une carte ou choisissez un nom.").waitFor();
  await press(page, "Changer de restaurant");
  await page.getByLabel("Restaurant").selectOption({ label: "École des Embruns" });
  await atCanteen(page, "École des Embruns");
  await verdictOn(page).getByText("Pas de service en ce moment.").waitFor();
  await press(page, "Passer à Accueil du soir, ouvert jusqu’à 16:30");
  await atCanteen(page, "Accueil du soir");
  await page.context().close();
});

test("after midnight nobody is served by the list of the day before", async () => {
  const page = await openCounter("23:50");
  const child = row(page, cast.child.name);
  await child.waitFor();
  await page.getByRole("link", { name: "Suivi des repas" }).click();
  await page.getByRole("heading", { level: 1, name: "Suivi de la cantine" }).waitFor();
  portal.server.clock.advance(20 * 60_000);
  await page.clock.setFixedTime(portal.server.clock.now());
  const listComes = Promise.withResolvers<void>();
  await page.route("**/day-list", async (route) => {
    await listComes.promise;
    await route.continue();
  });
  await page.goBack();
  await page.getByText("Chargement de la liste du jour…").waitFor();
  await expect.poll(() => child.count()).toBe(0);
  listComes.resolve();
  await child.waitFor();
  await page.context().close();
});
