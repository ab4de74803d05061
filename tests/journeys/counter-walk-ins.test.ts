// Meals without an order at the counter of a canteen: what they cost, a full service, an allergen of the menu, and a
// day on which nothing is served.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { parisDay } from "#contract/days.ts";
import { workingDaysAfter } from "#contract/working-days.ts";
import { violationsOf } from "../axe.ts";
import { makeCanteen, type MadeCanteen, placeMeal } from "../canteens.ts";
import { cast } from "../cast.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";

let portal: TestPortal;
let canteen: MadeCanteen;
let day: string;
beforeAll(async () => {
  portal = await openTestPortal();
  const { clock } = portal.server;
  // On a day on which a canteen of its kind serves, whenever this runs.
  day = workingDaysAfter(parisDay(clock.now()), 1);
  while (parisDay(clock.now()) < day) clock.advance(24 * 3_600_000);
  canteen = await makeCanteen(portal.server, { kind: "staff" });
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});
beforeEach(async () => {
  await query("delete from meal_scan; delete from meal_order; delete from canteen_day");
});

const query = async (text: string) => (await portal.server.deps.pool.query(text)).rows;
const states = async () =>
  (await query("select state from meal_order order by number")).map(({ state }) => state);
const place = (registration: string) => placeMeal(portal.server, { registration, day });
async function openCounter(options: Parameters<TestPortal["open"]>[0] = {}): Promise<Page> {
  const page = await portal.open({ viewport: { width: 360, height: 740 }, ...options });
  await portal.signIn(page, "canteenProvider");
  await page.goto(`${portal.url}/partenaire/validation`);
  await page.getByText(/^\d servis? sur \d/).waitFor();
  return page;
}
const verdictOn = (page: Page) => page.getByRole("status").first();
const choose = (page: Page, name: string) =>
  page.getByRole("button", { name: new RegExp(`^${name}`) }).click();

test("whoever has no order is served from their wallet, by number", async () => {
  const page = await openCounter();
  await page.getByRole("button", { name: "Numéro", exact: true }).click();
  await page
    .getByLabel("Numéro de carte, ou code d’un lecteur")
    .fill(String(cast.secondChild.cardnumber));
  await page.getByRole("button", { name: "Servir", exact: true }).click();
  await verdictOn(page).getByText("Pas de commande aujourd’hui").waitFor();
  await page.getByRole("button", { name: /^Servir, 3,45\s€ de sa cagnotte/ }).click();
  await verdictOn(page).getByText("Servi", { exact: true }).waitFor();
  await expect.poll(states).toEqual(["served"]);
  await page.context().close();
});

test("an allergen of the day's menu is said before a meal without an order is handed", async () => {
  const desk = await portal.server.as("canteenProvider");
  const dish = { course: "main", labels: [], priceCents: null, diets: [] };
  const write = async (allergens: string[] | null) => {
    const dishes = [{ ...dish, name: "Poulet satay", allergens }];
    const answer = await desk.post("/api/canteen/menus", { day, note: "", dishes });
    expect(answer.status, answer.text).toBe(200);
  };
  await write(["peanuts"]);
  const camille = await portal.server.as("guardian");
  const record = { cardnumber: cast.child.cardnumber, allergens: ["peanuts"], note: "" };
  const saved = await camille.post("/api/health-record", { ...record, consent: true });
  expect(saved.status, saved.text).toBe(200);
  const page = await openCounter();
  await choose(page, cast.child.name);
  await verdictOn(page).getByText("Pas de commande aujourd’hui").waitFor();
  await verdictOn(page)
    .getByText(/^Au menu\s: arachides$/)
    .waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole("button", { name: /^Servir, 3,45\s€ de sa cagnotte/ }).click();
  await verdictOn(page).getByText("Servi", { exact: true }).waitFor();
  await page.locator('.verdict[data-tone="warning"]').waitFor();
  await choose(page, cast.secondChild.name);
  await verdictOn(page)
    .getByText(/^Au menu/)
    .waitFor({ state: "detached" });
  await write(null);
  await place(canteen.registrations.secondChild);
  await camille.post("/api/health-record", {
    ...record,
    cardnumber: cast.secondChild.cardnumber,
    consent: true,
  });
  await page.reload();
  await choose(page, cast.secondChild.name);
  await verdictOn(page).getByText("Servi", { exact: true }).waitFor();
  await verdictOn(page)
    .getByText(/^Au menu\s: allergènes non renseignés$/)
    .waitFor();
  await page.locator('.verdict[data-tone="warning"]').waitFor();
  // Sent too: what comes next forgets the meals.
  await expect.poll(states).toEqual(["served", "served"]);
  await page.context().close();
});

