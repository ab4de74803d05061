// Time and memory that the import of a GTFS feed of two million stop times takes, and the time of its reads:
// the next departures of the busiest stop, a timetable, a search with a typing error.
// `STOP_TIMES=200000` for a shorter one.
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "pg";
import { openDb } from "#server/db/db.ts";
import { startEmbedded } from "#server/db/embedded.ts";
import { migrate } from "#server/db/migrate.ts";
import { departuresOf, linesOf, searchStops, timetableOf } from "#server/transit/transit.ts";
import { rooms } from "#server/rooms.ts";
import { pino } from "pino";
import { makeSend } from "#server/notifications/notifications.ts";
import { loadConfig } from "#server/process/config.ts";
import { makeEnqueue } from "#server/process/jobs.ts";

const stopTimes = Number(process.env["STOP_TIMES"] ?? 2_000_000);
const perTrip = 40;
const lines = 150;
const stops = 6000;
const services = 20;
const now = new Date("2026-11-23T07:10:00Z");

const syllables = ["ker", "plou", "lan", "tre", "mor", "gwen", "pen", "bras", "coat", "ros"];
const nameOf = (n: number): string =>
  [n % 10, Math.floor(n / 10) % 10, Math.floor(n / 100) % 10, Math.floor(n / 1000)]
    .map((one) => syllables[one % 10])
    .join("");

async function write(folder: string, name: string, rows: Iterable<string>): Promise<void> {
  const file = createWriteStream(join(folder, name));
  for (const row of rows) if (!file.write(`${row}\n`)) await once(file, "drain");
  file.end();
  await once(file, "finish");
}

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

function* times(): Generator<string> {
  yield "trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type";
  const two = (value: number) => String(value).padStart(2, "0");
  for (let trip = 0; trip < stopTimes / perTrip; trip++) {
    const line = trip % lines;
    const start = 5 * 60 + ((trip * 7) % (19 * 60));
    for (let place = 0; place < perTrip; place++) {
      const minute = start + place * 2;
      const time = `${two(Math.floor(minute / 60))}:${two(minute % 60)}:00`;
      // Every line passes the stop 0, the busiest of all.
      const stop = place === 20 ? 0 : (line * 37 + place * 11) % stops;
      yield `T${trip},${time},${time},S${stop},${place + 1},0`;
    }
  }
}

async function makeFeed(folder: string): Promise<void> {
  const days = "monday,tuesday,wednesday,thursday,friday,saturday,sunday";
  await write(folder, "stops.txt", [
    "stop_id,stop_name,stop_lat,stop_lon",
    ...upTo(stops).map((n) => `S${n},${nameOf(n)} ${n},${47 + n / 50_000},${-3 + (n % 70) / 100}`),
  ]);
  await write(folder, "routes.txt", [
    "route_id,route_short_name,route_type",
    ...upTo(lines).map((n) => `L${n},${n + 1},3`),
  ]);
  await write(folder, "calendar.txt", [
    `service_id,${days},start_date,end_date`,
    ...upTo(services).map((n) => `C${n},1,1,1,1,1,${n % 2},0,20260101,20271231`),
  ]);
  await write(folder, "trips.txt", [
    "route_id,service_id,trip_id,direction_id",
    ...upTo(stopTimes / perTrip).map((n) => `L${n % lines},C${n % services},T${n},0`),
  ]);
  await write(folder, "stop_times.txt", times());
}

async function median(work: () => Promise<unknown>): Promise<string> {
  const taken: number[] = [];
  for (let round = 0; round < 21; round++) {
    const started = performance.now();
    await work();
    taken.push(performance.now() - started);
  }
  return `${(taken.toSorted((a, b) => a - b)[10] as number).toFixed(1)} ms`;
}

async function measure(url: string, folder: string): Promise<void> {
  await migrate(url);
  const database = openDb(url, { max: 2 });
  const deps = {
    db: database.db,
    now: () => now,
    enqueue: makeEnqueue(),
    send: makeSend({ enqueue: makeEnqueue(), now: () => now }),
    config: loadConfig({}),
    log: pino({ level: "silent" }),
    progress: (line: string) => console.log(line),
  };
  const command = rooms
    .flatMap(({ commands = [] }) => commands)
    .find(({ name }) => name === "transit import");
  for (const round of ["into an empty database", "in the place of the one before"]) {
    const started = performance.now();
    const answer = await command?.run(deps, [folder], "bench");
    const seconds = (performance.now() - started) / 1000;
    const peak = Math.round(process.resourceUsage().maxRSS / 1024);
    console.log(answer?.lines.join("\n"));
    console.log(
      `${round}: ${seconds.toFixed(1)} s, ${Math.round(stopTimes / seconds)} stop times a second, ` +
        `peak memory of the importer ${peak} MB`,
    );
  }
  const pool = new Pool({ connectionString: url, max: 1 });
  const { rows } = await pool.query<{ id: number }>(
    "select id from transit_stop where gtfs_id = 'S0'",
  );
  const stop = rows[0]?.id ?? 0;
  const { db } = database;
  console.log(
    `next departures of the busiest stop: ${await median(() => departuresOf(db, now, { stop, personId: 0 }))}`,
  );
  const { items } = await linesOf(db, {});
  const line = items[0]?.id ?? 0;
  const day = () => timetableOf(db, now, { stop, line, direction: 0 });
  console.log(`the timetable of one of its lines for a day: ${await median(day)}`);
  console.log(
    `a search with a typing error: ${await median(() => searchStops(db, { q: "plukermor" }))}`,
  );
  await pool.end();
  await database.close();
}

// The feed is written by another process, so that the measured memory is the importer's alone.
if (process.argv[2] === "--make") await makeFeed(process.argv[3] ?? "");
else {
  const folder = await mkdtemp(join(tmpdir(), "ma-carte-bench-"));
  const feed = await mkdtemp(join(folder, "feed-"));
  spawnSync(process.execPath, [import.meta.filename, "--make", feed], { stdio: "inherit" });
  const embedded = await startEmbedded({ dataDir: join(folder, "base") });
  try {
    await measure(embedded.url, feed);
  } finally {
    await embedded.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
