// The canteen from both sides at once, in two browsers: a family orders and the provider sees it arrive,
// one meal is refused, one cancelled, one served at the counter; each side learns it without a reload.
// And a school year ordered for three children, by the number of taps.
import { afterAll, beforeAll, expect, test } from "vitest";
import { addDays, todayInParis } from "#contract/days.ts";
import { formatDate } from "#contract/french.ts";
import { registerAt } from "#server/kitchen/kitchen.ts";
import { inTx } from "#server/db/db.ts";
import { chosenMeals, mealCell } from "../canteen-week.ts";
import { farMonday, makeCanteen, type MadeCanteen } from "../canteens.ts";
import { cast } from "../cast.ts";
import { showMealDay } from "../meals-month.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";

let portal: TestPortal;
let canteen: MadeCanteen;
const today = todayInParis();
// Of the staff kind: open on every working day, whatever day it runs.
beforeAll(async () => {
  portal = await openTestPortal();
  portal.server.deps.config.codeFromCents = 1_000_000;
  canteen = await makeCanteen(portal.server, {
    kind: "staff",
    classes: [],
    seats: 400,
    prices: [{ name: "Plein tarif", audience: "pupil", priceCents: 10 }],
  });
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

const query = async (text: string, ...values: unknown[]) =>
  (await portal.server.deps.pool.query(text, values)).rows;

test("ordered, refused, cancelled and served: each side sees what the other does", async () => {
  const monday = farMonday(today, [0, 1, 2]);
  const [first, second, third] = [monday, addDays(monday, 1), addDays(monday, 2)];
  const provider = await portal.open();
  await portal.signIn(provider, "canteenProvider");
  await provider.goto(`${portal.url}/partenaire/Suivi_cantine?du=${first}&au=${third}`);
  await provider.getByText("Aucun repas commandé ces jours-là.").waitFor();

  const family = await portal.open({ viewport: { width: 360, height: 800 } });
  await portal.login(family, "guardian");
  const page = `/commande/cantine/restauration-essai/${canteen.groupId}?semaine=${first}`;
  await family.goto(portal.url + page);
  for (const day of [first, second, third]) {
    await mealCell(family, "Léo", day).click();
  }
  await chosenMeals(family, 3).waitFor();
  await family.getByRole("button", { name: "Commander", exact: true }).click();
  await family.getByRole("button", { name: /^Payer/ }).click();
  await family.getByRole("heading", { level: 1, name: "Suivi des repas" }).waitFor();
  await provider.getByRole("button", { name: /^Réservée ?3/ }).waitFor();

  // The provider refuses the second, with a reason that the family reads as it stands.
  await provider.goto(`${portal.url}/partenaire/Suivi_cantine?du=${second}&au=${second}`);
  await provider.getByRole("checkbox", { name: new RegExp(cast.child.name) }).check();
  await provider.getByRole("button", { name: "Autres actions" }).click();
  await provider.getByRole("menuitem", { name: "Refuser…" }).click();
  await provider.getByRole("textbox", { name: "Motif" }).fill("Panne du four");
  await provider.getByRole("button", { name: "Refuser les repas" }).click();
  await showMealDay(family, second);
  await family.getByText("Refusée", { exact: true }).waitFor();
  await family.getByText("Panne du four").waitFor();

  // The family cancels the last; the provider, who looks at that day, sees it go.
  await provider.goto(`${portal.url}/partenaire/Suivi_cantine?du=${third}&au=${third}`);
  await provider.getByRole("button", { name: /^Réservée ?1/ }).waitFor();
  await showMealDay(family, third);
  await family.getByRole("button", { name: "Annuler", exact: true }).click();
  await family.getByRole("alertdialog").getByRole("button", { name: "Annuler le repas" }).click();
  await provider.getByRole("button", { name: /^Annulée ?1/ }).waitFor();
  await family.getByText("Annulée", { exact: true }).waitFor();

  // The day of the first comes.
  await query("update canteen_day set on_day = $1 where on_day = $2", today, first);
  await query("update meal_order set on_day = $1 where on_day = $2", today, first);
  await family.goto(`${portal.url}/commande/cantine/suivi?jour=${today}`);
  await family.getByText("Réservée", { exact: true }).waitFor();
  await provider.goto(`${portal.url}/partenaire/validation`);
  await provider.getByText("0 servi sur 1").waitFor();
  await provider
    .getByRole("button", { name: new RegExp(cast.child.name) })
    .first()
    .click();
  await provider.getByRole("status").first().getByText("Servi", { exact: true }).waitFor();
  await family.getByText("Servie", { exact: true }).waitFor();
  await family.getByText(/^Servi à \d\d:\d\d$/).waitFor();
  const states = await query("select state from meal_order order by number");
  expect(states.map(({ state }) => state)).toEqual(["served", "refused", "cancelled"]);
});

test("meals of many months for three children take fewer than 60 taps", async () => {
  await query("delete from meal_scan; delete from meal_order; delete from canteen_day");
  const [third] = await query(
    `insert into family_tie (guardian_id, member_id, role)
     select guardian.person_id, child.person_id, 'child' from card guardian, card child
     where guardian.number = ${cast.guardian.cardnumber} and child.number = ${cast.resetPending.cardnumber}
     returning member_id as id`,
  );
  // A child of the house as the other two: an adult would be nobody's.
  await query(`update person set born_on = '${addDays(today, -3000)}' where id = ${third?.["id"]}`);
  await inTx(portal.server.deps.db, (tx) =>
    registerAt(tx, canteen.id, {
      personId: Number(third?.["id"]),
      audience: "pupil",
      by: Number(third?.["id"]),
      at: portal.server.clock.now(),
    }),
  );
  const page = await portal.open({ viewport: { width: 360, height: 800 } });
  await portal.login(page, "guardian");
  let taps = 0;
  const tap = async (role: "button" | "tab" | "link", name: string | RegExp) => {
    await page.getByRole(role, { name, ...(typeof name === "string" && { exact: true }) }).click();
    taps += 1;
  };
  await tap("tab", "Commandes");
  await tap("link", "Commander, Les Tables du Lagon");
  await tap("button", /^Commander par semaines$/i);
  // Who, which days and from when are chosen already; the end is typed so that the day of the test is all one.
  await page.getByRole("textbox", { name: "Au" }).fill(formatDate(addDays(today, 280)));
  taps += 1;
  await tap("button", "Ajouter à mon choix");
  await tap("button", "Voir mon choix");
  await tap("button", /^Payer/);
  await page.getByRole("heading", { level: 1, name: "Suivi des repas" }).waitFor();
  const [ordered] = await query(
    "select count(*)::int as meals, count(distinct person_id)::int as people from meal_order",
  );
  expect(ordered?.["people"]).toBe(3);
  expect(ordered?.["meals"]).toBeGreaterThan(400);
  expect(taps).toBe(7);
  expect(taps).toBeLessThan(60);
});
