// Favourite stops: one's own, twenty at most, with the next departures; and the effect of a new feed.
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTx } from "#server/db/db.ts";
import { cityFeed, station } from "#tests/city-feed.ts";
import { type Client, type TestServer, openTestServer } from "#tests/test-server.ts";
import { smallFeed } from "#tests/transit-feed.ts";
import { importFeed, textFeed } from "./transit.ts";

let server: TestServer;
let hugo: Client;
let stops: Record<string, number>;

beforeAll(async () => {
  server = await openTestServer();
  // Friday 27 November 2026, 07:59 in Paris.
  server.clock.advance(Date.parse("2026-11-27T06:59:00Z") - server.clock.now().getTime());
  hugo = await server.as("stranger");
  await load(cityFeed());
});
afterAll(() => server.close());

async function load(texts: Record<string, string>): Promise<void> {
  const at = new Date("2026-06-01");
  await inTx(server.deps.db, (tx) => importFeed(tx, { files: textFeed(texts), name: "essai", at }));
  const { rows } = await server.deps.pool.query("select gtfs_id, id from transit_stop");
  stops = Object.fromEntries(rows.map(({ gtfs_id, id }) => [gtfs_id, id]));
}

const choose = (stop: number | undefined, chosen: boolean, client = hugo) =>
  client.post(`/api/transit/stops/${stop}/favourite`, { chosen });
const favourites = async (client = hugo) =>
  (await client.get("/api/transit/favourites")).body.items;
const isFavourite = async (stop: string, client = hugo) =>
  (await client.get(`/api/transit/stops/${stops[stop]}/departures`)).body.isFavourite;

test("chosen twice it is one, with the four directions that leave first; another person has none", async () => {
  expect(await favourites()).toEqual([]);
  expect(await isFavourite("GARE")).toBe(false);
  for (const time of ["once", "twice"]) {
    expect(await choose(stops["GARE"], true), time).toMatchObject({
      status: 200,
      body: { message: "Cet arrêt est dans vos favoris." },
    });
  }
  expect(await choose(stops["A2"], true)).toMatchObject({ status: 200 });
  const [first, second] = await favourites();
  expect(first).toMatchObject({ id: stops["GARE"], name: station, isServed: true, more: 46 });
  const summary = first.items.map(({ line, to, next }: any) => [line.number, to, next[0].at]);
  expect(summary).toEqual([
    ["6", "Centre Commercial", "2026-11-27T07:00:00.000Z"],
    ["11", "Rivery", "2026-11-27T07:00:00.000Z"],
    ["7", "Les Hortillonnages", "2026-11-27T07:01:00.000Z"],
    ["12", "Salouël", "2026-11-27T07:01:00.000Z"],
  ]);
  expect(second).toMatchObject({ name: "Place de l'Église", more: 0 });
  expect(second.items).toHaveLength(1);
  expect(second.items[0].next).toHaveLength(3);
  expect(await isFavourite("GARE")).toBe(true);
  const camille = await server.as("guardian");
  expect(await favourites(camille)).toEqual([]);
  expect(await isFavourite("GARE", camille)).toBe(false);
});

test("taken away it is one no more, and can be taken away again", async () => {
  for (const time of ["once", "twice"]) {
    expect((await choose(stops["A2"], false)).status, time).toBe(200);
  }
  expect((await favourites()).map(({ name }: any) => name)).toEqual([station]);
});

test("the twenty-first is refused, also when two come at once; one's own stay", async () => {
  const eighteen = Array.from({ length: 18 }, (_, n) => stops[`B${n + 1}`]);
  for (const stop of eighteen) expect((await choose(stop, true)).status).toBe(200);
  const answers = await Promise.all([choose(stops["A20"], true), choose(stops["A21"], true)]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
  expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
    code: "favourite_stops_full",
    message: "Vous avez déjà 20 arrêts favoris. Retirez-en un pour ajouter celui-ci.",
  });
  expect(await favourites()).toHaveLength(20);
  // A stop that is a favourite already is not counted again.
  expect((await choose(stops["GARE"], true)).status).toBe(200);
});

test("refused: a stop that is not there, nothing said of what to do, a professional", async () => {
  expect((await choose(999_999, true)).body.code).toBe("not_found");
  const path = `/api/transit/stops/${stops["GARE"]}/favourite`;
  expect((await hugo.post(path, {})).body.code).toBe("invalid_input");
  const shop = await server.as("partnerShop");
  expect((await choose(stops["GARE"], true, shop)).status).toBe(403);
  expect((await shop.get("/api/transit/favourites")).status).toBe(403);
});

test("a stop that a new feed no longer has stays and says so; one that becomes a pole is its station", async () => {
  await server.deps.pool.query("delete from favourite_stop");
  await load(smallFeed());
  await choose(stops["C"], true);
  await choose(stops["D"], true);
  await choose(stops["B"], true);
  const feed = smallFeed();
  await load({
    ...feed,
    "stops.txt":
      "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\n" +
      "S,La Halle,47.2,-1.55,1,\nA,Abbaye,47.2,-1.55,0,\nB,Quai 1,47.21,-1.55,0,S\nD,Quai 2,47.23,-1.55,0,S\n",
    "stop_times.txt": (feed["stop_times.txt"] ?? "").replaceAll(/^.*,C,.*\n/gm, ""),
  });
  const [gone, halle, ...others] = await favourites();
  expect(gone).toMatchObject({ name: "Clinique", isServed: false, items: [], more: 0 });
  expect(halle).toMatchObject({ id: stops["S"], name: "La Halle", isServed: true });
  expect(others).toEqual([]);
  expect((await choose(gone.id, false)).status).toBe(200);
  expect(await favourites()).toHaveLength(1);
});
