// A full service from two families' sides: one waits for a seat, the other cancels, the seat is offered and
// ordered; each screen learns it without a reload.
import { afterAll, beforeAll, expect, test } from "vitest";
import { addDays, todayInParis } from "#contract/days.ts";
import { registerAt } from "#server/kitchen/kitchen.ts";
import { inTx } from "#server/db/db.ts";
import { violationsOf } from "../axe.ts";
import { cast } from "../cast.ts";
import { chosenMeals, dayDetails, mealCell } from "../canteen-week.ts";
import { farMonday, makeCanteen, type MadeCanteen, placeMeal } from "../canteens.ts";
import { expectNoHorizontalScroll } from "../page-width.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";

let portal: TestPortal;
let canteen: MadeCanteen;
let hugos: string;
/** Every deadline is far, and this day and the next are open. */
const monday = farMonday(todayInParis(), [0, 1]);
// Open every day of the week, so that the journey is the same whatever day it runs.
beforeAll(async () => {
  portal = await openTestPortal();
  canteen = await makeCanteen(portal.server, {
    kind: "staff",
    weekdays: [0, 1, 2, 3, 4, 5, 6],
    classes: [],
    seats: 1,
  });
  const { rows } = await portal.server.deps.pool.query(
    "select person_id as id from card where number = $1",
    [cast.stranger.cardnumber],
  );
  const [{ id }] = rows;
  const at = portal.server.deps.now();
  hugos = await inTx(portal.server.deps.db, (tx) =>
    registerAt(tx, canteen.id, { personId: id, audience: "pupil", by: id, at }),
  );
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

test.each([
  { width: 360, colorScheme: "dark", day: monday },
  { width: 1280, colorScheme: "light", day: addDays(monday, 1) },
] as const)(
  "at $width px: full, waited for, offered when another family cancels, ordered",
  async ({ width, colorScheme, day }) => {
    await placeMeal(portal.server, { registration: hugos, day });
    const page = await portal.open({ viewport: { width, height: 800 }, colorScheme });
    await portal.login(page, "guardian");
    const week = `/commande/cantine/restauration-essai/${canteen.groupId}?semaine=${monday}`;
    await page.goto(portal.url + week);
    const details = dayDetails(page, day);
    const press = (name: string) => mealCell(page, name, day).click();
    const fits = async (step: string) => {
      expect(await violationsOf(page), step).toEqual([]);
      await expectNoHorizontalScroll(page, step);
    };
    // The cell leads to what can be done about a full service, which is more than a press.
    const full = mealCell(page, "Léo", day);
    await full.getByText("Complet").waitFor();
    await full.focus();
    await page.keyboard.press("Enter");
    await details.locator("button:focus", { hasText: "Attendre une place" }).waitFor();
    await fits("full");
    await page.keyboard.press("Enter");
    await details.getByText("En attente, 1er").waitFor();
    await details.getByRole("button", { name: /^Attendre une place, Jade/ }).click();
    await details.getByText("En attente, 2e").waitFor();
    await fits("waiting");

    const other = await portal.open();
    await portal.signIn(other, "stranger");
    await other.goto(portal.url + week);
    await mealCell(other, "Hugo", day).click();
    await other.getByRole("alertdialog").getByRole("button", { name: "Annuler le repas" }).click();
    await details.getByText(/^Place gardée jusqu’à \d\d:\d\d$/).waitFor();
    await details.getByText("En attente, 1er").waitFor();
    await fits("offered");
    await dayDetails(other, day).getByText("Complet").waitFor();

    await details.getByRole("button", { name: /^Ne plus attendre, Jade/ }).click();
    await details.getByRole("button", { name: /^Attendre une place, Jade/ }).waitFor();
    await press("Léo");
    await chosenMeals(page, 1).waitFor();
    await page.getByRole("button", { name: "Commander", exact: true }).click();
    await page.getByRole("button", { name: /^Payer/ }).click();
    await page.getByRole("heading", { level: 1, name: "Suivi des repas" }).waitFor();
    await page.goto(portal.url + week);
    await mealCell(page, "Léo", day).getByText("Réservée").waitFor();
  },
);
