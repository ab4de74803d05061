// Reads trips and their stop times into temporary tables of this transaction, where the database sorts them:
// only the ids of the trips are in memory, whatever the length of stop_times.txt.
import { sql } from "kysely";
import type { Tx } from "#server/db/db.ts";
import { FeedRefused, type Report } from "./report.ts";
import { type FeedReader, readCsvFile } from "./csv-files.ts";
import type { Services } from "./calendars.ts";
import { countIn, idIn, timeIn } from "./values.ts";

/** Rows written with one statement. */
const batch = 4_000;

/** Columns of whole numbers that are filled row by row and written in batches. */
class Columns {
  readonly #tx: Tx;
  readonly #table: string;
  readonly #columns: (number | string)[][];

  constructor(tx: Tx, table: string, width: number) {
    this.#tx = tx;
    this.#table = table;
    this.#columns = Array.from({ length: width }, () => []);
  }

  add(...values: (number | null)[]): void {
    values.forEach((value, index) => this.#columns[index]?.push(value ?? "NULL"));
  }

  async write(): Promise<void> {
    if (this.#columns[0]?.length === 0) return;
    const arrays = this.#columns.map((column) => sql`${`{${column.join(",")}}`}::int[]`);
    await sql`insert into ${sql.table(this.#table)} select * from unnest(${sql.join(arrays)})`.execute(
      this.#tx,
    );
    for (const column of this.#columns) column.length = 0;
  }

  async writeIfMany(): Promise<void> {
    if ((this.#columns[0]?.length ?? 0) >= batch) await this.write();
  }
}

export interface Trips {
  /** GTFS id → number in this feed; -1 for one that was left out. */
  ids: Map<string, number>;
  /** GTFS ids of shapes → number. */
  shapes: Map<string, number>;
}

export interface Places {
  lines: ReadonlyMap<string, number>;
  /** GTFS id of a stop or quay → its public stop. */
  stops: ReadonlyMap<string, number>;
}

/** Fills gtfs_trip and gtfs_frequency. Throws `FeedRefused` without a trip. */
export async function readTrips(
  tx: Tx,
  reading: FeedReader,
  { lines }: Places,
  services: Services,
): Promise<Trips> {
  await sql`create temp table gtfs_trip (id int, line int, direction int, service int, shape int)
    on commit drop`.execute(tx);
  const trips: Trips = { ids: new Map(), shapes: new Map() };
  const rows = new Columns(tx, "gtfs_trip", 5);
  const { report } = reading;
  const file = "trips.txt";
  const known = await readCsvFile(reading, {
    file,
    required: ["route_id", "service_id", "trip_id"],
    optional: ["direction_id", "shape_id"],
    take: ([route = "", service = "", id = "", directionId = "", shape = ""], at) => {
      if (!idIn(id)) return report.rejectRow(file, at, "identifiant de course non valable", id);
      if (trips.ids.has(id)) return report.rejectRow(file, at, "course donnée deux fois", id);
      const [line, runs] = [lines.get(route), services.ids.get(service)];
      trips.ids.set(id, -1);
      if (!line) return report.rejectRow(file, at, "ligne inconnue", route);
      if (!runs) return report.rejectRow(file, at, "service inconnu", service);
      const number = trips.ids.size;
      trips.ids.set(id, number);
      const direction = directionId === "0" || directionId === "1" ? Number(directionId) : null;
      rows.add(number, line, direction, runs, shape ? numbered(trips.shapes, shape) : null);
    },
    flush: () => rows.writeIfMany(),
  });
  if (!known) throw new FeedRefused("Il manque le fichier trips.txt.");
  await rows.write();
  await readFrequencies(tx, reading, trips);
  return trips;
}

function numbered(known: Map<string, number>, text: string): number {
  const number = known.get(text) ?? known.size + 1;
  known.set(text, number);
  return number;
}

/** Trips that leave at intervals between two hours, listed once in the feed. */
async function readFrequencies(tx: Tx, reading: FeedReader, trips: Trips): Promise<void> {
  await sql`create temp table gtfs_frequency (trip int, starts int, ends int, every int)
    on commit drop`.execute(tx);
  const rows = new Columns(tx, "gtfs_frequency", 4);
  const { report } = reading;
  const file = "frequencies.txt";
  await readCsvFile(reading, {
    file,
    required: ["trip_id", "start_time", "end_time", "headway_secs"],
    take: ([id = "", start = "", end = "", headway = ""], line) => {
      const trip = trips.ids.get(id);
      if (trip === -1) return;
      if (!trip) return report.rejectRow(file, line, "course inconnue", id);
      const [starts, ends, every] = [timeIn(start), timeIn(end), countIn(headway)];
      if (starts === null || ends === null || starts >= ends || !every || every < 20) {
        return report.rejectRow(file, line, "fréquence non valable", `${start} ${end} ${headway}`);
      }
      rows.add(trip, starts, ends, every);
    },
    flush: () => rows.writeIfMany(),
  });
  await rows.write();
}

/** Columns of GTFS-Flex: a row with one of them serves an area, or a window of time. */
const flexColumns = [
  "location_id",
  "location_group_id",
  "start_pickup_drop_off_window",
  "end_pickup_drop_off_window",
];

/** Fills gtfs_time with every valid row of stop_times.txt. */
export async function readTimes(
  tx: Tx,
  reading: FeedReader,
  trips: Trips,
  { stops }: Places,
): Promise<void> {
  await sql`create temp table gtfs_time (line int, trip int, seq int, stop int, departs int,
    boards int) on commit drop`.execute(tx);
  const rows = new Columns(tx, "gtfs_time", 6);
  const { report } = reading;
  const file = "stop_times.txt";
  // Rows of a trip mostly follow each other.
  let last = { id: "", trip: 0 };
  const known = await readCsvFile(reading, {
    file,
    required: ["trip_id", "stop_id", "stop_sequence"],
    optional: ["departure_time", "arrival_time", "pickup_type", ...flexColumns],
    take: (values, line) => {
      const [id = "", stopId = "", order = "", leaves = "", comes = "", pickup = ""] = values;
      // On demand within a zone or a window of time: no departure from a stop at an hour.
      if (values.slice(-flexColumns.length).some((value) => value !== "")) {
        return report.leaveOut(file, line, "transport à la demande par zone");
      }
      if (id !== last.id) last = { id, trip: trips.ids.get(id) ?? 0 };
      if (last.trip === -1) return;
      if (last.trip === 0) return report.rejectRow(file, line, "course inconnue", id);
      const stop = stops.get(stopId);
      if (!stop) return report.rejectRow(file, line, "arrêt inconnu", stopId);
      const seq = countIn(order);
      if (seq === null) return report.rejectRow(file, line, "rang non valable", order);
      const time = timeOf(report, file, line, leaves || comes);
      if (time !== undefined) rows.add(line, last.trip, seq, stop, time, boardingOf(pickup));
    },
    flush: () => rows.writeIfMany(),
  });
  if (!known) throw new FeedRefused("Il manque le fichier stop_times.txt.");
  await rows.write();
}

/** As in gtfs_time: 0 no boarding, 1 for everybody, 2 after a call to the agency or the driver. */
const boardingOf = (pickupType: string): number =>
  pickupType === "1" ? 0 : pickupType === "2" || pickupType === "3" ? 2 : 1;

/** Seconds, null for a stop between two known times, undefined when it cannot be read. */
function timeOf(report: Report, file: string, line: number, text: string) {
  if (text === "") return null;
  const time = timeIn(text);
  if (time !== null) return time;
  report.rejectRow(file, line, "heure non valable", text);
}
