// A wallet that is short: one press pays what is missing by card, and what was chosen is there on the return.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { todayInParis } from "#contract/days.ts";
import { workingDaysAfter } from "#contract/working-days.ts";
import { violationsOf } from "../axe.ts";
import { makeCanteen, type MadeCanteen } from "../canteens.ts";
import { cast } from "../cast.ts";
import { makeEvent } from "../events.ts";
import { expectNoHorizontalScroll } from "../page-width.ts";
import { proposedPayment, showPayments } from "../payment-choice.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";
import type { Client } from "../test-server.ts";
import { ledgerFaults, payerOf, press, seeHeading } from "../top-up-steps.ts";
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

const short = async (cents: number) => {
  const payer = await payerOf(portal, "guardian");
  const { objectID } = await payer.wallet();
  await leaveToSpend(portal.server, objectID, cents);
  for (const name of ["child", "secondChild"] as const) {
    const child = await camille.get(`/api/wallets?cardnumber=${cast[name].cardnumber}`);
    for (const one of child.body.items) await leaveToSpend(portal.server, one.objectID, 0);
  }
};
const spendable = async (): Promise<number> =>
  (await camille.get(`/api/wallets?cardnumber=${cast.guardian.cardnumber}`)).body.items[0]
    .projectedCents;
const shot = async (page: Page, name: string) => {
  expect(await violationsOf(page)).toEqual([]);
  await expectNoHorizontalScroll(page);
  const folder = process.env["SHOTS"];
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
};

test("meals of a week at 360 px: one press, the card pays what is missing, the meals are ordered", async () => {
  const days = [3, 4].map((count) => workingDaysAfter(todayInParis(), count));
  const registration = canteen.registrations.child;
  await camille.post("/api/canteen/requests/lines", {
    idgroup: canteen.groupId,
    meals: days.map((day) => ({ registration, day })),
    chosen: true,
  });
  await short(400);
  const page = await portal.open({ viewport: { width: 360, height: 800 }, colorScheme: "dark" });
  await portal.login(page, "guardian");
  const path = `/commande/cantine/restauration-essai/${canteen.groupId}?etape=commander`;
  await page.goto(`${portal.url}${path}`);
  // Chosen before anything is pressed, and the split is told.
  const both = proposedPayment(page);
  await both.getByText("Cagnotte principale et carte bancaire").waitFor();
  await both.getByText(/4,00\s€ de cette cagnotte et 2,90\s€ par carte bancaire/).waitFor();
  await shot(page, "meals-360-dark");
  await press(page, /^Payer 2,90\s€ par carte et le reste avec la cagnotte$/);
  await page.waitForURL("**/paiement/sandbox/*");
  await page
    .getByText(/2,90\s€/)
    .first()
    .waitFor();
  // Back without paying: the same is offered, what is set aside counts as there.
  await page.goto(`${portal.url}${path}`);
  await page.getByText(/4,00\s€ de cette cagnotte et 2,90\s€ par carte bancaire/).waitFor();
  await press(page, /^Payer 2,90\s€ par carte et le reste avec la cagnotte$/);
  await page.waitForURL("**/paiement/sandbox/*");
  await page
    .getByRole("button", { name: /^Payer 2,90/ })
    .first()
    .click();
  await page.getByRole("heading", { name: "Vos repas sont commandés" }).waitFor();
  // What each part paid.
  await page.getByText("Carte bancaire", { exact: true }).waitFor();
  await shot(page, "meals-paid-360-dark");
  const coming = (await camille.get("/api/canteen/orders?when=coming")).body.items;
  expect(coming.map(({ day }: { day: string }) => day).toSorted()).toEqual(days);
  await expect.poll(spendable).toBe(0);
});

test("a ticket at 1280 px: declined frees the wallet; paid, the ticket is there", async () => {
  const event = await makeEvent(portal.server);
  const line = { session: event.session, category: event.full, quantity: 1 };
  const { cart } = (
    await camille.post("/api/tickets/cart/lines", { ...line, cardnumber: cast.guardian.cardnumber })
  ).body;
  await short(200);
  const page = await portal.open({ viewport: { width: 1280, height: 900 }, colorScheme: "light" });
  await portal.signIn(page, "guardian");
  await page.goto(`${portal.url}/services/E-Billet?panier=`);
  const button = /^Payer .* par carte et le reste avec la cagnotte$/;
  await page.getByRole("button", { name: button }).waitFor();
  await shot(page, "ticket-1280-light");
  await page.getByRole("button", { name: button }).click();
  await page.waitForURL("**/paiement/sandbox/*");
  await page
    .getByRole("button", { name: /^Refuser/ })
    .first()
    .click();
  await seeHeading(page, "Le paiement n’a pas abouti");
  await expect.poll(spendable).toBe(200);
  await press(page, "Choisir un moyen de paiement");
  await page.getByRole("button", { name: button }).click();
  await page.waitForURL("**/paiement/sandbox/*");
  await press(page, /^Payer \d/);
  await seeHeading(page, /C’est payé/);
  await expect.poll(spendable).toBe(0);
  const paid = (await camille.get(`/api/tickets?cardnumber=${cast.guardian.cardnumber}`)).body
    .items;
  expect(paid).toHaveLength(1);
  expect(cart.totalCents).toBeGreaterThan(200);
});

test("a frozen main wallet closes the bank card: it says why, and nothing passes through a child's wallet", async () => {
  const event = await makeEvent(portal.server);
  const line = { session: event.session, category: event.full, quantity: 1 };
  await camille.post("/api/tickets/cart/lines", { ...line, cardnumber: cast.child.cardnumber });
  await short(0);
  const own = await (await payerOf(portal, "guardian")).wallet();
  const child = await (await payerOf(portal, "child")).wallet();
  const freeze = (why: string | null) =>
    portal.server.deps.pool.query(
      "update wallet set frozen_why = $2, frozen_at = case when $2::text is null then null else now() end where object_id = $1",
      [own.objectID, why],
    );
  await freeze("litige");
  const page = await portal.open({ viewport: { width: 360, height: 800 }, colorScheme: "dark" });
  await portal.login(page, "guardian");
  const path = `${portal.url}/services/E-Billet?panier=`;
  const closed = page.getByText(
    /^Carte bancaire\s: Passe par la cagnotte principale, qui est bloquée/,
  );
  const pay = page.getByRole("button", { name: /^Payer \d/ });
  await page.goto(path);
  await page.getByText("La cagnotte principale est bloquée le temps d’un litige.").waitFor();
  await closed.waitFor();
  await expect.poll(() => page.getByRole("radio").count()).toBe(0);
  await expect.poll(() => pay.isDisabled()).toBe(true);
  await shot(page, "frozen-360-dark");
  await page.getByRole("link", { name: "Nous écrire" }).click();
  await page.waitForURL("**/contact?ecrire=1");

  // The child's wallet may pay by itself; a bank card still does not go through it.
  await leaveToSpend(portal.server, child.objectID, 10_000);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto(path);
  await proposedPayment(page).getByText("Cagnotte principale, Léo").waitFor();
  await showPayments(page);
  await closed.waitFor();
  await shot(page, "frozen-1280-light");
  await freeze(null);
  await page.reload();
  await showPayments(page);
  await page.getByRole("radio", { name: /^Carte bancaire/ }).waitFor();
});
