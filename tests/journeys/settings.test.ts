// « Profil » in a real browser: seven rows that say the state of the settings behind them, and the pages that they lead
// to, beside the others where there is room.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { violationsOf } from "#tests/axe.ts";
import { shiftOf, watchScript } from "#tests/campaigns/audit/checks.ts";
import { cast, type CastName } from "#tests/cast.ts";
import { expectNoHorizontalScroll } from "#tests/page-width.ts";
import { settle } from "#tests/settle.ts";
import { openTestPortal, type TestPortal } from "#tests/test-portal.ts";

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
beforeEach(async () => {
  const { pool } = portal.server.deps;
  for (const table of ["passkey", "recovery_code", "health_record", "closure"]) {
    await pool.query(`delete from ${table}`);
  }
});
afterAll(async () => {
  const { faults } = portal;
  await portal.close();
  expect(faults).toEqual([]);
});

const pages = [
  ["Coordonnées", "/profil/coordonnees"],
  ["Connexion", "/profil/connexion"],
  ["Appareils", "/profil/appareils"],
  ["Activité", "/profil/activite"],
  ["Notifications", "/profil/notifications"],
  ["Allergènes", "/profil/allergenes"],
  ["Mes données", "/profil/donnees"],
] as const;

async function openProfile(name: CastName, width: number, height = 740): Promise<Page> {
  const page = await portal.open({ viewport: { width, height } });
  await page.addInitScript(watchScript);
  await portal.signIn(page, name);
  await page.goto("/profil");
  await page.getByText("Aucun export en cours").waitFor();
  return page;
}

const rowsOf = (page: Page) => page.getByRole("navigation", { name: "Réglages" }).getByRole("link");
const row = (page: Page, title: string) =>
  page
    .getByRole("navigation", { name: "Réglages" })
    .getByRole("link", { name: new RegExp(`^${title}`) });

/** Adds rows of a table of the guardian; columns beside `person_id` by their SQL. */
const write = async (table: string, columns: Record<string, string>, count = 1) => {
  const names = Object.keys(columns).join(", ");
  await portal.server.deps.pool.query(
    `insert into ${table} (person_id, ${names})
    select person_id, ${Object.values(columns).join(", ")}
    from card, generate_series(1, ${count}) n where number = ${cast.guardian.cardnumber}`,
  );
};
const addPasskey = () =>
  write("passkey", {
    id: "gen_random_uuid()",
    credential_id: "uuid_send(gen_random_uuid())",
    public_key: "''",
    counter: "0",
    transports: "'{internal}'",
    synced: "true",
    name: "'Téléphone'",
    created_at: "now()",
  });
const addRecoveryCodes = (used: string) =>
  write(
    "recovery_code",
    { hmac: "uuid_send(gen_random_uuid())", made_at: "now()", used_at: used },
    8,
  );

test("seven rows on a phone say the present state of each setting, and what waits to be mended", async () => {
  const page = await openProfile("guardian", 360);
  await expect.poll(() => rowsOf(page).count()).toBe(7);
  for (const [index, [title, href]] of pages.entries()) {
    const link = rowsOf(page).nth(index);
    await expect.poll(() => link.innerText()).toMatch(new RegExp(`^${title}`));
    await expect.poll(() => link.getAttribute("href")).toBe(href);
  }
  const says = (title: string) => expect.poll(() => row(page, title).innerText());
  await says("Coordonnées").toContain(cast.guardian.email);
  await says("Connexion").toContain("Ni clé ni code de secours");
  await says("Appareils").toContain("Cet appareil seulement");
  await says("Activité").toMatch(/(?:Aujourd’hui|Hier) à \d\d:\d\d\nConnexion/);
  await says("Notifications").toMatch(/\d+ sujets par e-mail/);
  await says("Allergènes").toContain("Rien de déclaré");
  // The whole page of a phone, the portal's foot aside.
  const height = () => page.locator(".page").evaluate((one) => one.getBoundingClientRect().height);
  await expect.poll(height).toBeLessThan(960);
  expect(await violationsOf(page)).toEqual([]);
  await expectNoHorizontalScroll(page);

  await addPasskey();
  await addRecoveryCodes("null");
  await portal.server.as("guardian");
  const declared = "timestamptz '2026-03-12 12:00+00'";
  await write("health_record", {
    sealed: "''",
    consented_by: "person_id",
    consented_at: declared,
    updated_at: declared,
  });
  await page.reload();
  await says("Connexion").toMatch(/Mot de passe .*\n1 clé, 8 codes de secours/);
  await says("Appareils").toContain("2 connexions ouvertes");
  await says("Allergènes").toContain("Déclarés, accord du 12/03/2026");
  await portal.server.deps.pool.query("update recovery_code set used_at = now()");
  await page.reload();
  await says("Connexion").toContain("Codes de secours épuisés");
  expect(await violationsOf(page)).toEqual([]);
  await page.context().close();
});

