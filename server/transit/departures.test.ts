// When the next bus leaves: around midnight, on the days that last 23 and 25 hours, with exceptions.
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTx } from "#server/db/db.ts";
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

async function load(changes: Record<string, string> = {}): Promise<void> {
  const files = textFeed(smallFeed(changes));
  await inTx(server.deps.db, (tx) =>
    importFeed(tx, { files, name: "essai", at: at("2026-06-01") }),
  );
  const { rows } = await server.deps.pool.query("select gtfs_id, id from transit_stop");
  stops = Object.fromEntries(rows.map(({ gtfs_id, id }) => [gtfs_id, id]));
}

const at = (moment: string) => new Date(moment);

/** Moves the clock to a moment, and asks. Sessions do not outlive it: each time one logs in again. */
async function asked(moment: string, stop: string, more = ""): Promise<any> {
  server.clock.advance(at(moment).getTime() - server.clock.now().getTime());
  hugo = await server.as("stranger");
  return (await hugo.get(`/api/transit/stops/${stops[stop]}/departures?limit=3${more}`)).body;
}
const told = ({ items }: any) =>
  items.map(({ at: when, line, to }: any) => `${when.slice(0, 16)} ${line.number} ${to}`);

test("the next departures come in their order, of all lines; the last stop is none", async () => {
  // Friday 27 November 2026, 07:58 in Paris.
  expect(told(await asked("2026-11-27T06:58:00Z", "B"))).toEqual([
    "2026-11-27T07:05 1 Dock",
    "2026-11-27T23:30 1 Dock",
    "2026-11-28T09:00 2 Abbaye",
  ]);
  expect(told(await asked("2026-11-27T06:58:00Z", "D"))).toEqual([
    "2026-11-27T08:00 1 Abbaye",
    "2026-11-30T08:00 1 Abbaye",
    "2026-12-01T08:00 1 Abbaye",
  ]);
});

test("at 00:25 the buses of the day before that run past midnight still count", async () => {
  // Saturday 28 November, 00:25: Friday's 24:30.
  const [first] = told(await asked("2026-11-27T23:25:00Z", "B"));
  expect(first).toBe("2026-11-27T23:30 1 Dock");
  // A minute after it, the next one is Saturday's.
  const [after] = told(await asked("2026-11-27T23:31:00Z", "B"));
  expect(after).toBe("2026-11-28T09:00 2 Abbaye");
});

test("one line or one way only, when asked", async () => {
  const two = (await hugo.get("/api/transit/lines?q=2")).body.items[0].id;
  const body = await asked("2026-11-27T06:58:00Z", "B", `&line=${two}`);
  expect(new Set(body.items.map((one: any) => one.line.number))).toEqual(new Set(["2"]));
  expect((await asked("2026-11-27T06:58:00Z", "B", "&direction=1")).items).toEqual([]);
});

test("the days of 23 and 25 hours move no departure: 10:00 is 10:00 on the clock of Paris", async () => {
  // Sunday 25 October 2026: 25 hours. At 10:00 Paris it is 09:00 UTC.
  expect(told(await asked("2026-10-25T07:00:00Z", "B"))[0]).toBe("2026-10-25T09:00 2 Abbaye");
  // 01:30 counts from noon minus twelve hours, which is 01:00 of summer time that day.
  expect(told(await asked("2026-10-24T22:10:00Z", "C"))[0]).toBe("2026-10-25T00:30 2 Abbaye");
  // Sunday 28 March 2027: 23 hours. At 10:00 Paris it is 08:00 UTC.
  expect(told(await asked("2027-03-28T00:10:00Z", "B"))[0]).toBe("2027-03-28T08:00 2 Abbaye");
});

test("the timetable of a day holds its own late buses; another day, another service", async () => {
  await asked("2026-11-27T06:58:00Z", "B");
  const day = async (on: string) =>
    (await hugo.get(`/api/transit/stops/${stops["B"]}/timetable?on=${on}`)).body;
  const friday = await day("2026-11-27");
  expect(friday).toMatchObject({ on: "2026-11-27", from: "2026-11-27", until: "2027-12-31" });
  expect(friday.items).toMatchObject([
    {
      line: { number: "1", color: "#a51d2a", textColor: "#ffffff" },
      to: "Dock",
      times: ["2026-11-27T07:05:00.000Z", "2026-11-27T23:30:00.000Z"],
    },
  ]);
  expect((await day("2026-11-28")).items).toMatchObject([{ line: { number: "2" }, to: "Abbaye" }]);
  expect((await day("2030-01-01")).items).toEqual([]);
});

test("an exception adds or takes away a service for one day", async () => {
  await load({
    "calendar_dates.txt": "service_id,date,exception_type\nweek,20261225,2\nend,20261225,1\n",
  });
  // Christmas is a Friday: Sunday's buses run.
  expect(told(await asked("2026-12-25T05:00:00Z", "B"))[0]).toBe("2026-12-25T09:00 2 Abbaye");
  expect(told(await asked("2026-12-24T05:00:00Z", "B"))[0]).toBe("2026-12-24T07:05 1 Dock");
});

test("no departure within seven days: an empty list, with the last day that is known", async () => {
  expect(await asked("2028-02-01T08:00:00Z", "B")).toMatchObject({
    items: [],
    knownUntil: "2027-12-31",
  });
});

test("refusals: a stop or a line that is not there, values out of bounds", async () => {
  for (const path of ["stops/999999/departures", "stops/999999/timetable", "lines/999999"]) {
    expect((await hugo.get(`/api/transit/${path}`)).body.code, path).toBe("not_found");
  }
  for (const path of [
    "stops/0/departures",
    "stops/a/timetable",
    "lines/99999999999",
    "lines?q=\0",
  ]) {
    const { status } = await hugo.get(`/api/transit/${path.replace("\0", "%00")}`);
    expect(status, path).toBe(400);
  }
});
