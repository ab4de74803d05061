// The evening before a deadline: the notice opens the week with the usual meals ticked, and the bar at the foot orders
// them.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { addDays, instantOfParis } from "#contract/days.ts";
import { remindBeforeDeadlines } from "#server/meals/evening-reminders.ts";
import { violationsOf } from "../axe.ts";
import { chosenMeals, mealCell } from "../canteen-week.ts";
import { makeCanteen, type MadeCanteen } from "../canteens.ts";
import { cast } from "../cast.ts";
import { expectNoHorizontalScroll } from "../page-width.ts";
import type { Client } from "../test-server.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";

// Sunday evening: the meals of Tuesday are ordered until Monday at 10:00.
const monday = "2027-03-08";
const [tuesday, thursday] = [addDays(monday, 1), addDays(monday, 3)];
const evening = instantOfParis(addDays(monday, -1), "18:30");

let portal: TestPortal;
let canteen: MadeCanteen;
let camille: Client;
beforeAll(async () => {
  portal = await openTestPortal();
  portal.server.clock.freeze();
  portal.server.clock.advance(evening.getTime() - portal.server.clock.now().getTime());
  canteen = await makeCanteen(portal.server, { kind: "staff", seats: 100 });
  const { child, secondChild } = canteen.registrations;
  await query(
    `insert into canteen_menu (provider_id, on_day, published_at)
     select $1, $2::date + n, now() from generate_series(0, 4) n`,
    canteen.providerId,
    monday,
  );
  await query(
    `insert into canteen_dish (menu_id, place, course, name, allergens, labels)
     select id, 1, 'main', case when on_day = $1 then 'Tarte aux noix' else 'Dahl de lentilles' end,
       case when on_day = $1 then '{nuts}'::text[] else '{}' end, '{}' from canteen_menu`,
    thursday,
  );
  await query(
    `with who as (select person_id as id from card where number = $1), paid as (
       insert into meal_request (person_id, provider_id, state, opened_at, paid_at)
       select id, $2, 'paid', now(), now() from who returning id)
     insert into meal_order (request_id, canteen_id, registration_id, person_id, ordered_by, on_day,
       state, price_cents, price_reason, late_cancel_percent, absence_percent, ordered_at, served_at)
     select paid.id, r.canteen_id, r.id, r.person_id, who.id, day::date - 7 * n, 'served', 0, '', 100,
       100, now(), now()
     from who, paid, canteen_registration r, unnest($4::date[]) day, generate_series(1, 4) n
     where r.id = any ($3)`,
    cast.guardian.cardnumber,
    canteen.providerId,
    [child, secondChild],
    [tuesday, thursday],
  );
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
  await query("delete from meal_order where state = 'reserved'");
  await query("delete from meal_notice");
  await query("delete from notification");
  await remindBeforeDeadlines(portal.server.deps);
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

const query = async (text: string, ...values: unknown[]) =>
  (await portal.server.deps.pool.query(text, values)).rows;
const first = (name: unknown) => String(name).split(" ")[0];
const ordered = async () =>
  (
    await query(
      `select p.name, to_char(o.on_day, 'YYYY-MM-DD') as day from meal_order o
       join person p on p.id = o.person_id where o.state = 'reserved' order by 2, 1`,
    )
  ).map((row) => `${first(row["name"])} ${row["day"]}`);
const chosen = async () =>
  (
    await query(
      `select p.name, to_char(l.on_day, 'YYYY-MM-DD') as day from meal_request_line l
       join canteen_registration r on r.id = l.registration_id join person p on p.id = r.person_id
       join meal_request q on q.id = l.request_id where q.state = 'open' order by 2, 1`,
    )
  ).map((row) => `${first(row["name"])} ${row["day"]}`);

const usual = [`Jade ${tuesday}`, `Léo ${tuesday}`, `Jade ${thursday}`];

async function openPage(form: Parameters<TestPortal["open"]>[0]): Promise<Page> {
  const page = await portal.open(form);
  await page.clock.setFixedTime(portal.server.clock.now());
  await portal.signIn(page, "guardian");
  return page;
}
const weekPath = () =>
  `/commande/cantine/restauration-essai/${canteen.groupId}?semaine=${monday}&habitude=1`;
const phone = { viewport: { width: 360, height: 640 } };
const desk = { viewport: { width: 1280, height: 900 } };

// proves: order-reminders
test("by keyboard, the notice opens the week ticked, and the bar at its foot orders it", async () => {
  const page = await openPage({ ...phone, colorScheme: "dark" });
  await page.goto("/dashboard");
  await page.getByRole("button", { name: /^Notifications/ }).focus();
  await page.keyboard.press("Enter");
  const notice = page
    .getByRole("dialog")
    .getByRole("link", { name: /repas à commander avant lundi 10:00/ });
  await notice.waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await notice.focus();
  await page.keyboard.press("Enter");

  await page.getByText("Vos repas habituels sont cochés.").waitFor();
  await page.getByText(/^1 repas habituel est à vérifier avant d’être coché/).waitFor();
  await chosenMeals(page, 3).waitFor();
  await expect.poll(chosen).toEqual(usual);
  await expect.poll(ordered).toEqual([]);
  await expect.poll(() => mealCell(page, "Léo", tuesday).getAttribute("aria-pressed")).toBe("true");
  await expect
    .poll(() => mealCell(page, "Léo", thursday).getAttribute("aria-pressed"))
    .toBe("false");
  // A reload ticks nothing anew.
  await expect.poll(() => page.url()).not.toContain("habitude");
  expect(await violationsOf(page)).toEqual([]);
  await expectNoHorizontalScroll(page);

  await page.getByRole("button", { name: "Commander", exact: true }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: /^Payer 10,35/ }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Suivi des repas" }).waitFor();
  await expect.poll(ordered).toEqual(usual);

  // The notice is read again once everything is ordered.
  await page.goto(weekPath());
  await page.getByText(/^1 repas habituel est à vérifier/).waitFor();
  await expect.poll(chosen).toEqual([]);
  await page.context().close();
});

test("« Tout décocher » empties what was ticked, keeps the keyboard, and ticks it again", async () => {
  const page = await openPage(desk);
  await page.goto(weekPath());
  await chosenMeals(page, 3).waitFor();
  await page.getByRole("button", { name: "Tout décocher" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("Vos repas habituels sont décochés.").waitFor();
  await expect.poll(chosen).toEqual([]);
  const again = page.getByRole("button", { name: "Cocher de nouveau" });
  await expect.poll(() => again.evaluate((button) => button === document.activeElement)).toBe(true);
  await page.reload();
  await page.getByRole("button", { name: /^Comme d’habitude/ }).waitFor();
  await expect.poll(chosen).toEqual([]);
  await page.goto(weekPath());
  await page.getByRole("button", { name: "Tout décocher" }).click();
  await again.click();
  await expect.poll(chosen).toEqual(usual);
  await page.context().close();
});

test("a choice in progress stays as it is, and after the deadline there is nothing to tick", async () => {
  const meals = [{ registration: canteen.registrations.secondChild, day: addDays(monday, 2) }];
  await camille.post("/api/canteen/requests/lines", {
    idgroup: canteen.groupId,
    meals,
    chosen: true,
  });
  const page = await openPage(desk);
  await page.goto(weekPath());
  await page
    .getByText("Des repas étaient déjà choisis\u202f: votre choix n’a pas changé.")
    .waitFor();
  await chosenMeals(page, 1).waitFor();
  await expect.poll(chosen).toEqual([`Jade ${addDays(monday, 2)}`]);
  await camille.post("/api/canteen/requests/drop", { idgroup: canteen.groupId });
  await page.goto(weekPath().replace(monday, addDays(monday, -7)));
  await page.getByText(/^Rien à cocher\u202f: vos repas habituels sont commandés/).waitFor();
  await expect.poll(chosen).toEqual([]);
  await page.context().close();
});

test("the reminder is left out of the bell, and of the e-mail, in « Notifications »", async () => {
  const page = await openPage(phone);
  await page.goto("/profil/notifications");
  const group = page.getByRole("group", { name: "Rappel avant la fin des commandes" });
  const bell = group.getByRole("switch", { name: "Cloche" });
  await bell.waitFor();
  await expect.poll(() => bell.isChecked()).toBe(true);
  await expect.poll(() => page.getByRole("switch", { name: "Cloche" }).count()).toBe(1);
  await bell.focus();
  await page.keyboard.press("Space");
  await expect
    .poll(() => query("select kind, channel, enabled from notification_choice"))
    .toEqual([{ kind: "meal_reminder", channel: "bell", enabled: false }]);
  await page.reload();
  await bell.waitFor();
  await expect.poll(() => bell.isChecked()).toBe(false);
  expect(await violationsOf(page)).toEqual([]);
  await expectNoHorizontalScroll(page);
  await page.context().close();
});
