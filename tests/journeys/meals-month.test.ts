// « Suivi des repas »: the month of a family of two children, what is free to cancel told from what is not, several
// days cancelled at once, papers from their menu, all of it by keyboard. With LENGTHS set, says how long its page is.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { addDays } from "#contract/days.ts";
import { problems } from "#contract/errors.ts";
import { violationsOf } from "../axe.ts";
import { makeCanteen, type MadeCanteen, placeMeal } from "../canteens.ts";
import { cast } from "../cast.ts";
import { monthDay } from "../meals-month.ts";
import { expectNoHorizontalScroll } from "../page-width.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";

// A Monday at 8:00 in Paris: the meals of this day and of the next are no longer free to cancel.
const now = "2027-03-08T07:00:00.000Z";
const monday = "2027-03-08";
const thursday = addDays(monday, 3);
const friday = addDays(monday, 4);
const phone = { viewport: { width: 360, height: 740 } };
const desk = { viewport: { width: 1280, height: 900 } };

let portal: TestPortal;
let canteen: MadeCanteen;
beforeAll(async () => {
  portal = await openTestPortal();
  portal.server.clock.freeze();
  portal.server.clock.advance(Date.parse(now) - portal.server.clock.now().getTime());
  canteen = await makeCanteen(portal.server, { kind: "staff", seats: 100 });
  const camille = await portal.server.as("guardian");
  await camille.post("/api/health-record", {
    cardnumber: cast.child.cardnumber,
    allergens: ["nuts"],
    note: "",
    consent: true,
  });
  const [menu] = await query(
    "insert into canteen_menu (provider_id, on_day, published_at) values ($1, $2, now()) returning id",
    canteen.providerId,
    thursday,
  );
  await query(
    `insert into canteen_dish (menu_id, place, course, name, allergens, labels)
     values ($1, 1, 'main', 'Gâteau aux noix', '{nuts}', '{}')`,
    menu?.["id"],
  );
});
beforeEach(async () => {
  await query("delete from meal_order");
  await query("delete from canteen_day");
  const { child, secondChild } = canteen.registrations;
  // Served last week, due today, free from Thursday on.
  for (const day of [addDays(monday, -4), monday, thursday, friday]) await order(child, day);
  for (const day of [thursday, friday, addDays(monday, 30)]) await order(secondChild, day);
  await query(
    "update meal_order set state = 'served', served_at = $2 where on_day < $1",
    monday,
    "2027-03-04T11:00:00Z",
  );
  await query(
    "update meal_order set cancel_until = on_day - interval '1 day' where on_day > $1",
    monday,
  );
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

const query = async (text: string, ...values: unknown[]) =>
  (await portal.server.deps.pool.query(text, values)).rows;
const order = (registration: string, day: string) =>
  placeMeal(portal.server, { registration, day, priceCents: 20 });
const states = async () =>
  await query(
    `select p.name, to_char(o.on_day, 'YYYY-MM-DD') as day from meal_order o
     join person p on p.id = o.person_id where state = 'cancelled' order by o.on_day, p.name`,
  );

async function open(
  form: { viewport: { width: number; height: number }; colorScheme?: "dark" },
  search = "",
): Promise<Page> {
  const page = await portal.open(form);
  await page.clock.setFixedTime(portal.server.clock.now());
  await portal.signIn(page, "guardian");
  await page.goto(`/commande/cantine/suivi${search}`);
  return page;
}

test.each([
  { ...phone, colorScheme: "dark" },
  { ...phone },
  { ...desk },
  { ...desk, colorScheme: "dark" },
] as const)(
  "a month at $viewport.width px, $colorScheme: each day says its meals",
  async (form) => {
    const page = await open(form);
    await page.getByRole("heading", { level: 2, name: "Mars 2027" }).waitFor();
    await page.getByText("5 repas à venir, dont 4 encore gratuits à annuler.").waitFor();
    const saysOf = (day: string) =>
      expect.poll(async () => (await monthDay(page, day).innerText()).replaceAll(/\s+/g, " "));
    await saysOf(addDays(monday, -4)).toContain("jeudi 4 mars : Léo, servi");
    await saysOf(monday).toContain("lundi 8 mars : Léo, plus annulable sans frais");
    await saysOf(thursday).toContain(
      "jeudi 11 mars : Jade, gratuit à annuler ; Léo, gratuit à annuler, allergène au menu",
    );
    // The meal of today is the first to come: its day is open, with its code.
    await page.getByRole("heading", { level: 2, name: "Aujourd’hui, lundi 8 mars" }).waitFor();
    await page.getByRole("button", { name: "Code du repas de Léo" }).waitFor();
    await monthDay(page, thursday).click();
    await page.getByText(/^\s*Au menu\s: /).waitFor();
    await page.getByRole("heading", { level: 2, name: "Jeudi 11 mars" }).waitFor();
    await page.getByRole("button", { name: "Annuler les 2 repas" }).waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get("jour")).toBe(thursday);
    expect(await violationsOf(page)).toEqual([]);
    await expectNoHorizontalScroll(page);
    if (process.env["LENGTHS"]) {
      const length = await page.evaluate("document.documentElement.scrollHeight");
      process.stdout.write(`Suivi des repas, ${form.viewport.width} px: ${String(length)} px\n`);
    }
    const folder = process.env["SHOTS"];
    const name = `meals-month-${form.viewport.width}-${"colorScheme" in form ? "dark" : "light"}`;
    if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
    // One child alone: the other's meals are neither drawn nor listed.
    await page.getByRole("button", { name: "Jade", exact: true }).click();
    await saysOf(thursday).not.toContain("Léo");
    await page.getByText("2 repas à venir, tous encore gratuits à annuler.").waitFor();
    await expect.poll(() => page.getByText(/^Léo · /).count()).toBe(0);
    await page.context().close();
  },
);

test("several days are cancelled at once, and nothing else", async () => {
  const page = await open(phone);
  await page.getByRole("button", { name: "Annuler plusieurs jours" }).click();
  await monthDay(page, thursday).click();
  await monthDay(page, friday).click();
  // No meal can be cancelled there: none is chosen.
  await monthDay(page, addDays(monday, 1)).click();
  await page.getByText("4 repas choisis").waitFor();
  await page.getByText(/^0,80.€ recrédité$/).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await expectNoHorizontalScroll(page);
  const folder = process.env["SHOTS"];
  if (folder) await page.screenshot({ path: `${folder}/meals-month-several.png` });
  // Given up: nothing is cancelled, and the days stay chosen.
  await page.getByRole("button", { name: "Annuler 4 repas" }).click();
  const question = page.getByRole("alertdialog", { name: /^Annuler ces 4 repas/ });
  await question.getByText(/^Jade\s: jeu\. 11 mars et ven\. 12 mars$/).waitFor();
  await question.getByText(/^Annulation gratuite, 0,80.€ recrédité à /).waitFor();
  await question.getByRole("button", { name: "Les garder" }).click();
  await question.waitFor({ state: "hidden" });
  await expect.poll(states).toEqual([]);
  await monthDay(page, friday).click();
  await page.getByRole("button", { name: "Annuler 2 repas" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Annuler les 2 repas" }).click();
  await page
    .getByText(/^2 repas annulés, 0,40.€ recrédité à /)
    .first()
    .waitFor();
  await expect.poll(states).toEqual([
    { name: cast.secondChild.name, day: thursday },
    { name: cast.child.name, day: thursday },
  ]);
  await page.getByText("3 repas à venir, dont 2 encore gratuits à annuler.").waitFor();
  await expect.poll(() => page.getByText("repas choisi").count()).toBe(0);
  await page.context().close();
});

test("by keyboard: days and months by arrows, a meal late cancelled for what it costs", async () => {
  const page = await open(desk);
  const focused = page.locator(":focus");
  await monthDay(page, monday).focus();
  for (const key of ["ArrowRight", "ArrowRight", "ArrowRight", "Home"])
    await page.keyboard.press(key);
  await expect.poll(() => focused.innerText()).toMatch(/lundi 8 mars/);
  await page.keyboard.press("PageDown");
  await page.getByRole("heading", { level: 2, name: "Avril 2027" }).waitFor();
  // The last month with a meal is the end.
  await page.keyboard.press("PageDown");
  await expect.poll(() => focused.innerText()).toMatch(/30 avril/);
  await page.keyboard.press("PageUp");
  await page.keyboard.press("Home");
  await page.getByRole("heading", { level: 2, name: "Mars 2027" }).waitFor();
  await page.getByRole("button", { name: "Mois précédent" }).press("Enter");
  await page.getByRole("heading", { level: 2, name: "Mars 2027" }).waitFor();
  await monthDay(page, monday).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Annuler", exact: true }).press("Enter");
  const question = page.getByRole("alertdialog");
  await question.getByText(/le repas reste dû, 0,20.€\. Rien n’est recrédité/).waitFor();
  await question.getByRole("button", { name: "Annuler le repas" }).press("Enter");
  await page.locator("h2:focus", { hasText: "lundi 8 mars" }).waitFor();
  await expect.poll(states).toEqual([{ name: cast.child.name, day: monday }]);
  await page.context().close();
});

test("the papers of the month are in a menu, each person's as a PDF", async () => {
  const page = await open(phone);
  await page.getByRole("button", { name: "Documents" }).click();
  await page.getByRole("menuitem", { name: "Mars 2027 de Jade (PDF)" }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: "Mars 2027 de Léo (PDF)" }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/2027-03.*\.pdf$/);
  // One that is refused says so, and the screen stays.
  const { status, message } = problems.unavailable;
  await page.route("**/api/canteen/orders.pdf*", (route) =>
    route.fulfill({ status, json: { code: "unavailable", message } }),
  );
  await page.getByRole("button", { name: "Documents" }).click();
  await page.getByRole("menuitem", { name: "Mars 2027 de Jade (PDF)" }).click();
  await page.getByRole("alert").getByText("Le PDF n’a pas pu être préparé.").waitFor();
  // In April Jade alone has a meal.
  await page.getByRole("button", { name: "Mois suivant" }).click();
  await page.getByText("1 repas à venir, encore gratuit à annuler.").waitFor();
  await page.getByRole("button", { name: "Documents" }).click();
  await expect
    .poll(() => page.getByRole("menuitem", { name: /\(PDF\)/ }).allInnerTexts())
    .toEqual(["Avril 2027 de Jade (PDF)"]);
  await page.context().close();
});

test("a month that cannot be read is said and asked for again; an address that is no month opens the next meal", async () => {
  const page = await open(phone);
  await page.getByRole("heading", { level: 2, name: "Mars 2027" }).waitFor();
  const { status, message } = problems.unavailable;
  await page.route(
    "**/api/canteen/month*",
    (route) => route.fulfill({ status, json: { code: "unavailable", message } }),
    { times: 1 },
  );
  await page.getByRole("button", { name: "Mois suivant" }).click();
  await page.getByText("Les repas n’ont pas pu être lus.").waitFor();
  await page.getByRole("heading", { level: 2, name: "Avril 2027" }).waitFor();
  await page.getByRole("button", { name: "Réessayer" }).click();
  await page.getByText("1 repas à venir, encore gratuit à annuler.").waitFor();
  for (const search of ["?mois=2027-13", "?jour=2027-02-30", "?mois=1815-06", "?jour=0000-00-00"]) {
    await page.goto(`/commande/cantine/suivi${search}`);
    await page.getByRole("heading", { level: 2, name: "Mars 2027" }).waitFor();
  }
  await page.context().close();
});
