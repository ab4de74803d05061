// A family's evening on one phone: seats, money sent, other seats, a week of meals, a purchase at a till, one proof for
// all of it; and beside it an employer who grants twice. What is proved right never shuts anybody out.
import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addDays, todayInParis } from "#contract/days.ts";
import { moneyProof } from "#contract/identity/limits.ts";
import { violationsOf } from "../axe.ts";
import { farMonday, makeCanteen, type MadeCanteen } from "../canteens.ts";
import { cast, castPassword } from "../cast.ts";
import { codeDialog, typeProof } from "../code-dialog.ts";
import { furnishDirectory } from "../directory.ts";
import { makeEvent } from "../events.ts";
import { expectNoHorizontalScroll } from "../page-width.ts";
import { payWith } from "../payment-choice.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";
import type { Client } from "../test-server.ts";
import { ledgerFaults } from "../top-up-steps.ts";
import { leaveToSpend } from "../wallet-money.ts";

let portal: TestPortal;
let page: Page;
let camille: Client;
let canteen: MadeCanteen;
beforeAll(async () => {
  portal = await openTestPortal();
  const { server } = portal;
  await furnishDirectory(server.deps);
  // For staff: it serves through the school holidays, whenever this runs.
  canteen = await makeCanteen(server, { kind: "staff" });
  camille = await server.as("guardian");
  const { items } = (await camille.get(`/api/wallets?cardnumber=${cast.guardian.cardnumber}`)).body;
  await leaveToSpend(server, items[0].objectID, 20_000);
  page = await portal.open({ viewport: { width: 360, height: 740 } });
  await portal.signIn(page, "guardian");
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  const faults = await ledgerFaults(portal);
  expect(faults).toEqual([]);
  await portal.close();
});

const press = (name: string | RegExp) => page.getByRole("button", { name }).click();
/** Main money of the guardian, in cents. */
const balance = async (): Promise<number> => {
  const path = `/api/wallets?cardnumber=${cast.guardian.cardnumber}`;
  const { body, text } = await camille.get(path);
  expect(body.items, text).toBeDefined();
  return body.items[0].balanceCents;
};
const codesSent = () =>
  portal.server.outbox.filter(({ body }) => body.includes("est votre code")).length;
const seats = async (quantity: number) => {
  const { session, full } = await makeEvent(portal.server);
  const line = { session, category: full, quantity, cardnumber: cast.guardian.cardnumber };
  const answer = await camille.post("/api/tickets/cart/lines", line);
  expect(answer.status, answer.text).toBe(200);
  await page.goto(`${portal.url}/services/E-Billet?panier=`);
  await payWith(page, /^Cagnotte principale/);
};

