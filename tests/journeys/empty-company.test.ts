// A company on its first day: no sale, no menu, nobody registered, no employee. Whatever it opens, and whatever it
// searches for in vain, no text holds a word of the machine.
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { todayInParis } from "#contract/days.ts";
import { decide } from "#web/app/shared/guards.ts";
import { table } from "#web/paths.ts";
import { type MadeCanteen, makeCanteen } from "../canteens.ts";
import { cast, type CastName } from "../cast.ts";
import { furnishDirectory } from "../directory.ts";
import { printedLines } from "../pdf-words.ts";
import { settle } from "../settle.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";

let portal: TestPortal;
let canteen: MadeCanteen;
let partner: string;
beforeAll(async () => {
  portal = await openTestPortal();
  ({ partner } = await furnishDirectory(portal.server.deps));
  canteen = await makeCanteen(portal.server);
});
afterAll(() => portal.close());

/** What is asked of the server in the words of the machine is a fault too. */
function noteCalls(page: Page): string[] {
  const calls: string[] = [];
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith("/api/") && new RegExp(machineWords).test(pathname + search))
      calls.push(pathname + search);
  });
  return calls;
}

/** What a machine says where a value is missing. */
const machineWords = String.raw`\b(?:NaN|undefined|Infinity|null)\b|Invalid Date|\[object `;

/** Each such text on the screen, also those that only a screen reader hears. */
const wordsOf = (page: Page): Promise<string[]> =>
  page.evaluate((pattern) => {
    const attributes = [...document.querySelectorAll("*")].flatMap((element) => [
      ...[...element.attributes].map(({ value }) => value),
      element instanceof HTMLInputElement ? element.value : "",
    ]);
    const texts = [...document.body.innerText.split("\n"), ...attributes, document.title];
    return [...new Set(texts.filter((text) => new RegExp(pattern).test(text)))];
  }, machineWords);

const routes = table.filter(
  ({ guard, path, ...entry }) =>
    !("redirect" in entry) &&
    !path.includes(":") &&
    decide(guard, { token: "valid", user: { type: 2, isReset: false } }).to === null,
);

/** Addresses as somebody kept them wrong, cut off or empty. */
const staleAddresses = [
  "/partenaire/caisse?onglet=ventes&du=&au=2026-99-99&encaisseur=&etat=rien&texte=zzz",
  "/partenaire/caisse?onglet=ventes&vente=zzz",
  "/partenaire/caisse?onglet=ventes&vente=a%22]",
  "/partenaire/caisse?onglet=journee&comptoir=null",
  "/partenaire/caisse?onglet=journee&mois=2099-12&encaisseur=abc",
  "/professional/reglements?mois=2020-01",
  "/professional/reglements?mois=NaN-1",
  "/pro/cantine?onglet=menus&jour=&semaine=abc",
  "/professional/factures?annee=&etat=",
];

async function look(page: Page, where: string): Promise<void> {
  await settle(page);
  await expect.poll(async () => [where, ...(await wordsOf(page))]).toEqual([where]);
}

/** Types what finds nothing into each field of the screen that takes a search or a number, then nothing. */
async function searchInVain(page: Page, where: string): Promise<void> {
  const fields = page.locator(
    'main :is(input[type="search"], input[inputmode="numeric"], input[inputmode="decimal"]):visible',
  );
  for (let place = 0; place < (await fields.count()); place += 1) {
    for (const typed of ["zzz", "", "12"]) {
      const field = fields.nth(place);
      if (!(await field.isVisible())) return;
      await field.fill(typed);
      await look(page, `${where}, champ ${place}, « ${typed} »`);
    }
  }
}

/** Opens a tab, and gives up what was typed in the one before. */
async function choose(page: Page, tab: Locator): Promise<void> {
  await tab.click();
  const discardButton = page.getByRole("alertdialog").getByRole("button", { name: "Abandonner" });
  await expect
    .poll(async () => {
      if (await discardButton.isVisible()) await discardButton.click();
      return await tab.getAttribute("aria-selected");
    })
    .toBe("true");
}

/** Each address, its tabs, and what is searched there. */
async function walk(page: Page, addresses: readonly string[]): Promise<void> {
  for (const address of addresses) {
    await page.goto(portal.url + address);
    await look(page, address);
    await searchInVain(page, address);
    const tabs = page.getByRole("tab");
    for (let place = 0; place < (await tabs.count()); place += 1) {
      await choose(page, tabs.nth(place));
      await look(page, `${address}, onglet ${place}`);
      await searchInVain(page, `${address}, onglet ${place}`);
    }
  }
}

test("a holder at addresses that hold no number and no day", async () => {
  const page = await portal.open();
  await portal.login(page, "guardian");
  const calls = noteCalls(page);
  await walk(page, [
    "/profil/allergenes?carte=abc",
    "/commande/cantine/cantine/abc",
    `/commande/cantine/cantine/${canteen.groupId}?semaine=abc`,
    "/servivces/abonnement?carte=abc",
    "/cagnottes/achats/abc",
    "/family/abc",
  ]);
  // The week of today stands in for one that is none.
  await page.goto(`${portal.url}/commande/cantine/cantine/${canteen.groupId}?semaine=2026-99-99`);
  await page.getByRole("heading", { name: /^Semaine du/ }).waitFor();
  await expect.poll(() => calls).toEqual([]);
  await page.context().close();
});

test.each(["partnerShop", "canteenProvider", "employer"] satisfies CastName[])(
  "the screens of %s on the first day",
  async (name) => {
    await portal.server.deps.pool.query("delete from canteen_registration");
    const page = await portal.open();
    await portal.login(page, name);
    const calls = noteCalls(page);
    await walk(page, [...routes.map(({ path }) => path), ...staleAddresses]);
    await expect.poll(() => calls).toEqual([]);
    await page.context().close();
  },
  240_000,
);

test("its files and papers", async () => {
  const server = portal.server;
  const [shop, kitchen] = await Promise.all([
    server.as("partnerShop"),
    server.as("canteenProvider"),
  ]);
  const [wallet] = (await shop.get(`/api/wallets?cardnumber=${cast.partnerShop.cardnumber}`)).body
    .items;
  const own = `/api/canteen/own/${canteen.id}`;
  const today = todayInParis();
  const words = new RegExp(machineWords);
  const files = [
    [shop, `/api/till/sales.csv?partner=${partner}`],
    [shop, `/api/till/closings.csv?partner=${partner}`],
    [shop, "/api/till/offline.csv"],
    [shop, "/api/grants/export.csv"],
    [shop, "/api/invoices/export"],
    [shop, `/api/wallets/${wallet.objectID}/movements.csv`],
    [kitchen, `${own}/class.csv`],
    [kitchen, `${own}/meals.csv?from=${today}&to=${today}`],
    [kitchen, `/api/canteen/statement.csv?month=${today.slice(0, 7)}`],
  ] as const;
  for (const [by, path] of files) {
    const { status, text } = await by.get(path);
    expect([path, status, words.exec(text)?.[0]]).toEqual([path, 200, undefined]);
  }
  const papers = [
    [shop, `/api/wallets/${wallet.objectID}/statement.pdf`],
    [kitchen, `${own}/class.pdf`],
    [kitchen, `${own}/meals.pdf?from=${today}&to=${today}`],
    [kitchen, `/api/canteen/quantities.pdf?day=${today}`],
  ] as const;
  for (const [by, path] of papers) {
    const lines = await printedLines(server, path, by);
    expect([path, ...lines.filter((line) => words.test(line))]).toEqual([path]);
  }
});
