// Finding where the card works with a typing error, near oneself or not, and reading a sheet; the
// services of each kind of account; what the specification says when a call fails.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "kysely";
import { violationsOf } from "../axe.ts";
import { furnishDirectory } from "../directory.ts";
import { expectNoHorizontalScroll, expectWithinWidth } from "../page-width.ts";
import { minDistance } from "../map-markers.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";

let portal: TestPortal;
let transport: string;
beforeAll(async () => {
  portal = await openTestPortal();
  ({ transport } = await furnishDirectory(portal.server.deps));
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

const partnerNames = (page: Page) =>
  page.getByRole("article").getByRole("heading", { level: 2 }).allInnerTexts();
const rename = (from: string, to: string) =>
  sql`alter table ${sql.table(from)} rename to ${sql.ref(to)}`.execute(portal.server.owner.db);

test("a place found with mistakes, small and by keyboard: its sheet, and back to the same list", async () => {
  const page = await portal.open({ viewport: { width: 320, height: 700 }, colorScheme: "dark" });
  await portal.signIn(page, "guardian");
  await page.goto("/services");
  await page.getByRole("link", { name: "Où ma carte est acceptée", exact: true }).click();
  await page.getByText("26 partenaires").waitFor();
  await page.getByRole("button", { name: "Voir plus" }).press("Enter");
  // The button is gone: the keyboard goes on from the end of the list.
  await page.locator("div:focus", { hasText: "26 sur 26" }).waitFor();
  // By keyboard each kind of place comes whole into sight on its line, which scrolls sideways.
  const kinds = page.getByRole("group", { name: "Catégories" }).getByRole("button");
  await kinds.first().focus();
  for (const kind of (await kinds.all()).slice(1)) {
    await page.keyboard.press("Tab");
    await expect
      .poll(() => kind.evaluate((one) => one === one.ownerDocument.activeElement))
      .toBe(true);
    await expectWithinWidth(kind);
  }
  await page.getByLabel("Que cherchez-vous ?").fill("xylophone");
  await page.getByText("Rien ne correspond à votre recherche").waitFor();
  await page.getByLabel("Que cherchez-vous ?").fill("librerie embrun");
  await page.getByText("1 partenaire", { exact: true }).waitFor();
  await expect.poll(() => new URL(page.url()).searchParams.get("q")).toBe("librerie embrun");
  await expectNoHorizontalScroll(page);
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole("link", { name: "Librairie des Embruns" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Librairie des Embruns", level: 1 }).waitFor();
  await page.getByText("5 % sur les livres").waitFor();
  await page.getByRole("link", { name: "01 45 67 89 02" }).waitFor();
  await expectNoHorizontalScroll(page);
  expect(await violationsOf(page)).toEqual([]);
  await page.reload();
  await page.getByRole("heading", { name: "Horaires" }).waitFor();
  await page.getByRole("link", { name: "Cagnotte culture : voir tous" }).click();
  await page.getByText("8 partenaires", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Accepte la cagnotte choisie" }).click();
  await page.getByText("26 partenaires", { exact: true }).waitFor();
  await page.goBack();
  await page.goBack();
  await page.getByText("1 partenaire", { exact: true }).waitFor();
  await expect
    .poll(() => page.getByLabel("Que cherchez-vous ?").inputValue())
    .toBe("librerie embrun");
  await page.goto("/services/partner?fiche=6f1d5f0e-8f53-4a86-9d2c-0f0a4f6c1a2b");
  await page.getByRole("heading", { name: "Page introuvable" }).waitFor();
  await page.context().close();
});

test("services on a phone: two tiles a row, what is known of the card on each, and the way in", async () => {
  const page = await portal.open({ viewport: { width: 360, height: 800 } });
  await portal.signIn(page, "guardian");
  await page.goto("/services");
  const tile = (name: string) => page.getByRole("article", { name, exact: true });
  await tile("Cagnottes").getByText("120,00\u202f€").waitFor();
  await tile("Où ma carte est acceptée").getByText("26 partenaires").waitFor();
  // Nothing is known of tickets: the tile says what they are.
  await tile("E-billets")
    .getByText(/billet/i)
    .first()
    .waitFor();
  await expect
    .poll(async () => {
      const [first, second] = await Promise.all(
        ["Cagnottes", "Abonnement de la carte"].map((name) => tile(name).boundingBox()),
      );
      return [first?.y === second?.y, (first?.x ?? Infinity) < (second?.x ?? 0)];
    })
    .toEqual([true, true]);
  await expectNoHorizontalScroll(page);
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole("link", { name: "Détails : Cagnottes" }).click();
  await page.getByRole("heading", { name: "Cagnottes", level: 1 }).waitFor();
  await page.goBack();
  await page.getByRole("link", { name: "Cagnottes", exact: true }).last().focus();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/services/cagnottes");
  await page.context().close();
});

test("the plan on a phone: numbers where places crowd, nearer at a press, down to a sheet, by keyboard", async () => {
  const page = await portal.open({ viewport: { width: 360, height: 800 } });
  await portal.signIn(page, "guardian");
  await page.goto("/services/partner");
  await page.getByText("26 partenaires").waitFor();
  const plan = page.getByRole("figure");
  await expect.poll(() => plan.isVisible()).toBe(false);
  // Kinds on one line that is swiped; the page itself is not.
  await page.getByRole("button", { name: /^Manger/ }).waitFor();
  const kinds = page.getByRole("group", { name: "Catégories" });
  await expect.poll(async () => (await kinds.boundingBox())?.height).toBeLessThan(60);
  await expectNoHorizontalScroll(page);
  await page.getByRole("button", { name: "Plan", exact: true }).click();
  await page.waitForURL(/vue=plan/);
  await page.reload();
  await plan.waitFor();
  await expect.poll(() => page.getByRole("article").count()).toBe(0);
  const marks = plan.getByRole("link").or(plan.getByRole("button", { name: /voir de plus près/ }));
  await expect.poll(() => marks.count()).toBeGreaterThan(2);
  const far = await marks.count();
  await expect.poll(() => minDistance(marks)).toBeGreaterThan(30);
  expect(await violationsOf(page)).toEqual([]);
  const crowd = plan.getByRole("button", { name: /voir de plus près/ }).first();
  await expect.poll(async () => Number(await crowd.innerText())).toBeGreaterThan(1);
  const places = Number(await crowd.innerText());
  await crowd.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("figure", { name: new RegExp(`${places} lieux`) }).waitFor();
  await expectNoHorizontalScroll(page);
  await page.keyboard.press("Tab");
  await expect.poll(() => plan.locator(":focus").count()).toBe(1);
  await page.getByRole("button", { name: "Tout le plan" }).click();
  await page.getByRole("figure", { name: /26 lieux/ }).waitFor();
  await expect.poll(() => marks.count()).toBe(far);
  // Nearer and nearer until a place stands alone.
  const single = plan.getByRole("link").first();
  for (let presses = 0; presses < 4 && (await single.count()) === 0; presses++) await crowd.click();
  const [name = ""] = (await single.innerText()).split(",");
  await single.click();
  await page.getByRole("heading", { name, level: 1 }).waitFor();
  await page.goBack();
  await plan.waitFor();
  await page.getByRole("button", { name: "Liste", exact: true }).click();
  await page.getByRole("article").first().waitFor();
  await page.context().close();
});

// proves: position
test("near me asks only on a click; refused, a town typed with a mistake does as well", async () => {
  const page = await portal.open();
  await portal.signIn(page, "stranger");
  await page.goto("/services/partner");
  await page.getByText("26 partenaires").waitFor();
  await page.getByRole("button", { name: "Autour de moi" }).click();
  await page
    .getByRole("alert")
    .getByText(/ne donne pas votre position/)
    .waitFor();
  await page.getByLabel("Autour de").fill("kerval sur mere");
  await page.getByText(/plus loin de Kerval-sur-Mer/).waitFor();
  await expect.poll(async () => (await partnerNames(page))[0]).toBe("Salon Marine");
  await page.getByLabel("Autour de").fill("Marseille");
  await page.getByText(/n’est pas une commune de l’annuaire/).waitFor();
  await page.context().close();
});

// proves: position
test("near me, allowed: the nearest first, and the position is in no address", async () => {
  const page = await portal.open({
    geolocation: { latitude: 47.9121, longitude: -3.9583 },
    permissions: ["geolocation"],
  });
  const urls: string[] = [];
  page.on("request", (request) => urls.push(request.url()));
  await portal.signIn(page, "stranger");
  await page.goto("/services/partner");
  await page.getByText("26 partenaires").waitFor();
  await expect.poll(() => urls.filter((url) => url.includes("lat="))).toEqual([]);
  await page.getByRole("button", { name: "Autour de moi" }).click();
  await page.getByText(/plus loin de vous/).waitFor();
  await expect.poll(async () => (await partnerNames(page))[0]).toBe("Boulangerie Le Gall");
  await expect
    .poll(() => urls.filter((url) => url.includes("lat=47.912&lon=-3.958")))
    .not.toEqual([]);
  await expect.poll(() => page.url()).not.toContain("47.9");
  await page.getByRole("button", { name: "Manger" }).click();
  await page.getByRole("button", { name: "Restaurants et cafés" }).click();
  await page.getByText(/^3 partenaires/).waitFor();
  await expect.poll(async () => (await partnerNames(page))[0]).toBe("Crêperie du Menhir");
  await page.context().close();
});

// proves: session-cache
test("transport of an employer: one fetch for a session, the estimate, and who may not enter", async () => {
  const page = await portal.open();
  const paths: string[] = [];
  page.on("request", (request) => paths.push(new URL(request.url()).pathname));
  await portal.signIn(page, "employer");
  await page.goto("/services");
  await page.getByRole("link", { name: /Abonnement des salariés/ }).click();
  await page.getByRole("heading", { name: "Abonnement des salariés", level: 1 }).waitFor();
  await page.getByLabel("Nombre de salariés").fill("12");
  await page.getByText("pour 12 salariés").waitFor();
  await page.getByText("264,00").waitFor();
  await page.getByLabel("Nombre de salariés").fill("douze");
  await page.getByText("Indiquez un nombre entre 1 et 100 000.").waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.reload();
  await page.getByRole("heading", { name: "Abonnement des salariés", level: 1 }).waitFor();
  await expect
    .poll(() => paths.filter((path) => path === "/api/services/autoAdhesion"))
    .toHaveLength(1);
  const readStorage = () => page.evaluate<string>("JSON.stringify(localStorage)");
  await expect.poll(async () => JSON.parse(await readStorage())).toHaveProperty("transport");
  await expect.poll(readStorage).not.toContain("Abonnement des salariés");
  await page.goto(`/services/inconnu/${transport}`);
  await page.getByRole("heading", { name: "Page introuvable" }).waitFor();
  await page.goto("/services/inconnu");
  await page.getByRole("heading", { name: "Page introuvable" }).waitFor();
  await page.context().close();
  const holder = await portal.open();
  await portal.signIn(holder, "guardian");
  await holder.goto(`/services/transport-entreprise/${transport}`);
  await holder.waitForURL("**/dashboard");
  await holder.context().close();
});

// proves: failed-reads
test("transport that fails: the specification's notification, the rest of the list, and a retry", async () => {
  const page = await portal.open();
  await portal.login(page, "guardian");
  await rename("transport_service", "transport_away");
  await page.goto("/services");
  const notifications = page.getByRole("region", { name: "Notifications" });
  await notifications
    .getByText("Une erreur s'est produite pendant l'envoi de la requête")
    .waitFor();
  await page.getByRole("heading", { name: "Cagnottes" }).waitFor();
  await rename("transport_away", "transport_service");
  await page.getByRole("button", { name: "Réessayer" }).click();
  await page.getByText("Navette du port").waitFor();
  await page.context().close();
});

// proves: failed-reads
test("cagnottes that fail: the specification's notification and the sentence in the page", async () => {
  const page = await portal.open();
  await portal.login(page, "stranger");
  await rename("wallet", "wallet_away");
  await page.goto("/services/cagnottes");
  await page.getByText("Les cagnottes de cette carte n’ont pas pu être chargées.").waitFor();
  const notifications = page.getByRole("region", { name: "Notifications" });
  await notifications
    .getByText("Une erreur s'est produite pendant l'envoi de la requête")
    .waitFor();
  await rename("wallet_away", "wallet");
  await page.getByRole("button", { name: "Réessayer" }).click();
  await page
    .getByRole("link", { name: /Cagnotte principale/ })
    .first()
    .waitFor();
  await page.context().close();
});
