// The counter of a canteen in a browser: meals handed by list, number and code, the network lost in the
// middle of the service, and what the server says once it is back.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addDays, parisDay } from "#contract/days.ts";
import { firstName } from "#contract/french.ts";
import { violationsOf } from "../axe.ts";
import { makeCanteen, type MadeCanteen, placeMeal } from "../canteens.ts";
import { cast } from "../cast.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";

let portal: TestPortal;
let page: Page;
let canteen: MadeCanteen;
beforeAll(async () => {
  portal = await openTestPortal();
  // Open every day of the week, so that the journey is the same whatever day it runs.
  canteen = await makeCanteen(portal.server, { kind: "staff", weekdays: [0, 1, 2, 3, 4, 5, 6] });
  page = await portal.open({ viewport: { width: 360, height: 740 }, worker: true });
  await portal.login(page, "canteenProvider");
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

const counter = "/partenaire/validation";
const verdict = () => page.getByRole("status").first();
const says = (words: string | RegExp) => verdict().getByText(words).waitFor();
const press = (name: string | RegExp) => page.getByRole("button", { name }).first().click();
const way = (name: string) => page.getByRole("button", { name, exact: true }).click();
const byNumber = async (text: string) => {
  await page.getByLabel("Numéro de carte, ou code d’un lecteur").fill(text);
  await page.getByRole("button", { name: "Servir", exact: true }).click();
};
const place = (registration: string) =>
  placeMeal(portal.server, { registration, day: parisDay(portal.server.clock.now()) });
const query = async (text: string) => (await portal.server.deps.pool.query(text)).rows;
const states = async () =>
  (await query("select state from meal_order order by number")).map(({ state }) => state);
/** All that was read has been sent: what comes next forgets the meals. */
const sent = (count: number) =>
  expect.poll(async () => (await query("select id from meal_scan")).length).toBe(count);

/** Whether a button lies whole between the top and the bottom of the screen. */
const isInView = async (name: string): Promise<boolean> => {
  const box = await page.getByRole("button", { name, exact: true }).first().boundingBox();
  return box !== null && box.y >= 0 && box.y + box.height <= 740;
};

test("served from the list, undone, served by number; twice is said with its time", async () => {
  await place(canteen.registrations.child);
  await page.goto(portal.url + counter);
  await page.getByText("0 servi sur 1").waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await press(new RegExp(cast.child.name));
  await says("Servi");
  await expect.poll(states).toEqual(["served"]);
  expect(await violationsOf(page)).toEqual([]);
  await press(`Annuler le passage de ${cast.child.name}`);
  await expect.poll(states).toEqual(["reserved"]);
  await way("Numéro");
  await byNumber(String(cast.child.cardnumber));
  await says("Servi");
  await expect.poll(states).toEqual(["served"]);
  await byNumber(String(cast.child.cardnumber));
  await says(/^Déjà servi à \d\d:\d\d$/);
  await byNumber(String(cast.stranger.cardnumber));
  await says("Sans inscription ici");
  await byNumber("MC1.faux");
  await says("Code inconnu");
  await byNumber("MT1.faux");
  await says("Code d’un billet");
  await page.getByText("Demandez la carte, ou cherchez la personne dans la liste.").waitFor();
  await sent(6);
});

test("a meal is served by the code of its order; the next day's is told by its day", async () => {
  await forgetMeals();
  const { clock, deps } = portal.server;
  const next = addDays(parisDay(clock.now()), 1);
  const today = await place(canteen.registrations.child);
  const later = await placeMeal(portal.server, {
    registration: canteen.registrations.secondChild,
    day: next,
    priceCents: 0,
  });
  await portal.server.deps.pool.query("update card set state = 'active'");
  const family = await portal.open({ viewport: { width: 360, height: 740 } });
  await portal.signIn(family, "guardian");
  await family.goto(`${portal.url}/commande/cantine/suivi`);
  const codeAnswer = family.waitForResponse((answer) => answer.url().endsWith(`/${today}/qr`));
  await family
    .getByRole("button", { name: `Code du repas de ${firstName(cast.child.name)}` })
    .click();
  await family.getByRole("img", { name: /^QR code du repas de/ }).waitFor();
  await family.getByText("aujourd’hui.").waitFor();
  expect(await violationsOf(family)).toEqual([]);
  const { token } = (await (await codeAnswer).json()) as { token: string };
  await family.close();
  const guardian = await portal.server.as("guardian");
  const early = (await guardian.get(`/api/canteen/orders/${later}/qr`)).body.token;
  await page.goto(portal.url + counter);
  await page.getByText("0 servi sur 1").waitFor();
  await way("Numéro");
  await byNumber(early);
  await says(/^Commande de /);
  await expect
    .poll(
      async () => (await deps.pool.query("select from meal_order where state = 'served'")).rowCount,
    )
    .toBe(0);
  await byNumber(token);
  await says("Servi");
  await page.getByText(cast.child.name).first().waitFor();
  await byNumber(token);
  await says(/^Déjà servi à /);
  await expect.poll(states).toEqual(["served", "reserved"]);
  await sent(3);
});

async function forgetMeals(): Promise<void> {
  await query("delete from meal_scan; delete from meal_order; delete from canteen_day");
}

/** The counter on a day for which the child alone has a meal, not served yet. */
async function openForOneMeal(): Promise<void> {
  await forgetMeals();
  await place(canteen.registrations.child);
  await page.goto(portal.url + counter);
  await page.getByText("0 servi sur 1").waitFor();
}

test("without network the service goes on, outlives a reload and a logout, and nothing is lost", async () => {
  await forgetMeals();
  await place(canteen.registrations.child);
  await place(canteen.registrations.secondChild);
  const camille = await portal.server.as("guardian");
  const { token } = (await camille.get(`/api/cards/${cast.child.cardnumber}/qr`)).body;
  await page.evaluate("navigator.serviceWorker.ready.then(() => true)");
  await page.goto(portal.url + counter);
  await page.getByText("0 servi sur 2").waitFor();
  await page.context().setOffline(true);
  await page.getByText("Hors ligne").click();
  await page.getByText(/cet appareil la garde jusqu’à minuit/).waitFor();
  await page.reload();
  await page.getByText("0 servi sur 2").waitFor();
  await way("Numéro");
  await byNumber(token);
  await says("Servi");
  await byNumber(`${token.slice(0, -4)}AAAA`);
  await says("Code inconnu");
  await byNumber(String(cast.secondChild.cardnumber));
  await says("Servi");
  await page.getByText("3 passages à envoyer").waitFor();
  expect(await violationsOf(page)).toEqual([]);
  // Meanwhile another device serves one of them.
  const desk = await portal.server.as("canteenProvider");
  const scan = {
    id: crypto.randomUUID(),
    day: parisDay(portal.server.clock.now()),
    at: portal.server.clock.now().toISOString(),
    verdict: "served",
    registration: canteen.registrations.secondChild,
  };
  const served = await desk.post(`/api/canteen/${canteen.id}/scans`, { scans: [scan] });
  expect(served.body.items[0].conflict, served.text).toBeNull();
  await page.reload();
  await page.getByText("3 passages à envoyer").waitFor();
  await expect.poll(() => query("select from meal_scan")).toHaveLength(1);
  await expect
    .poll(() => page.evaluate<string>("JSON.stringify(localStorage)"))
    .not.toContain(cast.child.name);
  await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
  await page.context().setOffline(false);
  await page.getByText(/Servi aussi à \d\d:\d\d par un autre appareil/).waitFor();
  // Nobody was pressing anything: it comes into view with the keyboard.
  await page.locator('section[aria-label="Passages à régler"]:focus').waitFor();
  await expect
    .poll(() => isInView(`J’ai vu, ne rien changer pour ${cast.secondChild.name}`))
    .toBe(true);
  await expect.poll(states).toEqual(["served", "served"]);
  await expect.poll(() => query("select from meal_scan")).toHaveLength(4);
  await press(`J’ai vu, ne rien changer pour ${cast.secondChild.name}`);
  await page.getByText(/Servi aussi/).waitFor({ state: "detached" });
  await page.getByText("à régler").waitFor({ state: "detached" });
});

test("a conflict is counted in view while the list goes on, on the follow-up and at home, and dealt with in one tap", async () => {
  await openForOneMeal();
  await page.context().setOffline(true);
  await press(new RegExp(cast.child.name));
  await says("Servi");
  await page.getByText("1 passage à envoyer").waitFor();
  await forgetMeals();
  await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
  await press("Annuler");
  await page.context().setOffline(false);
  const second = { registration: canteen.registrations.secondChild, verdict: "served" };
  const desk = await portal.server.as("canteenProvider");
  const [id, day] = [crypto.randomUUID(), parisDay(portal.server.clock.now())];
  const scan = { id, day, at: portal.server.clock.now().toISOString(), ...second };
  await desk.post(`/api/canteen/${canteen.id}/scans`, { scans: [scan] });
  await page.getByRole("alert").getByText("1 passage à régler").waitFor();
  await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
  await expect.poll(() => isInView("Voir")).toBe(true);
  expect(await violationsOf(page)).toEqual([]);

  const other = await portal.open({ viewport: { width: 1280, height: 800 }, colorScheme: "dark" });
  await portal.signIn(other, "canteenProvider");
  await other.goto("/dashboard");
  await other.getByText("1 passage du guichet à régler", { exact: true }).waitFor();
  await other.goto("/partenaire/Suivi_cantine");
  await other.getByText("Au guichet, 1 passage à régler").waitFor();
  await other.getByRole("link", { name: "Régler" }).click();
  await other.getByText("Commande annulée depuis. Le repas n’est ni compté ni débité.").waitFor();
  expect(await violationsOf(other)).toEqual([]);
  await other
    .getByRole("button", { name: `Débiter 3,45 € de sa cagnotte pour ${cast.secondChild.name}` })
    .click();
  await expect.poll(states).toEqual(["served"]);
  await expect
    .poll(() => query("select charged_cents from meal_order"))
    .toEqual([{ charged_cents: 345 }]);
  await other.getByRole("alert").getByText("à régler").waitFor({ state: "detached" });
  await other
    .getByRole("button", { name: `Annuler le passage de ${cast.secondChild.name}` })
    .waitFor();
  // The first device hears of it too.
  await page.getByRole("alert").getByText("à régler").waitFor({ state: "detached" });
  await other.context().close();
});

test("whoever has a diet is told with the dish that the menu has for it", async () => {
  await forgetMeals();
  const { child } = canteen.registrations;
  await query(`update canteen_registration set diet = 'no_pork' where id = '${child}'`);
  const dish = { labels: [], allergens: [], priceCents: null };
  const desk = await portal.server.as("canteenProvider");
  await desk.post("/api/canteen/menus", {
    day: parisDay(portal.server.clock.now()),
    note: "",
    dishes: [
      { ...dish, course: "main", name: "Rôti de porc", diets: [] },
      { ...dish, course: "main", name: "Filet de dinde", diets: ["no_pork"] },
    ],
  });
  await page.goto(portal.url + counter);
  await page.getByText("0 servi sur 0").waitFor();
  await press(new RegExp(cast.child.name));
  await says("Pas de commande aujourd’hui");
  await page.getByText(/^Plat\s: Filet de dinde$/).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await press(new RegExp(cast.secondChild.name));
  await page.locator("main p").getByText(cast.secondChild.name).waitFor();
  await expect.poll(() => page.getByText("Filet de dinde").count()).toBe(0);
});

test("online by the browser, with a server that does not answer: told, served on, sent once it does", async () => {
  await openForOneMeal();
  await page.getByText("Hors ligne").waitFor({ state: "detached" });
  await page.context().route("**/api/canteen/**", (route) => route.abort());
  await press(new RegExp(cast.child.name));
  await says("Servi");
  await page.getByText("Hors ligne").waitFor();
  await page.getByText("1 passage à envoyer").waitFor();
  await expect.poll(() => page.evaluate("navigator.onLine")).toBe(true);
  await expect.poll(states).toEqual(["reserved"]);
  await page.context().unroute("**/api/canteen/**");
  await page.getByText("Hors ligne").waitFor({ state: "detached" });
  await expect.poll(states).toEqual(["served"]);
});

test("what was not sent waits for its author through a logout", async () => {
  await openForOneMeal();
  await page.context().setOffline(true);
  await press(new RegExp(cast.child.name));
  await says("Servi");
  await page.getByText("1 passage à envoyer").waitFor();
  await page.evaluate(
    `for (const name of Object.keys(localStorage)) if (name.startsWith("ma-carte.")) localStorage.removeItem(name);
     document.cookie = "jwt_token=; Max-Age=0; Path=/";`,
  );
  await page.goto("about:blank");
  await page.context().setOffline(false);
  await portal.loginByForm(page, "partnerShop");
  await page.goto(portal.url + counter);
  await page.getByText("Vous ne tenez pas de cantine").waitFor();
  await expect.poll(states).toEqual(["reserved"]);
  await page.goto("/profil");
  await press("Se déconnecter");
  await page.waitForURL("**/login*");
  await portal.loginByForm(page, "canteenProvider");
  await page.goto(portal.url + counter);
  await expect.poll(states).toEqual(["served"]);
});

test("without network a photo that was shared is still shown; what is kept is sealed", async () => {
  await forgetMeals();
  await place(canteen.registrations.child);
  const photo = await page.evaluate<string>(`(() => {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 300;
    const context = canvas.getContext("2d");
    context.fillStyle = "teal";
    context.fillRect(0, 0, 300, 300);
    return canvas.toDataURL("image/jpeg").split(",")[1];
  })()`);
  const id = crypto.randomUUID();
  const { pool } = portal.server.deps;
  await pool.query(
    `with holder as (select person_id as id from card where number = $2)
     insert into avatar (id, person_id, content, at) select $1, id, decode($3, 'base64'), now()
     from holder`,
    [id, cast.child.cardnumber, photo],
  );
  await pool.query(
    "update person set avatar = $1 where id = (select person_id from card where number = $2)",
    [`/api/avatars/${id}`, cast.child.cardnumber],
  );
  await query("update canteen_registration set photo_consent_at = now()");
  await page.goto(portal.url + counter);
  await page.getByText("0 servi sur 1").waitFor();
  const storedPhotos = () =>
    page.evaluate<string>("localStorage.getItem('ma-carte.counter-photos') ?? ''");
  await expect.poll(storedPhotos).toContain("sealed");
  await expect.poll(storedPhotos).not.toContain(id);
  await page.context().setOffline(true);
  await page.reload();
  await page.getByText("0 servi sur 1").waitFor();
  await press(new RegExp(cast.child.name));
  await says("Servi");
  const shownPixels = () =>
    page.evaluate("document.querySelector('main .avatar img')?.naturalWidth ?? 0");
  await expect.poll(shownPixels).toBe(96);
  await page.context().setOffline(false);
  await expect.poll(states).toEqual(["served"]);
});

test("of a frozen provider the counter, the follow-up and the desk say so, and what is served still", async () => {
  await forgetMeals();
  await query("update partner set frozen_at = now(), frozen_why = 'Contrôle en cours'");
  const day = parisDay(portal.server.clock.now());
  await placeMeal(portal.server, {
    registration: canteen.registrations.child,
    day,
    priceCents: 0,
  });
  const other = await portal.open({ viewport: { width: 360, height: 740 }, worker: true });
  await portal.login(other, "canteenProvider");
  const expectFrozenNotice = async () => {
    await other.getByText(/restaurants? arrêtés? par le réseau/).waitFor();
    await other.getByText(/Motif.*Contrôle en cours.*Vous servez toujours/).waitFor();
    expect(await violationsOf(other)).toEqual([]);
  };
  await other.goto(`${portal.url}/partenaire/Suivi_cantine`);
  await expectFrozenNotice();
  await other.goto(`${portal.url}/pro/cantine`);
  await expectFrozenNotice();
  await other.evaluate("navigator.serviceWorker.ready.then(() => true)");
  await other.goto(portal.url + counter);
  await expectFrozenNotice();
  // Kept with the list: without network it is said as well, and a meal ordered before is handed.
  await other.context().setOffline(true);
  await other.reload();
  await expectFrozenNotice();
  await other.getByRole("button", { name: new RegExp(`^${cast.child.name}`) }).click();
  await other.getByRole("status").first().getByText("Servi", { exact: true }).waitFor();
  await other.context().setOffline(false);
  await expect.poll(states).toEqual(["served"]);
  await query("update partner set frozen_at = null, frozen_why = null");
  await other.context().close();
});
