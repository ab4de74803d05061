// The door of an event: a ticket comes in once, what is refused says why, and the last readings stay.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { violationsOf } from "../axe.ts";
import { cast } from "../cast.ts";
import { hour, makeEvent } from "../events.ts";
import { openTestPortal, type TestPortal } from "../test-portal.ts";

let portal: TestPortal;
let page: Page;
beforeAll(async () => {
  portal = await openTestPortal();
  page = await portal.open({ viewport: { width: 360, height: 740 } });
  await portal.login(page, "partnerShop");
});
afterAll(async () => {
  expect(portal.faults).toEqual([]);
  await portal.close();
});

const ticketOf = async (): Promise<{ id: string; token: string }> => {
  const camille = await portal.server.as("guardian");
  const { cardnumber } = cast.guardian;
  const at = (hours: number) =>
    new Date(portal.server.clock.now().getTime() + hours * hour).toISOString();
  const event = await makeEvent(portal.server, {
    saleUntil: at(1),
    sessions: [{ startsAt: at(1), endsAt: at(3), seats: 10 }],
  });
  const line = { session: event.session, category: event.full, cardnumber, quantity: 1 };
  const { cart } = (await camille.post("/api/tickets/cart/lines", line)).body;
  const wallet = (await camille.get(`/api/wallets?cardnumber=${cardnumber}`)).body.items[0];
  await camille.post("/api/tickets/cart/pay", {
    order: cart.id,
    method: "wallet",
    objectID: wallet.objectID,
    totalCents: cart.totalCents,
  });
  return (await camille.get(`/api/tickets?cardnumber=${cardnumber}`)).body.items[0];
};

test("a ticket comes in once; a code of another kind and a second reading are refused", async () => {
  const { token, id } = await ticketOf();
  const read = async (text: string) => {
    await page.getByLabel("Code du billet").fill(text);
    await page.keyboard.press("Enter");
  };
  const verdict = (words: string | RegExp) => page.getByRole("status").getByText(words).waitFor();
  await page.getByRole("link", { name: "Contrôler les billets" }).click();
  await page.getByRole("heading", { name: "Contrôle des billets" }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await read("MC1.carte");
  await verdict("Ce code n'est pas un billet valable.");
  await read(token);
  await verdict("Entrée");
  await verdict(/Camille Moreau · Plein tarif/);
  expect(await violationsOf(page)).toEqual([]);
  const { rows } = await portal.server.deps.pool.query("select state from ticket where id = $1", [
    id,
  ]);
  expect(rows).toEqual([{ state: "used" }]);
  await read(token);
  await verdict(/^Ce billet a déjà servi le/);
  await page.getByText("1 entrée sur cet appareil").waitFor();
  expect(await page.getByRole("listitem").filter({ hasText: "Camille Moreau" }).count()).toBe(1);
});
