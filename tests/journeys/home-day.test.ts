// The home on a phone: the card, the money and the family's next day on the first screen; the meals that are not
// ordered yet are one tap away.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { formatTime } from "#contract/french.ts";
import { inTx } from "#server/db/db.ts";
import { demoFares } from "#server/demo/fares.ts";
import { openNetwork } from "#server/demo/transit.ts";
import { publishChange } from "#server/notifications/notifications.ts";
import { putOnSale } from "#server/passes/passes.ts";
import { approveIfRequired } from "../approve.ts";
import { forgetMeals, makeCanteen, type MadeCanteen, placeMeal } from "../canteens.ts";
import { cast } from "../cast.ts";
import { makeEvent } from "../events.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";

/** A Wednesday, 17:00 in Paris: « Demain » is the eleventh. */
const at = "2027-03-10T16:00:00Z";
const thursday = "2027-03-11";

let portal: TestPortal;
let canteen: MadeCanteen;
beforeAll(async () => {
  portal = await openTestPortal();
  const { server } = portal;
  server.clock.advance(Date.parse(at) - server.clock.now().getTime());
  const evening = { kind: "days_before", days: 1, workingDays: false, at: "20:00" } as const;
  canteen = await makeCanteen(server, { orderDeadline: evening, cancelDeadline: evening });
  const kitchen = await server.as("canteenProvider");
  const dish = { labels: [], allergens: [], diets: [], priceCents: null };
  const dishes = [
    { course: "main", name: "Poulet rôti", ...dish, allergens: ["mustard"] },
    { course: "side", name: "Riz pilaf", ...dish },
  ];
  await kitchen.post("/api/canteen/menus", { day: thursday, note: "", dishes });
  await kitchen.post("/api/canteen/menus/publish", { day: thursday, published: true });
  await placeMeal(server, { registration: canteen.registrations.secondChild, day: thursday });
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

const phone = { width: 360, height: 640 };
const desk = { width: 1280, height: 800 };
async function openHome(viewport = phone): Promise<Page> {
  const page = await portal.open({ viewport });
  await page.clock.setFixedTime(portal.server.clock.now());
  await portal.signIn(page, "guardian");
  await page.goto("/dashboard");
  await page.getByRole("heading", { name: "Demain" }).waitFor();
  return page;
}

/** Of the day, the line of a person. */
const lineOf = (page: Page, name: string) =>
  page
    .locator("section")
    .filter({ has: page.getByRole("heading", { name: "Demain" }) })
    .getByRole("listitem")
    .filter({ hasText: name });

test("the first screen of a phone holds the card, the money and who eats what tomorrow", async () => {
  const page = await openHome();
  const [jade, leo] = [lineOf(page, "Jade"), lineOf(page, "Léo")];
  await expect.poll(() => jade.innerText()).toContain("Poulet rôti, Riz pilaf");
  await expect.poll(() => leo.innerText()).toContain("Pas de repas commandé");
  const bar = page.getByRole("navigation", { name: "Navigation", exact: true });
  const top = async () => (await bar.boundingBox())?.y ?? 0;
  for (const part of [
    page.getByText(/^1000 000 0/).first(),
    page.getByText("Solde disponible"),
    page.getByRole("button", { name: "Afficher le QR code de la carte" }),
    page.getByRole("button", { name: "Recharger", exact: true }),
    jade,
    leo,
    page.getByRole("link", { name: "Commander le repas de Léo avant 20:00" }),
  ]) {
    await expect
      .poll(async () => {
        const box = await part.first().boundingBox();
        return box ? box.y + box.height - (await top()) : Infinity;
      })
      .toBeLessThanOrEqual(0);
  }
  await page.context().close();
});

test("a meal that is not ordered yet is ordered from its week, one tap away", async () => {
  const page = await openHome();
  await page.getByRole("link", { name: /^Commander le repas de Léo/ }).click();
  await page.waitForURL(/\/commande\/cantine\/.*semaine=2027-03-08/);
  await page.getByText("Poulet rôti").first().waitFor();
  await page.context().close();
});

test("a home without anything to come has no day", async () => {
  const page = await portal.open({ viewport: phone });
  await page.clock.setFixedTime(portal.server.clock.now());
  await portal.signIn(page, "stranger");
  await page.goto("/dashboard");
  await page.getByRole("heading", { name: "Évolution" }).waitFor();
  await expect
    .poll(() => page.getByRole("heading", { level: 2 }).allInnerTexts())
    .not.toContain("Demain");
  await page.context().close();
});

test("a home that could not be read says so beside the card and its money, and is asked for again", async () => {
  const page = await portal.open({ viewport: phone });
  await page.clock.setFixedTime(portal.server.clock.now());
  await portal.signIn(page, "guardian");
  const again = Promise.withResolvers<void>();
  let isRefused = true;
  await page.route(/\/api\/home\?/, async (route) => {
    if (isRefused) {
      const json = { code: "internal", message: "Une erreur est survenue." };
      return await route.fulfill({ status: 500, json });
    }
    await again.promise;
    await route.continue();
  });
  await page.goto("/dashboard");
  const failure = page.getByRole("main").getByRole("alert");
  await failure.getByText(/^Votre journée et ce qui vous attend n’ont pas pu/).waitFor();
  await failure.getByText("Une erreur est survenue.").waitFor();
  await page.getByText("Solde disponible").waitFor();
  await page.getByRole("heading", { name: "Évolution" }).waitFor();
  isRefused = false;
  const request = page.waitForRequest(/\/api\/home\?/);
  await failure.getByRole("button", { name: "Réessayer" }).click();
  await request;
  await failure.locator("[aria-busy=true]").waitFor();
  await page.getByText("Solde disponible").waitFor();
  again.resolve();
  await page.getByRole("heading", { name: "Demain" }).waitFor();
  await page.getByRole("heading", { name: "Mes enfants" }).waitFor();
  await failure.waitFor({ state: "detached" });
  await page.context().close();
});

/** Pays from Camille's wallet. */
async function pay(path: string, body: object): Promise<void> {
  const camille = await portal.server.as("guardian");
  const { items } = (await camille.get(`/api/wallets?cardnumber=${cast.guardian.cardnumber}`)).body;
  const { objectID } = items[0];
  const paid = await approveIfRequired(portal.server, camille, path, {
    method: "wallet",
    objectID,
    ...body,
  });
  expect(paid.status, paid.text).toBe(200);
}

async function giveBusPass(): Promise<void> {
  const { deps } = portal.server;
  await inTx(deps.db, (tx) => putOnSale(tx, demoFares));
  await inTx(deps.db, (tx) => openNetwork(tx, deps.now()));
  const camille = await portal.server.as("guardian");
  const start = { product: "lagon-mois", cardnumber: cast.child.cardnumber };
  const { body: begun } = await camille.post("/api/passes/orders", start);
  const path = `/api/passes/orders/${begun.id}`;
  const { body: order } = await camille.post(path, { startOn: begun.start.from });
  await pay(`${path}/pay`, { revision: order.revision, totalCents: order.price.totalCents });
  await deps.pool.query(
    `update pass set stop_id = (select ds.stop_id::text from fare_product f
       join transit_line l on l.group_id = f.group_id join transit_direction_stop ds on ds.line_id = l.id
       where f.id = 'lagon-mois' order by ds.place, ds.stop_id limit 1)`,
  );
}

async function buyTickets(): Promise<void> {
  const [startsAt, endsAt] = [`${thursday}T19:00:00Z`, `${thursday}T21:00:00Z`];
  const event = await makeEvent(portal.server, { sessions: [{ startsAt, endsAt, seats: 10 }] });
  const camille = await portal.server.as("guardian");
  const { cardnumber } = cast.guardian;
  const seats = { session: event.session, category: event.full, cardnumber, quantity: 2 };
  const { cart } = (await camille.post("/api/tickets/cart/lines", seats)).body;
  await pay("/api/tickets/cart/pay", { order: cart.id, totalCents: cart.totalCents });
}

const personOf = async (cardnumber: number): Promise<number> => {
  const text = "select person_id as id from card where number = $1";
  return (await portal.server.deps.pool.query(text, [cardnumber])).rows[0].id;
};

async function shareCustody(): Promise<void> {
  const [thomas, camille] = await Promise.all([
    portal.server.as("coGuardian"),
    portal.server.as("guardian"),
  ]);
  const weeks = { kind: "weeks", first: "me", fromOn: thursday };
  const path = `/api/family/members/${cast.child.cardnumber}/custody`;
  const { id } = (await thomas.post(path, weeks)).body;
  const accepted = await camille.post(`/api/family/custody/${id}/accept`);
  expect(accepted.status, accepted.text).toBe(200);
}

test("the day says with whom a child is, the allergens of its menu, its bus, and one's tickets", async () => {
  const camille = await portal.server.as("guardian");
  const record = { cardnumber: cast.child.cardnumber, allergens: ["mustard"], note: "" };
  const saved = await camille.post("/api/health-record", { ...record, consent: true });
  expect(saved.status, saved.text).toBe(200);
  await giveBusPass();
  await buyTickets();
  await shareCustody();
  const page = await openHome(desk);
  const wordsOf = async (name: string) =>
    (await lineOf(page, name).innerText()).split(/\s+/).join(" ");
  // The eleventh is in an even week: of who proposed it.
  await expect.poll(() => wordsOf("Léo")).toMatch(/^Léo avec Thomas /);
  await expect.poll(() => wordsOf("Léo")).toContain("Au menu : moutarde");
  const { people } = (await camille.get(`/api/home?cardnumber=${cast.guardian.cardnumber}`)).body
    .day;
  const { line, to, stop, next } = people.find(({ name }: any) => name === cast.child.name).bus;
  const times = next.map((bus: { at: string }) => formatTime(bus.at)).join(" ");
  expect(times).toMatch(/^07:/);
  await expect
    .poll(() => wordsOf("Léo"))
    .toContain(`Ligne ${line.number} ${times} ${stop} → vers ${to}`);
  await expect
    .poll(() => wordsOf("Vous"))
    .toBe("Vous 20:00 Concert du port · 2 billets · Halle du Port");
  await expect.poll(() => wordsOf("Jade")).not.toMatch(/avec|Au menu|Ligne|Concert/);
  await page.context().close();
});

test("what could not be read again after a change is asked for once more", async () => {
  await forgetMeals(portal.server);
  const page = await portal.open({ viewport: phone });
  await page.clock.install({ time: portal.server.clock.now() });
  await portal.signIn(page, "guardian");
  await page.goto("/dashboard");
  await expect.poll(() => lineOf(page, "Léo").innerText()).toContain("Pas de repas commandé");
  await page.getByRole("heading", { name: "Évolution" }).waitFor();
  await page.route(
    /\/api\/home\?/,
    (route) => route.fulfill({ status: 503, json: { code: "unavailable", message: "Réessayez." } }),
    { times: 1 },
  );
  const failed = page.waitForResponse((answer) => answer.status() === 503);
  await placeMeal(portal.server, { registration: canteen.registrations.child, day: thursday });
  await inTx(portal.server.deps.db, async (tx) =>
    publishChange(tx, [await personOf(cast.guardian.cardnumber)], "meals"),
  );
  await failed;
  await page.clock.fastForward("00:30");
  await expect.poll(() => lineOf(page, "Léo").innerText()).toContain("Poulet rôti, Riz pilaf");
  await page.context().close();
});
