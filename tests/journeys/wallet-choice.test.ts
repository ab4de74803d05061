// Which wallet is chosen to pay before anybody chooses: one's own money for oneself and for several, a child's canteen
// money for its meals, never a child's for an adult; and a limit of a child, changed where it refuses.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { todayInParis } from "#contract/days.ts";
import { workingDaysAfter } from "#contract/working-days.ts";
import { violationsOf } from "../axe.ts";
import { makeCanteen, type MadeCanteen } from "../canteens.ts";
import { cast } from "../cast.ts";
import { makeEvent } from "../events.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";
import type { Client } from "../test-server.ts";
import { ledgerFaults, press } from "../top-up-steps.ts";
import { leaveToSpend } from "../wallet-money.ts";

let portal: TestPortal;
let canteen: MadeCanteen;
let camille: Client;
beforeAll(async () => {
  portal = await openTestPortal();
  portal.server.deps.config.codeFromCents = 1_000_000;
  canteen = await makeCanteen(portal.server, { kind: "staff" });
  camille = await portal.server.as("guardian");
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  const faults = await ledgerFaults(portal);
  expect(faults).toEqual([]);
  await portal.close();
});

type Name = "guardian" | "child" | "secondChild";
/** Cents that the main wallet of somebody, and their one of the canteen, have to spend. */
async function leave(name: Name, { main, meals = 0 }: { main: number; meals?: number }) {
  const { items } = (await camille.get(`/api/wallets?cardnumber=${cast[name].cardnumber}`)).body;
  for (const one of items) await leaveToSpend(portal.server, one.objectID, one.main ? main : meals);
}
const radio = (page: Page, name: RegExp) => page.getByRole("radio", { name });
const isChosen = (page: Page, name: RegExp) =>
  expect.poll(() => radio(page, name).isChecked()).toBe(true);
const ticketFor = (cardnumber: number, { session, full }: Awaited<ReturnType<typeof makeEvent>>) =>
  camille.post("/api/tickets/cart/lines", { session, category: full, quantity: 1, cardnumber });
const open = async (path: string, options: Parameters<TestPortal["open"]>[0] = {}) => {
  const page = await portal.open({ viewport: { width: 360, height: 800 }, ...options });
  await portal.signIn(page, "guardian");
  await page.goto(portal.url + path);
  return page;
};
const cart = "/services/E-Billet?panier=";
const review = () => `/commande/cantine/restauration-essai/${canteen.groupId}?etape=commander`;
const chooseMeals = async (...who: ("child" | "secondChild")[]) => {
  await camille.post("/api/canteen/requests/drop", { idgroup: canteen.groupId });
  const day = workingDaysAfter(todayInParis(), 4);
  const meals = who.map((one) => ({ registration: canteen.registrations[one], day }));
  const line = { idgroup: canteen.groupId, meals, chosen: true };
  const answer = await camille.post("/api/canteen/requests/lines", line);
  expect(answer.status, answer.text).toBe(200);
};

test("a seat of a parent beside one of a child: the child's money is not chosen, also after a refused card", async () => {
  const event = await makeEvent(portal.server);
  await ticketFor(cast.guardian.cardnumber, event);
  await ticketFor(cast.child.cardnumber, event);
  await leave("guardian", { main: 0 });
  await leave("child", { main: 10_000 });
  const page = await open(cart, { colorScheme: "dark" });
  await radio(page, /^Cagnotte principale, Léo/).waitFor();
  await isChosen(page, /^Carte bancaire/);
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole("button", { name: /^Payer \d/ }).click();
  await page.waitForURL("**/paiement/sandbox/*");
  await page
    .getByRole("button", { name: /^Refuser/ })
    .first()
    .click();
  await press(page, "Choisir un moyen de paiement");
  await radio(page, /^Cagnotte principale, Léo/).waitFor();
  await isChosen(page, /^Carte bancaire/);
  // Enough of one's own: it pays.
  await leave("guardian", { main: 10_000 });
  await page.reload();
  await isChosen(page, /^Cagnotte principale(?!, )/);
  await page.context().close();
});

test("meals of one child: its canteen money is chosen; of two, one's own", async () => {
  await leave("guardian", { main: 10_000 });
  await leave("child", { main: 0, meals: 7500 });
  await chooseMeals("child");
  const page = await open(review());
  await isChosen(page, /^Restauration, Léo/);
  // Short of it, its other money does not take its place.
  await leave("child", { main: 10_000, meals: 0 });
  await page.reload();
  await isChosen(page, /^Cagnotte principale(?!, )/);
  await leave("child", { main: 0, meals: 7500 });
  await chooseMeals("child", "secondChild");
  await page.reload();
  await isChosen(page, /^Cagnotte principale(?!, )/);
  await page.context().close();
});

test("a limit of the child that refuses is changed from there, and the payment goes on", async () => {
  await leave("child", { main: 0, meals: 7500 });
  const limit = async (dayCents: number | null) => {
    const limits = { dayCents, weekCents: null, groups: null };
    const path = `/api/family/members/${cast.child.cardnumber}/limits`;
    const answer = await camille.post(path, { limits });
    expect(answer.status, answer.text).toBe(200);
  };
  await limit(100);
  await chooseMeals("child");
  const page = await open(review(), { viewport: { width: 1280, height: 900 } });
  await isChosen(page, /^Cagnotte principale(?!, )/);
  const limited = page.getByRole("radio", { name: /^Restauration, Léo/ });
  await page
    .getByText(/Ses plafonds n’y laissent dépenser que 1,00\s€/)
    .first()
    .waitFor();
  await limited.check();
  await page.getByRole("button", { name: /^Payer \d/ }).click();
  await page.getByText(/plus que ce que cette carte peut dépenser par jour/).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole("link", { name: "Changer les plafonds de Léo" }).click();
  await page.waitForURL(`**/family/${cast.child.cardnumber}`);
  await page.getByRole("heading", { name: /Plafonds/ }).waitFor();
  await limit(null);
  await page.goto(portal.url + review());
  await page.getByRole("button", { name: /^Payer \d/ }).click();
  await page.getByRole("heading", { name: "Vos repas sont commandés" }).waitFor();
  const coming = (await camille.get("/api/canteen/orders?when=coming")).body.items;
  expect(coming).toHaveLength(1);
  await page.context().close();
});
