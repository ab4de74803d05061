// Meals are the person's: the opposition of a card cancels none, the end of an account those still to be
// served.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { endCards } from "#server/cards/cards.ts";
import { inTx } from "#server/db/db.ts";
import { advanceCard } from "#server/cards/operator.ts";
import { cast } from "#tests/cast.ts";
import { closeSound, type MadeCanteen, openCanteenServer, placeMeal } from "#tests/canteens.ts";
import type { Client, TestServer } from "#tests/test-server.ts";

let server: TestServer;
let camille: Client;
let canteen: MadeCanteen;
beforeAll(async () => {
  // Monday 22 November 2027, 12:00 in Paris, while the canteen serves.
  ({ server, canteen, camille } = await openCanteenServer("2027-11-22T11:00:00Z"));
});
afterAll(() => closeSound(server));

const rows = async (text: string, ...values: unknown[]) =>
  (await server.deps.pool.query(text, values)).rows;
const held = async () => {
  const { body } = await camille.get(`/api/wallets?cardnumber=${cast.child.cardnumber}`);
  return body.items.find(({ main }: { main: boolean }) => main).heldCents;
};
const order = (day: string, who: "child" | "secondChild" = "child") =>
  placeMeal(server, { registration: canteen.registrations[who], day });

test("opposing a card keeps its holder's meals, money and seats; the counter serves by name, then by the next card", async () => {
  const before = await held();
  const [today, tomorrow] = [await order("2027-11-22"), await order("2027-11-23")];
  const path = `/api/cards/${cast.child.cardnumber}`;
  const { status, text, body } = await camille.post(`${path}/oppose`, { reason: "lost" });
  expect(status, text).toBe(200);
  expect(await rows("select state, charged_cents from meal_order order by number")).toEqual([
    { state: "reserved", charged_cents: null },
    { state: "reserved", charged_cents: null },
  ]);
  expect(await held()).toBe(before + 2 * 345);
  expect((await rows("select taken from canteen_day")).map(({ taken }) => taken)).toEqual([1, 1]);
  expect(await rows("select from notification where title like 'Repas%'")).toEqual([]);
  expect((await camille.get(`/api/canteen/orders/${today}/qr`)).body).toMatchObject({
    code: "meal_card_opposed",
  });
  const again = await camille.post("/api/canteen/requests/lines", {
    idgroup: canteen.groupId,
    meals: [{ registration: canteen.registrations.child, day: "2027-11-23" }],
    chosen: true,
  });
  expect(again.body.request?.lines?.[0]?.problem ?? again.body.code).toMatch(
    /déjà|meal_already_ordered/,
  );
  let desk = await server.as("canteenProvider");
  const scan = async (more: object) => {
    const base = { id: randomUUID(), day: "2027-11-22", at: server.clock.now().toISOString() };
    const sent = { ...base, verdict: "served", registration: canteen.registrations.child, ...more };
    return (await desk.post(`/api/canteen/${canteen.id}/scans`, { scans: [sent] })).body.items[0];
  };
  const [old] = await rows(
    "select object_id as id from card where number = $1",
    cast.child.cardnumber,
  );
  expect(await scan({ card: old.id })).toMatchObject({ conflict: "opposed_since" });
  expect(await scan({})).toMatchObject({ verdict: "served", conflict: null });
  expect(await held()).toBe(before + 345);
  const next = body.replacement.cardnumber as number;
  for (const state of ["approved", "in_production", "shipped"] as const) {
    await advanceCard(server.deps, next, state, "test");
  }
  expect((await camille.post(`/api/cards/${next}/activate`)).status).toBe(200);
  server.clock.advance(24 * 3_600_000);
  [desk, camille] = await Promise.all([server.as("canteenProvider"), server.as("guardian")]);
  const [card] = await rows("select object_id as id from card where number = $1", next);
  expect(await scan({ day: "2027-11-23", card: card.id })).toMatchObject({
    verdict: "served",
    conflict: null,
  });
  expect(await rows("select state from meal_order where id = $1", tomorrow)).toEqual([
    { state: "served" },
  ]);
  expect(await held()).toBe(before);
});

test("leaving cancels for nothing the meals not yet served, and tells the family once", async () => {
  server.clock.advance(Date.parse("2027-11-29T11:00:00Z") - server.clock.now().getTime());
  camille = await server.as("guardian");
  await rows("delete from meal_scan");
  await rows("delete from meal_order");
  await rows("delete from canteen_day");
  const before = await held();
  await order("2027-11-26");
  await order("2027-11-29");
  const validated = await order("2027-11-30");
  await rows(
    "update meal_order set state = 'validated', validated_at = now() where id = $1",
    validated,
  );
  await order("2027-12-03", "secondChild");
  expect(await held()).toBe(before + 3 * 345);
  await server.owner.pool.query("truncate notification cascade");

  const [{ id: personId }] = await rows(
    "select person_id as id from card where number = $1",
    cast.child.cardnumber,
  );
  await inTx(server.deps.db, (tx) => endCards(tx, server.deps, personId, server.clock.now()));

  const gone = { state: "cancelled", cents: 0, reason: "Compte fermé" };
  const remaining = { state: "reserved", cents: null, reason: null };
  expect(
    await rows(`select to_char(on_day, 'YYYY-MM-DD') as day, state, charged_cents as cents,
      end_reason as reason from meal_order order by number`),
  ).toEqual([
    { day: "2027-11-26", ...remaining },
    { day: "2027-11-29", ...gone },
    { day: "2027-11-30", ...gone },
    { day: "2027-12-03", ...remaining },
  ]);
  expect(await held()).toBe(before + 345);
  const seats = await rows("select taken from canteen_day order by on_day");
  expect(seats.map(({ taken }) => taken)).toEqual([1, 0, 0, 1]);

  const notices = await rows(
    `select distinct p.name, n.title, n.body from notification n join person p on p.id = n.person_id
     where n.title like 'Repas%' order by p.name`,
  );
  const family = [cast.guardian, cast.child, cast.coGuardian].map(({ name }) => name);
  expect(notices.map(({ name }) => name)).toEqual(family.toSorted());
  expect(notices[0]).toMatchObject({
    title: "Repas annulés",
    body: "Compte fermé\u202f: 2 repas de Léo Moreau du 29/11/2027 au 30/11/2027 sont annulés sans frais. L’argent mis de côté revient sur la cagnotte.",
  });
});
