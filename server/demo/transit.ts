// Writes the demo's buses as a GTFS feed, on days around today, and imports it as an operator would.
import { sql } from "kysely";
import { dayMs, parisDay } from "#contract/days.ts";
import type { Tx } from "../db/db.ts";
import { addFavourite, importFeed, textFeed } from "../transit/transit.ts";
import type { CastName } from "./cast.ts";
import { type Beat, type DemoLine, demoLines, spots, townHall } from "./network.ts";

type Row = readonly (string | number)[];

/** Days that the demo's timetable covers: a demo left alone keeps its departures. */
const daysKnown = 730;
const daysPast = 30;
const metresPerMinute = 330;
const homeStop = "Hôtel de Ville";

/** Puts the demo's network in place, with its days around `now`. */
export async function openNetwork(tx: Tx, now: Date): Promise<void> {
  await importFeed(tx, { files: textFeed(demoFeed(now)), name: "démonstration", at: now });
}

/** Jade's school bus leaves from the first stop of its line; Camille looks at the buses of the town hall. */
export async function chooseStops(
  tx: Tx,
  people: Pick<Record<CastName, number>, "guardian" | "secondChild">,
  now: Date,
): Promise<void> {
  await sql`update pass p set stop_id = s.id::text, stop_name = s.name
    from fare_product f cross join lateral (
      select stop.id, stop.name from transit_direction_stop ds
      join transit_line l on l.id = ds.line_id join transit_stop stop on stop.id = ds.stop_id
      where l.group_id = f.group_id order by ds.line_id, ds.direction, ds.place limit 1) s
    where f.id = p.product_id and f.id = 'scolaire-an' and p.holder_id = ${people.secondChild}`.execute(
    tx,
  );
  const { rows } = await sql<{ id: number }>`select id from transit_stop
    where name = ${homeStop} and feed_id is not null and parent_id is null order by id limit 1`.execute(
    tx,
  );
  for (const { id } of rows) await addFavourite(tx, now, { personId: people.guardian, stop: id });
}

/** The files of the feed by name. */
function demoFeed(now: Date): Record<string, string> {
  const names = Object.keys(spots);
  const trips: Row[] = [];
  const times: Row[] = [];
  for (const line of demoLines) writeTrips(line, trips, times);
  return {
    "networks.txt": sheet("network_id,network_name", [
      ["lagon", "Réseau du Lagon"],
      ["scolaire", "Transport scolaire"],
    ]),
    "stops.txt": sheet(
      "stop_id,stop_name,stop_lat,stop_lon",
      names.map((name) => [idOf(name), name, ...position(name)]),
    ),
    "routes.txt": sheet(
      "route_id,network_id,route_short_name,route_long_name,route_type,route_color,route_sort_order",
      demoLines.map(({ id, network, number, stops, color }, place) => [
        id,
        network,
        number,
        `${stops[0]} - ${stops.at(-1)}`,
        3,
        color,
        place,
      ]),
    ),
    ...calendars(now),
    "trips.txt": sheet("route_id,service_id,trip_id,trip_headsign,direction_id,shape_id", trips),
    "stop_times.txt": sheet("trip_id,departure_time,stop_id,stop_sequence", times),
    "shapes.txt": sheet(
      "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence",
      demoLines.flatMap((line) => [...shapeOf(line, 0), ...shapeOf(line, 1)]),
    ),
  };
}

const sheet = (head: string, rows: readonly Row[]): string =>
  `${head}\n${rows.map((row) => row.map((value) => `"${value}"`).join(",")).join("\n")}\n`;

const idOf = (name: string): string => `lagon:${Object.keys(spots).indexOf(name) + 1}`;

function position(name: string): [number, number] {
  const [east, north] = spots[name] ?? [0, 0];
  return onEarth(east, north);
}

function onEarth(east: number, north: number): [number, number] {
  const lat = townHall.lat + north / 111.195;
  const lon = townHall.lon + east / (111.195 * Math.cos((townHall.lat * Math.PI) / 180));
  return [Number(lat.toFixed(5)), Number(lon.toFixed(5))];
}

/** Streets bend: each stretch of the course leaves the straight line a little, always the same way. */
function shapeOf({ id, stops }: DemoLine, direction: number): Row[] {
  const way = direction === 0 ? stops : stops.toReversed();
  const points = way.flatMap((name, index) => {
    const [east, north] = spots[name] ?? [0, 0];
    const next = spots[way[index + 1] ?? ""];
    if (!next) return [onEarth(east, north)];
    const [dx, dy] = [next[0] - east, next[1] - north];
    const bend = ((index % 3) - 1) * 0.12;
    return [0, 0.35, 0.7].map((part) => {
      const aside = bend * Math.sin(part * Math.PI);
      return onEarth(east + dx * part - dy * aside, north + dy * part + dx * aside);
    });
  });
  return points.map(([lat, lon], place) => [`${id}-${direction}`, lat, lon, place]);
}

