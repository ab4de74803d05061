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
import { proposedPayment, showPayments } from "../payment-choice.ts";
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
/** Cents that they have left to spend. */
async function spendable(name: Name) {
  const { items } = (await camille.get(`/api/wallets?cardnumber=${cast[name].cardnumber}`)).body;
  const left = (main: boolean) =>
    items
      .filter((one: { main: boolean }) => one.main === main)
      .reduce(
        (sum: number, { projectedCents }: { projectedCents: number }) => sum + projectedCents,
        0,
      );
  return { main: left(true), meals: left(false) };
}
const isProposed = (page: Page, name: RegExp) => proposedPayment(page).getByText(name).waitFor();
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
/** Each time of another day, so that what was ordered is not in the way. */
let days = 3;
const chooseMeals = async (...who: ("child" | "secondChild")[]) => {
  await camille.post("/api/canteen/requests/drop", { idgroup: canteen.groupId });
  const day = workingDaysAfter(todayInParis(), ++days);
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
  await isProposed(page, /^Carte bancaire/);
  expect(await violationsOf(page)).toEqual([]);
  await showPayments(page);
  await page.getByRole("radio", { name: /^Cagnotte principale, Léo/ }).waitFor();
  // The keyboard is on what is chosen, though it is the last of them.
  const card = page.getByRole("radio", { name: /^Carte bancaire/ });
  await expect.poll(() => card.isChecked()).toBe(true);
  await expect.poll(() => card.evaluate((one) => one === document.activeElement)).toBe(true);
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole("button", { name: /^Payer \d/ }).click();
  await page.waitForURL("**/paiement/sandbox/*");
  await page
    .getByRole("button", { name: /^Refuser/ })
    .first()
    .click();
  await press(page, "Choisir un moyen de paiement");
  await isProposed(page, /^Carte bancaire/);
  // Enough of one's own: it pays.
  await leave("guardian", { main: 10_000 });
  await page.reload();
  await isProposed(page, /^Cagnotte principale(?!, )/);
  await page.context().close();
});

test("meals of one child: its canteen money is chosen; of two where only one has some, each pays its own", async () => {
  await leave("guardian", { main: 10_000 });
  await leave("child", { main: 0, meals: 7500 });
  await chooseMeals("child");
  const page = await open(review());
  await isProposed(page, /^Restauration, Léo/);
  // Short of it, its other money does not take its place.
  await leave("child", { main: 10_000, meals: 0 });
  await page.reload();
  await isProposed(page, /^Cagnotte principale(?!, )/);
  await leave("child", { main: 0, meals: 7500 });
  await leave("secondChild", { main: 0 });
  await chooseMeals("child", "secondChild");
  await page.reload();
  await isProposed(page, /^Restauration, Léo/);
  await isProposed(page, /^Cagnotte principale(?!, )/);
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole("button", { name: /^Payer 6,90/ }).click();
  await page.getByRole("heading", { name: "Vos repas sont commandés" }).waitFor();
  await page.getByText(/^Restauration, Léo Moreau/).waitFor();
  await page.getByText(/^Cagnotte principale, Camille Moreau/).waitFor();
  await expect.poll(() => spendable("child")).toEqual({ main: 0, meals: 7500 - 345 });
  await expect.poll(() => spendable("guardian")).toMatchObject({ main: 10_000 - 345 });
  await expect.poll(() => spendable("secondChild")).toMatchObject({ main: 0 });
  await page.context().close();
});

test("what one's own money lacks beside a child's is paid by card, after a refusal too", async () => {
  await leave("guardian", { main: 100 });
  await leave("child", { main: 0, meals: 345 });
  await leave("secondChild", { main: 0 });
  await chooseMeals("child", "secondChild");
  const page = await open(review(), { viewport: { width: 1280, height: 900 } });
  await isProposed(page, /^Restauration, Léo/);
  await isProposed(page, /^Cagnotte principale et carte bancaire/);
  const button = /^Payer 2,45.€ par carte et le reste avec les cagnottes$/;
  await page.getByRole("button", { name: button }).click();
  await page.waitForURL("**/paiement/sandbox/*");
  await page
    .getByRole("button", { name: /^Refuser/ })
    .first()
    .click();
  await expect.poll(() => spendable("child")).toEqual({ main: 0, meals: 345 });
  // Back to what was chosen, where the same is proposed.
  await press(page, "Choisir un moyen de paiement");
  await page.getByRole("heading", { name: "Vérifiez avant de commander" }).waitFor();
  await isProposed(page, /^Restauration, Léo/);
  await page.getByRole("button", { name: button }).click();
  await page.waitForURL("**/paiement/sandbox/*");
  await press(page, /^Payer \d/);
  await page.getByRole("heading", { name: "Vos repas sont commandés" }).waitFor();
  await expect.poll(() => spendable("child")).toEqual({ main: 0, meals: 0 });
  await expect.poll(() => spendable("guardian")).toMatchObject({ main: 0 });
  await page.context().close();
});

test("a limit of the child that refuses is changed from there, and the payment goes on", async () => {
  await leave("guardian", { main: 10_000 });
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
  await isProposed(page, /^Cagnotte principale(?!, )/);
  await showPayments(page);
  // It would be refused: told with the way to mend it, not offered.
  await page
    .getByText(/^Restauration, Léo\s: Ses plafonds n’y laissent dépenser que 1,00\s€/)
    .waitFor();
  await expect.poll(() => page.getByRole("radio", { name: /Léo/ }).count()).toBe(0);
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole("link", { name: "Changer les plafonds de Léo" }).click();
  await page.waitForURL(`**/family/${cast.child.cardnumber}`);
  await page.getByRole("heading", { name: /Plafonds/ }).waitFor();
  await limit(null);
  const before = (await camille.get("/api/canteen/orders?when=coming")).body.items.length;
  await page.goto(portal.url + review());
  await isProposed(page, /^Restauration, Léo/);
  // Limited since the page was read: the refusal leads there too.
  await page.route("**/api/public/services/public*", () => undefined);
  await limit(100);
  await page.getByRole("button", { name: /^Payer \d/ }).click();
  await page.getByText(/plus que ce que cette carte peut dépenser par jour/).waitFor();
  await page.getByRole("link", { name: "Changer les plafonds de Léo" }).waitFor();
  await limit(null);
  await page.getByRole("button", { name: /^Payer \d/ }).click();
  await page.getByRole("heading", { name: "Vos repas sont commandés" }).waitFor();
  const coming = (await camille.get("/api/canteen/orders?when=coming")).body.items;
  expect(coming).toHaveLength(before + 1);
  await page.context().close();
});
