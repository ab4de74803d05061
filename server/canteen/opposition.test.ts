// Meals after the opposition of a card: those still to be served end for nothing, others stay.
import { afterAll, beforeAll, expect, test } from "vitest";
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

test("opposing a card cancels its holder's meals not yet served, and tells the family once", async () => {
  const before = await held();
  await order("2027-11-19");
  await order("2027-11-22");
  const validated = await order("2027-11-23");
  await rows(
    "update meal_order set state = 'validated', validated_at = now() where id = $1",
    validated,
  );
  await order("2027-11-26");
  await order("2027-11-26", "secondChild");
  expect(await held()).toBe(before + 4 * 345);
  await server.owner.pool.query("truncate notification cascade");

  const path = `/api/cards/${cast.child.cardnumber}/oppose`;
  const { status, text } = await camille.post(path, { reason: "lost" });
  expect(status, text).toBe(200);

  const gone = { state: "cancelled", cents: 0, reason: "Carte opposée" };
  const kept = { state: "reserved", cents: null, reason: null };
  expect(
    await rows(`select to_char(on_day, 'YYYY-MM-DD') as day, state, charged_cents as cents,
      end_reason as reason from meal_order order by number`),
  ).toEqual([
    { day: "2027-11-19", ...kept },
    { day: "2027-11-22", ...gone },
    { day: "2027-11-23", ...gone },
    { day: "2027-11-26", ...gone },
    { day: "2027-11-26", ...kept },
  ]);
  expect(await held()).toBe(before + 345);
  const seats = await rows("select taken from canteen_day order by on_day");
  expect(seats.map(({ taken }) => taken)).toEqual([1, 0, 0, 1]);

  const told = await rows(
    `select c.number, n.title, n.body from notification n join card c on c.person_id = n.person_id
     where n.title like 'Repas%' and c.state <> 'requested' order by c.number`,
  );
  const family = [cast.guardian, cast.child, cast.coGuardian].map(({ cardnumber }) => cardnumber);
  expect(told.map(({ number }) => number)).toEqual(family.toSorted((a, b) => a - b));
  expect(told[0]).toMatchObject({
    title: "Repas annulés",
    body: "Carte opposée\u202f: 3 repas de Léo Moreau du 22/11/2027 au 26/11/2027 sont annulés sans frais. L’argent mis de côté revient sur la cagnotte.",
  });
});

test("a card without a meal to come says nothing of meals", async () => {
  await server.owner.pool.query("truncate notification cascade");
  const hugo = await server.as("stranger");
  await hugo.post(`/api/cards/${cast.stranger.cardnumber}/oppose`, { reason: "lost" });
  expect(await rows("select from notification where title like 'Repas%'")).toEqual([]);
});
