// The door of an event or of a bus: a ticket comes in once, a pass is told as it is, what is refused says
// why, and the last readings stay.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";
import { formatDate } from "#contract/french.ts";
import { inTx } from "#server/db/db.ts";
import { demoFares } from "#server/demo/fares.ts";
import { putOnSale } from "#server/passes/passes.ts";
import { approveIfRequired } from "../approve.ts";
import { violationsOf } from "../axe.ts";
import { settle } from "#tests/settle.ts";
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

const read = async (text: string) => {
  await page.getByLabel("Code du billet ou du titre").fill(text);
  await page.keyboard.press("Enter");
};
const verdict = (words: string | RegExp) => page.getByRole("status").getByText(words).waitFor();

/** A month of the bus that Camille bought, on a network that the partner's company runs. */
const passOf = async (): Promise<{ id: string; token: string; lastDay: string }> => {
  const { deps } = portal.server;
  await inTx(deps.db, (tx) => putOnSale(tx, demoFares));
  await deps.pool.query(
    `update fare_group set company_id = (select m.company_id from company_member m
       join card c on c.person_id = m.person_id where c.number = $1)`,
    [cast.partnerShop.cardnumber],
  );
  const camille = await portal.server.as("guardian");
  const { cardnumber } = cast.guardian;
  const begun = await camille.post("/api/passes/orders", { product: "lagon-mois", cardnumber });
  const path = `/api/passes/orders/${begun.body.id}`;
  const { body: order } = await camille.post(path, { startOn: begun.body.start.from });
  const wallet = (await camille.get(`/api/wallets?cardnumber=${cardnumber}`)).body.items[0];
  const { revision, price } = order;
  const { totalCents } = price;
  const paying = { method: "wallet", objectID: wallet.objectID, revision, totalCents };
  const paid = await approveIfRequired(portal.server, camille, `${path}/pay`, paying);
  expect(paid.status, paid.text).toBe(200);
  const id: string = paid.body.order.pass;
  const { token } = (await camille.get(`/api/passes/${id}/qr`)).body;
  return { id, token, lastDay: (await camille.get(`/api/passes/${id}`)).body.lastDay };
};

test("a ticket comes in once; a code of another kind and a second reading are refused", async () => {
  const { token, id } = await ticketOf();
  // Opened before the session was there, the dashboard asks again after a minute.
  await page.reload();
  await page.getByRole("link", { name: "Contrôler les billets" }).click();
  await page.getByRole("heading", { name: "Contrôle des billets et des titres" }).waitFor();
  await settle(page);
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
  const scan = "**/api/tickets/scan";
  await page.route(scan, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await read(token);
  await verdict("Sans réponse");
  await expect.poll(() => page.getByRole("status").getByText("Refusé").count()).toBe(0);
  await page.unroute(scan);
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(scan, async (route) => {
    await held;
    await route.continue();
  });
  await read(token);
  await verdict("Vérification…");
  await expect.poll(() => page.getByText("Sans réponse").count()).toBe(0);
  release();
  await verdict(/^Ce billet a déjà servi le/);
  await page.unrouteAll({ behavior: "wait" });
  await expect
    .poll(() => page.getByRole("listitem").filter({ hasText: "Camille Moreau" }).count())
    .toBe(1);
});

test("a pass is told as it is now, on the same screen, and listed on the home", async () => {
  const { token, lastDay } = await passOf();
  await page.goto(`${portal.url}/dashboard`);
  await page.getByRole("link", { name: "Contrôler les titres" }).click();
  await page.getByRole("heading", { name: "Contrôle des billets et des titres" }).waitFor();
  await read(token);
  await verdict("Valable");
  await verdict(/^Camille M\. · /);
  await verdict(`Réseau du Lagon · jusqu’au ${formatDate(lastDay)} inclus`);
  await page.getByText("1 titre valable sur cet appareil").waitFor();
  await expect.poll(() => page.getByText("Déjà contrôlé").count()).toBe(0);
  await read(token);
  await verdict(/^Déjà contrôlé à \d\d:\d\d\.$/);
  expect(await violationsOf(page)).toEqual([]);
  await portal.server.deps.pool.query("update card set state = 'suspended' where number = $1", [
    cast.guardian.cardnumber,
  ]);
  await read(token);
  await verdict(/^La carte du titulaire n'est pas utilisable/);
  await page.getByText("2 titres valables sur cet appareil").waitFor();
  await read("MP1.faux");
  await verdict("Ce code n'est pas un titre de transport valable.");
  expect(await violationsOf(page)).toEqual([]);
  await page.goto(`${portal.url}/dashboard`);
  const scans = page.getByRole("listitem").filter({ hasText: "Réseau du Lagon" });
  await scans.filter({ hasText: "Refusé" }).waitFor();
  await expect.poll(() => scans.filter({ hasText: "Camille M." }).count()).toBe(3);
});