test("a missing contact and a closing under way are what a row says", async () => {
  const { pool } = portal.server.deps;
  const of = `id = (select person_id from card where number = ${cast.stranger.cardnumber})`;
  const { rows } = await pool.query(`select phonenumber from person where ${of}`);
  await pool.query(`update person set phonenumber = null where ${of}`);
  await pool.query(`insert into closure (person_id, requested_by, requested_at, closes_on)
    select id, id, now(), date '2031-03-05' from person where ${of}`);
  const page = await portal.open({ viewport: { width: 360, height: 740 } });
  await portal.signIn(page, "stranger");
  await page.goto("/profil");
  await row(page, "Coordonnées").getByText("Aucun téléphone").waitFor();
  await row(page, "Mes données").getByText("Fermeture le 05/03/2031").waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await pool.query(`update person set phonenumber = $1 where ${of}`, [rows[0].phonenumber]);
  await page.context().close();
});

test("each row leads to its page, and the page back to the profile", async () => {
  const page = await openProfile("guardian", 360);
  for (const [title, path] of pages) {
    await row(page, title).click();
    await page.waitForURL(`**${path}`);
    await page.getByRole("heading", { name: title, level: 1 }).waitFor();
    await expect.poll(() => rowsOf(page).count()).toBe(0);
    await page.getByRole("main").getByRole("link", { name: "Profil", exact: true }).click();
    await page.getByRole("heading", { name: "Profil", level: 1 }).waitFor();
  }
  await page.context().close();
});

test("a professional has six rows: allergens are a holder's", async () => {
  const page = await openProfile("partnerShop", 360);
  await expect.poll(() => rowsOf(page).count()).toBe(6);
  await expect.poll(() => row(page, "Allergènes").count()).toBe(0);
  await page.context().close();
});

test("by keyboard on a wide screen: a row opens its page, and its neighbours stand beside it", async () => {
  const page = await openProfile("guardian", 1280, 900);
  await row(page, "Connexion").focus();
  await page.keyboard.press("Tab");
  await expect
    .poll(() => row(page, "Appareils").evaluate((one) => one === document.activeElement))
    .toBe(true);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Appareils", level: 1 }).waitFor();
  for (const [title, path] of pages) {
    await row(page, title).focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(`**${path}`);
    await page.getByRole("heading", { name: title, level: 1 }).waitFor();
    await expect.poll(() => rowsOf(page).count()).toBe(7);
    const current = page.getByRole("navigation", { name: "Réglages" }).locator("[aria-current]");
    await expect.poll(() => current.allInnerTexts()).toEqual([title]);
    await expectNoHorizontalScroll(page);
  }
  expect(await violationsOf(page)).toEqual([]);
  await page.context().close();
});

test.each([320, 360])("nothing moves while the states come, %i px wide", async (width) => {
  const page = await portal.open({ viewport: { width, height: 740 } });
  await page.addInitScript(watchScript);
  await portal.signIn(page, "guardian");
  await page.route("**/api/profile", async (route) => {
    // As late as from afar: the rows are drawn before what they say.
    await new Promise((resolve) => setTimeout(resolve, 600));
    await route.continue().catch(() => {});
  });
  for (const path of ["/profil", ...pages.slice(0, 4).map(([, address]) => address)]) {
    await page.goto(path);
    await settle(page, "seen");
    const { shift, moved } = await shiftOf(page);
    expect(shift, `${path}: ${moved}`).toBeLessThan(0.01);
  }
  await page.context().close();
});

test("states that cannot be read say so, and every page stays within reach", async () => {
  const page = await portal.open({ viewport: { width: 360, height: 740 } });
  await portal.signIn(page, "guardian");
  await page.route("**/api/profile", (route) => route.abort());
  await page.goto("/profil");
  await page.getByText("L’état de vos réglages n’a pas pu être chargé.").waitFor();
  await expect.poll(() => rowsOf(page).count()).toBe(7);
  await page.unroute("**/api/profile");
  await page.getByRole("button", { name: "Réessayer" }).click();
  await row(page, "Mes données").getByText("Aucun export en cours").waitFor();
  await page.context().close();
});
