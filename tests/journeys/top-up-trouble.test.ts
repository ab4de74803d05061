// Topping up when things go wrong around it: reloads, a lost connection, hurried hands, two tabs.
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { openTestPortal, type TestPortal } from "../test-portal.ts";
import {
  goAndPay,
  leaveToPay,
  ledgerFaults,
  letPass,
  type Payer,
  payerOf,
  press,
  seeHeading,
  typeAmount,
} from "../top-up-steps.ts";

let portal: TestPortal;
let page: Page;
let payer: Payer;
let before: number;
let started: number;
beforeAll(async () => {
  portal = await openTestPortal();
  page = await portal.open();
  await portal.login(page, "guardian");
  payer = await payerOf(portal, "guardian");
});
afterEach(async () => {
  const faults = await ledgerFaults(portal);
  expect(faults).toEqual([]);
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

const remember = async () => {
  before = (await payer.wallet()).balanceCents;
  started = (await payer.topUps()).length;
};
const credited = async () => (await payer.wallet()).balanceCents - before;
const startedSince = async () => (await payer.topUps()).length - started;

test("a reload at each step loses nothing and pays nothing twice", async () => {
  await remember();
  await page.goto(payer.path);
  await typeAmount(page, "20");
  await page.reload();
  await leaveToPay(page, "20");
  await page.reload();
  await press(page, "Laisser en attente");
  await seeHeading(page, "Votre banque a accepté le paiement");
  await page.reload();
  await seeHeading(page, "Votre banque a accepté le paiement");
  await letPass(portal, 21);
  await seeHeading(page, "20 € ajoutés à votre cagnotte");
  await page.reload();
  await seeHeading(page, "20 € ajoutés à votre cagnotte");
  await expect.poll(async () => [await credited(), await startedSince()]).toEqual([2000, 1]);
});

test("back from the payment page meets the same payment, which can be resumed", async () => {
  await remember();
  await goAndPay(page, payer.path, "10");
  const payment = page.url();
  await page.goBack();
  await seeHeading(page, "Nous attendons la réponse du paiement");
  await page.getByRole("button", { name: /reprendre/ }).click();
  await page.waitForURL(payment);
  await press(page, "Payer 10,00 €");
  await seeHeading(page, "10 € ajoutés à votre cagnotte");
  await expect.poll(async () => [await credited(), await startedSince()]).toEqual([1000, 1]);
});

test("a connection lost while waiting: told, and the outcome is there when it comes back", async () => {
  await remember();
  await goAndPay(page, payer.path, "20");
  await press(page, "Laisser en attente");
  await seeHeading(page, "Votre banque a accepté le paiement");
  await page.context().setOffline(true);
  await page.getByText("Connexion perdue", { exact: true }).waitFor();
  await letPass(portal, 21);
  await expect.poll(credited).toBe(2000);
  await page.context().setOffline(false);
  await seeHeading(page, "20 € ajoutés à votre cagnotte");
  await expect.poll(startedSince).toBe(1);
});

test("a connection lost before paying: what was typed is still there, and it is paid once", async () => {
  await remember();
  await page.goto(payer.path);
  await typeAmount(page, "15");
  await page.context().setOffline(true);
  await page.getByText("Connexion perdue", { exact: true }).waitFor();
  await expect.poll(startedSince).toBe(0);
  await page.context().setOffline(false);
  await leaveToPay(page, "15");
  await press(page, "Payer 15,00 €");
  await seeHeading(page, "15 € ajoutés à votre cagnotte");
  await expect.poll(async () => [await credited(), await startedSince()]).toEqual([1500, 1]);
});

// proves: double-click
test("a double click starts one payment, and a double click on « Payer » pays once", async () => {
  await remember();
  await page.goto(payer.path);
  await typeAmount(page, "20");
  await page.getByRole("button", { name: "Payer 20 €" }).dblclick();
  await page.waitForURL("**/paiement/sandbox/*");
  await page.getByRole("button", { name: "Payer 20,00 €" }).dblclick({ noWaitAfter: true });
  await seeHeading(page, "20 € ajoutés à votre cagnotte");
  await expect.poll(async () => [await credited(), await startedSince()]).toEqual([2000, 1]);
});

// proves: double-click
test("two tabs with the same amount are one payment; the other tab sees it credited", async () => {
  await remember();
  const other = await page.context().newPage();
  for (const tab of [page, other]) {
    await tab.goto(payer.path);
    await typeAmount(tab, "40");
  }
  await Promise.all([leaveToPay(page, "40"), leaveToPay(other, "40")]);
  await expect.poll(() => other.url()).toBe(page.url());
  await press(page, "Payer 40,00 €");
  await seeHeading(page, "40 € ajoutés à votre cagnotte");
  await press(other, "Payer 40,00 €");
  await seeHeading(other, "40 € ajoutés à votre cagnotte");
  await expect.poll(async () => [await credited(), await startedSince()]).toEqual([4000, 1]);
  // That intention is over: the same amount again is another top-up.
  await goAndPay(other, payer.path, "40");
  await expect.poll(startedSince).toBe(2);
  await other.close();
});

test("a payment left unpaid expires by itself; starting again opens a new one", async () => {
  const late = await portal.open();
  await portal.login(late, "coGuardian");
  const person = await payerOf(portal, "coGuardian");
  const { balanceCents } = await person.wallet();
  await goAndPay(late, person.path, "20");
  await late.goBack();
  await seeHeading(late, "Nous attendons la réponse du paiement");
  await late.goto("/dashboard");
  portal.server.clock.advance(31 * 60 * 1000);
  const { reconcile } = await import("#server/payments/reconcile.ts");
  const { sandbox } = await import("#server/payments/sandbox.ts");
  await reconcile(portal.server.deps, sandbox(portal.server.deps));
  await expect.poll(async () => (await person.topUps())[0]?.state).toBe("declined");
  await goAndPay(late, person.path, "20");
  await press(late, "Payer 20,00 €");
  await seeHeading(late, "20 € ajoutés à votre cagnotte");
  await expect.poll(async () => (await person.wallet()).balanceCents).toBe(balanceCents + 2000);
  await late.context().close();
});
