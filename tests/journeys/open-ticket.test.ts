// A ticket, a pass or a card held out to a reader: the screen stays lit, the code stands alone on white, and the
// family's next ones are a swipe or a key away.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { demoFares } from "#server/demo/fares.ts";
import { inTx } from "#server/db/db.ts";
import { putOnSale } from "#server/passes/passes.ts";
import { violationsOf } from "../axe.ts";
import { cast } from "../cast.ts";
import { hour, makeEvent } from "../events.ts";
import { expectNoHorizontalScroll } from "../page-width.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";

let portal: TestPortal;
let fares: number;
beforeAll(async () => {
  portal = await openTestPortal();
  fares = await furnish();
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

const camille = cast.guardian;
const leo = cast.child;

/** Free tickets: both of the circus tonight, and Léo's of the concert in ten days; a ride of each with the bus. */
async function furnish(): Promise<number> {
  const { server } = portal;
  await inTx(server.deps.db, (tx) => putOnSale(tx, demoFares));
  const client = await server.as("guardian");
  const { objectID } = (await client.get(`/api/wallets?cardnumber=${camille.cardnumber}`)).body
    .items[0];
  const categories = [{ name: "Gratuit", priceCents: 0 }];
  const at = (hours: number) => new Date(server.deps.now().getTime() + hours * hour).toISOString();
  const concert = await makeEvent(server, { title: "Concert du port", categories });
  const circus = await makeEvent(server, {
    title: "Cirque du large",
    categories,
    sessions: [{ startsAt: at(5), endsAt: at(7), seats: 10 }],
    saleUntil: at(4),
  });
  let order = "";
  for (const [event, card] of [
    [concert, leo],
    [circus, leo],
    [circus, camille],
  ] as const) {
    const { body } = await client.post("/api/tickets/cart/lines", {
      session: event.session,
      category: event.full,
      quantity: 1,
      cardnumber: card.cardnumber,
    });
    order = body.cart.id;
  }
  const paying = { objectID, totalCents: 0, method: "wallet" };
  const bought = await client.post("/api/tickets/cart/pay", { order, ...paying });
  expect(bought.status, bought.text).toBe(200);
  let group = 0;
  for (const card of [camille, leo]) {
    const ride = { product: "lagon-ticket", cardnumber: card.cardnumber };
    const begun = (await client.post("/api/passes/orders", ride)).body;
    const path = `/api/passes/orders/${begun.id}`;
    const { revision, price } = (await client.post(path, { startOn: begun.start.from })).body;
    const { totalCents } = price;
    const paid = await client.post(`${path}/pay`, {
      revision,
      totalCents,
      objectID,
      method: "wallet",
    });
    expect(paid.status, paid.text).toBe(200);
    group = begun.group.idgroup;
  }
  return group;
}

/** Counts the locks of the screen that the page holds, by the browser's own requests. */
const countLocks = `
  window.locks = 0;
  const request = navigator.wakeLock.request.bind(navigator.wakeLock);
  navigator.wakeLock.request = async (type) => {
    const lock = await request(type);
    window.locks += 1;
    lock.addEventListener("release", () => (window.locks -= 1));
    return lock;
  };`;

async function openPhone(address: string): Promise<Page> {
  const page = await portal.open({ viewport: { width: 360, height: 740 }, hasTouch: true });
  await page.context().grantPermissions(["screen-wake-lock"], { origin: portal.url });
  await page.addInitScript(countLocks);
  await portal.signIn(page, "guardian");
  await page.goto(`${portal.url}${address}`);
  return page;
}

const locksOf = (page: Page) => () => page.evaluate<number>("window.locks");

/** A press on the code shows it alone, wider than before, on white; it is left by its button, a press or a key. */
async function enlarge(page: Page, name: RegExp): Promise<void> {
  const small = page.getByRole("img", { name });
  const { width: before = 0 } = (await small.boundingBox()) ?? {};
  await page.getByRole("button", { name: "Agrandir le code" }).click();
  const alone = page.getByRole("dialog", { name });
  const large = alone.getByRole("img", { name });
  await expect.poll(async () => (await large.boundingBox())?.width ?? 0).toBeGreaterThan(before);
  await expect
    .poll(() => alone.evaluate((one) => getComputedStyle(one).backgroundColor))
    .toBe("rgb(255, 255, 255)");
  expect(await violationsOf(page)).toEqual([]);
  await expectNoHorizontalScroll(page);
  // The arrow keys and the finger of what is under it are not its own.
  await page.keyboard.press("ArrowRight");
  await alone.waitFor();
  await page.keyboard.press("Enter");
  await alone.waitFor({ state: "hidden" });
  await small.click({ position: { x: 40, y: 40 }, force: true });
  await alone.waitFor();
  await page.keyboard.press("Escape");
  await alone.waitFor({ state: "hidden" });
  // The ticket itself stays open.
  await small.waitFor();
}

test("the next ticket to be used is first, and all of the family's follow; the screen stays lit", async () => {
  const page = await openPhone("/services/E-Billet?onglet=billets");
  await page.emulateMedia({ colorScheme: "dark" });
  const stubs = page.getByRole("button", { name: /réf\.|billets :/ });
  await expect
    .poll(() => stubs.allInnerTexts().then((all) => all.join(" ")))
    .toMatch(/Cirque.*Concert/s);
  await expect.poll(locksOf(page)).toBe(0);
  await page.getByRole("button", { name: /Cirque du large/ }).click();
  const ticket = page.getByRole("dialog", { name: "Cirque du large" });
  await ticket.getByText(/^Billet 1 sur 2/).waitFor();
  await expect.poll(locksOf(page)).toBe(1);
  await enlarge(page, /^Code du billet/);
  await ticket.getByRole("button", { name: "Billet suivant" }).press("Enter");
  await ticket.getByText(/^Billet 2 sur 2/).waitFor();
  await page.keyboard.press("ArrowRight");
  const concert = page.getByRole("dialog", { name: "Concert du port" });
  await concert.getByText(/^Billet de Léo/).waitFor();
  await expect.poll(locksOf(page)).toBe(1);
  await page.keyboard.press("Escape");
  await concert.waitFor({ state: "hidden" });
  await expect.poll(locksOf(page)).toBe(0);
  await page.context().close();
});

test("the paper is light in a dark theme, with the motif and the colours of the holder's card", async () => {
  const page = await openPhone("/services/E-Billet?onglet=billets");
  await page.emulateMedia({ colorScheme: "dark" });
  await page.getByRole("button", { name: /Concert du port/ }).click();
  const paper = page.getByRole("dialog").locator("[data-ink]");
  await paper.getByText(leo.name).waitFor();
  const ink = await paper.getAttribute("data-ink");
  await expect
    .poll(() =>
      paper.getByText("Référence").evaluate((one) => {
        const { colorScheme } = getComputedStyle(one);
        return colorScheme;
      }),
    )
    .toBe("light");
  expect(await violationsOf(page)).toEqual([]);
  await page.goto(`${portal.url}/family/${leo.cardnumber}`);
  await page.getByRole("article", { name: /Léo/ }).waitFor();
  await expect
    .poll(() => page.getByRole("article", { name: /Léo/ }).getAttribute("data-ink"))
    .toBe(ink);
  await page.context().close();
});

test("from one pass of the family to the next", async () => {
  const page = await openPhone(`/Abonnement/ligne/${fares}`);
  await page
    .getByRole("link", { name: new RegExp(`Ticket.*${camille.name.split(" ")[0]}`) })
    .click();
  const pass = page.getByRole("dialog", { name: "Ticket" });
  await pass.getByRole("img", { name: /^QR code du titre/ }).waitFor();
  await pass.getByText(/^Titre [12] sur 2/).waitFor();
  await pass.getByText(camille.name, { exact: true }).waitFor();
  await expect.poll(locksOf(page)).toBe(1);
  await enlarge(page, /^QR code du titre/);
  await pass.getByRole("button", { name: "Titre précédent" }).focus();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowRight");
  await pass.getByText(leo.name, { exact: true }).waitFor();
  await pass.getByRole("img", { name: /^QR code du titre/ }).waitFor();
  await expectNoHorizontalScroll(page);
  await page.context().close();
});

test("the code of the card is enlarged too, and goes on changing", async () => {
  const page = await openPhone("/dashboard");
  await page.getByRole("button", { name: "Afficher le QR code de la carte" }).click();
  await enlarge(page, /^QR code à présenter pour payer/);
  await expect.poll(locksOf(page)).toBe(1);
  await page.context().close();
});
