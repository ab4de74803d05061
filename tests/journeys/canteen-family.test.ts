// The canteen outside its own screens: « Commandes » of the dashboard and « Repas » of a child's page.
import { afterAll, beforeAll, expect, test } from "vitest";
import { addDays, startOfWeek, todayInParis } from "#contract/days.ts";
import { formatDate, formatDayInWords } from "#contract/french.ts";
import { violationsOf } from "../axe.ts";
import { cast } from "../cast.ts";
import { makeCanteen, type MadeCanteen, placeMeal } from "../canteens.ts";
import { expectNoHorizontalScroll } from "../page-width.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";

let portal: TestPortal;
let canteen: MadeCanteen;
const today = todayInParis();
const later = addDays(today, 3);
// Open every day of the week, so that the journey is the same whatever day it runs.
beforeAll(async () => {
  portal = await openTestPortal();
  canteen = await makeCanteen(portal.server, { kind: "staff", weekdays: [0, 1, 2, 3, 4, 5, 6] });
  const { child, secondChild } = canteen.registrations;
  await placeMeal(portal.server, { registration: child, day: later });
  await placeMeal(portal.server, { registration: secondChild, day: later, priceCents: 0 });
  await placeMeal(portal.server, { registration: child, day: addDays(today, -2) });
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

test.each([
  { width: 360, colorScheme: "dark" },
  { width: 1280, colorScheme: "light" },
] as const)(
  "at $width px: the dashboard's orders lead to order and to follow; a child's page has its meals",
  async ({ width, colorScheme }) => {
    const page = await portal.open({ viewport: { width, height: 800 }, colorScheme });
    const fits = async () => {
      expect(await violationsOf(page)).toEqual([]);
      await expectNoHorizontalScroll(page);
    };
    await portal.login(page, "guardian");
    await page.getByRole("tab", { name: "Commandes" }).click();
    await page.getByRole("heading", { name: new RegExp(formatDayInWords(later), "i") }).waitFor();
    await page.getByText("Léo · École des Embruns").waitFor();
    await page.getByText("Jade · École des Embruns").waitFor();
    await page
      .getByText(/Prochaine commande à faire jusqu’(à aujourd’hui|à demain|au \p{L}{3}\. )/u)
      .waitFor();
    await fits();
    if (process.env["SHOTS"])
      await page.screenshot({ path: `${process.env["SHOTS"]}/tab-${width}.png`, fullPage: true });
    await expect.poll(() => new URL(page.url()).searchParams.get("onglet")).toBe("commandes");
    const order = page.getByRole("link", { name: "Commander, Les Tables du Lagon" });
    await expect
      .poll(() => order.getAttribute("href"))
      .toBe(`/commande/cantine/restauration-essai/${canteen.groupId}`);
    await page.getByRole("main").getByRole("link", { name: "Suivi des repas" }).click();
    await page.getByRole("heading", { level: 1, name: "Suivi des repas" }).waitFor();

    await page.goto(`${portal.url}/family/${cast.child.cardnumber}`);
    await page.getByRole("tab", { name: "Repas" }).click();
    await page.getByText("Acceptée").waitFor();
    await page.getByText("Réservée").waitFor();
    await expect.poll(() => page.getByText("Jade · École des Embruns").count()).toBe(0);
    await fits();
    if (process.env["SHOTS"])
      await page.screenshot({ path: `${process.env["SHOTS"]}/child-${width}.png`, fullPage: true });
    await page.getByRole("button", { name: "Passés" }).click();
    await page
      .getByRole("heading", { name: new RegExp(formatDayInWords(addDays(today, -2)), "i") })
      .waitFor();
  },
);

test("a family that no canteen knows is led to the canteens", async () => {
  const page = await portal.open();
  await portal.signIn(page, "stranger");
  await page.goto(`${portal.url}/dashboard?onglet=commandes`);
  await page.getByText("Personne n’est inscrit à la cantine").waitFor();
  await page.getByRole("link", { name: "Voir les cantines" }).click();
  await page.getByRole("heading", { level: 1, name: "Cantine" }).waitFor();
});

test("two guardians: each day says with whom the child is, a period keeps to one's own days", async () => {
  const [camille, thomas] = await Promise.all([
    portal.server.as("guardian"),
    portal.server.as("coGuardian"),
  ]);
  const custody = `/api/family/members/${cast.child.cardnumber}/custody`;
  const { body } = await camille.post(custody, { kind: "usual", first: "other", fromOn: today });
  await thomas.post(`/api/family/custody/${body.id}/accept`);
  const day = addDays(startOfWeek(today), 16);
  const days = { kind: "days", first: "me", fromOn: day, toOn: day };
  const { body: proposal } = await camille.post(custody, days);
  await thomas.post(`/api/family/custody/${proposal.id}/accept`);
  const page = await portal.open({ viewport: { width: 360, height: 800 }, colorScheme: "dark" });
  await portal.login(page, "guardian");
  const path = `/commande/cantine/restauration-essai/${canteen.groupId}?semaine=${day}`;
  await page.goto(`${portal.url}${path}`);
  await page
    .getByRole("button", { name: /^Léo, .*, chez Thomas/ })
    .first()
    .waitFor();
  await expect
    .poll(() => page.getByRole("button", { name: /^Léo, .*, chez vous/ }).count())
    .toBe(1);
  await expect.poll(() => page.getByRole("button", { name: /^Jade, .*, chez/ }).count()).toBe(0);
  await page.getByText("En pointillé, les jours chez Thomas\u202f: à choisir un à un.").waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole("button", { name: "Commander par semaines" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Jade" }).click();
  await dialog.getByRole("textbox", { name: "Du" }).fill(formatDate(startOfWeek(day)));
  await dialog.getByRole("textbox", { name: "Au" }).fill(formatDate(addDays(startOfWeek(day), 4)));
  await dialog.getByRole("checkbox", { name: /Aussi les jours/ }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  if (process.env["SHOTS"])
    await page.screenshot({ path: `${process.env["SHOTS"]}/weeks.png`, fullPage: true });
  await dialog.getByRole("button", { name: "Ajouter à mon choix" }).click();
  await dialog.getByText(/Chez Thomas : \d repas/).waitFor();
  // Nothing was chosen: there is nothing to go and see.
  await dialog.getByRole("button", { name: "Fermer" }).last().click();
  await dialog.waitFor({ state: "hidden" });
  if (process.env["SHOTS"])
    await page.screenshot({ path: `${process.env["SHOTS"]}/grid.png`, fullPage: true });
});

test("in the week that two registrations of a child share, each day has one line", async () => {
  const monday = addDays(startOfWeek(today), 35);
  const [tuesday, wednesday] = [addDays(monday, 1), addDays(monday, 2)];
  const { child } = canteen.registrations;
  const { pool } = portal.server.deps;
  await pool.query("update canteen_registration set until_on = $1 where id = $2", [tuesday, child]);
  await pool.query(
    `insert into canteen_registration (canteen_id, person_id, audience, class, diet, pai, state,
       requested_by, requested_at, answered_at, from_on, until_on)
     select canteen_id, person_id, audience, 'CM2', diet, pai, state, requested_by, requested_at,
       answered_at, $1::date, $1::date + 300 from canteen_registration where id = $2`,
    [wednesday, child],
  );
  const page = await portal.open({ viewport: { width: 360, height: 800 } });
  await portal.login(page, "guardian");
  const path = `/commande/cantine/restauration-essai/${canteen.groupId}?semaine=${monday}`;
  await page.goto(`${portal.url}${path}`);
  await page.getByRole("button", { name: /^Jade/ }).first().waitFor();
  // A meal for each of the two on each day, but where the canteen is closed.
  const mealsOf = (name: string) =>
    page.getByRole("button", { name: new RegExp(`^${name}, `) }).count();
  await expect.poll(() => mealsOf("Jade")).toBeGreaterThan(4);
  await expect.poll(async () => (await mealsOf("Léo")) - (await mealsOf("Jade"))).toBe(0);
  if (process.env["SHOTS"])
    await page.screenshot({ path: `${process.env["SHOTS"]}/shared-week.png`, fullPage: true });
  await pool.query(
    "delete from canteen_registration where from_on = $1 and person_id = (select person_id from canteen_registration where id = $2)",
    [wednesday, child],
  );
  await pool.query("update canteen_registration set until_on = null where id = $1", [child]);
});

test("a usual week is chosen in one press and reviewed with its price", async () => {
  const monday = addDays(startOfWeek(today), 21);
  const days = [1, 2].flatMap((weeks) =>
    [0, 1, 2, 3, 4].map((count) => addDays(monday, count - 7 * weeks - 21)),
  );
  await portal.server.deps.pool.query(
    `with who as (select person_id as id from card where number = $1), paid as (
       insert into meal_request (person_id, provider_id, state, opened_at, paid_at)
       select id, $2, 'paid', now(), now() from who returning id)
     insert into meal_order (request_id, canteen_id, registration_id, person_id, ordered_by, on_day,
       state, price_cents, price_reason, late_cancel_percent, absence_percent, ordered_at, served_at)
     select paid.id, r.canteen_id, r.id, r.person_id, who.id, day, 'served', 0, '', 100, 100, now(), now()
     from who, paid, canteen_registration r, unnest($4::date[]) day where r.id = $3`,
    [cast.guardian.cardnumber, canteen.providerId, canteen.registrations.secondChild, days],
  );
  await (
    await portal.server.as("guardian")
  ).post("/api/canteen/requests/drop", { idgroup: canteen.groupId });
  const page = await portal.open({ viewport: { width: 360, height: 800 } });
  await portal.login(page, "guardian");
  const path = `/commande/cantine/restauration-essai/${canteen.groupId}?semaine=${monday}`;
  await page.goto(`${portal.url}${path}`);
  const usual = page.getByRole("button", { name: /Comme d’habitude.: \d repas/ });
  await usual.waitFor();
  expect(await violationsOf(page)).toEqual([]);
  if (process.env["SHOTS"]) await page.screenshot({ path: `${process.env["SHOTS"]}/usual.png` });
  await usual.click();
  await page.getByRole("heading", { name: "Vérifiez avant de commander" }).waitFor();
  await page.getByRole("button", { name: /^Payer/ }).waitFor();
  if (process.env["SHOTS"])
    await page.screenshot({ path: `${process.env["SHOTS"]}/review.png`, fullPage: true });
});

test("the address of a calendar is made, shown once, and ended", async () => {
  const page = await portal.open({ viewport: { width: 360, height: 800 }, colorScheme: "dark" });
  await portal.signIn(page, "guardian");
  await page.goto(`${portal.url}/commande/cantine/suivi`);
  await page.getByRole("button", { name: "Documents" }).click();
  await page.getByRole("menuitem", { name: "Dans votre agenda…" }).click();
  await page.getByRole("button", { name: "Créer une adresse" }).click();
  const address = await page.getByText(/\/api\/canteen\/calendar\//).innerText();
  expect(await violationsOf(page)).toEqual([]);
  await expectNoHorizontalScroll(page);
  if (process.env["SHOTS"])
    await page.screenshot({ path: `${process.env["SHOTS"]}/calendar.png`, fullPage: true });
  // The same address, in the form that opens the calendar of the device.
  await expect
    .poll(() => page.getByRole("link", { name: "Ouvrir dans l’agenda" }).getAttribute("href"))
    .toBe(address.replace(/^https?:/, "webcal:"));
  const feed = await page.request.get(address);
  const calendar = await feed.text();
  expect(calendar).toContain("SUMMARY:Cantine\u202f: Léo");
  await page.getByRole("button", { name: "C’est fait" }).click();
  await page.getByText(/Une adresse sert depuis le/).waitFor();
  await page.getByRole("button", { name: "Supprimer l’adresse" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Supprimer" }).click();
  await page.getByRole("button", { name: "Créer une adresse" }).waitFor();
  await expect.poll(async () => (await page.request.get(address)).status()).toBe(404);
});

test("what a month of meals cost is said, and the year is kept on paper", async () => {
  const page = await portal.open({ viewport: { width: 360, height: 800 } });
  await portal.signIn(page, "guardian");
  await page.goto(`${portal.url}/commande/cantine/suivi?mois=${today.slice(0, 7)}`);
  await page.getByText(/repas servis?, 0,00|Aucun repas que vous avez commandé/).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await expectNoHorizontalScroll(page);
  if (process.env["SHOTS"])
    await page.screenshot({ path: `${process.env["SHOTS"]}/spending.png`, fullPage: true });
  await page.getByRole("button", { name: "Documents" }).click();
  await page.getByRole("menuitem", { name: "Attestation de l’année…" }).click();
  await page.getByLabel("Année", { exact: true }).selectOption(today.slice(0, 4));
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Télécharger l’attestation" }).click(),
  ]);
  expect(file.suggestedFilename()).toBe(`attestation-repas-${today.slice(0, 4)}.pdf`);
});

test("without a canteen in the family, the follow-up leads to the canteens and offers no papers", async () => {
  const strangerPage = await portal.open({ viewport: { width: 360, height: 740 } });
  await portal.login(strangerPage, "stranger");
  await strangerPage.goto(`${portal.url}/commande/cantine/suivi`);
  await strangerPage.getByRole("link", { name: "Voir les cantines" }).waitFor();
  await expect.poll(() => strangerPage.getByRole("button", { name: "Documents" }).count()).toBe(0);
  expect(await violationsOf(strangerPage)).toEqual([]);
  await strangerPage.context().close();
});

test("who eats today and who tomorrow are not said to eat on the same day", async () => {
  const { child, secondChild } = canteen.registrations;
  await placeMeal(portal.server, { registration: child, day: today });
  await placeMeal(portal.server, {
    registration: secondChild,
    day: addDays(today, 1),
    priceCents: 0,
  });
  const page = await portal.open({ viewport: { width: 360, height: 740 } });
  await portal.login(page, "guardian");
  await page
    .getByText("Léo mange à la cantine aujourd’hui, Jade demain.", { exact: true })
    .waitFor();
  await placeMeal(portal.server, { registration: secondChild, day: today, priceCents: 0 });
  await page.reload();
  await page.getByText("Jade et Léo mangent à la cantine aujourd’hui.", { exact: true }).waitFor();
});
