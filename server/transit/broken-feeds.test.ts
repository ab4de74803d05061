// Broken feeds: each is refused with the fault named, and the lock is released when the import ends.
import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { sql } from "kysely";
import type { PoolClient } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ZipFile } from "yazl";
import { inTx, openDb } from "#server/db/db.ts";
import { type TestServer, openTestServer } from "#tests/test-server.ts";
import { sheet, smallFeed } from "#tests/transit-feed.ts";
import { importFeed } from "./transit.ts";
import { transitCommands } from "./operator.ts";

let server: TestServer;
let folder: string;

beforeAll(async () => {
  server = await openTestServer();
  folder = await mkdtemp(join(tmpdir(), "ma-carte-gtfs-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await server.close();
});

const run = async (name: string, ...args: string[]) => {
  const command = transitCommands.find((one) => one.name === `transit ${name}`);
  const desk = { ...server.deps, progress: () => {} };
  return (await command?.run(desk, args, "test")) ?? { ok: false, lines: [] };
};

type Texts = Readonly<Record<string, string>>;

/** A complete feed: the small one with the optional files. */
const fullFeed = (): Texts =>
  smallFeed({
    "calendar_dates.txt": sheet(["service_id", "date", "exception_type"], ["week", 20260105, 2]),
    "frequencies.txt": sheet(
      ["trip_id", "start_time", "end_time", "headway_secs"],
      ["T3", "06:00:00", "07:00:00", 1200],
    ),
    "networks.txt": sheet(["network_id", "network_name"], ["scol", "Lignes scolaires"]),
    "route_networks.txt": sheet(["network_id", "route_id"], ["scol", "L2"]),
    "shapes.txt": sheet(
      ["shape_id", "shape_pt_lat", "shape_pt_lon", "shape_pt_sequence"],
      ["S1", 47.2, -1.55, 1],
      ["S1", 47.21, -1.56, 2],
    ),
    "trips.txt": sheet(
      ["route_id", "service_id", "trip_id", "shape_id"],
      ["L1", "week", "T1", "S1"],
      ["L1", "week", "T2", "S1"],
      ["L1", "week", "T3", ""],
      ["L2", "end", "T4", ""],
    ),
  });

let made = 0;
/** Writes a feed in one of the operator's two forms: as a folder, or as a zip. */
const asFolder = async (texts: Texts): Promise<string> => {
  const path = join(folder, `feed-${++made}`);
  await mkdir(path);
  for (const [name, text] of Object.entries(texts)) await writeFile(join(path, name), text);
  return path;
};
const asZip = async (texts: Texts): Promise<string> => {
  const zip = new ZipFile();
  for (const [name, text] of Object.entries(texts)) zip.addBuffer(Buffer.from(text), name);
  zip.end();
  const path = join(folder, `feed-${++made}.zip`);
  await pipeline(zip.outputStream, createWriteStream(path));
  return path;
};

/** The import of a path is refused with `why`, and the next one finds the lock free. */
async function expectRefused(path: string, why: RegExp): Promise<void> {
  const { ok, lines } = await run("import", path);
  expect(ok, path).toBe(false);
  expect(lines.at(-2)).toMatch(why);
  expect((await run("status")).lines).not.toContain("Un import est en cours.");
}

const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const needed: Readonly<Record<string, readonly string[]>> = {
  "agency.txt": ["agency_name"],
  "networks.txt": ["network_id"],
  "route_networks.txt": ["network_id", "route_id"],
  "routes.txt": ["route_id"],
  "stops.txt": ["stop_id"],
  "calendar.txt": ["service_id", "start_date", "end_date", ...weekdays],
  "calendar_dates.txt": ["service_id", "date", "exception_type"],
  "trips.txt": ["route_id", "service_id", "trip_id"],
  "frequencies.txt": ["trip_id", "start_time", "end_time", "headway_secs"],
  "stop_times.txt": ["trip_id", "stop_id", "stop_sequence"],
  "shapes.txt": ["shape_id", "shape_pt_lat", "shape_pt_lon", "shape_pt_sequence"],
};
const files = Object.keys(needed);
const columns = Object.entries(needed).flatMap(([file, names]) =>
  names.map((name) => [file, name]),
);

test("the whole feed is taken, from a folder and from a zip", async () => {
  expect((await run("import", await asFolder(fullFeed()))).ok).toBe(true);
  expect((await run("import", await asZip(fullFeed()))).ok).toBe(true);
});

describe("a feed that lacks what it needs is refused at once", () => {
  const without = (file: string, column: string): Texts => {
    const text = fullFeed()[file] ?? "";
    return { ...fullFeed(), [file]: text.replace(new RegExp(`\\b${column}\\b`), "other") };
  };

  test.each(columns)("%s without %s", async (file = "", column = "") => {
    const why = new RegExp(`${file} : il manque la colonne ${column}\\.`);
    await expectRefused(await asFolder(without(file, column)), why);
    await expectRefused(await asZip(without(file, column)), why);
  });

  test.each(files)("%s of no byte, and with a header alone that lacks columns", async (file) => {
    const empty = { ...fullFeed(), [file]: "" };
    await expectRefused(await asFolder(empty), new RegExp(`${file} est vide`));
    await expectRefused(await asZip(empty), new RegExp(`${file} est vide`));
    const header = { ...fullFeed(), [file]: "other" };
    await expectRefused(await asFolder(header), /il manque la colonne/);
    await expectRefused(await asZip(header), /il manque la colonne/);
  });
});

test("a zip that was cut short anywhere, or damaged within a file, is refused", async () => {
  const whole = await readFile(await asZip(fullFeed()));
  const path = join(folder, "damaged.zip");
  for (let part = 0; part < 12; part++) {
    await writeFile(path, whole.subarray(0, Math.floor((whole.length * part) / 12)));
    await expectRefused(path, /illisible|vide/);
  }
  await writeFile(path, whole.subarray(0, -1));
  await expectRefused(path, /illisible/);
  const at = whole.indexOf("stop_times.txt") + "stop_times.txt".length;
  const damaged = Buffer.from(whole);
  damaged.fill(0xff, at, at + 40);
  await writeFile(path, damaged);
  await expectRefused(path, /stop_times\.txt est illisible/);
});

test("an import whose process is killed leaves the lock, even amid a long statement", async () => {
  let socket: { destroy(): void } | undefined;
  const { db, pool, close } = openDb(server.deps.config.databaseUrl ?? "", { max: 1 });
  pool.on("connect", (client: PoolClient) => {
    socket = (client as unknown as { connection: { stream: { destroy(): void } } }).connection
      .stream;
  });
  const killed = inTx(db, (tx) =>
    importFeed(tx, {
      name: "x",
      at: server.deps.now(),
      files: {
        has: () => true,
        open: async () => {
          const asleep = sql`select pg_sleep(3600)`.execute(tx);
          await expect.poll(sleeping).toBe(1);
          socket?.destroy();
          await asleep;
          throw new Error("the statement ended");
        },
        close: () => {},
      },
    }),
  );
  await expect(killed).rejects.toThrow();
  await close();
  await expect
    .poll(async () => (await run("status")).lines)
    .not.toContain("Un import est en cours.");
  expect((await run("import", await asFolder(fullFeed()))).ok).toBe(true);
});

const sleeping = async () => {
  const { rowCount } = await server.owner.pool.query(
    `select from pg_stat_activity where query = 'select pg_sleep(3600)' and state = 'active'
      and datname = current_database()`,
  );
  return rowCount;
};
