// The importer with realistic feeds: untidy ones are accepted, broken ones are refused and the current
// network stays.
import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ZipFile } from "yazl";
import { inTx } from "#server/db/db.ts";
import { cityFeed, station } from "#tests/city-feed.ts";
import { type Client, type TestServer, openTestServer } from "#tests/test-server.ts";
import { smallFeed } from "#tests/transit-feed.ts";
import { importFeed, lineGroup, stopsOfGroup, textFeed } from "./transit.ts";
import { transitCommands } from "./operator.ts";

let server: TestServer;
let hugo: Client;
let folder: string;

beforeAll(async () => {
  server = await openTestServer();
  hugo = await server.as("stranger");
  folder = await mkdtemp(join(tmpdir(), "ma-carte-gtfs-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await server.close();
});

const progressLines: string[] = [];
const run = async (name: string, ...args: string[]) => {
  const command = transitCommands.find((one) => one.name === `transit ${name}`);
  const desk = { ...server.deps, progress: (line: string) => progressLines.push(line) };
  return (await command?.run(desk, args, "test")) ?? { ok: false, lines: [] };
};

let made = 0;
/** Writes a feed as a zip; gives its path. */
async function zipped(texts: Record<string, string | Buffer>, inside = ""): Promise<string> {
  const zip = new ZipFile();
  for (const [name, text] of Object.entries(texts)) zip.addBuffer(Buffer.from(text), inside + name);
  zip.end();
  const path = join(folder, `feed-${++made}.zip`);
  await pipeline(zip.outputStream, createWriteStream(path));
  return path;
}
const imported = async (changes: Record<string, string> = {}) =>
  await run("import", await zipped(smallFeed(changes)));
const without = (...names: string[]) =>
  Object.fromEntries(Object.entries(smallFeed()).filter(([name]) => !names.includes(name)));
/** The small feed with one weekly calendar, from one year to another. */
const weekly = (from: number, to: number, runs = 1) => {
  const days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
  const head = ["service_id", ...days, "start_date", "end_date"].join(",");
  const row = ["week", ...days.map(() => runs), `${from}0101`, `${to}1231`].join(",");
  return smallFeed({ "calendar.txt": `${head}\n${row}\n` });
};
const lines = async () => (await hugo.get("/api/transit/lines")).body;
const query = async (text: string) => (await server.deps.pool.query(text)).rows;

/** Everything that distinguishes one network from another, to prove that a refusal changed nothing. */
const everything = async () => {
  const counts = await query(`select (select count(*)::int from transit_departure) as departures,
    (select count(*)::int from transit_trip) as trips, (select count(*)::int from transit_direction_stop) as stops,
    (select array_agg(id) from transit_feed) as feeds, (select count(*)::int from acceptance_group) as groups`);
  return { counts, lines: await lines() };
};

test("without a network: no line, no group, a status that says so", async () => {
  expect(await lines()).toEqual({ items: [], next: null, knownUntil: null });
  expect((await hugo.get("/api/transit/groups")).body.items).toEqual([]);
  expect((await hugo.get("/api/transit/stops?q=gare")).body.items).toEqual([]);
  const status = await run("status");
  expect(status.lines).toContain("Aucun réseau de bus n'est en place.");
  expect(status.ok).toBe(false);
});

test("a feed as a zip: lines in the order of their numbers, readable colours, ends, a line group", async () => {
  const { ok, lines: said } = await imported();
  expect({ ok, said }).toEqual({
    ok: true,
    said: [
      "Réseau en place : 2 lignes, 4 arrêts, 4 courses, 8 départs, du 01/01/2026 au 31/12/2027.",
    ],
  });
  expect(await lines()).toMatchObject({
    items: [
      {
        number: "1",
        from: "Abbaye",
        to: "Dock",
        color: "#a51d2a",
        textColor: "#ffffff",
        mode: "bus",
      },
      { number: "2", from: "Clinique", to: "Abbaye", color: "#ffd500", textColor: "#06222b" },
    ],
    next: null,
    knownUntil: "2027-12-31",
  });
  const [group] = (await hugo.get("/api/transit/groups")).body.items;
  expect(group).toMatchObject({ name: "Bus du Lagon", slug: "bus-du-lagon" });
  expect(group.lines).toHaveLength(2);
  expect(await lineGroup(server.deps.db, group.id)).toEqual(group);
  await expect(lineGroup(server.deps.db, 1)).rejects.toMatchObject({ code: "not_found" });
  const stops = await stopsOfGroup(server.deps.db, group.id);
  expect(stops.map(({ name }) => name)).toEqual([
    "Abbaye",
    "Bibliothèque St-Étienne",
    "Clinique",
    "Dock",
  ]);
});

test("a line: its ways, the stops of rarer courses in their place, told as such", async () => {
  const [one] = (await lines()).items;
  const { directions, groupName } = (await hugo.get(`/api/transit/lines/${one.id}`)).body;
  expect(groupName).toBe("Bus du Lagon");
  const [there, back] = directions;
  expect(there).toMatchObject({ direction: 0, to: "Dock", path: null });
  expect(there.stops.map(({ name, some }: any) => `${name}${some ? " *" : ""}`)).toEqual([
    "Abbaye",
    "Bibliothèque St-Étienne",
    "Clinique",
    "Dock",
  ]);
  expect(back).toMatchObject({ direction: 1, to: "Abbaye", stops: [{ name: "Dock" }, {}] });
});

test("search: accents, typing errors, abbreviations, begun words; every word counts", async () => {
  const names = async (q: string) =>
    (await hugo.get(`/api/transit/stops?q=${encodeURIComponent(q)}`)).body.items.map(
      ({ name }: any) => name,
    );
  const library = ["Bibliothèque St-Étienne"];
  expect(await names("bibliotheque")).toEqual(library);
  expect(await names("biblotéque")).toEqual(library);
  expect(await names("saint etienne")).toEqual(library);
  expect(await names("ste ETIENE bib")).toEqual(library);
  expect(await names("cli")).toEqual(["Clinique"]);
  expect(await names("clinique etienne")).toEqual([]);
  expect(await names("xylophone")).toEqual([]);
  expect(await names("%_'\\;")).toEqual([]);
  const numbers = async (q: string) =>
    (await hugo.get(`/api/transit/lines?q=${encodeURIComponent(q)}`)).body.items.map(
      ({ number }: any) => number,
    );
  expect(await numbers("2")).toEqual(["2"]);
  expect(await numbers("cliniqe")).toEqual(["2"]);
  expect(await numbers("dock")).toEqual(["1"]);
  expect(await numbers("!!")).toEqual([]);
  const page = (await hugo.get("/api/transit/lines?limit=1")).body;
  expect(page.next).toBe(1);
  expect((await hugo.get(`/api/transit/lines?after=${page.next}`)).body.items).toMatchObject([
    { number: "2" },
  ]);
});

test("a feed in a folder, untidy but whole: BOM, CRLF, quotes, spaces, other columns, hours of one digit", async () => {
  const path = join(folder, "dossier");
  await mkdir(path);
  const texts = smallFeed({
    "stops.txt":
      "\ufeffzone_id, STOP_NAME ,stop_id,stop_lat,stop_lon,note\r\n" +
      '1, "Abbaye, ""la grande""" ,A,47.2,-1.55\r\n\r\n2,Bibliothèque,B,,\r\n' +
      "3,Clinique,C,47.22,-1.55,x,y,z\r\n4,Dock,D,95,200\r\n",
    "stop_times.txt":
      "trip_id,stop_sequence,stop_id,departure_time,extra\n" +
      "T1,30,D,8:15:00,\nT1,10,A, 8:00:00 ,\nT1,20,B,,\nT1,25,C,8:12,\n",
  });
  for (const [name, text] of Object.entries(texts)) await writeFile(join(path, name), text);
  const before = (await lines()).items[0].id;
  const { ok, lines: said } = await run("import", `${path}/`);
  expect(ok, said.join("\n")).toBe(true);
  expect(said.slice(0, -1)).toEqual([
    "stops.txt : position non valable : 2 fois (ligne 4, ligne 6 «\u00a095 200\u00a0»)",
  ]);
  const { items } = await lines();
  // The line without a trip is gone; the other kept its number through both feeds.
  expect(items).toMatchObject([
    { id: before, number: "1", from: 'Abbaye, "la grande"', to: "Dock" },
  ]);
  // Between 08:00 and 08:12 without a time of its own.
  expect(await query("select departs from transit_departure order by departs")).toEqual(
    [28_800, 29_160, 29_520].map((departs) => ({ departs })),
  );
});

test("rows that mean nothing are left out, told by file and line, and the rest is taken", async () => {
  const { ok, lines: said } = await imported({
    "stop_times.txt":
      `${smallFeed()["stop_times.txt"]}` +
      "T9,08:00:00,08:00:00,A,1\nT1,08:00:00,08:00:00,ZZ,9\nT1,08:99:00,08:99:00,B,9\n" +
      "T1,99:00:00,99:00:00,B,9\nT1,08:20:00,08:20:00,B,4\nT3,09:10:00,08:10:00,C,7\n",
    "routes.txt": `${smallFeed()["routes.txt"]}L1,lag,1,Encore,3,\nL3,lag,3,Neuve,3,rouge\n`,
    "trips.txt": `${smallFeed()["trips.txt"]}L9,week,T8,,\nL1,fete,T7,,\n`,
    "calendar_dates.txt": "service_id,date,exception_type\nweek,20260231,1\nweek,20261225,9\n",
  });
  expect(ok).toBe(true);
  expect(said.slice(0, -1)).toEqual([
    "routes.txt : ligne donnée deux fois, ligne écartée : 1 fois (ligne 4 «\u00a0L1\u00a0»)",
    "routes.txt : couleur illisible : 1 fois (ligne 5 «\u00a0rouge\u00a0»)",
    "calendar_dates.txt : date non valable, ligne écartée : 1 fois (ligne 2 «\u00a020260231\u00a0»)",
    "calendar_dates.txt : exception inconnue, ligne écartée : 1 fois (ligne 3 «\u00a09\u00a0»)",
    "trips.txt : ligne inconnue, ligne écartée : 1 fois (ligne 6 «\u00a0L9\u00a0»)",
    "trips.txt : service inconnu, ligne écartée : 1 fois (ligne 7 «\u00a0fete\u00a0»)",
    "stop_times.txt : course inconnue, ligne écartée : 1 fois (ligne 14 «\u00a0T9\u00a0»)",
    "stop_times.txt : arrêt inconnu, ligne écartée : 1 fois (ligne 15 «\u00a0ZZ\u00a0»)",
    "stop_times.txt : heure non valable, ligne écartée : 2 fois (ligne 16 «\u00a008:99:00\u00a0», ligne 17 «\u00a099:00:00\u00a0»)",
    "stop_times.txt : rang donné deux fois dans une course, ligne écartée : 1 fois (ligne 18)",
    "stop_times.txt : l'heure recule, course écartée, ligne écartée : 1 fois (ligne 19)",
  ]);
  expect((await lines()).items.map(({ number }: any) => number)).toEqual(["1", "2"]);
});

test("quays and poles of one name are one stop; a station is what people know", async () => {
  await imported({
    "stops.txt":
      "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\n" +
      "A,Quai 1,47.2,-1.55,0,GARE\nGARE,Abbaye,47.2,-1.55,1,\nB,Bibliothèque,47.21,-1.55,,\n" +
      "C,bibliotheque,47.2101,-1.5501,0,\nD,Dock,47.23,-1.55,0,\nE,Entrée,47.2,-1.55,2,GARE\n",
    "stop_times.txt":
      "trip_id,departure_time,stop_id,stop_sequence\n" +
      "T1,8:00:00,A,1\nT1,8:05:00,B,2\nT1,8:10:00,D,3\nT3,9:00:00,D,1\nT3,9:05:00,C,2\nT3,9:10:00,A,3\n",
  });
  const [one] = (await lines()).items;
  const { directions } = (await hugo.get(`/api/transit/lines/${one.id}`)).body;
  const [there, back] = directions.map(({ stops }: any) => stops);
  expect(there.map(({ name }: any) => name)).toEqual(["Abbaye", "Bibliothèque", "Dock"]);
  expect(back.map(({ id }: any) => id)).toEqual(there.map(({ id }: any) => id).toReversed());
});

test("without directions, the way back is told from the order of the stops; shapes are drawn", async () => {
  const points = Array.from({ length: 900 }, (_, n) => `S1,47.2${n % 7},${-1.55 - n / 1000},${n}`);
  await imported({
    "trips.txt": "route_id,service_id,trip_id,shape_id\nL1,week,T1,S1\nL1,week,T3,\n",
    "stop_times.txt":
      "trip_id,departure_time,stop_id,stop_sequence\n" +
      "T1,8:00:00,A,1\nT1,8:05:00,B,2\nT1,8:10:00,D,3\nT3,9:00:00,D,1\nT3,9:05:00,B,2\nT3,9:10:00,A,3\n",
    "shapes.txt": `shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\n${points.toReversed().join("\n")}`,
  });
  const [one] = (await lines()).items;
  const { directions } = (await hugo.get(`/api/transit/lines/${one.id}`)).body;
  expect(directions.map(({ to }: any) => to)).toEqual(["Dock", "Abbaye"]);
  expect(directions[0].path.length).toBeLessThanOrEqual(200);
  expect(directions[0].path[0]).toEqual([47.2, -1.55]);
  expect(directions[1].path).toBeNull();
});

test("trips told by their frequency leave as often as they say", async () => {
  await imported({
    "frequencies.txt": "trip_id,start_time,end_time,headway_secs\nT3,06:00:00,07:00:00,1200\n",
  });
  const rows = await query(`select departs from transit_departure d
    join transit_trip t on t.id = d.trip_id and t.direction = 1 order by 1`);
  expect(rows).toEqual([21_600, 22_800, 24_000].map((departs) => ({ departs })));
});

test("calendar_dates.txt alone is enough; a feed that names its networks makes a group of each", async () => {
  const { ok } = await run(
    "import",
    await zipped(
      {
        ...without("calendar.txt", "agency.txt"),
        "calendar_dates.txt":
          "service_id,date,exception_type\nweek,20301224,1\nend,20301224,1\nweek,20260105,1\n",
        "networks.txt": "network_id,network_name\nscol,Lignes scolaires\n",
        "route_networks.txt": "network_id,route_id\nscol,L2\n",
      },
      "gtfs/",
    ),
  );
  expect(ok).toBe(true);
  const { items } = (await hugo.get("/api/transit/groups")).body;
  expect(items.map(({ name }: any) => name).sort()).toEqual(["Lignes de bus", "Lignes scolaires"]);
});

// proves: feed-import
test("refused, each with its reason, and the network stays as it was", async () => {
  await imported();
  const before = await everything();
  const many = Array.from({ length: 20 }, (_, n) => `T1,08:00:00,08:00:00,ZZ,${n}`).join("\n");
  const cases: [Record<string, string>, RegExp][] = [
    [without("stops.txt"), /Il manque le fichier stops\.txt/],
    [without("routes.txt"), /Il manque le fichier routes\.txt/],
    [without("trips.txt"), /Il manque le fichier trips\.txt/],
    [without("stop_times.txt"), /Il manque le fichier stop_times\.txt/],
    [without("calendar.txt"), /calendar\.txt et calendar_dates\.txt/],
    [smallFeed({ "stops.txt": "stop_name\nA\n" }), /il manque la colonne stop_id/],
    [smallFeed({ "stops.txt": "" }), /stops\.txt est vide/],
    [smallFeed({ "stops.txt": "stop_id,stop_name\n" }), /aucun arrêt lisible/],
    [
      smallFeed({
        "trips.txt": `route_id,service_id,trip_id\nL1,week,"T1\n${"x,".repeat(99_999)}`,
      }),
      /un guillemet n'est pas fermé/,
    ],
    [
      smallFeed({ "stop_times.txt": `${smallFeed()["stop_times.txt"]}${many}\n` }),
      /20 lignes sur 32 sont fausses/,
    ],
    [
      smallFeed({ "stop_times.txt": "trip_id,stop_id,stop_sequence,departure_time\n" }),
      /Aucun départ/,
    ],
    [weekly(2019, 2020), /finis depuis le 2020-12-31/],
    [weekly(2097, 2098), /ne commencent que le 2097-01-01/],
    [weekly(2026, 2027, 0), /aucun jour de service/],
  ];
  for (const [texts, why] of cases) {
    const { ok, lines: said } = await run("import", await zipped(texts));
    expect(ok, String(why)).toBe(false);
    expect(said.at(-2), String(why)).toMatch(why);
    expect(said.at(-1)).toMatch(/Rien n'a changé/);
  }
  const junk = join(folder, "junk.zip");
  await writeFile(junk, "ceci n'est pas une archive");
  expect((await run("import", junk)).lines[0]).toMatch(/L'archive est illisible/);
  expect((await run("import", join(folder, "rien.zip"))).lines[0]).toMatch(/Il n'y a rien/);
  expect(await everything()).toEqual(before);
  const { lines: status } = await run("status");
  expect(status[0]).toMatch(
    /^Réseau en place : 2 lignes.*du \d\d\/\d\d\/\d{4} au \d\d\/\d\d\/\d{4}\.$/,
  );
  expect(status[1]).toMatch(/le \d\d\/\d\d\/\d{4} \d\d:\d\d\.$/);
  expect(status.filter((line) => /illisible/.test(line))).not.toEqual([]);
});

// proves: feed-import
test("two imports at once: the second is refused; one that is broken off leaves nothing", async () => {
  const before = await everything();
  const path = await zipped(
    smallFeed({ "routes.txt": (smallFeed()["routes.txt"] ?? "").replace("L1,lag,1", "L1,lag,7") }),
  );
  const stopped = inTx(server.deps.db, async (tx) => {
    await importFeed(tx, { files: textFeed(smallFeed()), name: "x", at: server.deps.now() });
    const { ok, lines: said } = await run("import", path);
    expect(ok).toBe(false);
    expect(said[0]).toMatch(/Un autre import est en cours/);
    expect((await run("status")).lines[0]).toBe("Un import est en cours.");
    // Others see the old network until the end.
    expect((await lines()).items).toEqual(before.lines.items);
    throw new Error("broken off");
  });
  await expect(stopped).rejects.toThrow("broken off");
  expect(await everything()).toEqual(before);
  expect((await run("import", path)).ok).toBe(true);
  expect((await lines()).items.map(({ number }: any) => number)).toEqual(["2", "7"]);
});

// proves: feed-import
test("a stop that the new feed has no more keeps its row, for passes that name it, and is not found", async () => {
  const [gone] = await query("select id from transit_stop where gtfs_id = 'C'");
  await imported({
    "stops.txt": (smallFeed()["stops.txt"] ?? "").replace(/^C.*\n/m, ""),
    "stop_times.txt": (smallFeed()["stop_times.txt"] ?? "").replaceAll(/^.*,C,.*\n/gm, ""),
  });
  expect(await query(`select name from transit_stop where id = ${gone.id}`)).toEqual([
    { name: "Clinique" },
  ]);
  expect((await hugo.get(`/api/transit/stops/${gone.id}/departures`)).status).toBe(404);
  await imported();
  expect((await hugo.get(`/api/transit/stops/${gone.id}/departures`)).status).toBe(200);
});

test("a city's feed in capitals is written as French writes it, and found", async () => {
  expect((await run("import", await zipped(cityFeed()))).ok).toBe(true);
  const { items } = await lines();
  expect(items).toHaveLength(25);
  expect(items[8]).toMatchObject({
    number: "9",
    name: "Allonville - ZI Nord <> Boves - Gare SNCF",
    from: "Allonville - ZI Nord",
    to: "Boves - Gare SNCF",
  });
  const [group] = (await hugo.get("/api/transit/groups")).body.items;
  expect(group).toMatchObject({ name: "Bus de la Baie", slug: "bus-de-la-baie" });
  const [found] = (await hugo.get("/api/transit/stops?q=ecole%20jules%20fery")).body.items;
  expect(found.name).toBe(station);
  expect(found.lines).toHaveLength(25);
  const { directions } = (await hugo.get(`/api/transit/lines/${items[1].id}`)).body;
  expect(directions.map(({ to }: any) => to)).toEqual(["CHU Sud", "Place de l'Église"]);
});

test("the most frequent last stop names the direction, even where another pattern is the most frequent", async () => {
  const trip = (id: string, ...way: string[]) =>
    way.map((stop, n) => `T${id},8:0${n}:00,${stop},${n + 1}`);
  const ids = ["1", "2", "3", "4", "5"];
  await imported({
    "trips.txt": `route_id,service_id,trip_id,trip_headsign,direction_id\n${ids
      .map((id) => `L1,week,T${id},Aller,0`)
      .join("\n")}\n`,
    // Two trips share their stops and end at C; three go three ways and end at D.
    "stop_times.txt": ["trip_id,departure_time,stop_id,stop_sequence"]
      .concat(trip("1", "A", "C"), trip("2", "A", "C"), trip("3", "A", "D"))
      .concat(trip("4", "A", "B", "D"), trip("5", "A", "C", "D"))
      .join("\n"),
  });
  const [one] = (await lines()).items;
  expect(one).toMatchObject({ from: "Abbaye", to: "Dock" });
  const heads = await query("select head, count(*)::int from transit_trip group by 1 order by 1");
  expect(heads).toEqual([
    { head: "Clinique", count: 2 },
    { head: "Dock", count: 3 },
  ]);
});

test("rows of GTFS-Flex are left out and counted; the lines with hours are taken", async () => {
  const [head, ...rows] = (smallFeed()["stop_times.txt"] ?? "").trim().split("\n");
  const flex = Array.from({ length: 30 }, (_, n) =>
    n % 2 === 0 ? `T1,,,,${n + 50},zone-${n},,08:00:00` : `T3,,,A,${n + 50},,,09:00:00`,
  );
  const { ok, lines: said } = await imported({
    "stop_times.txt": [
      `${head},location_id,location_group_id,start_pickup_drop_off_window`,
      ...rows.map((row) => `${row},,,`),
      ...flex,
    ].join("\n"),
    "locations.geojson": '{"type":"FeatureCollection","features":[]}',
  });
  expect(ok, said.join("\n")).toBe(true);
  expect(said.slice(0, -1)).toEqual([
    "stop_times.txt : transport à la demande par zone, ligne laissée de côté : 30 fois (ligne 14, ligne 15, ligne 16)",
  ]);
  expect(said.at(-1)).toContain("8 départs");
});

test("a feed in Windows-1252 or UTF-16 is read as it is, its agency too; another encoding is refused by name", async () => {
  const [agency, stops] = ["agency.txt", "stops.txt"].map((name) => smallFeed()[name] ?? "");
  const named = (agency ?? "").replace("Bus du Lagon", "Réseau de l’Été");
  const ansi = (text: string) =>
    Buffer.from(Array.from(text, (sign) => (sign === "’" ? 0x92 : sign.charCodeAt(0))));
  const texts = { ...smallFeed(), "agency.txt": ansi(named), "stops.txt": ansi(stops ?? "") };
  const { ok, lines: said } = await run("import", await zipped(texts));
  expect(ok, said.join("\n")).toBe(true);
  expect(said.slice(0, 2)).toEqual([
    "agency.txt : lu en Windows-1252, faute d'UTF-8",
    "stops.txt : lu en Windows-1252, faute d'UTF-8",
  ]);
  const names = async () => {
    const { body: groups } = await hugo.get("/api/transit/groups");
    const { body: found } = await hugo.get("/api/transit/stops?q=bibliotheque");
    return [groups.items[0].name, found.items[0].name];
  };
  expect(await names()).toEqual(["Réseau de l’Été", "Bibliothèque St-Étienne"]);
  const utf16 = { ...smallFeed(), "stops.txt": Buffer.from(`\ufeff${stops}`, "utf16le") };
  expect((await run("import", await zipped(utf16))).ok).toBe(true);
  expect(await names()).toEqual(["Bus du Lagon", "Bibliothèque St-Étienne"]);
  // Cut within a character wherever a chunk ends.
  const bytes = Buffer.from(stops ?? "");
  const chunked = inTx(server.deps.db, (tx) =>
    importFeed(tx, {
      name: "x",
      at: server.deps.now(),
      files: {
        ...textFeed(smallFeed()),
        open: async (name) =>
          name === "stops.txt"
            ? Readable.from(Array.from(bytes, (byte) => Buffer.from([byte])))
            : await textFeed(smallFeed()).open(name),
      },
    }),
  );
  await chunked;
  expect(await names()).toEqual(["Bus du Lagon", "Bibliothèque St-Étienne"]);
  const before = await everything();
  for (const name of ["agency.txt", "stops.txt"]) {
    const odd = Buffer.concat([Buffer.from(smallFeed()[name] ?? ""), Buffer.from([0x81, 0x0a])]);
    const refused = await run("import", await zipped({ ...smallFeed(), [name]: odd }));
    expect(refused.ok).toBe(false);
    expect(refused.lines.join()).toContain(`${name} n'est ni en UTF-8 ni en Windows-1252`);
  }
  expect(await everything()).toEqual(before);
});

test("a time zone with the hours of Paris is taken, another or an unknown one refused by its name", async () => {
  const zoned = (zone: string) =>
    imported({ "agency.txt": (smallFeed()["agency.txt"] ?? "").replace("Europe/Paris", zone) });
  for (const zone of ["Europe/Brussels", "Europe/Paris"]) expect((await zoned(zone)).ok).toBe(true);
  expect((await zoned("")).lines[0]).toMatch(/fuseau horaire absent, lu comme Paris/);
  const before = await everything();
  for (const [zone, why] of [
    ["Indian/Reunion", "n'a pas l'heure de Paris"],
    ["Europe/London", "n'a pas l'heure de Paris"],
    ["Africa/Algiers", "n'a pas l'heure de Paris"],
    ["Paris", "n'existe pas"],
  ] as const) {
    const { ok, lines: said } = await zoned(zone);
    expect(ok, zone).toBe(false);
    expect(said.join()).toContain(`«\u00a0${zone}\u00a0» de Bus du Lagon ${why}`);
  }
  expect(await everything()).toEqual(before);
});

test("the badge of a line without a number has whole words of its name", async () => {
  const route = (id: string, name: string) => `${id},lag,,${name},3,`;
  const { ok } = await imported({
    "routes.txt": [
      "route_id,agency_id,route_short_name,route_long_name,route_type,route_color",
      route("L1", "Transport à la demande"),
      route("L2", "Bibliothèque St-Étienne"),
    ].join("\n"),
  });
  expect(ok).toBe(true);
  expect((await lines()).items.map(({ number }: any) => number)).toEqual([
    "Bibliothèque",
    "Transport",
  ]);
});
