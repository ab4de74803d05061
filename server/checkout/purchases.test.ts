// Paid purchases as their payer reads them: the split by wallet, aid and bank card, and the receipt; nobody
// else does.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { todayInParis } from "#contract/days.ts";
import { workingDaysAfter } from "#contract/working-days.ts";
import { inTx } from "#server/db/db.ts";
import { grant, openWallet } from "#server/wallet/wallet.ts";
import { makeCanteen, type MadeCanteen } from "#tests/canteens.ts";
import { cast } from "#tests/cast.ts";
import { makeEvent } from "#tests/events.ts";
import { type Client, type TestServer, openTestServer } from "#tests/test-server.ts";

let server: TestServer;
let camille: Client;
let thomas: Client;
let canteen: MadeCanteen;
beforeAll(async () => {
  server = await openTestServer();
  server.deps.config.codeFromCents = 1_000_000;
  camille = await server.as("guardian");
  thomas = await server.as("coGuardian");
  canteen = await makeCanteen(server, { kind: "staff" });
});
afterAll(() => server.close());

const walletsOf = async (): Promise<{ objectID: string; idgroup: number }[]> =>
  (await camille.get(`/api/wallets?cardnumber=${cast.guardian.cardnumber}`)).body.items;

// proves: purchase-end
test("GET /api/purchases/:order: meals tell the aid and the wallet that were set aside, to their buyer alone", async () => {
  const { groupId } = canteen;
  await inTx(server.deps.db, async (tx) => {
    const { rows } = await server.deps.pool.query(
      "select person_id as id from card where number = $1",
      [cast.guardian.cardnumber],
    );
    const wallet = await openWallet(tx, { personId: rows[0].id, groupId });
    const aid = { label: "Aide", key: randomUUID(), at: server.deps.now(), expiresOn: null };
    await grant(tx, { ...aid, walletId: wallet.id, amountCents: 150 });
  });
  const day = workingDaysAfter(todayInParis(server.deps.now()), 3);
  const chosen = await camille.post("/api/canteen/requests/lines", {
    idgroup: groupId,
    meals: [{ registration: canteen.registrations.child, day }],
    chosen: true,
  });
  const { id, revision, totalCents } = chosen.body.request;
  expect((await camille.get(`/api/purchases/${id}`)).status).toBe(404);
  const objectID = (await walletsOf()).find(({ idgroup }) => idgroup === groupId)?.objectID;
  const payment = { request: id, revision, totalCents, method: "wallet", objectID };
  const paid = await camille.post("/api/canteen/requests/pay", payment);
  expect(paid.status, paid.text).toBe(200);

  const { body } = await camille.get(`/api/purchases/${id}`);
  expect(body).toMatchObject({
    kind: "meals",
    label: "1 repas, Léo Moreau",
    totalCents,
    held: true,
    paidWith: [
      { wallet: "Restauration, Camille Moreau", aid: true, amountCents: 150 },
      { wallet: "Cagnotte principale, Camille Moreau", aid: false, amountCents: totalCents - 150 },
    ],
    cardCents: 0,
  });
  const receipt = await camille.get(`/api/purchases/${id}/receipt.pdf`);
  expect(receipt.status).toBe(200);
  expect(receipt.headers["content-type"]).toBe("application/pdf");
  const mail = server.outbox.find(({ subject }) => subject === "Repas commandés");
  expect(mail?.body).toContain(`Reçu n° ${body.number}`);
  expect(mail?.body).not.toContain(id);
  for (const path of [`/api/purchases/${id}`, `/api/purchases/${id}/receipt.pdf`]) {
    expect((await thomas.get(path)).status, path).toBe(404);
  }
});

test("GET /api/purchases/:order: what is free has no split", async () => {
  const event = await makeEvent(server);
  const line = { session: event.session, category: event.full, quantity: 1 };
  await server.deps.pool.query("update ticket_category set price_cents = 0 where id = $1", [
    event.full,
  ]);
  const { cart } = (
    await camille.post("/api/tickets/cart/lines", { ...line, cardnumber: cast.guardian.cardnumber })
  ).body;
  expect(cart.totalCents).toBe(0);
  const [main] = await walletsOf();
  const payment = { order: cart.id, totalCents: 0, method: "wallet", objectID: main?.objectID };
  expect((await camille.post("/api/tickets/cart/pay", payment)).status).toBe(200);
  const { body } = await camille.get(`/api/purchases/${cart.id}`);
  expect(body).toMatchObject({ totalCents: 0, paidWith: [], cardCents: 0 });
});

// proves: purchase-end
test("GET /api/transfers/:id: what was answered, again, to its sender alone, with a receipt", async () => {
  const [main] = await walletsOf();
  const sent = await camille.post("/api/transfers", {
    fromWallet: main?.objectID,
    toCardnumber: cast.child.cardnumber,
    amountCents: 500,
  });
  expect(sent.status, sent.text).toBe(201);
  const path = `/api/transfers/${sent.body.id}`;
  expect((await camille.get(path)).body).toEqual(sent.body);
  expect((await camille.get(`${path}/receipt.pdf`)).status).toBe(200);
  expect((await thomas.get(path)).status).toBe(404);
  expect((await thomas.get(`${path}/receipt.pdf`)).status).toBe(404);
});
