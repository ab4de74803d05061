// Spending on meals of the people who ordered them: the month in figures and announced once, the year on
// paper.
import { afterAll, beforeAll, expect, test } from "vitest";
import { formatMoney } from "#contract/french.ts";
import { inTx } from "#server/db/db.ts";
import { grant } from "#server/wallet/wallet.ts";
import { cast } from "#tests/cast.ts";
import { makeCanteen, type MadeCanteen } from "#tests/canteens.ts";
import { wordsOf } from "#tests/pdf-words.ts";
import { type Client, openTestServer, type TestServer } from "#tests/test-server.ts";
import { closePastMeals } from "#server/meal-service/day-end.ts";
import { notifyMonthlySpending } from "./spending.ts";

let server: TestServer;
let camille: Client;
let canteen: MadeCanteen;
const at = (instant: string) =>
  server.clock.advance(Date.parse(instant) - server.clock.now().getTime());
beforeAll(async () => {
  server = await openTestServer();
  server.deps.config.codeFromCents = 1_000_000;
  server.clock.freeze();
  // Monday 22 November 2027, 09:00 in Paris.
  at("2027-11-22T08:00:00Z");
  canteen = await makeCanteen(server);
  camille = await server.as("guardian");
  const { rows } = await server.deps.pool.query(
    `select w.id from wallet w join card c on c.person_id = w.person_id
     where c.number = $1 and w.group_id = 1`,
    [cast.guardian.cardnumber],
  );
  await inTx(server.deps.db, (tx) =>
    grant(tx, {
      walletId: rows[0].id,
      amountCents: 500,
      label: "Aide",
      expiresOn: null,
      key: "aid",
      at: server.clock.now(),
    }),
  );
  // Three meals of Léo at 3,45 €: one is served, one missed, one cancelled in time.
  const meals = ["2027-11-24", "2027-11-25", "2027-11-26"].map((day) => ({
    registration: canteen.registrations.child,
    day,
  }));
  const { body } = await camille.post("/api/canteen/requests/lines", {
    idgroup: canteen.groupId,
    meals,
    chosen: true,
  });
  const { items } = (await camille.get(`/api/wallets?cardnumber=${cast.guardian.cardnumber}`)).body;
  const paid = await camille.post("/api/canteen/requests/pay", {
    request: body.request.id,
    revision: body.request.revision,
    totalCents: body.request.totalCents,
    method: "wallet",
    objectID: items[0].objectID,
  });
  expect(paid.status, paid.text).toBe(200);
  const orders = (await camille.get("/api/canteen/orders?when=coming")).body.items;
  const cancel = { orders: [orders[2].id], costCents: 0 };
  expect((await camille.post("/api/canteen/orders/cancel", cancel)).status).toBe(200);
  at("2027-11-24T11:00:00Z");
  const desk = await server.as("canteenProvider");
  const serve = { canteen: canteen.id, orders: [orders[0].id] };
  const path = `/api/canteen/own/${canteen.id}/meals/serve`;
  expect((await desk.post(path, serve)).status).toBe(200);
  at("2027-11-27T03:00:00Z");
  await closePastMeals(server.deps);
  camille = await server.as("guardian");
});
afterAll(() => server.close());

const month = async (client: Client, which: string) =>
  (await client.get(`/api/canteen/spending?month=${which}`)).body;

test("GET spending: served and missed meals cost, a cancelled one does not; aids are told apart", async () => {
  // Aids go first: 3,45 € of the first meal, 1,55 € of the second.
  const figures = { meals: 1, cents: 690, aidCents: 500 };
  expect(await month(camille, "2027-11")).toEqual({
    ...figures,
    people: [{ name: "Léo Moreau", ...figures }],
  });
  const nothing = { meals: 0, cents: 0, aidCents: 0, people: [] };
  expect(await month(camille, "2027-10")).toEqual(nothing);
  // The other guardian and the child ordered nothing.
  expect(await month(await server.as("coGuardian"), "2027-11")).toEqual(nothing);
  expect(await month(await server.as("child"), "2027-11")).toEqual(nothing);
});

test("the month is told once, from the third day after it, to whoever ordered", async () => {
  const readNotices = async () =>
    (
      await server.deps.pool.query(
        `select c.number, n.title, n.body, n.path from notification n
         join card c on c.person_id = n.person_id where n.title like 'Vos repas de%'`,
      )
    ).rows;
  at("2027-12-02T08:00:00Z");
  expect(await notifyMonthlySpending(server.deps)).toBe(0);
  at("2027-12-03T08:00:00Z");
  expect(await notifyMonthlySpending(server.deps)).toBe(1);
  expect(await notifyMonthlySpending(server.deps)).toBe(0);
  expect(await readNotices()).toEqual([
    {
      number: cast.guardian.cardnumber,
      title: "Vos repas de novembre 2027",
      body: `1 repas, ${formatMoney(690)}, dont ${formatMoney(500)} d’aide.`,
      path: "/commande/cantine/suivi?mois=2027-11",
    },
  ]);
});

test("GET attestation: a year on paper, with what it is not", async () => {
  camille = await server.as("guardian");
  const answer = await server.app.inject({
    url: "/api/canteen/attestation.pdf?year=2027",
    headers: { authorization: `Bearer ${camille.token}` },
  });
  expect(answer.statusCode).toBe(200);
  expect(answer.headers["content-disposition"]).toContain("attestation-repas-2027.pdf");
  const words = wordsOf(answer.rawPayload);
  expect(words).toContain("Léo Moreau");
  expect(words).toContain("les repas");
  expect(words).toContain("frais de garde");
});
