// The home on a phone: the card, the money and the family's next day on the first screen; the meals that are not
// ordered yet are one tap away.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeCanteen, type MadeCanteen, placeMeal } from "../canteens.ts";
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
    { course: "main", name: "Poulet rôti", ...dish },
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

async function openHome(): Promise<Page> {
  const page = await portal.open({ viewport: { width: 360, height: 640 } });
  await page.clock.setFixedTime(portal.server.clock.now());
  await portal.signIn(page, "guardian");
  await page.goto("/dashboard");
  await page.getByRole("heading", { name: "Demain" }).waitFor();
  return page;
}

test("the first screen of a phone holds the card, the money and who eats what tomorrow", async () => {
  const page = await openHome();
  const day = page
    .locator("section")
    .filter({ has: page.getByRole("heading", { name: "Demain" }) });
  const [jade, leo] = [
    day.getByRole("listitem").filter({ hasText: "Jade" }),
    day.getByRole("listitem").filter({ hasText: "Léo" }),
  ];
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
    day.getByRole("link", { name: "Commander le repas de Léo avant 20:00" }),
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
  const page = await portal.open({ viewport: { width: 360, height: 640 } });
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
  const page = await portal.open({ viewport: { width: 360, height: 640 } });
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