test("on a day without service nothing is sold; a meal that is ordered is served", async () => {
  await query(
    `insert into canteen_closing (canteen_id, from_on, to_on, reason, created_at)
     values ('${canteen.id}', '${day}', '${day}', 'Grève', now())`,
  );
  await place(canteen.registrations.child);
  const page = await openCounter({ colorScheme: "dark" });
  await page.getByText(/^Grève\. Les repas commandés sont servis/).waitFor();
  await choose(page, cast.secondChild.name);
  await verdictOn(page).getByText("Pas de commande aujourd’hui").waitFor();
  await page.getByText(/un repas sans commande n’est pas servi/).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Ne pas servir" }).click();
  await verdictOn(page).getByText("Pas de commande aujourd’hui").waitFor({ state: "detached" });
  await expect.poll(() => page.getByRole("button", { name: /^Servir,/ }).count()).toBe(0);
  await choose(page, cast.child.name);
  await verdictOn(page).getByText("Servi", { exact: true }).waitFor();
  await expect.poll(states).toEqual(["served"]);
  await query("delete from canteen_closing");
  await page.context().close();
});

test("a name of the list that asks for a decision: the next Tab is on what may be done", async () => {
  await place(canteen.registrations.child);
  const other = await openCounter({ viewport: { width: 1280, height: 800 } });
  const name = (of: string) => other.getByRole("button", { name: new RegExp(`^${of}`) });
  const verdictSays = (words: string) => verdictOn(other).getByText(words).waitFor();
  await name(cast.secondChild.name).press("Enter");
  await verdictSays("Pas de commande aujourd’hui");
  await other.keyboard.press("Tab");
  await other
    .locator("button:focus")
    .getByText(/^Servir, 3,45\s€ de sa cagnotte/)
    .waitFor();
  expect(await violationsOf(other)).toEqual([]);
  // Nothing is served by mistake: the keyboard is back at the name, and no price stays in view.
  await other.getByRole("button", { name: "Ne pas servir" }).press("Enter");
  await verdictOn(other).getByText("Pas de commande aujourd’hui").waitFor({ state: "detached" });
  await expect
    .poll(() => other.evaluate("document.activeElement.textContent"))
    .toContain(cast.secondChild.name);
  await expect.poll(states).toEqual(["reserved"]);
  // What needs no decision leaves the keyboard in the list, at its name.
  await name(cast.child.name).press("Enter");
  await verdictSays("Servi");
  await expect
    .poll(() => other.evaluate("document.activeElement.textContent"))
    .toContain(cast.child.name);
  await expect.poll(states).toEqual(["served"]);
  await other.context().close();
});

test("a walk-in is told when the service is full, and served all the same", async () => {
  await query("update canteen set seats = 1");
  const other = await openCounter({ colorScheme: "dark" });
  await choose(other, cast.child.name);
  await other.getByRole("button", { name: /^Servir, payé en espèces/ }).click();
  await expect.poll(states).toEqual(["served"]);
  await choose(other, cast.secondChild.name);
  await other.getByText(/Service complet.*1 place prise sur 1/).waitFor();
  expect(await violationsOf(other)).toEqual([]);
  await other.getByRole("button", { name: /^Servir en plus, payé en espèces/ }).click();
  await expect.poll(states).toEqual(["served", "served"]);
  await expect
    .poll(() => query("select taken::int, seats, extra from canteen_day"))
    .toEqual([{ taken: 2, seats: 1, extra: 1 }]);
  await other.context().close();
});
