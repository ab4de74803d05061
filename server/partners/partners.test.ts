// Finding where a card works: as people type, near a place, open at this hour; and one partner's sheet.
import { afterAll, beforeAll, expect, test } from "vitest";
import { places } from "#server/demo/places.ts";
import { furnishDirectory } from "#tests/directory.ts";
import { openTestServer, type Client, type TestServer } from "#tests/test-server.ts";

let server: TestServer;
let camille: Client;
let shop: Client;
beforeAll(async () => {
  server = await openTestServer();
  await furnishDirectory(server.deps);
  camille = await server.as("guardian");
  shop = await server.as("partnerShop");
});
afterAll(() => server.close());

interface Line {
  id: string;
  name: string;
  town: string;
  metres: number | null;
  opening: { open: boolean };
}
const path = "/api/partners";
const list = async (search: Record<string, string | number>, client = camille) => {
  const query = new URLSearchParams(Object.entries(search).map(([k, v]) => [k, String(v)]));
  return await client.get<{
    items: Line[];
    total: number;
    next: number | null;
    around: string | null;
  }>(`${path}?${query}`);
};
const names = async (search: Record<string, string | number>) =>
  (await list(search)).body.items.map(({ name }) => name);
const everyName = async (search: Record<string, string | number> = {}) => {
  const found: string[] = [];
  for (let page: number | null = 1; page !== null;) {
    const { body } = await list({ ...search, page });
    found.push(...body.items.map(({ name }) => name));
    page = body.next;
  }
  return found;
};
/** Moves the clock forward to the next such weekday and hour, as Paris reads them. */
async function goTo(weekday: number, time: string): Promise<void> {
  const { rows } = await server.deps.pool.query(
    `select ((date_trunc('week', t) + make_interval(days => $2 - 1 + 7) + $3::time)
      at time zone 'Europe/Paris') as at from (select $1::timestamptz at time zone 'Europe/Paris' as t) l`,
    [server.clock.now(), weekday, time],
  );
  server.clock.advance(rows[0].at.getTime() - server.clock.now().getTime() + 1000);
  camille = await server.as("guardian");
  shop = await server.as("partnerShop");
}

test.each([
  ["librairie", "Librairie des Embruns"],
  ["libr", "Librairie des Embruns"],
  ["LIBRERIE embrun", "Librairie des Embruns"],
  ["poisonnerie", "La Criée coopérative"],
  ["musee terre neuva", "Musée des Terre-Neuvas"],
  ["creperi trevenez", "Crêperie du Menhir"],
  ["pisine", "Piscine des Dunes"],
  ["boulangerie trévenez", "Boulangerie Le Gall"],
  ["cinéma", "Cinéma Le Phare"],
  ["lunettes", "Optique de la Pointe"],
])("« %s » finds %s first", async (q, name) => {
  expect((await names({ q }))[0]).toBe(name);
});

// proves: search
test("what resembles nothing finds nothing, and signs are no query", async () => {
  for (const q of ["xylophone", "zzzzqqq", "' & | ! :* <->", "%_\\", "de la"]) {
    expect(await names({ q }), q).toEqual([]);
  }
});

// proves: search
test("pages hold twenty, none twice, none missing; the same for professionals", async () => {
  const first = await list({});
  expect(first.body).toMatchObject({ total: places.length, next: 2, around: null });
  expect(first.body.items).toHaveLength(20);
  const all = await everyName();
  expect(new Set(all).size).toBe(places.length);
  expect(all).toHaveLength(places.length);
  expect((await list({}, shop)).body.total).toBe(places.length);
  expect((await list({ page: 3 })).body).toMatchObject({ items: [], next: null });
});

test("around a position the nearest first, with metres; half a position is refused", async () => {
  const { body } = await list({ lat: 47.846, lon: -3.861 });
  const metres = body.items.map((one) => one.metres as number);
  expect(body.items[0]).toMatchObject({ name: "Salon Marine", town: "Kerval-sur-Mer", metres: 50 });
  expect(metres).toEqual([...metres].sort((a, b) => a - b));
  expect(await list({ lat: 47.8 })).toMatchObject({ status: 400, body: { code: "invalid_input" } });
  for (const wrong of [
    { lat: 91, lon: 0 },
    { lat: "ici", lon: 0 },
    { lat: 0, lon: "Infinity" },
  ]) {
    expect((await list(wrong)).status).toBe(400);
  }
});

test.each([
  ["kerval", "Kerval-sur-Mer"],
  ["Trevenes", "Trévenez"],
  ["29982", "Pointe-Corail"],
  ["port lagunne", "Port-Lagune"],
])("around « %s »: sorted from %s", async (around, town) => {
  const { body } = await list({ around });
  expect(body.around).toBe(town);
  expect(body.items[0]?.town).toBe(town);
});

test("around a place that the directory does not know: said, and by name", async () => {
  for (const around of ["Marseille", "%", "99999"]) {
    const { body } = await list({ around });
    expect([around, body.around, body.items[0]?.metres]).toEqual([around, null, null]);
  }
});

