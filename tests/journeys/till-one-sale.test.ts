// What a cashier presses or reads while a sale is under way, or has just ended, begins no other sale.
import type { Page, Request } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cast } from "../cast.ts";
import { furnishDirectory } from "../directory.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";

let portal: TestPortal;
let shop: Page;
beforeAll(async () => {
  portal = await openTestPortal();
  await furnishDirectory(portal.server.deps);
  shop = await portal.open({ viewport: { width: 360, height: 740 } });
  await portal.login(shop, "partnerShop");
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

const charges = "**/api/till/sales";
const amount = () => shop.getByLabel("Montant");
const press = (name: string | RegExp) => shop.getByRole("button", { name }).click();
const verdict = (words: string | RegExp) =>
  shop.getByRole("status").getByText(words).first().waitFor();
const amounts = async () =>
  (await portal.server.deps.pool.query("select amount_cents from till_sale")).rows;
const qrOf = async (cardnumber: number): Promise<string> => {
  const camille = await portal.server.as("guardian");
  return (await camille.get(`/api/cards/${cardnumber}/qr`)).body.token;
};
/** A hand reader types a code and ends it with Enter. */
const read = async (code: string) => {
  await shop.keyboard.type(code);
  await shop.keyboard.press("Enter");
};

test("a code that is read while a request is sent again begins no second sale", async () => {
  const sent: string[] = [];
  shop.on("request", (request: Request) => {
    if (request.method() === "POST" && request.url().endsWith("/api/till/sales")) {
      sent.push((request.postDataJSON() as { id: string }).id);
    }
  });
  await shop.goto(`${portal.url}/partenaire/caisse`);
  await amount().fill("3");
  await shop.route(charges, (route) => route.abort());
  const [first, other] = [
    await qrOf(cast.guardian.cardnumber),
    await qrOf(cast.secondChild.cardnumber),
  ];
  await amount().focus();
  await read(first);
  await verdict("Pas de réponse");
  await shop.unroute(charges);
  // The next person holds out a card while the answer is awaited.
  await shop.route(charges, async (route) => {
    await read(other);
    await route.continue();
  });
  await press("Renvoyer la même demande");
  await verdict(/^Payé, 3,00/);
  await verdict(/^Camille M\./);
  await expect.poll(() => [sent.length, new Set(sent).size]).toEqual([2, 1]);
  await expect.poll(amounts).toEqual([{ amount_cents: 300 }]);
});

test("Enter on what explains the lost network unfolds it, and leaves the verdict", async () => {
  await shop.unrouteAll({ behavior: "wait" });
  await shop.context().setOffline(true);
  await shop.locator("summary").filter({ hasText: "Hors ligne" }).press("Enter");
  await shop.getByText(/Ce plafond vaut pour tous vos appareils/).waitFor();
  await verdict(/^Payé, 3,00/);
  // Elsewhere it begins the next one.
  await shop.getByRole("heading", { name: "Caisse" }).click();
  await shop.keyboard.press("Enter");
  await amount().waitFor();
  await shop.context().setOffline(false);
});
