// The network is cut: what the family may present is there at once, with its age, and goes with the session.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { demoFares } from "#server/demo/fares.ts";
import { inTx } from "#server/db/db.ts";
import { putOnSale } from "#server/passes/passes.ts";
import { makeActive } from "../active-card.ts";
import { violationsOf } from "../axe.ts";
import { addDays, parisDay } from "#contract/days.ts";
import { formatDate, formatDayInWords } from "#contract/french.ts";
import { makeCanteen, placeMeal } from "../canteens.ts";
import { cast } from "../cast.ts";
import { makeEvent } from "../events.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
  await furnish();
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

const leo = cast.child.cardnumber;
const zoe = cast.secondChild.cardnumber;

/** A free ticket for each of two children, a bus ticket and a day's pass for one. */
async function furnish(): Promise<void> {
  const { deps } = portal.server;
  await inTx(deps.db, (tx) => putOnSale(tx, demoFares));
  const camille = await portal.server.as("guardian");
  const free = [{ name: "Gratuit", priceCents: 0 }];
  const event = await makeEvent(portal.server, { title: "Concert du port", categories: free });
  const { objectID } = (await camille.get(`/api/wallets?cardnumber=${leo}`)).body.items[0];
  const seat = { session: event.session, category: event.full, quantity: 1 };
  let order = "";
  for (const cardnumber of [leo, zoe]) {
    const { body } = await camille.post("/api/tickets/cart/lines", { ...seat, cardnumber });
    order = body.cart.id;
  }
  const paying = { objectID, totalCents: 0, method: "wallet" };
  const bought = await camille.post("/api/tickets/cart/pay", { order, ...paying });
  expect(bought.status, bought.text).toBe(200);
  for (const ride of [
    { product: "lagon-ticket", cardnumber: leo },
    { product: "lagon-jour", cardnumber: leo },
  ]) {
    const begun = (await camille.post("/api/passes/orders", ride)).body;
    const path = `/api/passes/orders/${begun.id}`;
    const { revision, price } = (await camille.post(path, { startOn: begun.start.from })).body;
    const paid = await camille.post(`${path}/pay`, {
      revision,
      totalCents: price.totalCents,
      objectID,
      method: "wallet",
    });
    expect(paid.status, paid.text).toBe(200);
  }
}

/** What of the specified text and button is out of view or covered, and what is cut off at the side. */
async function misplaced(page: Page): Promise<string[]> {
  const inside = page.getByRole("dialog", { name: "Connexion perdue" });
  const { height = 0 } = page.viewportSize() ?? {};
  const text = await inside.getByText("Connexion perdue", { exact: true }).boundingBox();
  const button = await inside.getByRole("button", { name: "rafraîchir" }).boundingBox();
  const [titles] = await inside.getByRole("region", { name: "Mes titres hors ligne" }).all();
  const endOf = (box: typeof button) => (box ? box.y + box.height : Number.NaN);
  const isRight = {
    "the text is in view": text !== null && text.y >= 0,
    "the button is below it": button !== null && button.y >= endOf(text),
    "the button is in view": endOf(button) <= height,
    "titles stand below": !titles || ((await titles.boundingBox())?.y ?? 0) >= endOf(button),
    "nothing is cut off": await inside.evaluate((one) => one.scrollWidth <= one.clientWidth),
  };
  return Object.entries(isRight).flatMap(([what, holds]) => (holds ? [] : [what]));
}

/** The specified text and button come first at each size, however much is kept, with larger text too. */
async function textFirst(page: Page): Promise<void> {
  const root = page.locator("html");
  for (const [width, height, size] of [
    [1280, 800, ""],
    [390, 844, ""],
    [360, 640, ""],
    [320, 480, ""],
    [360, 640, "200%"],
  ] as const) {
    await page.setViewportSize({ width, height });
    await root.evaluate((one, fontSize) => (one.style.fontSize = fontSize), size);
    const message = `${width} × ${height} ${size}`;
    await expect.poll(() => misplaced(page), { message }).toEqual([]);
  }
  await root.evaluate((one) => (one.style.fontSize = ""));
  await page.setViewportSize({ width: 360, height: 740 });
}

// proves: offline-tickets
test("tickets and passes of the whole family show at once with their age; logout takes them away", async () => {
  const page = await portal.open({ viewport: { width: 360, height: 740 }, worker: true });
  await portal.login(page, "guardian");
  await page.evaluate("navigator.serviceWorker.ready.then(() => true)");
  // The policy of the page refuses the strings that waitForFunction would evaluate again and again.
  const holds = (what: string) => expect.poll(() => page.evaluate<boolean>(what)).toBe(true);
  await holds("navigator.serviceWorker.controller !== null");
  await holds("localStorage.getItem('ma-carte.titles') !== null");
  const stored = () => page.evaluate<string>("localStorage.getItem('ma-carte.titles')");
  await expect.poll(stored).not.toContain("Concert");
  await page.context().setOffline(true);
  await page.reload();
  await page.getByText("Connexion perdue", { exact: true }).waitFor();
  const titles = page.getByRole("region", { name: "Mes titres hors ligne" });
  await titles.getByText(/Tels qu’ils étaient il y a/).waitFor();
  const summaries = titles.locator("summary");
  await expect.poll(() => summaries.count()).toBe(4);
  await textFirst(page);
  const whole = async () => (await summaries.allInnerTexts()).join("\n");
  await expect.poll(whole).toMatch(/Concert du port[\s\S]*Concert du port/);
  await expect.poll(whole).toContain(cast.child.name);
  await expect.poll(whole).toContain(cast.secondChild.name);
  const today = formatDate(portal.server.clock.now());
  await expect.poll(whole).toContain(`Jusqu’au ${today}, ${cast.child.name}`);
  const pass = summaries.filter({ hasText: "Journée" });
  await expect.poll(() => pass.innerText()).not.toContain(":");
  await titles.getByText("Concert du port").first().click();
  await titles.getByRole("img", { name: /^Code du billet/ }).waitFor();
  await titles.locator("summary", { hasText: "Ticket" }).click();
  await titles.getByRole("img", { name: /^Code du titre de transport/ }).waitFor();
  await titles
    .getByText(String(leo).replace(/(\d{4})(\d{3})(\d{3})/, "$1 $2 $3"))
    .first()
    .waitFor();
  await expect.poll(() => page.getByRole("button", { name: "rafraîchir" }).count()).toBe(1);
  expect(await violationsOf(page)).toEqual([]);
  await page.context().setOffline(false);
  await page.getByText("Connexion perdue", { exact: true }).waitFor({ state: "detached" });
  await page.goto("/profil", { waitUntil: "commit" });
  await page.getByRole("button", { name: "Se déconnecter" }).click();
  await page.waitForURL("**/login*");
  await expect.poll(stored).toBeNull();
  await page.context().close();
});

