// The end of what is paid: amount, what paid it, the receipt; it has the focus, and survives a reload.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { todayInParis } from "#contract/days.ts";
import { workingDaysAfter } from "#contract/working-days.ts";
import { inTx } from "#server/db/db.ts";
import { demoFares } from "#server/demo/fares.ts";
import { putOnSale } from "#server/passes/passes.ts";
import { violationsOf } from "../axe.ts";
import { makeCanteen, type MadeCanteen } from "../canteens.ts";
import { cast } from "../cast.ts";
import { makeEvent } from "../events.ts";
import { expectNoHorizontalScroll } from "../page-width.ts";
import { readyOrders } from "../ready-orders.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";
import type { Client } from "../test-server.ts";
import { payerOf, press } from "../top-up-steps.ts";
import { leaveToSpend } from "../wallet-money.ts";

let portal: TestPortal;
let canteen: MadeCanteen;
let camille: Client;
beforeAll(async () => {
  portal = await openTestPortal();
  portal.server.deps.config.codeFromCents = 1_000_000;
  await inTx(portal.server.deps.db, (tx) => putOnSale(tx, demoFares));
  canteen = await makeCanteen(portal.server, { kind: "staff" });
  camille = await portal.server.as("guardian");
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

const looks = {
  light: { viewport: { width: 360, height: 800 }, colorScheme: "light" },
  large: { viewport: { width: 360, height: 800 }, colorScheme: "dark" },
  wide: { viewport: { width: 1280, height: 900 }, colorScheme: "dark" },
} as const;

async function shot(page: Page, name: string): Promise<void> {
  expect(await violationsOf(page)).toEqual([]);
  const folder = process.env["SHOTS"];
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  await page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"));
  if ((page.viewportSize()?.width ?? 0) < 500) await expectNoHorizontalScroll(page);
  if (folder) await page.screenshot({ path: `${folder}/${name}-200.png`, fullPage: true });
}

/** The heading has the focus; the receipt is there; a reload comes back to both. */
async function lasts(page: Page, title: RegExp, texts: readonly RegExp[]): Promise<void> {
  const heading = page.getByRole("heading", { level: 2, name: title });
  const isFocused = () =>
    heading.evaluate((element) => element === element.ownerDocument.activeElement);
  await expect.poll(isFocused).toBe(true);
  for (const turn of ["paid", "reloaded"]) {
    if (turn === "reloaded") await page.reload();
    await heading.waitFor();
    for (const words of texts) await page.getByRole("main").getByText(words).first().waitFor();
    const saved = page.waitForEvent("download");
    await press(page, "Télécharger le reçu (PDF)");
    await expect.poll(async () => (await saved).suggestedFilename()).toMatch(/^recu.*\.pdf$/);
  }
}

// proves: purchase-end
test.each(["light", "large"] as const)(
  "meals from a wallet (%s): what was set aside, from where, and the receipt",
  async (look) => {
    const first = look === "light" ? 3 : 6;
    const days = [first, first + 1].map((count) => workingDaysAfter(todayInParis(), count));
    const registration = canteen.registrations.child;
    await camille.post("/api/canteen/requests/lines", {
      idgroup: canteen.groupId,
      meals: days.map((day) => ({ registration, day })),
      chosen: true,
    });
    const page = await portal.open(looks[look]);
    await portal.signIn(page, "guardian");
    const path = `/commande/cantine/restauration-essai/${canteen.groupId}?etape=commander`;
    await page.goto(`${portal.url}${path}`);
    await press(page, /^Payer 6,90/);
    await lasts(page, /^Vos repas sont commandés$/, [
      /2 repas, Léo Moreau/,
      /Cagnotte principale, Camille Moreau/,
      /Mis de côté le/,
    ]);
    await shot(page, `meals-${look}`);
    await press(page, "Fermer ce récapitulatif");
    await expect.poll(() => new URL(page.url()).search).toBe("");
    await page.context().close();
  },
);

// proves: purchase-end
test("tickets for oneself and a child at 1280 px: for whom, and the receipt", async () => {
  const event = await makeEvent(portal.server);
  const line = { session: event.session, category: event.full, quantity: 1 };
  for (const { cardnumber } of [cast.guardian, cast.child])
    await camille.post("/api/tickets/cart/lines", { ...line, cardnumber });
  const page = await portal.open(looks.wide);
  await portal.signIn(page, "guardian");
  await page.goto(`${portal.url}/services/E-Billet?panier=`);
  await press(page, /^Payer \d/);
  await lasts(page, /^C’est payé.: 2 billets$/, [
    /Camille Moreau, Léo Moreau|Léo Moreau, Camille Moreau/,
    /Reçu n°/,
  ]);
  await shot(page, "tickets-wide");
  await page.context().close();
});

test("a pass: the traveller and the receipt", async () => {
  const ready = readyOrders(portal.server, () => camille);
  const { path } = await ready.pass();
  const order = path.split("/").at(-2) ?? "";
  const page = await portal.open(looks.large);
  await portal.signIn(page, "guardian");
  await page.goto(
    `${portal.url}/Abonnement/ligne/purchase/abonnement?commande=${order}&etape=verification`,
  );
  await press(page, /^Payer \d/);
  await lasts(page, /^Le titre est prêt$/, [/Voyageur/, /Cagnotte principale, Camille Moreau/]);
  await shot(page, "pass-large");
  await page.context().close();
});

test("a transfer: to whom, and the receipt", async () => {
  const own = await (await payerOf(portal, "guardian")).wallet();
  await leaveToSpend(portal.server, own.objectID, 2000);
  const page = await portal.open(looks.light);
  await portal.signIn(page, "guardian");
  await page.goto(`${portal.url}/cagnottes/virement?vers=${cast.child.cardnumber}`);
  await page.getByLabel("Montant", { exact: true }).fill("7,50");
  await press(page, "Vérifier le virement");
  await press(page, /^Envoyer 7,50/);
  await lasts(page, /^7,50.€ envoyés à Léo Moreau$/, [/Envoyé le/]);
  await shot(page, "transfer-light");
  await press(page, "Faire un autre virement");
  await page.getByLabel("Montant", { exact: true }).waitFor();
  await page.context().close();
});

test("what was paid cannot be read: said beside what happened, and read again", async () => {
  const own = await (await payerOf(portal, "guardian")).wallet();
  await leaveToSpend(portal.server, own.objectID, 20_000);
  const { path } = await readyOrders(portal.server, () => camille).pass();
  const order = path.split("/").at(-2) ?? "";
  const page = await portal.open(looks.light);
  await portal.signIn(page, "guardian");
  await page.route("**/api/purchases/**", (route) =>
    route.fulfill({ status: 500, json: { code: "internal", message: "Une erreur." } }),
  );
  await page.goto(
    `${portal.url}/Abonnement/ligne/purchase/abonnement?commande=${order}&etape=verification`,
  );
  await press(page, /^Payer \d/);
  await page.getByRole("heading", { level: 2, name: "Le titre est prêt" }).waitFor();
  const unread = page.getByRole("main").getByText("Ce que vous avez payé n’a pas pu être lu.");
  await unread.waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.unroute("**/api/purchases/**");
  await press(page, "Réessayer");
  await page
    .getByRole("main")
    .getByText(/Reçu n°/)
    .waitFor();
  await unread.waitFor({ state: "detached" });
  await page.context().close();
});