function writeTrips(line: DemoLine, trips: Row[], times: Row[]): void {
  const both = (service: string, beats: readonly Beat[]) => {
    for (const direction of [0, 1]) {
      let count = 0;
      for (const minute of beats.flatMap(minutesOf)) {
        const cut = line.short && count % 3 === 2 ? line.stops.indexOf(line.short) + 1 : undefined;
        writeTrip({ line, service, direction, minute: minute + direction * 4, cut }, trips, times);
        count += 1;
      }
    }
  };
  const some = (service: string, direction: number, minutes: readonly number[]) => {
    for (const minute of minutes) writeTrip({ line, service, direction, minute }, trips, times);
  };
  both("semaine", line.week);
  both("samedi", line.saturday);
  both("dimanche", line.sunday);
  some("nuit", 0, line.night ?? []);
  some("nuit", 1, line.night ?? []);
  if (!line.school) return;
  const { there, back, wednesday } = line.school;
  some("classe", 0, there);
  some("mercredi", 0, there);
  some("classe", 1, back);
  some("mercredi", 1, wednesday);
}

const minutesOf = ([from, to, every]: Beat): number[] =>
  Array.from({ length: Math.ceil((to - from) / every) }, (_, n) => from + n * every);

interface Leaving {
  line: DemoLine;
  service: string;
  direction: number;
  minute: number;
  /** How many stops it goes to, all by default. */
  cut?: number | undefined;
}

function writeTrip(leaving: Leaving, trips: Row[], times: Row[]): void {
  const { line, service, direction, minute, cut } = leaving;
  const own = line.stops.slice(0, cut);
  const stops = direction === 0 ? own : own.toReversed();
  const id = `${line.id}-${service}-${direction}-${minute}`;
  trips.push([line.id, service, id, stops.at(-1) ?? "", direction, `${line.id}-${direction}`]);
  let clock = minute;
  stops.forEach((name, place) => {
    if (place > 0)
      clock += Math.max(1, Math.round(metres(stops[place - 1], name) / metresPerMinute));
    times.push([id, `${Math.floor(clock / 60)}:${two(clock % 60)}:00`, idOf(name), place + 1]);
  });
}

const two = (value: number) => String(value).padStart(2, "0");

function metres(from: string | undefined, to: string): number {
  const [a, b] = [spots[from ?? ""] ?? [0, 0], spots[to] ?? [0, 0]];
  return Math.hypot(a[0] - b[0], a[1] - b[1]) * 1000;
}

/** Weekly calendars, with Sunday's buses on public holidays and no school buses in school holidays. */
function calendars(now: Date): Record<string, string> {
  const today = Date.parse(parisDay(now));
  const days = Array.from(
    { length: daysPast + daysKnown },
    (_, n) => new Date(today + (n - daysPast) * dayMs),
  );
  const [first, last] = [digits(days[0] as Date), digits(days.at(-1) as Date)];
  const weeks: Record<string, string> = {
    semaine: "1111100",
    samedi: "0000010",
    dimanche: "0000001",
    nuit: "0000110",
    classe: "1101100",
    mercredi: "0010000",
  };
  const changes: Row[] = [];
  for (const day of days) {
    const weekday = (day.getUTCDay() + 6) % 7;
    const runs = (service: string) => weeks[service]?.[weekday] === "1";
    const feast = isHoliday(day);
    if (feast && weekday < 6) {
      changes.push(
        [weekday < 5 ? "semaine" : "samedi", digits(day), 2],
        ["dimanche", digits(day), 1],
      );
    }
    for (const service of ["classe", "mercredi"]) {
      if (runs(service) && (feast || isSchoolHoliday(day))) changes.push([service, digits(day), 2]);
    }
  }
  return {
    "calendar.txt": sheet(
      "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date",
      Object.entries(weeks).map(([id, week]) => [id, ...week.split(""), first, last]),
    ),
    "calendar_dates.txt": sheet("service_id,date,exception_type", changes),
  };
}

const digits = (day: Date): string => day.toISOString().slice(0, 10).replaceAll("-", "");

const feasts = new Set(["0101", "0501", "0508", "0714", "0815", "1101", "1111", "1225"]);

/** French public holidays: those of a date, Easter Monday, Ascension, Whit Monday. */
function isHoliday(day: Date): boolean {
  if (feasts.has(digits(day).slice(4))) return true;
  const after = Math.round((day.getTime() - easter(day.getUTCFullYear())) / dayMs);
  return after === 1 || after === 39 || after === 50;
}

/** Easter Sunday of a year (Meeus, Jones, Butcher). */
function easter(year: number): number {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100];
  const g = Math.floor((8 * b + 13) / 25);
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30;
  const m = Math.floor((a + 11 * h) / 319);
  const l = (2 * (b % 4) + 2 * Math.floor(c / 4) - (c % 4) - h + m + 32) % 7;
  const month = Math.floor((h - m + l + 90) / 25);
  return Date.UTC(year, month - 1, (h - m + l + month + 19) % 32);
}

/** Approximate school holidays in France, from one day of the year to another. */
const rests = [
  ["0101", "0103"],
  ["0213", "0228"],
  ["0410", "0426"],
  ["0704", "0831"],
  ["1017", "1102"],
  ["1219", "1231"],
] as const;

function isSchoolHoliday(day: Date): boolean {
  const on = digits(day).slice(4);
  return rests.some(([from, to]) => on >= from && on <= to);
}
