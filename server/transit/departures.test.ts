// Next departures: around midnight, on the days that last 23 and 25 hours, with exceptions.
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTx } from "#server/db/db.ts";
import { cityFeed } from "#tests/city-feed.ts";
import { type Client, type TestServer, openTestServer } from "#tests/test-server.ts";
import { smallFeed } from "#tests/transit-feed.ts";
import { importFeed, textFeed } from "./transit.ts";

let server: TestServer;
let hugo: Client;
let stops: Record<string, number>;

beforeAll(async () => {
  server = await openTestServer();
  hugo = await server.as("stranger");
  await load();
});
afterAll(() => server.close());

async function load(texts = smallFeed()): Promise<void> {
  const files = textFeed(texts);
  await inTx(server.deps.db, (tx) =>
    importFeed(tx, { files, name: "essai", at: at("2026-06-01") }),
  );
  const { rows } = await server.deps.pool.query("select gtfs_id, id from transit_stop");
  stops = Object.fromEntries(rows.map(({ gtfs_id, id }) => [gtfs_id, id]));
}

const at = (moment: string) => new Date(moment);

/** Moves the clock to a moment, and reads. Sessions do not last until then: each time logs in again. */
async function departuresAt(moment: string, stop: string): Promise<any> {
  server.clock.advance(at(moment).getTime() - server.clock.now().getTime());
  hugo = await server.as("stranger");
  return (await hugo.get(`/api/transit/stops/${stops[stop]}/departures`)).body;
}
/** « 1 Dock: 27T07:05 27T23:30 », with a different last stop in brackets. */
const summaryOf = ({ items }: any): string[] =>
  items.map(
    ({ line, to, next }: any) =>
      `${line.number} ${to}:${next.map((one: any) => ` ${one.at.slice(8, 16)}${one.endsAt ? ` (${one.endsAt})` : ""}`).join("")}`,
  );

test("the next three departures of each line and direction, in the order of the lines", async () => {
  // Friday 27 November 2026, 07:58 in Paris: a fourth of line 1 and the week-end after are left out.
  expect(summaryOf(await departuresAt("2026-11-27T06:58:00Z", "B"))).toEqual([
    "1 Dock: 27T07:05 27T23:30 30T07:05",
    "2 Abbaye: 28T09:00 29T09:00",
  ]);
  // The last stop of line 1 has no departure of it, but the way back begins there.
  expect(summaryOf(await departuresAt("2026-11-27T06:58:00Z", "D"))).toEqual([
    "1 Abbaye: 27T08:00 30T08:00 01T08:00",
  ]);
});

// proves: departures
test("at 00:25 the buses of the day before that run past midnight still count", async () => {
  // Saturday 28 November, 00:25: Friday's 24:30.
  const [first] = summaryOf(await departuresAt("2026-11-27T23:25:00Z", "B"));
  expect(first).toBe("1 Dock: 27T23:30 30T07:05 30T23:30");
  // A minute after it, the next one is Monday's.
  const [after] = summaryOf(await departuresAt("2026-11-27T23:31:00Z", "B"));
  expect(after).toBe("1 Dock: 30T07:05 30T23:30 01T07:05");
});

// proves: departures
test("the days of 23 and 25 hours move no departure: 10:00 is 10:00 on the clock of Paris", async () => {
  // Sunday 25 October 2026: 25 hours. At 10:00 Paris it is 09:00 UTC.
  const first = async (moment: string, stop: string) =>
    (await departuresAt(moment, stop)).items.find(({ line }: any) => line.number === "2").next[0]
      .at;
  expect(await first("2026-10-25T07:00:00Z", "B")).toBe("2026-10-25T09:00:00.000Z");
  // 01:30 counts from noon minus twelve hours, which is 01:00 of summer time that day.
  expect(await first("2026-10-24T22:10:00Z", "C")).toBe("2026-10-25T00:30:00.000Z");
  // Sunday 28 March 2027: 23 hours. At 10:00 Paris it is 08:00 UTC.
  expect(await first("2027-03-28T00:10:00Z", "B")).toBe("2027-03-28T08:00:00.000Z");
});

test("the timetable of a line's day holds its own late buses; another day, another service", async () => {
  await departuresAt("2026-11-27T06:58:00Z", "B");
  const { body } = await hugo.get("/api/transit/lines");
  const [one, two] = body.items.map(({ id }: any) => id);
  const day = async (line: number, more = "") =>
    (await hugo.get(`/api/transit/stops/${stops["B"]}/timetable?line=${line}&direction=0${more}`))
      .body;
  expect(await day(one)).toEqual({
    on: "2026-11-27",
    items: [
      { at: "2026-11-27T07:05:00.000Z", endsAt: null, onRequest: false },
      { at: "2026-11-27T23:30:00.000Z", endsAt: null, onRequest: false },
    ],
  });
  expect((await day(two)).items).toEqual([]);
  const saturday = await day(two, "&on=2026-11-28");
  expect(saturday.items).toEqual([
    { at: "2026-11-28T09:00:00.000Z", endsAt: null, onRequest: false },
  ]);
  expect((await day(one, "&on=2030-01-01")).items).toEqual([]);
});

