// The demo's buses: whatever the day, there are lines, stops and departures to look at.
import { afterAll, beforeAll, expect, test } from "vitest";
import { addDays, todayInParis } from "#contract/days.ts";
import { inTx } from "#server/db/db.ts";
import { type TestServer, openTestServer } from "#tests/test-server.ts";
import { openNetwork } from "./transit.ts";

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

test("imports without a fault; on any day of the coming year the town hall has departures", async () => {
  await inTx(server.deps.db, (tx) => openNetwork(tx, server.deps.now()));
  const camille = await server.as("guardian");
  const { items } = (await camille.get("/api/transit/lines")).body;
  expect(items.map(({ number }: any) => number)).toEqual([
    "1",
    "2",
    "3",
    "4",
    "5",
    "N",
    "S1",
    "S2",
  ]);
  const { items: groups } = (await camille.get("/api/transit/groups")).body;
  expect(groups.map(({ slug }: any) => slug)).toEqual(["reseau-du-lagon", "transport-scolaire"]);
  const [hall] = (await camille.get("/api/transit/stops?q=hotel%20de%20vile")).body.items;
  expect(hall).toMatchObject({ name: "Hôtel de Ville" });
  const ways = (await camille.get(`/api/transit/stops/${hall.id}/departures`)).body.items;
  for (let day = 0; day < 365; day += 13) {
    const on = addDays(todayInParis(), day);
    const days = await Promise.all(
      ways.map(({ line, direction }: any) =>
        camille.get(
          `/api/transit/stops/${hall.id}/timetable?line=${line.id}&direction=${direction}&on=${on}`,
        ),
      ),
    );
    expect(days.filter(({ body }) => body.items.length > 0).length, on).toBeGreaterThan(5);
  }
});
