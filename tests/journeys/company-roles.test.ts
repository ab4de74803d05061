// What the roles of a company open in a browser: each home shows its own work first, and no link of a menu, a home or
// the help leads to a screen that the roles may not open.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CompanyRole, roleWords } from "#contract/companies/roles.ts";
import { addDays, todayInParis } from "#contract/days.ts";
import { violationsOf } from "../axe.ts";
import { makeCanteen, type MadeCanteen, placeMeal } from "../canteens.ts";
import { cast } from "../cast.ts";
import { makeEvent } from "../events.ts";
import { expectNoHorizontalScroll } from "../page-width.ts";
import { settle } from "../settle.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";

let portal: TestPortal;
let made: MadeCanteen;
const today = todayInParis();
const query = (text: string, ...values: unknown[]) => portal.server.deps.pool.query(text, values);

beforeAll(async () => {
  portal = await openTestPortal();
  const { server } = portal;
  made = await makeCanteen(server, {
    weekdays: [0, 1, 2, 3, 4, 5, 6],
    kind: "staff",
    classes: [],
    servesFrom: "00:00",
    servesUntil: "23:59",
    needsValidation: true,
  });
  await placeMeal(server, { registration: made.registrations.child, day: today });
  await query("update meal_order set state = 'reserved'");
  const waits = made.registrations.secondChild;
  await query("update canteen_registration set state = 'requested' where id = $1", waits);
  const desk = await server.as("canteenProvider");
  await desk.post("/api/canteen/menus", {
    day: addDays(today, 1),
    note: "",
    dishes: [
      { course: "main", name: "Gratin", labels: [], allergens: null, diets: [], priceCents: null },
    ],
  });
  await makeEvent(server);
  await query(
    `update ticket_event set company_id = (select company_id from company_member join card using (person_id)
       where number = $1)`,
    cast.canteenProvider.cardnumber,
  );
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

/** Opens the home of a colleague of the canteen with these roles. */
async function openAs(roles: readonly CompanyRole[], width = 1280): Promise<Page> {
  await query("delete from limiter");
  await query(
    `update company_member set roles = $3, company_id = (select company_id from company_member
       join card using (person_id) where number = $2)
     where person_id = (select person_id from card where number = $1)`,
    cast.employer.cardnumber,
    cast.canteenProvider.cardnumber,
    roles,
  );
  const page = await portal.open({ viewport: { width, height: 800 } });
  await portal.login(page, "employer");
  await page.getByText(`, ${roleWords(roles).toLowerCase()}`).waitFor();
  await settle(page);
  return page;
}

const hrefs = (page: Page, selector: string): Promise<string[]> =>
  page
    .locator(selector)
    .evaluateAll((links) => [...new Set(links.map((one) => one.getAttribute("href") ?? ""))]);

/** What a screen says in its place, or of a tab that stays shut. */
const closed = /pas ouvert à votre rôle|ne vous sont pas ouvert|sont réservés au/;

const sets: readonly (readonly CompanyRole[])[] = [
  ["owner"],
  ["accountant"],
  ["cashier"],
  ["counter"],
  ["kitchen"],
];

// proves: closed-links
describe("no link leads to a closed screen", () => {
  test.each(sets.map((roles) => [roles.join(" and "), roles] as const))(
    "of %s",
    async (_name, roles) => {
      const page = await openAs(roles);
      const refused: string[] = [];
      page.on("response", (response) => {
        // Whoever follows the orders of cards has no draft of one.
        if (response.status() !== 403 || response.url().endsWith("/card-orders/draft")) return;
        refused.push(`${new URL(page.url()).pathname} asked ${new URL(response.url()).pathname}`);
      });
      const ofCompany = ["/pro", "/partenaire", "/card"].map((at) => `a[href^="${at}"]`).join(", ");
      const links = await hrefs(page, ofCompany);
      await page.getByRole("link", { name: "Plan du site" }).click();
      await page.getByRole("link", { name: "Mon entreprise" }).waitFor();
      const all = new Set([...links, ...(await hrefs(page, ofCompany))]);
      expect(all.size).toBeGreaterThan(3);
      for (const href of all) {
        await page.goto(`${portal.url}${href}`);
        await settle(page);
        await expect.poll(() => page.getByText(closed).count(), { message: href }).toBe(0);
      }
      await expect.poll(() => refused).toEqual([]);
      await page.context().close();
    },
  );
});

describe("the home", () => {
  const menu = (page: Page) => page.getByRole("navigation", { name: "Navigation principale" });

  test("of a cashier is the till, before the first sale too", async () => {
    const page = await openAs(["cashier"], 360);
    await page.getByText("Vous n’avez rien encaissé").first().waitFor();
    await page.getByRole("link", { name: "Contrôler les billets" }).waitFor();
    await expect.poll(() => page.getByRole("heading", { name: /^Service/ }).count()).toBe(0);
    await expect.poll(() => menu(page).getByRole("link", { name: "Guichet" }).count()).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
    await expectNoHorizontalScroll(page);
    await page.getByRole("link", { name: "Ouvrir la caisse" }).first().click();
    await page.getByRole("heading", { name: "Caisse", level: 1 }).waitFor();
    await page.context().close();
  });

  test("of a counter is today's service", async () => {
    const page = await openAs(["counter"], 360);
    await page.getByRole("heading", { name: "Service d’aujourd’hui" }).waitFor();
    await page.getByText("repas à valider").first().waitFor();
    for (const name of ["Quantités à cuisiner", /Ouvrir la caisse/, "Contrôler les billets"])
      await expect.poll(() => page.getByRole("link", { name }).count()).toBe(0);
    await expect.poll(() => page.getByText("inscription à étudier").count()).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("link", { name: "Ouvrir le guichet" }).click();
    await page.getByText(cast.child.name).first().waitFor();
    await page.context().close();
  });

  test("of a kitchen is what it cooks today and next, and the dishes without allergens; no child's name", async () => {
    const page = await openAs(["kitchen"], 360);
    await page.getByText("1 plat sans allergènes renseignés", { exact: true }).waitFor();
    await page.getByText(/^Ensuite,/).waitFor();
    await expect.poll(() => page.getByText(cast.child.name).count()).toBe(0);
    for (const name of ["Ouvrir le guichet", "Suivi des repas"])
      await expect.poll(() => page.getByRole("link", { name }).count()).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
    await expectNoHorizontalScroll(page);
    await page.getByRole("link", { name: "Quantités à cuisiner" }).click();
    await page.getByRole("tab", { name: "Quantités", selected: true }).waitFor();
    await expect.poll(() => page.getByRole("tab").allInnerTexts()).toEqual(["Menus", "Quantités"]);
    await page.context().close();
  });

  test("of an accountant is what is owed and the invoices", async () => {
    const page = await openAs(["accountant"]);
    await page.getByRole("heading", { name: "À vous verser" }).waitFor();
    await page.getByRole("link", { name: /Les factures de l’entreprise/ }).click();
    await page.waitForURL("**/professional/invoice");
    await page.context().close();
  });
});

test("a screen that the role does not open says so, and the help names it without a link", async () => {
  const page = await openAs(["kitchen"]);
  await page.goto(`${portal.url}/partenaire/validation`);
  await page.getByText("Cet écran n’est pas ouvert à votre rôle").waitFor();
  await page.goto(`${portal.url}/faq/guichet-de-cantine`);
  const answer = page.getByRole("main");
  await answer.getByText("Guichet de cantine").first().waitFor();
  await expect.poll(() => answer.getByRole("link", { name: "Guichet de cantine" }).count()).toBe(0);
  await page.goto(`${portal.url}/faq/gerer-la-cantine`);
  await answer.getByRole("link", { name: "Cantine", exact: true }).waitFor();
  await page.context().close();
});