// proves: departures
test("an exception adds or takes away a service for one day", async () => {
  await load(
    smallFeed({
      "calendar_dates.txt": "service_id,date,exception_type\nweek,20261225,2\nend,20261225,1\n",
    }),
  );
  // Christmas is a Friday: Sunday's buses run.
  expect(summaryOf(await departuresAt("2026-12-25T05:00:00Z", "B"))).toEqual([
    "1 Dock: 28T07:05 28T23:30 29T07:05",
    "2 Abbaye: 25T09:00 26T09:00 27T09:00",
  ]);
  expect(summaryOf(await departuresAt("2026-12-24T05:00:00Z", "B"))[0]).toBe(
    "1 Dock: 24T07:05 24T23:30 28T07:05",
  );
});

test("no departure within seven days: the line without a time, with the last day that is known", async () => {
  const late = await departuresAt("2028-02-01T08:00:00Z", "B");
  expect(late.knownUntil).toBe("2027-12-31");
  expect(summaryOf(late)).toEqual(["1 Dock:", "2 Abbaye:"]);
});

test("refusals: a stop or a line that is not there, values out of bounds", async () => {
  const line = (await hugo.get("/api/transit/lines")).body.items[0].id;
  for (const path of [
    "stops/999999/departures",
    `stops/999999/timetable?line=${line}&direction=0`,
    `stops/${stops["B"]}/timetable?line=999999&direction=0`,
    "lines/999999",
  ]) {
    expect((await hugo.get(`/api/transit/${path}`)).body.code, path).toBe("not_found");
  }
  for (const path of [
    "stops/0/departures",
    "stops/a/timetable?line=1&direction=0",
    `stops/${stops["B"]}/timetable`,
    `stops/${stops["B"]}/timetable?line=${line}&direction=2`,
    "lines/99999999999",
    "lines?q=\0",
  ]) {
    const { status } = await hugo.get(`/api/transit/${path.replace("\0", "%00")}`);
    expect(status, path).toBe(400);
  }
});

// proves: directions
test("a real feed: « Aller », trips with their hour for a name: each direction bears its last stop", async () => {
  await load(cityFeed());
  const items = (await departuresAt("2026-11-27T07:00:00Z", "GARE")).items as any[];
  // 25 lines, both directions; line 25 no longer runs and is marked so.
  expect(items).toHaveLength(50);
  expect(items.map(({ line }) => line.number)).toEqual(
    Array.from({ length: 50 }, (_, n) => String(Math.floor(n / 2) + 1)),
  );
  expect(items.every(({ line, next }) => next.length === (line.number === "25" ? 0 : 3))).toBe(
    true,
  );
  const [there, back] = items.filter(({ line }) => line.number === "9");
  expect([there.to, back.to]).toEqual(["Boves - Gare SNCF", "Allonville - ZI Nord"]);
  // Two last stops on one line and direction: the most frequent names it, the others are named by departure.
  expect(summaryOf({ items: items.filter(({ line }) => line.number === "2") })).toEqual([
    "2 CHU Sud: 27T07:11 27T07:31 27T07:51 (Chemin Vert)",
    "2 Place de l'Église: 27T07:16 27T07:36 27T07:56",
  ]);
  const day = await hugo.get(
    `/api/transit/stops/${stops["GARE"]}/timetable?line=${items[2].line.id}&direction=0`,
  );
  expect(day.body.items).toHaveLength(60);
  const elsewhere = day.body.items.filter(({ endsAt }: any) => endsAt === "Chemin Vert");
  expect(elsewhere).toHaveLength(20);
  expect(JSON.stringify([items, day.body])).not.toMatch(/Aller|Retour|Ligne 9|\bto All/);
});

test("a departure that has to be asked for says so, at its stop and in the timetable; nobody boards at type 1", async () => {
  const [head = "", ...rows] = (smallFeed()["stop_times.txt"] ?? "").trim().split("\n");
  const pickups = new Map([
    ["T1,08:00:00,08:00:00,A,1", "0"],
    ["T1,08:05:00,08:05:00,B,2", "2"],
    ["T1,08:10:00,08:10:00,C,3", "1"],
    ["T2,24:30:00,24:30:00,B,2", "3"],
  ]);
  const lines = rows.map((row) => `${row},${pickups.get(row) ?? ""}`);
  await load(smallFeed({ "stop_times.txt": [`${head},pickup_type`, ...lines].join("\n") }));
  const requests = async (stop: string) => {
    const { items } = await departuresAt("2026-11-27T06:58:00Z", stop);
    return items
      .filter(({ line, to }: any) => line.number === "1" && to === "Dock")
      .flatMap(({ next }: any) => next.map((one: any) => one.onRequest));
  };
  expect(await requests("A")).toEqual([false, false, false]);
  expect(await requests("B")).toEqual([true, true, true]);
  expect(await requests("C")).toEqual([]);
  const { items } = await departuresAt("2026-11-27T06:58:00Z", "B");
  const line = items.find((one: any) => one.line.number === "1").line.id;
  const path = `/api/transit/stops/${stops["B"]}/timetable?line=${line}&direction=0&on=2026-11-27`;
  expect((await hugo.get(path)).body.items).toMatchObject([
    { onRequest: true },
    { onRequest: true },
  ]);
  await load();
});
