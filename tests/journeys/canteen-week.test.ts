// The canteen week of a family of two children: opened on the first week to order, chosen at once, by row, by day or
// by keyboard, its menu with the allergens of one's own children. With LENGTHS set, says how long its page is.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { addDays } from "#contract/days.ts";
import { violationsOf } from "../axe.ts";
import { chosenMeals, dayDetails, mealCell } from "../canteen-week.ts";
import { makeCanteen, type MadeCanteen, placeMeal } from "../canteens.ts";
import { cast } from "../cast.ts";
import { expectNoHorizontalScroll } from "../page-width.ts";
import { proposedPayment } from "../payment-choice.ts";
import type { Client } from "../test-server.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";
import { leaveToSpend } from "../wallet-money.ts";

// A Monday at 8:00 in Paris; its own meal and those of the week before can no longer be ordered.
const now = "2027-03-08T07:00:00.000Z";
const monday = "2027-03-08";
const nextMonday = "2027-03-15";
const weekdaysOf = (from: string) => [0, 1, 2, 3, 4].map((count) => addDays(from, count));

let portal: TestPortal;
let canteen: MadeCanteen;
let camille: Client;
beforeAll(async () => {
  portal = await openTestPortal();
  portal.server.clock.freeze();
  portal.server.clock.advance(Date.parse(now) - portal.server.clock.now().getTime());
  canteen = await makeCanteen(portal.server, { kind: "staff", seats: 100, weekdays: [0, 1, 3, 4] });
  await writeMenus();
  camille = await portal.server.as("guardian");
  await camille.post("/api/health-record", {
    cardnumber: cast.child.cardnumber,
    allergens: ["nuts"],
    note: "",
    consent: true,
  });
});
beforeEach(async () => {
  await camille.post("/api/canteen/requests/drop", { idgroup: canteen.groupId });
  await query("delete from meal_order");
  await query("delete from canteen_day");
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

const query = async (text: string, ...values: unknown[]) =>
  (await portal.server.deps.pool.query(text, values)).rows;

/** Two weeks of menus of five dishes, as long as those of a real kitchen; nuts on the second Thursday. */
async function writeMenus(): Promise<void> {
  for (const day of [...weekdaysOf(monday), ...weekdaysOf(nextMonday)]) {
    const [menu] = await query(
      `insert into canteen_menu (provider_id, on_day, published_at) values ($1, $2, now())
       returning id`,
      canteen.providerId,
      day,
    );
    const first = day === addDays(nextMonday, 3) ? "{nuts,mustard}" : "{mustard,sulphites}";
    await query(
      `insert into canteen_dish (menu_id, place, course, name, allergens, labels) values
         ($1, 1, 'starter', 'Endives vinaigrette', $2, '{}'),
         ($1, 2, 'main', 'Dahl de lentilles corail', '{mustard}', '{vegetarian,organic,homemade}'),
         ($1, 3, 'side', 'Riz basmati', '{}', '{fair_trade}'),
         ($1, 4, 'dairy', 'Yaourt nature', '{milk}', '{organic}'),
         ($1, 5, 'dessert', 'Gâteau au yaourt', '{gluten,eggs,milk}', '{homemade}')`,
      menu?.["id"],
      first,
    );
  }
}

async function openWeek(
  form: { viewport: { width: number; height: number }; colorScheme?: "dark" },
  week = "",
): Promise<Page> {
  const page = await portal.open(form);
  await page.clock.setFixedTime(portal.server.clock.now());
  await portal.signIn(page, "guardian");
  await page.goto(`/commande/cantine/restauration-essai/${canteen.groupId}${week}`);
  await page.getByText("Dahl de lentilles corail").first().waitFor({ state: "attached" });
  return page;
}
const phone = { viewport: { width: 360, height: 640 } };
const desk = { viewport: { width: 1280, height: 900 } };

const ordered = async () =>
  (
    await query(
      `select p.name, to_char(o.on_day, 'YYYY-MM-DD') as day from meal_order o
       join person p on p.id = o.person_id where o.state = 'reserved' order by 2, 1`,
    )
  ).map((row) => `${String(row["name"]).split(" ")[0]} ${row["day"]}`);
const chosen = async () =>
  (
    await query(
      `select p.name, to_char(l.on_day, 'YYYY-MM-DD') as day from meal_request_line l
       join canteen_registration r on r.id = l.registration_id join person p on p.id = r.person_id
       join meal_request q on q.id = l.request_id where q.state = 'open' order by 2, 1`,
    )
  ).map((row) => `${String(row["name"]).split(" ")[0]} ${row["day"]}`);
const both = (...days: string[]) => days.flatMap((day) => [`Jade ${day}`, `Léo ${day}`]);

test("on a phone, the first week to order is chosen and paid in three taps, on a short page", async () => {
  const page = await openWeek({ ...phone, colorScheme: "dark" });
  const length = () => page.evaluate<number>("document.documentElement.scrollHeight");
  if (process.env["LENGTHS"]) {
    await page.getByRole("button", { name: "Inscrire", exact: true }).waitFor();
    process.stdout.write(`${await length()} px long at 360\n`);
  }
  // The week's Monday is over: Tuesday is the first day to order, and its menu is unfolded.
  await page.getByRole("heading", { name: "Semaine du 08/03/2027" }).waitFor();
  await dayDetails(page, addDays(monday, 1)).getByText("Riz basmati").waitFor();
  await expect.poll(length).toBeLessThanOrEqual(1600);
  expect(await violationsOf(page)).toEqual([]);
  await expectNoHorizontalScroll(page);

  await page.getByRole("checkbox", { name: "Tout cocher" }).click();
  await page.getByText(/^6 repas, 20,70/).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  const commander = page.getByRole("button", { name: "Commander", exact: true });
  // In reach wherever the page is.
  for (const top of [0, 500, 5000]) {
    await page.evaluate(`scrollTo(0, ${top})`);
    await expect
      .poll(() =>
        commander.evaluate((button) => {
          const { left, top: y, width, height } = button.getBoundingClientRect();
          return button.contains(document.elementFromPoint(left + width / 2, y + height / 2));
        }),
      )
      .toBe(true);
  }
  await commander.click();
  await page.getByRole("button", { name: /^Payer 20,70/ }).click();
  await page.getByRole("heading", { level: 1, name: "Suivi des repas" }).waitFor();
  await expect.poll(ordered).toEqual(both(...[1, 3, 4].map((count) => addDays(monday, count))));

  // All of it is ordered: the next one is opened now, and the last stays reached by its address.
  await page.goto(`/commande/cantine/restauration-essai/${canteen.groupId}`);
  await page.getByRole("heading", { name: "Semaine du 15/03/2027" }).waitFor();
  await page.getByRole("button", { name: "Semaine précédente" }).click();
  await mealCell(page, "Léo", addDays(monday, 1)).getByText("Réservée").waitFor();
  await page.getByRole("button", { name: "À commander" }).click();
  await page.getByRole("heading", { name: "Semaine du 15/03/2027" }).waitFor();
  await page.context().close();
});

test("at 1280, five days and their menus stand side by side; a row and a day are ticked at once", async () => {
  const page = await openWeek(desk, `?semaine=${nextMonday}`);
  const days = [0, 1, 3, 4].map((count) => addDays(nextMonday, count));
  const tops = async () =>
    new Set(
      await Promise.all(days.map(async (day) => (await dayDetails(page, day).boundingBox())?.y)),
    );
  await expect.poll(async () => (await tops()).size).toBe(1);
  await page.getByText("mercredi 17 mars\u202f: Pas de service ce jour-là").waitFor();
  const [first = "", second = ""] = days;

  await page.getByRole("checkbox", { name: "Tous, lundi 15 mars" }).click();
  await chosenMeals(page, 2).waitFor();
  await expect.poll(chosen).toEqual(both(first));
  const jade = page.getByRole("checkbox", { name: /^Jade/ });
  await expect.poll(() => jade.evaluate((box: HTMLInputElement) => box.indeterminate)).toBe(true);
  await jade.click();
  await chosenMeals(page, 5).waitFor();
  await expect.poll(() => jade.isChecked()).toBe(true);
  // Pressed again, it takes out all of its row and nothing else.
  await jade.click();
  await chosenMeals(page, 1).waitFor();
  await expect.poll(chosen).toEqual([`Léo ${first}`]);
  await mealCell(page, "Jade", second).click();
  await expect.poll(chosen).toEqual([`Léo ${first}`, `Jade ${second}`]);
  expect(await violationsOf(page)).toEqual([]);
  await page.context().close();
});

test("ticking all asks once about the allergens of a child, whose dish is marked", async () => {
  const page = await openWeek(desk, `?semaine=${nextMonday}`);
  const nuts = addDays(nextMonday, 3);
  await dayDetails(page, nuts).getByText("fruits à coque (Léo)").waitFor();
  await expect.poll(() => page.getByText(/\(Jade\)/).count()).toBe(0);
  await page.getByRole("checkbox", { name: "Tout cocher" }).click();
  const question = page.getByRole("alertdialog", { name: "Un allergène est au menu" });
  await question.getByText(/jeudi 18 mars contient fruits à coque, .* pour Léo/).waitFor();
  await question.getByRole("button", { name: "Ne pas commander" }).click();
  await chosenMeals(page, 7).waitFor();
  await expect.poll(chosen).not.toContain(`Léo ${nuts}`);
  await expect.poll(async () => (await chosen()).length).toBe(7);
  await page.getByRole("checkbox", { name: "Tout cocher" }).click();
  await question.getByRole("button", { name: "Commander quand même" }).click();
  await chosenMeals(page, 8).waitFor();
  await expect.poll(chosen).toContain(`Léo ${nuts}`);
  await page.context().close();
});

// proves: focus
test("by keyboard alone: all is ticked, one taken out, the menu of a day read, the rest ordered", async () => {
  const page = await openWeek({ viewport: { width: 768, height: 900 } }, `?semaine=${nextMonday}`);
  const focused = page.locator(":focus");
  /** Tab until what has the focus is this. */
  const tabTo = async (name: RegExp) => {
    for (let presses = 0; presses < 60; presses += 1) {
      const words = await focused.evaluate((element) =>
        [
          element.getAttribute("aria-label") ?? "",
          element.textContent,
          ...[...((element as HTMLInputElement).labels ?? [])].map((label) => label.textContent),
        ]
          .join(" ")
          .trim(),
      );
      if (name.test(words)) return;
      await page.keyboard.press("Tab");
    }
    throw new Error(`Tab leads to nothing named ${name}`);
  };
  await page.getByRole("link", { name: "Cantine", exact: true }).first().focus();
  await tabTo(/mar\. 16/);
  await page.keyboard.press("Enter");
  await dayDetails(page, addDays(nextMonday, 1)).getByText("Dahl de lentilles corail").waitFor();
  await tabTo(/^Tout cocher/);
  await page.keyboard.press("Space");
  const question = page.getByRole("alertdialog");
  await question.waitFor();
  await page.keyboard.press("Escape");
  await question.waitFor({ state: "hidden" });
  await chosenMeals(page, 7).waitFor();
  // The keyboard is back at the box.
  await tabTo(/Jade, lundi 15 mars/);
  await page.keyboard.press("Space");
  await chosenMeals(page, 6).waitFor();
  await expect.poll(() => focused.getAttribute("aria-pressed")).toBe("false");
  // What has the focus is never under the bar.
  await tabTo(/^Suivi des repas/);
  const bar = page.getByRole("status").filter({ hasText: "6 repas" });
  const hidden = async () => {
    const [own, foot] = await Promise.all([focused.boundingBox(), bar.boundingBox()]);
    return (
      own !== null && foot !== null && own.y + own.height > foot.y && own.y < foot.y + foot.height
    );
  };
  await expect.poll(hidden).toBe(false);
  await tabTo(/^Commander$/);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Vérifiez avant de commander" }).waitFor();
  await page.getByRole("button", { name: /^Payer 20,70/ }).waitFor();
  await tabTo(/^Payer 20,70/);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Suivi des repas" }).waitFor();
  await expect.poll(async () => (await ordered()).length).toBe(6);
  await page.context().close();
});

test("a refused meal is said, and those that are chosen can still be ordered", async () => {
  const page = await openWeek(phone, `?semaine=${nextMonday}`);
  // A rule that the page does not know yet.
  await query("update canteen set max_per_week = 1");
  await mealCell(page, "Jade", nextMonday).click();
  await chosenMeals(page, 1).waitFor();
  await mealCell(page, "Jade", addDays(nextMonday, 1)).click();
  await page
    .getByRole("alert")
    .getByText(/au plus/)
    .waitFor();
  await expect.poll(chosen).toEqual([`Jade ${nextMonday}`]);
  await page.getByRole("button", { name: "Commander", exact: true }).click();
  await page.getByRole("heading", { name: "Vérifiez avant de commander" }).waitFor();
  await query("update canteen set max_per_week = null");
  await page.context().close();
});

test("the week that opened stays in sight once all of it is ordered elsewhere", async () => {
  const page = await openWeek(desk);
  await page.getByRole("heading", { name: "Semaine du 08/03/2027" }).waitFor();
  for (const registration of Object.values(canteen.registrations))
    for (const count of [1, 3, 4])
      await placeMeal(portal.server, { registration, day: addDays(monday, count), priceCents: 0 });
  // Refused, the press has the page read what is ordered.
  await mealCell(page, "Jade", addDays(monday, 1)).click();
  await page.getByRole("alert").getByText(/déjà/).waitFor();
  await mealCell(page, "Léo", addDays(monday, 4)).getByText("Réservée").waitFor();
  await page.getByRole("heading", { name: "Semaine du 08/03/2027" }).waitFor();
  await page.context().close();
});

test("on a phone, each link to an offered seat opens its day, whichever day was looked at", async () => {
  const days = [addDays(nextMonday, 1), addDays(nextMonday, 3)];
  const registrations = [canteen.registrations.secondChild, canteen.registrations.child];
  const waits = await query(
    `insert into meal_wait (registration_id, on_day, requested_by, state, requested_at, offered_until)
     select id, day, (select person_id from card where number = $3), 'offered', $4::timestamptz,
       $4::timestamptz + interval '2 hours'
     from unnest($1::uuid[], $2::date[]) as one (id, day) order by day returning id`,
    registrations,
    days,
    cast.guardian.cardnumber,
    now,
  );
  const [jades = {}, leos = {}] = waits;
  const page = await openWeek(phone, `?semaine=${nextMonday}#repas-${jades["id"]}`);
  const leave = (name: string) =>
    page.getByRole("button", { name: `Laisser cette place, ${name}` });
  await leave("Jade").waitFor();
  await page.getByRole("button", { name: /menu du lundi 15 mars/ }).click();
  await leave("Jade").waitFor({ state: "hidden" });
  await page.evaluate(`location.hash = "#repas-${leos["id"]}"`);
  await leave("Léo").waitFor();
  await expect.poll(() => page.getByText("Cela n’attend plus votre réponse.").count()).toBe(0);
  await query("delete from meal_wait");
  await page.context().close();
});

test("the review of a week fits a phone: a line a day, each child's wallet, the button", async () => {
  // No question: the week is taken as it is.
  await query("update canteen_dish set allergens = '{}'");
  for (const name of ["child", "secondChild"] as const) {
    const { items } = (await camille.get(`/api/wallets?cardnumber=${cast[name].cardnumber}`)).body;
    for (const one of items) await leaveToSpend(portal.server, one.objectID, 5000);
  }
  const page = await openWeek({ viewport: { width: 360, height: 740 } }, `?semaine=${nextMonday}`);
  await page.getByRole("checkbox", { name: "Tout cocher" }).click();
  await page.getByText(/^8 repas, 27,60/).waitFor();
  await page.getByRole("button", { name: "Commander", exact: true }).click();
  const paying = proposedPayment(page);
  await paying.getByText(/^Restauration, Jade/).waitFor();
  await paying.getByText(/^Restauration, Léo/).waitFor();
  const days = page.locator("summary");
  await expect.poll(() => days.count()).toBe(4);
  await days.first().getByText("lun. 15 mars").waitFor();
  await days.first().getByText("Jade, Léo").waitFor();
  await days.first().getByText(/^6,90/).waitFor();
  if (process.env["LENGTHS"]) {
    const length = await page.evaluate<number>("document.documentElement.scrollHeight");
    process.stdout.write(`review: ${length} px long at 360\n`);
  }
  // All of it is in sight at once, above the bar with its button.
  const inSight = async () => {
    const [first, last, button] = await Promise.all(
      [days.first(), paying, page.getByRole("button", { name: /^Payer 27,60/ })].map((one) =>
        one.boundingBox(),
      ),
    );
    return first && last && button && first.y > 0 && last.y + last.height <= button.y;
  };
  await expect.poll(inSight).toBe(true);
  await expect.poll(() => page.evaluate("scrollY")).toBe(0);
  expect(await violationsOf(page)).toEqual([]);
  await expectNoHorizontalScroll(page);

  // By keyboard: a meal is taken out under its day, another way to pay is one press away.
  await days.first().press("Enter");
  await page.getByRole("button", { name: /^Retirer lundi 15 mars, Léo, / }).press("Enter");
  await page.getByRole("button", { name: /^Payer 24,15/ }).waitFor();
  await paying.getByRole("button", { name: "Changer" }).press("Enter");
  const each = page.getByRole("radio", { name: /^La cagnotte de chacun/ });
  await expect.poll(() => each.evaluate((one) => one === document.activeElement)).toBe(true);
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole("button", { name: /^Payer 24,15/ }).press("Enter");
  await page.getByRole("heading", { name: "Vos repas sont commandés" }).waitFor();
  await page.getByText(/^Restauration, Jade Moreau/).waitFor();
  await page.getByText(/^Restauration, Léo Moreau/).waitFor();
  await expect.poll(async () => (await ordered()).length).toBe(7);
  await page.context().close();
});