// proves: offline-tickets
test("the next meals of the family show without network, each on its day; one that is cancelled is gone", async () => {
  const canteen = await makeCanteen(portal.server);
  const today = parisDay(portal.server.clock.now());
  const meals = [1, 2, 3, 4].map((days) => addDays(today, days));
  const ids: string[] = [];
  for (const day of meals) {
    const registration = canteen.registrations.secondChild;
    ids.push(await placeMeal(portal.server, { registration, day, priceCents: 100 }));
  }
  const page = await portal.open({ viewport: { width: 360, height: 740 }, worker: true });
  await portal.login(page, "guardian");
  await page.evaluate("navigator.serviceWorker.ready.then(() => true)");
  await expect
    .poll(() => page.evaluate("localStorage.getItem('ma-carte.titles') !== null"))
    .toBe(true);
  const [first = "", second = ""] = meals;
  const titles = page.getByRole("region", { name: "Mes titres hors ligne" });
  const mealTitles = titles.locator("summary", { hasText: /^Repas de / });
  await page.context().setOffline(true);
  await page.reload();
  await mealTitles.first().waitFor();
  await expect.poll(() => mealTitles.count()).toBe(3);
  await mealTitles.filter({ hasText: formatDayInWords(first) }).click();
  await titles.getByRole("img", { name: /^Code du repas, Repas de/ }).waitFor();
  await titles
    .getByText(new RegExp(`École des Embruns, repas n° \\d+, le ${formatDayInWords(first)}`))
    .waitFor();
  const folder = process.env["SHOTS"];
  if (folder) await page.screenshot({ path: `${folder}/meals-offline.png` });
  expect(await violationsOf(page)).toEqual([]);
  await page.context().setOffline(false);
  await page.getByText("Connexion perdue", { exact: true }).waitFor({ state: "detached" });

  await portal.server.deps.pool.query(
    "update meal_order set state = 'cancelled' where on_day = $1",
    [second],
  );
  // The fourth day's meal takes the place of the cancelled one.
  const qrAnswer = page.waitForResponse(new RegExp(`/orders/${ids[3]}/qr$`));
  const stored = () => page.evaluate<string>("localStorage.getItem('ma-carte.titles')");
  const before = await stored();
  await page.goto("/commande/cantine/suivi");
  await qrAnswer;
  await expect.poll(stored).not.toBe(before);
  await page.context().setOffline(true);
  await page.reload();
  await mealTitles.first().waitFor();
  await expect.poll(() => mealTitles.count()).toBe(3);
  await expect
    .poll(async () => (await mealTitles.allInnerTexts()).join())
    .not.toContain(formatDayInWords(second));
  await page.context().close();
});

test("the pass of a suspended card has no code, and takes nobody else's from the device", async () => {
  await makeActive(portal.server, leo);
  const camille = await portal.server.as("guardian");
  const suspended = await camille.post(`/api/cards/${leo}/suspend`);
  expect(suspended.status, suspended.text).toBe(200);
  const page = await portal.open({ worker: true });
  const [refused] = await Promise.all([
    page.waitForResponse(/\/api\/passes\/[^/]+\/qr$/),
    portal.login(page, "guardian"),
  ]);
  expect(refused.status()).toBe(409);
  await expect
    .poll(() => page.evaluate("localStorage.getItem('ma-carte.titles') !== null"))
    .toBe(true);
  await page.evaluate("navigator.serviceWorker.ready.then(() => true)");
  await page.context().setOffline(true);
  await page.reload();
  const titles = page.getByRole("region", { name: "Mes titres hors ligne" });
  await titles.getByText(/Tels qu’ils étaient il y a/).waitFor();
  await expect
    .poll(async () => (await titles.locator("summary").allInnerTexts()).join("\n"))
    .toContain(cast.secondChild.name);
  await page.context().close();
});

test("a visitor, who can have no title, is told of none", async () => {
  const page = await portal.open({ worker: true });
  await page.goto("/informations/plan");
  await page.evaluate("navigator.serviceWorker.ready.then(() => true)");
  await page.context().setOffline(true);
  await page.reload();
  await page.getByRole("button", { name: "rafraîchir" }).waitFor();
  // What tells of titles is read from the device: it had the time.
  await page.waitForTimeout(500);
  await expect.poll(() => page.getByText(/titres/).count()).toBe(0);
  await textFirst(page);
  await page.context().close();
});
