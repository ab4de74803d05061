// The price of a meal for a person: the cheapest price whose conditions are all met, with its reason.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { PriceDescription } from "./kitchen.ts";
import { type MadeCanteen, makeCanteen } from "#tests/canteens.ts";
import { cast, type CastName } from "#tests/cast.ts";
import { openTestServer, type TestServer } from "#tests/test-server.ts";
import { pricesFor, requirePrice } from "./prices.ts";

const onDay = "2031-10-06";
let server: TestServer;
let canteen: MadeCanteen;
beforeAll(async () => void (server = await openTestServer()));
afterAll(() => server.close());
beforeEach(async () => {
  await server.owner.pool.query("truncate canteen_provider, proof cascade");
  canteen = await makeCanteen(server);
});

/** Puts these prices in the place of those of the canteen. */
async function setPrices(...prices: Omit<PriceDescription, "name">[]): Promise<void> {
  await server.deps.pool.query("update canteen_price set ended_at = now()");
  for (const { audience, quotientMax, childrenMin, town, class: of, priceCents } of prices) {
    await server.deps.pool.query(
      `insert into canteen_price (canteen_id, name, audience, quotient_max, children_min, town, class,
         price_cents) values ($1, '', $2, $3, $4, $5, $6, $7)`,
      [canteen.id, audience, quotientMax, childrenMin, town, of, priceCents],
    );
  }
}

const personIdOf = async (name: CastName): Promise<number> =>
  (
    await server.deps.pool.query("select person_id as id from card where number = $1", [
      cast[name].cardnumber,
    ])
  ).rows[0].id;

async function declareQuotient(name: CastName, quotient: number): Promise<void> {
  await server.deps.pool.query(
    `insert into proof (person_id, sent_by, kind, state, quotient, valid_from, valid_until, sent_at,
       answered_at) values ($1, $1, 'quotient', 'validated', $2, '2031-09-01', '2032-08-31', now(), now())`,
    [await personIdOf(name), quotient],
  );
}

const change = (text: string) =>
  server.deps.pool.query(`update canteen_registration set ${text} where id = $1`, [
    canteen.registrations.child,
  ]);

/** The price of the child's meal as [cents, reason], null where none fits. */
async function priceOfChild(day = onDay): Promise<[number, string] | null> {
  const { child, secondChild } = canteen.registrations;
  const price = (await pricesFor(server.deps.db, [child, secondChild], day)).get(child);
  return price ? [price.priceCents, price.reason] : null;
}

test("pricesFor: the full price without a quotient, the band of the quotient with one, on its days", async () => {
  await setPrices(
    { audience: "pupil", priceCents: 345 },
    { audience: "pupil", quotientMax: 1200, priceCents: 260 },
    { audience: "pupil", quotientMax: 700, priceCents: 145 },
  );
  expect(await priceOfChild()).toEqual([345, "Plein tarif"]);
  await declareQuotient("guardian", 701);
  expect(await priceOfChild()).toEqual([260, "Quotient jusqu’à 1\u202f200"]);
  await declareQuotient("guardian", 700);
  expect(await priceOfChild()).toEqual([145, "Quotient jusqu’à 700"]);
  expect(await priceOfChild("2032-09-01")).toEqual([345, "Plein tarif"]);
  const prices = await pricesFor(server.deps.db, Object.values(canteen.registrations), onDay);
  expect([...prices.values()].map(({ priceCents }) => priceCents)).toEqual([145, 145]);
});

test("pricesFor: the cheapest that is met wins, an ended price never", async () => {
  await setPrices({ audience: "pupil", priceCents: 100 });
  await setPrices(
    { audience: "pupil", priceCents: 345 },
    { audience: "pupil", class: "CE1", priceCents: 320 },
    { audience: "pupil", quotientMax: 2000, priceCents: 330 },
  );
  await declareQuotient("guardian", 500);
  expect(await priceOfChild()).toEqual([320, "Classe de CE1"]);
});

test("pricesFor: commune whatever its case, class, and all the conditions of a price together", async () => {
  await setPrices(
    { audience: "pupil", priceCents: 500 },
    { audience: "pupil", town: "PORT-LAGUNE ", priceCents: 345 },
    { audience: "pupil", town: "Port-Lagune", class: "CP", quotientMax: 700, priceCents: 100 },
  );
  expect(await priceOfChild()).toEqual([345, "Commune de PORT-LAGUNE "]);
  await change("class = 'CP'");
  expect((await priceOfChild())?.[0]).toBe(345);
  await declareQuotient("guardian", 600);
  const all = "Quotient jusqu’à 700, commune de Port-Lagune, classe de CP";
  expect(await priceOfChild()).toEqual([100, all]);
  await change("town = 'Saint-Briac'");
  expect(await priceOfChild()).toEqual([500, "Plein tarif"]);
});

test("pricesFor: children of the household who eat at the provider, of either guardian, while registered", async () => {
  await setPrices(
    { audience: "pupil", priceCents: 345 },
    { audience: "pupil", childrenMin: 2, priceCents: 290 },
  );
  expect(await priceOfChild()).toEqual([290, "2 enfants et plus"]);
  const second = canteen.registrations.secondChild;
  const set = (text: string) =>
    server.deps.pool.query(`update canteen_registration set ${text} where id = $1`, [second]);
  await set("until_on = '2031-08-31'");
  expect(await priceOfChild()).toEqual([345, "Plein tarif"]);
  await set("until_on = '2031-10-06'");
  expect((await priceOfChild())?.[0]).toBe(290);
  await set("state = 'ended'");
  expect((await priceOfChild())?.[0]).toBe(345);
  // At another canteen of the same provider they count again; a third child asks for a third one.
  await makeCanteen(server, { name: "École des Mouettes" });
  expect((await priceOfChild())?.[0]).toBe(290);
  await setPrices(
    { audience: "pupil", priceCents: 345 },
    { audience: "pupil", childrenMin: 3, priceCents: 290 },
  );
  expect((await priceOfChild())?.[0]).toBe(345);
});

test("pricesFor: staff and guests pay their own prices", async () => {
  await setPrices(
    { audience: "pupil", priceCents: 345 },
    { audience: "staff", priceCents: 480 },
    { audience: "guest", priceCents: 620 },
  );
  await change("audience = 'guest'");
  expect(await priceOfChild()).toEqual([620, "Tarif invité"]);
  await change("audience = 'staff'");
  expect(await priceOfChild()).toEqual([480, "Tarif du personnel"]);
});

test("requirePrice: a registration that no price fits is left out, and refused with what to do", async () => {
  await setPrices({ audience: "pupil", quotientMax: 700, priceCents: 145 });
  expect(await priceOfChild()).toBeNull();
  const { child } = canteen.registrations;
  const prices = await pricesFor(server.deps.db, [child], onDay);
  expect(() => requirePrice(prices, child)).toThrow(
    expect.objectContaining({ code: "meal_price_missing" }),
  );
  await declareQuotient("guardian", 700);
  const now = await pricesFor(server.deps.db, [child], onDay);
  expect(requirePrice(now, child)).toEqual({ priceCents: 145, reason: "Quotient jusqu’à 700" });
});