test("filters by category of either level, by cagnotte, and together", async () => {
  expect(await names({ category: "boulangerie" })).toEqual([
    "Boulangerie Le Gall",
    "Le Fournil du Port",
  ]);
  expect(await names({ category: "manger" })).toHaveLength(6);
  expect(await names({ category: "rien-de-tel" })).toEqual([]);
  const { groups } = (
    await camille.get(`${path}/${(await list({ q: "cinéma" })).body.items[0]?.id}`)
  ).body;
  const idgroup = groups[1].idgroup;
  const culture = await everyName({ idgroup });
  expect(culture).toContain("Cinéma Le Phare");
  expect(culture).not.toContain("Le Fournil du Port");
  expect(await names({ idgroup, category: "manger" })).toEqual([]);
  const { body } = await camille.get(`${path}/categories`);
  const eat = body.items.find(({ id }: { id: string }) => id === "manger");
  expect(eat).toMatchObject({ name: "Manger", count: 6 });
  expect(eat.children).toHaveLength(3);
  expect(body.towns).toHaveLength(4);
});

// proves: opening-hours
test("open now is the same for the filter and for every line, all through a week", async () => {
  await goTo(1, "00:30");
  for (let hour = 0; hour < 7 * 24; hour += 7) {
    const all: Line[] = [];
    for (const page of [1, 2]) all.push(...(await list({ page })).body.items);
    const open = all.filter(({ opening }) => opening.open).map(({ name }) => name);
    expect((await everyName({ open: "true" })).sort(), `${hour}`).toEqual(open.sort());
    server.clock.advance(7 * 3_600_000);
    camille = await server.as("guardian");
  }
});

test("a bar open past midnight is open until the end of its night, not until midnight", async () => {
  const id = (await list({ q: "embruns" })).body.items[0]?.id ?? "";
  const hours = await server.deps.pool.query(
    "delete from partner_hours where partner_id = $1 returning *",
    [id],
  );
  await server.deps.pool.query(
    `insert into partner_hours (partner_id, weekday, opens, closes)
     values ($1, 5, '18:00', '24:00'), ($1, 6, '00:00', '02:00'), ($1, 7, '18:00', '24:00')`,
    [id],
  );
  const until = async () => (await camille.get(`${path}/${id}`)).body.opening;
  await goTo(5, "23:00");
  expect(await until()).toMatchObject({ open: true, until: "02:00" });
  await goTo(6, "01:00");
  expect(await until()).toMatchObject({ open: true, until: "02:00" });
  // The day after does not go on, or is a day off.
  await goTo(7, "23:00");
  expect(await until()).toMatchObject({ open: true, until: "24:00" });
  await server.deps.pool.query("delete from partner_hours where partner_id = $1", [id]);
  for (const { weekday, opens, closes } of hours.rows) {
    await server.deps.pool.query("insert into partner_hours values ($1, $2, $3, $4)", [
      id,
      weekday,
      opens,
      closes,
    ]);
  }
});

// proves: opening-hours
test("a sheet: open until, closed until, closed on its days off, never by an hour of another zone", async () => {
  camille = await server.as("guardian");
  const id = (await list({ q: "embruns" })).body.items[0]?.id ?? "";
  const opening = async () => (await camille.get(`${path}/${id}`)).body.opening;
  await goTo(2, "09:29:58");
  expect(await opening()).toMatchObject({ open: false, next: { inDays: 0, at: "09:30" } });
  await goTo(2, "09:30");
  expect(await opening()).toMatchObject({ open: true, until: "12:30", next: null });
  await goTo(2, "12:30");
  expect(await opening()).toMatchObject({ open: false, next: { inDays: 0, at: "14:00" } });
  await goTo(6, "19:00");
  expect(await opening()).toMatchObject({ open: false, next: { inDays: 2, at: "14:00" } });
  const { rows } = await server.deps.pool.query(
    "select paris_day($1::timestamptz)::text as today",
    [server.clock.now()],
  );
  await server.deps.pool.query(
    "insert into partner_closure values ($1, $2, $2::date + 3, 'inventaire')",
    [id, rows[0].today],
  );
  const { body } = await camille.get(`${path}/${id}`);
  expect(body.opening).toMatchObject({
    open: false,
    closure: "inventaire",
    next: { inDays: 4, at: "09:30" },
  });
  expect(body.closures).toMatchObject([{ fromOn: rows[0].today, reason: "inventaire" }]);
  expect(body).toMatchObject({
    today: 6,
    groups: [{ idgroup: 1, main: true }, { name: "Cagnotte culture" }],
    offers: [{ kind: "discount" }, { kind: "points" }],
    gives: ["5 % sur les livres", "1 point par euro"],
  });
  expect(body.hours).toHaveLength(7);
});

test("who never closes is open at midnight; an offer that is over is given no more", async () => {
  await goTo(3, "00:00");
  expect(await everyName({ open: "true" })).toEqual(["Parking du Bassin"]);
  const toy = async () => (await list({ q: "cerf-volant" })).body.items[0] as Line & { gives: [] };
  server.clock.advance(40 * 86_400_000);
  camille = await server.as("guardian");
  expect((await toy()).gives).toEqual(["Paquet cadeau offert"]);
  expect((await camille.get(`${path}/${(await toy()).id}`)).body.offers).toHaveLength(1);
});

test("an unknown partner is not found, what is no id is refused", async () => {
  const unknown = await camille.get(`${path}/6f1d5f0e-8f53-4a86-9d2c-0f0a4f6c1a2b`);
  expect(unknown).toMatchObject({ status: 404, body: { code: "not_found" } });
  expect((await camille.get(`${path}/embruns`)).status).toBe(400);
});