test("five seats at 60 € ask for a proof, once; a wrong code is told", async () => {
  await seats(5);
  await press(/^Payer 60,00/);
  const dialog = codeDialog(page);
  await dialog.getByRole("heading", { name: /60,00/ }).waitFor();
  await dialog.getByText(/Pendant 15 minutes.*jusqu’à 300,00.€ au total/).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await expectNoHorizontalScroll(page);
  await dialog.getByLabel("Votre mot de passe").fill(castPassword);
  await dialog.getByRole("textbox", { name: "Code reçu" }).click();
  const right = portal.server.lastCode();
  await page.keyboard.type(right === "000000" ? "111111" : "000000");
  await dialog.getByText(/Ce code n'est pas le bon/).waitFor();
  await expect.poll(balance).toBe(20_000);
  await dialog.getByRole("textbox", { name: "Code reçu" }).click();
  for (let digit = 0; digit < 6; digit++) {
    await page.keyboard.press("End");
    await page.keyboard.press("Backspace");
  }
  await page.keyboard.type(right);
  await dialog.waitFor({ state: "detached" });
  await expect.poll(balance).toBe(14_000);
});

test("money sent, and two more seats, pass without another", async () => {
  const sent = codesSent();
  await page.goto(`${portal.url}/cagnottes/virement?vers=${cast.child.cardnumber}`);
  await page.getByLabel("Montant", { exact: true }).fill("30");
  await press("Vérifier le virement");
  await press(/Envoyer 30,00.€ à Léo/);
  await page.getByRole("heading", { name: /30,00.€ envoyés à Léo/ }).waitFor();
  await seats(2);
  await press(/^Payer 24,00/);
  await expect.poll(balance).toBe(14_000 - 3000 - 2400);
  expect(codesSent()).toBe(sent);
});

test("a week of meals for a child passes, too, in a session that proved nothing", async () => {
  const sent = codesSent();
  const week = [0, 1, 2, 3, 4];
  const monday = farMonday(todayInParis(), week);
  const other = await portal.open({ viewport: { width: 360, height: 740 } });
  await portal.signIn(other, "guardian");
  const meals = week.map((day) => ({
    registration: canteen.registrations.child,
    day: addDays(monday, day),
  }));
  const line = { idgroup: canteen.groupId, meals, chosen: true };
  const answer = await camille.post("/api/canteen/requests/lines", line);
  expect(answer.status, answer.text).toBe(200);
  await other.goto(
    `${portal.url}/commande/cantine/restauration-essai/${canteen.groupId}?etape=commander`,
  );
  await payWith(other, /^Cagnotte principale(?!, )/);
  await other.getByRole("button", { name: /^Payer 1\d,\d\d/ }).click();
  await other.getByRole("heading", { name: "Vos repas sont commandés" }).waitFor();
  const coming = (await camille.get("/api/canteen/orders?when=coming")).body.items;
  expect(coming.length).toBeGreaterThanOrEqual(4);
  expect(codesSent()).toBe(sent);
  await other.context().close();
});

test("1,44 € at a till asks nothing", async () => {
  const shop = await portal.server.as("partnerShop");
  const { rows } = await portal.server.deps.pool.query(
    "select id from partner where reference = 'librairie-des-embruns'",
  );
  const { token } = (await camille.get(`/api/cards/${cast.guardian.cardnumber}/qr`)).body;
  const sale = { id: randomUUID(), partner: rows[0].id, amountCents: 144, token };
  const sold = await shop.post("/api/till/sales", sale);
  expect(sold.body).toMatchObject({ state: "paid" });
});

test("its minutes over, it is asked again", async () => {
  for (let time = 0; time < 2; time++) {
    portal.server.clock.advance(moneyProof.minutes * 60_000);
    const before = await balance();
    const amount = `10,0${time}`;
    await page.goto(`${portal.url}/cagnottes/virement?vers=${cast.child.cardnumber}`);
    await page.getByLabel("Montant", { exact: true }).fill(amount);
    await press("Vérifier le virement");
    await press(new RegExp(`Envoyer ${amount}.€ à Léo`));
    await typeProof(page, portal.server);
    await page.getByRole("heading", { name: new RegExp(`${amount}.€ envoyés à Léo`) }).waitFor();
    await expect.poll(balance).toBe(before - 1000 - time);
  }
});

test("an employer grants twice with one proof; above what it opens each is proved, and nobody is shut out", async () => {
  const owner = await portal.open({ viewport: { width: 1280, height: 800 } });
  await portal.signIn(owner, "employer");
  const api = await portal.server.as("employer");
  const { items } = (await api.get(`/api/wallets?cardnumber=${cast.employer.cardnumber}`)).body;
  await leaveToSpend(portal.server, items[0].objectID, 200_000);
  const cards = (await api.get("/api/grants/choices")).body.cards;
  const grant = async (amountCents: number) => {
    const written = await api.post("/api/grants", {
      idgroup: 1,
      label: `Repas ${amountCents}`,
      expiresOn: addDays(todayInParis(), 40),
      cards: [{ cardnumber: cards[0].cardnumber, amountCents }],
    });
    expect(written.status, written.text).toBe(201);
    await owner.goto(`${portal.url}/professional/dotations?dotation=${written.body.id}`);
    await owner.getByRole("button", { name: /^Payer \d/ }).click();
  };
  await grant(6000);
  await typeProof(owner, portal.server);
  await owner.getByText("En cours").first().waitFor();
  const sent = codesSent();
  await grant(5500);
  await owner.getByText("En cours").first().waitFor();
  expect(codesSent()).toBe(sent);
  // More than the three codes that a quarter of an hour allows to whoever proves none.
  for (let time = 1; time <= 4; time++) {
    await grant(moneyProof.cents + time);
    await typeProof(owner, portal.server);
    await owner.getByText("En cours").first().waitFor();
  }
  expect(codesSent()).toBe(sent + 4);
  await owner.context().close();
});
