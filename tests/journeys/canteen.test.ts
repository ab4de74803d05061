// The canteen in a browser, as a family: meals of a week and of a period, an allergen, paying, cancelling,
// registering a child.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { addDays, todayInParis } from "#contract/days.ts";
import { formatDate, formatDayInWords, formatShortDay } from "#contract/french.ts";
import { nextWorkingDay, workingDaysAfter } from "#contract/working-days.ts";
import { violationsOf } from "../axe.ts";
import { cast } from "../cast.ts";
import { chosenMeals, dayDetails, mealCell } from "../canteen-week.ts";
import { farMonday, makeCanteen, type MadeCanteen, placeMeal } from "../canteens.ts";
import { showMealDay } from "../meals-month.ts";
import { holdAnswers, loseAnswers } from "../late-answers.ts";
import { expectNoHorizontalScroll } from "../page-width.ts";
import type { Client } from "../test-server.ts";
import { showPayments } from "../payment-choice.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";

let portal: TestPortal;
let page: Page;
let camille: Client;
let canteen: MadeCanteen;
// Open every day of the week, so that the journey is the same whatever day it runs.
beforeAll(async () => {
  portal = await openTestPortal();
  canteen = await makeCanteen(portal.server, {
    kind: "staff",
    weekdays: [0, 1, 2, 3, 4, 5, 6],
    classes: ["CE1", "CM2"],
    seats: 40,
  });
  page = await portal.open();
  await portal.login(page, "guardian");
});
beforeEach(async () => {
  camille = await portal.server.as("guardian");
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

const provider = () => `${portal.url}/commande/cantine/restauration-essai/${canteen.groupId}`;
/** Every deadline is far, and the days that are ordered of its weeks are open. */
const monday = farMonday(todayInParis(), [0, 1, 3, 4, 5, 7, 8]);
const coming = async () => (await camille.get("/api/canteen/orders?when=coming")).body.items;

// proves: focus
test("two meals are chosen, paid and set aside; one is cancelled for nothing", async () => {
  await page.goto(`${portal.url}/commande/cantine`);
  await page.getByRole("link", { name: /Les Tables du Lagon/ }).click();
  await page.getByRole("button", { name: "Commander par semaines" }).waitFor();
  await page.goto(`${provider()}?semaine=${addDays(monday, -7)}`);
  await page.getByRole("button", { name: "Semaine suivante" }).click();
  await mealCell(page, "Léo", monday).click();
  await mealCell(page, "Jade", addDays(monday, 1)).click();
  await page.getByText(/^2 repas, 6,90/).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Commander", exact: true }).click();
  await page.getByRole("heading", { name: "Vérifiez avant de commander" }).waitFor();
  await page.getByRole("button", { name: /^Payer 6,90/ }).click();
  await page.getByRole("heading", { level: 1, name: "Suivi des repas" }).waitFor();
  const orders = await coming();
  expect(orders.map(({ state }: { state: string }) => state)).toEqual(["reserved", "reserved"]);
  await page.getByText("Réservée").first().waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await showMealDay(page, monday);
  const cancel = page.getByRole("button", { name: "Annuler", exact: true });
  await cancel.press("Enter");
  const confirmation = page.getByRole("alertdialog");
  await confirmation.getByText(/Annulation gratuite, 3,45.€ recrédités/).waitFor();
  // Given up, the keyboard is back where it was; done, at the day whose meal is no longer there to press.
  await page.keyboard.press("Escape");
  await page.locator("button:focus", { hasText: "Annuler" }).waitFor();
  await page.keyboard.press("Enter");
  await confirmation.getByText(/Annulation gratuite/).waitFor();
  await confirmation.getByRole("button", { name: "Annuler le repas" }).press("Enter");
  await confirmation.waitFor({ state: "hidden" });
  await page.locator("h2:focus", { hasText: new RegExp(formatDayInWords(monday), "i") }).waitFor();
  await expect
    .poll(async () => (await coming()).map(({ state }: { state: string }) => state).toSorted())
    .toEqual(["cancelled", "reserved"]);
});

test("a server that is slow: each meal shows at its press, and none is lost", async () => {
  await page.goto(`${provider()}?semaine=${monday}`);
  const restore = holdAnswers(portal, /^\/api\/canteen\/requests\/lines$/);
  const chosen = [
    mealCell(page, "Léo", addDays(monday, 4)),
    mealCell(page, "Jade", addDays(monday, 4)),
    mealCell(page, "Léo", addDays(monday, 5)),
  ];
  for (const meal of chosen) {
    await meal.click();
    await expect.poll(() => meal.getAttribute("aria-pressed")).toBe("true");
  }
  restore();
  await chosenMeals(page, 3).waitFor();

  // Paid, but the answer is lost: the choice is over, and what was ordered is seen.
  await page.getByRole("button", { name: "Commander", exact: true }).click();
  const found = loseAnswers(portal, /^\/api\/canteen\/requests\/pay$/);
  await page.getByRole("button", { name: /^Payer / }).click();
  await page.getByText("Aucun repas n’attend d’être commandé.").waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole("link", { name: "Voir les repas commandés" }).click();
  await page.getByRole("heading", { level: 1, name: "Suivi des repas" }).waitFor();
  // The browser itself may send again what was cut; answered then, it leads there by itself.
  found();
  await expect
    .poll(
      async () =>
        (await coming()).filter(({ state }: { state: string }) => state === "reserved").length,
    )
    .toBeGreaterThanOrEqual(3);
});

test("the address of a message opens the cancelling of its meal", async () => {
  const day = addDays(monday, 8);
  const id = await placeMeal(portal.server, {
    registration: canteen.registrations.child,
    day,
    priceCents: 100,
  });
  await page.goto(`${portal.url}/commande/cantine/suivi?annuler=${id}`);
  const confirmation = page.getByRole("alertdialog");
  await confirmation.getByText(/le repas reste dû, 1,00.€. Rien n’est recrédité/).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await confirmation.getByRole("button", { name: "Annuler le repas" }).click();
  await confirmation.waitFor({ state: "hidden" });
  await expect.poll(() => new URL(page.url()).searchParams.has("annuler")).toBe(false);
  const { rows } = await portal.server.deps.pool.query(
    "select state from meal_order where id = $1",
    [id],
  );
  expect(rows).toEqual([{ state: "cancelled" }]);
});

test("a period by weekdays in three taps; a closed day is left out with its reason", async () => {
  const closing = addDays(monday, 7);
  await portal.server.deps.pool.query(
    `insert into canteen_closing (canteen_id, from_on, to_on, reason, created_at)
     values ($1, $2, $2, 'Travaux en cuisine', now())`,
    [canteen.id, closing],
  );
  // The dialog proposes all days until the registrations end; without an end, those until 31 August.
  await portal.server.deps.pool.query("update canteen_registration set until_on = $1", [
    addDays(closing, 100),
  ]);
  await page.goto(`${provider()}?semaine=${closing}`);
  await page.getByText(/: Travaux en cuisine$/).waitFor();
  await page.getByRole("button", { name: "Commander par semaines" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Ajouter à mon choix" }).click();
  await dialog.getByText(/repas ajoutés/).waitFor();
  await dialog.getByText(/Travaux en cuisine : 2 repas/).waitFor();
  await dialog.getByRole("button", { name: "Voir mon choix" }).click();
  // To what was chosen, whatever week the page showed: by day, child and canteen, from the first one on.
  const review = page.getByRole("heading", { name: "Vérifiez avant de commander" });
  await expect
    .poll(() => review.evaluate((heading) => heading === heading.ownerDocument.activeElement))
    .toBe(true);
  const { request } = (
    await camille.get(`/api/canteen/providers/${canteen.groupId}/week?day=${monday}`)
  ).body;
  const [first] = request.lines;
  // A line a week, a line a day, then the meals.
  await page.locator("summary", { hasText: "Semaine du" }).first().click();
  await page.locator("summary", { hasText: formatShortDay(first.day) }).click();
  await page
    .getByRole("button", { name: new RegExp(`^Retirer ${formatDayInWords(first.day)}, `) })
    .first()
    .waitFor();
  await page.getByRole("button", { name: "Continuer à choisir" }).click();
  await dayDetails(page, first.day).waitFor();
  await page.getByRole("button", { name: "Commander", exact: true }).click();
  await page.getByRole("button", { name: "Vider le choix" }).click();
  await page.getByText(/^\d+ repas, /).waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Commander par semaines" }).waitFor();
});

test("an allergen of the menu is told before, and confirmed", async () => {
  const day = addDays(monday, 3);
  const { rows } = await portal.server.deps.pool.query(
    `insert into canteen_menu (provider_id, on_day, published_at) values ($1, $2, now())
     returning id`,
    [canteen.providerId, day],
  );
  await portal.server.deps.pool.query(
    `insert into canteen_dish (menu_id, place, course, name, allergens, price_cents)
     values ($1, 1, 'main', 'Poulet satay', '{peanuts}', 420)`,
    [rows[0].id],
  );
  await camille.post("/api/health-record", {
    cardnumber: cast.child.cardnumber,
    allergens: ["peanuts"],
    note: "",
    consent: true,
  });
  await page.goto(`${provider()}?semaine=${monday}`);
  await dayDetails(page, day)
    .getByText(/Poulet satay · 4,20\s€/)
    .waitFor();
  await mealCell(page, "Léo", day).click();
  const warning = page.getByRole("alertdialog", { name: "Un allergène est au menu" });
  await warning.getByText(/arachides/).waitFor();
  await warning.getByRole("button", { name: "Ne pas commander" }).click();
  await expect.poll(() => page.getByText(/^\d+ repas, /).count()).toBe(0);
  await mealCell(page, "Léo", day).click();
  await warning.getByRole("button", { name: "Commander quand même" }).click();
  await chosenMeals(page, 1).waitFor();

  // What nobody has declared warns as well; what is declared to be without does not.
  const declare = (allergens: string | null) =>
    portal.server.deps.pool.query("update canteen_dish set allergens = $1 where menu_id = $2", [
      allergens,
      rows[0].id,
    ]);
  await mealCell(page, "Léo", day).click();
  await page.getByText(/^\d+ repas, /).waitFor({ state: "hidden" });
  await declare(null);
  await page.reload();
  await dayDetails(page, day).getByText("Allergènes non renseignés", { exact: true }).waitFor();
  await mealCell(page, "Léo", day).click();
  const undeclaredWarning = page.getByRole("alertdialog", {
    name: "Des allergènes ne sont pas renseignés",
  });
  await undeclaredWarning.getByText(/vous en avez déclaré pour Léo/).waitFor();
  await undeclaredWarning.getByRole("button", { name: "Commander quand même" }).click();
  await chosenMeals(page, 1).waitFor();
  await mealCell(page, "Léo", day).click();
  await page.getByText(/^\d+ repas, /).waitFor({ state: "hidden" });
  await declare("{}");
  await page.reload();
  await dayDetails(page, day).getByText("Aucun allergène", { exact: true }).waitFor();
  await mealCell(page, "Léo", day).click();
  await chosenMeals(page, 1).waitFor();
});

test("allergens declared after a meal was ordered ask to review it; taken back, no longer, at once", async () => {
  const { rows } = await portal.server.deps.pool.query(
    `insert into canteen_menu (provider_id, on_day, published_at) values ($1, $2, now())
     returning id`,
    [canteen.providerId, addDays(monday, 1)],
  );
  await portal.server.deps.pool.query(
    `insert into canteen_dish (menu_id, place, course, name, allergens, price_cents)
     values ($1, 1, 'main', 'Pâtes au pesto', '{nuts}', 420)`,
    [rows[0].id],
  );
  await page.goto(`${portal.url}/profil/allergenes?carte=${cast.secondChild.cardnumber}`);
  await page.getByRole("checkbox", { name: "Fruits à coque" }).check();
  await page.getByRole("checkbox", { name: /J’accepte/ }).check();
  await page.getByRole("button", { name: "Enregistrer" }).click();
  const review = page.getByText("1 repas commandé est à revoir.");
  await review.waitFor();
  await page.getByRole("button", { name: "Tout effacer" }).click();
  await page.getByRole("button", { name: "Effacer", exact: true }).click();
  await review.waitFor({ state: "detached" });
});

test("a card is registered; the request waits and is taken back; who cannot be says why", async () => {
  await page.goto(provider());
  await page.getByRole("button", { name: "Inscrire", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Inscrire à la cantine" });
  await dialog.getByRole("button", { name: "Demander l’inscription" }).click();
  await dialog.getByText("Choisissez une personne.").waitFor();
  const who = dialog.getByLabel("Qui");
  await expect
    .poll(async () => (await who.locator("option:disabled").allInnerTexts()).toSorted())
    .toEqual([
      `${cast.secondChild.name} (inscription déjà faite ou demandée)`,
      `${cast.child.name} (inscription déjà faite ou demandée)`,
    ]);
  await who.selectOption({ label: cast.guardian.name });
  await dialog.getByLabel("Classe").selectOption("CM2");
  await dialog.getByRole("button", { name: "Demander l’inscription" }).click();
  await dialog.waitFor({ state: "hidden" });
  await page.getByText("Demandée").waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole("button", { name: `Retirer ${cast.guardian.name}` }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Retirer la demande" }).click();
  await page.getByText("Terminée").waitFor();
});

test("a registration says until when it counts; the reminder of the next year leads to its form", async () => {
  const { child, secondChild } = canteen.registrations;
  const change =
    "update canteen_registration set state = $2, until_on = $3, diet = 'no_pork' where id = $1";
  const { pool } = portal.server.deps;
  await pool.query(change, [child, "accepted", addDays(monday, 300)]);
  await pool.query(change, [secondChild, "ended", addDays(todayInParis(), -1)]);
  await pool.query("update canteen_registration set ended_at = now() where id = $1", [secondChild]);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(provider());
  await page.getByText(`Jusqu’au ${formatDate(addDays(monday, 300))}`).waitFor();
  await expect
    .poll(() => page.getByRole("button", { name: `Réinscrire ${cast.child.name}` }).count())
    .toBe(0);
  await page.getByRole("button", { name: `Réinscrire ${cast.secondChild.name}` }).waitFor();

  await page.goto(`${provider()}?inscrire=${secondChild}`);
  const dialog = page.getByRole("dialog", { name: "Réinscrire Jade" });
  await dialog.getByText(/L’inscription s’est terminée le/).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await expect.poll(() => dialog.getByLabel("Régime").inputValue()).toBe("no_pork");
  await dialog.getByRole("button", { name: "Demander l’inscription" }).click();
  await dialog.getByText("Choisissez une classe.").waitFor();
  await dialog.getByLabel("Classe").selectOption("CM2");
  await dialog.getByRole("button", { name: "Demander l’inscription" }).click();
  await dialog.waitFor({ state: "hidden" });
  await expect.poll(() => new URL(page.url()).search).toBe("");
  await page.getByText("Demandée").waitFor();
  const renew = page.getByRole("button", { name: `Réinscrire ${cast.secondChild.name}` });
  await expect.poll(() => renew.count()).toBe(0);
});

test("providers say whether they are open; near me, allowed, how far they are, in no address", async () => {
  await portal.server.deps.pool.query(
    `insert into partner_hours (partner_id, weekday, opens, closes)
     select id, weekday, '00:00', '24:00' from partner, generate_series(1, 7) weekday
     where reference = 'cantine-essai'`,
  );
  const near = await portal.open({
    viewport: { width: 360, height: 740 },
    geolocation: { latitude: 48.609, longitude: -2 },
    permissions: ["geolocation"],
  });
  await portal.signIn(near, "guardian");
  await near.goto(`${portal.url}/commande/cantine`);
  const one = near.getByRole("link", { name: /Les Tables du Lagon/ });
  await one.getByText("Ouvert", { exact: true }).waitFor();
  await one.getByText("jusqu’à minuit").waitFor();
  await expect.poll(() => one.getByText(/km/).count()).toBe(0);
  await near.getByRole("button", { name: "Autour de moi" }).click();
  await one.getByText(/1,0\skm/).waitFor();
  await expect.poll(() => near.url()).not.toContain("48.6");
  expect(await violationsOf(near)).toEqual([]);
  await expectNoHorizontalScroll(near);
  await near.context().close();
});

test("near me, not allowed: said with what is left to do", async () => {
  await page.goto(`${portal.url}/commande/cantine`);
  await page.getByRole("button", { name: "Autour de moi" }).click();
  const alert = page.getByRole("alert");
  await alert.getByText(/ne donne pas votre position/).waitFor();
  await expect.poll(() => alert.getByText(/code postal/).count()).toBe(0);
});

test("whoever waits for a new card is still registered, followed and, with the reason, shown to pay", async () => {
  await camille.post("/api/canteen/requests/drop", { idgroup: canteen.groupId });
  const day = workingDaysAfter(monday, 42);
  const { status } = await camille.post("/api/canteen/requests/lines", {
    idgroup: canteen.groupId,
    meals: [{ registration: canteen.registrations.child, day }],
    chosen: true,
  });
  expect(status).toBe(200);
  await placeMeal(portal.server, {
    registration: canteen.registrations.child,
    day: nextWorkingDay(day),
    priceCents: 0,
  });
  const lost = await camille.post(`/api/cards/${cast.child.cardnumber}/oppose`, { reason: "lost" });
  expect(lost.status, lost.text).toBe(200);
  await page.goto(provider());
  await page.getByRole("button", { name: "Inscrire", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Inscrire à la cantine" });
  const named = dialog.getByLabel("Qui").locator("option", { hasText: cast.child.name });
  await named.waitFor({ state: "attached" });
  await page.goto(`${provider()}?semaine=${monday}&etape=commander`);
  await showPayments(page);
  await page.getByText(/^Restauration, Léo\s: Sa carte ne peut pas payer en ce moment/).waitFor();
  await expect.poll(() => page.getByRole("radio", { name: /Léo/ }).count()).toBe(0);
  await page.goto(`${portal.url}/commande/cantine/suivi?jour=${nextWorkingDay(day)}`);
  await page.getByRole("button", { name: "Documents" }).click();
  await page.getByRole("menuitem", { name: /\sde Léo \(PDF\)$/ }).waitFor();
  await page.keyboard.press("Escape");
  // The meal stays; its code does not, and says what does.
  await page.getByRole("button", { name: "Code du repas de Léo" }).first().click();
  await page.getByText(/Le repas est gardé\s: au comptoir, donnez le nom/).waitFor();
});
