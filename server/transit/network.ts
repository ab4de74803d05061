// Reads the network of a feed: groups, lines, stops. All of it fits in memory, whatever the feed: even a
// whole region has some thousand lines and some ten thousand stops.
import { inFrenchCase } from "./french-case.ts";
import { searchText } from "./search-text.ts";
import { FeedRefused } from "./report.ts";
import { hasParisTime } from "./time-zones.ts";
import { type FeedReader, readCsvFile } from "./csv-files.ts";
import { transit as limits } from "#contract/limits.ts";
import { colorIn, countIn, idIn, nameIn, positionIn, textColorOn } from "./values.ts";

export interface ReadLine {
  gtfsId: string;
  /** Key of its group: a network of the feed, or the agency. */
  group: string;
  number: string;
  name: string;
  mode: string;
  color: string;
  textColor: string;
  order: number | null;
}

export interface ReadStop {
  gtfsId: string;
  /** Id of the public stop, null when it is this one. */
  parent: string | null;
  name: string;
  at: [number, number] | null;
}

export interface Network {
  groups: Map<string, string>;
  lines: ReadLine[];
  stops: ReadStop[];
}

const unreadable = "des caractères du texte sont perdus";

/** The colour of a line whose feed gives none. */
const plain = "0b5e6e";
const numberLength = 16;
const longestBadge = 30;

/** Groups, lines in their order, stops with their parents. Throws `FeedRefused`. */
export async function readNetwork(reading: FeedReader, at: Date): Promise<Network> {
  const groups = new Map<string, string>();
  await readAgencies(reading, groups, at);
  const networks = await readNetworks(reading, groups);
  const lines = await readLines(reading, groups, networks);
  const stops = await readStops(reading);
  if (lines.length === 0) throw new FeedRefused("routes.txt ne contient aucune ligne lisible.");
  if (stops.length === 0) throw new FeedRefused("stops.txt ne contient aucun arrêt lisible.");
  const used = new Set(lines.map(({ group }) => group));
  return { groups: new Map([...groups].filter(([key]) => used.has(key))), lines, stops };
}

/** A name in one word is a brand, kept as its owner writes it: « TAN ». */
function groupName(text: string): string {
  const name = nameIn(text);
  return name.includes(" ") ? inFrenchCase(name) : name;
}

async function readAgencies(
  reading: FeedReader,
  groups: Map<string, string>,
  at: Date,
): Promise<void> {
  const { report } = reading;
  const file = "agency.txt";
  const zones = new Map<string, boolean | null>();
  await readCsvFile(reading, {
    file,
    required: ["agency_name"],
    optional: ["agency_id", "agency_timezone"],
    take: ([name = "", id = "", zone = ""], line) => {
      if (name.includes("\ufffd")) report.dropValue(file, line, unreadable, name);
      groups.set(`agency:${id}`, groupName(name) || "Lignes de bus");
      if (zone === "") return report.dropValue(file, line, "fuseau horaire absent, lu comme Paris");
      if (!zones.has(zone)) zones.set(zone, hasParisTime(zone, at));
      const isParis = zones.get(zone);
      if (isParis) return;
      const whose = `${file} : le fuseau horaire «\u00a0${nameIn(zone)}\u00a0» de ${groupName(name) || "l'exploitant"}`;
      throw new FeedRefused(
        isParis === null
          ? `${whose} n'existe pas.`
          : `${whose} n'a pas l'heure de Paris, la seule que le portail affiche.`,
      );
    },
  });
}

/** networks.txt and route_networks.txt; gives the network of each line that has one. */
async function readNetworks(
  reading: FeedReader,
  groups: Map<string, string>,
): Promise<Map<string, string>> {
  const networks = new Map<string, string>();
  await readCsvFile(reading, {
    file: "networks.txt",
    required: ["network_id"],
    optional: ["network_name"],
    take: ([id = "", name = ""]) => {
      groups.set(`network:${id}`, groupName(name) || nameIn(id));
    },
  });
  await readCsvFile(reading, {
    file: "route_networks.txt",
    required: ["network_id", "route_id"],
    take: ([network = "", line = ""]) => void networks.set(line, network),
  });
  return networks;
}

/**
 * Text on the badge of a line: the first words of a long name, not ending with a small word. A single word
 * that is too long is kept whole, and the screen makes room.
 */
function badgeIn(name: string): string {
  if (name.length <= numberLength) return name;
  const words = name.split(" ");
  const isTooLong = () => words.join(" ").length > numberLength;
  while (words.length > 1 && (isTooLong() || isSmall(words.at(-1) ?? ""))) words.pop();
  return words.join(" ").slice(0, longestBadge);
}

/** « à », « du », « - ». */
const isSmall = (word: string): boolean => /^(?:\p{L}{1,3}'?|[^\p{L}\d]+)$/u.test(word);

async function readLines(
  reading: FeedReader,
  groups: Map<string, string>,
  networks: Map<string, string>,
): Promise<ReadLine[]> {
  const { report } = reading;
  const file = "routes.txt";
  const lines = new Map<string, ReadLine>();
  const groupOf = (network: string, agency: string, name: string) => {
    const key = network ? `network:${network}` : `agency:${agency}`;
    if (groups.has(key)) return key;
    // A feed with one agency may omit it.
    if (!network && agency === "" && groups.size > 0) return [...groups.keys()][0] as string;
    groups.set(key, nameIn(name) || nameIn(network) || "Lignes de bus");
    return key;
  };
  const known = await readCsvFile(reading, {
    file,
    required: ["route_id"],
    optional: [
      "route_short_name",
      "route_long_name",
      "route_type",
      "route_color",
      "route_text_color",
      "route_sort_order",
      "agency_id",
      "network_id",
    ],
    take: (values, at) => {
      const [id = "", short = "", long = "", type = "", color = "", text = ""] = values;
      const [order = "", agency = "", network = ""] = values.slice(6);
      const gtfsId = idIn(id);
      if (!gtfsId) return report.rejectRow(file, at, "identifiant de ligne non valable", id);
      if (lines.has(gtfsId)) return report.rejectRow(file, at, "ligne donnée deux fois", id);
      const number = badgeIn(nameIn(short) || nameIn(long));
      if (!number) return report.rejectRow(file, at, "ligne sans numéro ni nom", id);
      if ((short + long).includes("\ufffd")) report.dropValue(file, at, unreadable, short + long);
      const paint = colorIn(color);
      if (color && !paint) report.dropValue(file, at, "couleur illisible", color);
      if (text && !colorIn(text)) report.dropValue(file, at, "couleur de texte illisible", text);
      lines.set(gtfsId, {
        gtfsId,
        group: groupOf(networks.get(id) ?? network, agency, ""),
        number,
        name: inFrenchCase(nameIn(long)),
        mode: modeOf(type),
        color: paint ?? plain,
        textColor: textColorOn(paint ?? plain, colorIn(text)),
        order: countIn(order),
      });
    },
  });
  if (!known) throw new FeedRefused("Il manque le fichier routes.txt.");
  return inOrder([...lines.values()]);
}

/** In the feed's own order if it has one, else in natural order: 2 before 10, numbers first. */
function inOrder(lines: ReadLine[]): ReadLine[] {
  const { compare } = new Intl.Collator("fr", { numeric: true });
  const last = Number.MAX_SAFE_INTEGER;
  return lines.sort(
    (a, b) =>
      (a.order ?? last) - (b.order ?? last) ||
      compare(a.number, b.number) ||
      compare(a.gtfsId, b.gtfsId),
  );
}

/** The kind of vehicle, by GTFS's basic and extended route types. */
function modeOf(type: string): string {
  const code = countIn(type) ?? 3;
  if (code === 0 || (code >= 900 && code < 1000)) return "tram";
  if (code === 1 || (code >= 400 && code < 700)) return "metro";
  if (code === 2 || (code >= 100 && code < 200)) return "train";
  if (code === 4 || (code >= 1000 && code < 1300)) return "boat";
  return code === 3 || code === 11 || (code >= 200 && code < 900) ? "bus" : "other";
}

async function readStops(reading: FeedReader): Promise<ReadStop[]> {
  const { report } = reading;
  const file = "stops.txt";
  const stops = new Map<string, ReadStop>();
  const unnamed: { stop: ReadStop; line: number }[] = [];
  const known = await readCsvFile(reading, {
    file,
    required: ["stop_id"],
    optional: ["stop_name", "stop_lat", "stop_lon", "location_type", "parent_station"],
    take: ([id = "", name = "", lat = "", lon = "", type = "", parent = ""], line) => {
      const gtfsId = idIn(id);
      if (!gtfsId) return report.rejectRow(file, line, "identifiant d'arrêt non valable", id);
      if (stops.has(gtfsId)) return report.rejectRow(file, line, "arrêt donné deux fois", id);
      if (name.includes("\ufffd")) report.dropValue(file, line, unreadable, name);
      // Entrances and the corridors of a station: nobody boards there.
      if (type === "2" || type === "3") return;
      const at = positionIn(lat, lon);
      if (!at && type !== "4")
        report.dropValue(file, line, "position non valable", `${lat} ${lon}`);
      const stop = { gtfsId, parent: parent || null, name: inFrenchCase(nameIn(name)), at };
      if (!stop.name) unnamed.push({ stop, line });
      stops.set(gtfsId, stop);
    },
  });
  if (!known) throw new FeedRefused("Il manque le fichier stops.txt.");
  for (const { stop, line } of unnamed) {
    stop.name = nameIn(stops.get(stop.parent ?? "")?.name ?? "");
    if (stop.name) continue;
    stops.delete(stop.gtfsId);
    report.rejectRow(file, line, "arrêt sans nom", stop.gtfsId);
  }
  report.requireMostRowsValid(file);
  settleParents(reading, stops);
  return [...stops.values()];
}

/** Points each stop directly at its public stop; poles of one name close by are one stop. */
function settleParents({ report }: FeedReader, stops: Map<string, ReadStop>): void {
  const top = (stop: ReadStop): ReadStop => {
    let now = stop;
    for (let step = 0; step < 3 && now.parent; step++) {
      const above = stops.get(now.parent);
      if (!above) break;
      now = above;
    }
    return now;
  };
  let lost = 0;
  for (const stop of stops.values()) if (stop.parent && !stops.has(stop.parent)) lost += 1;
  if (lost > 0) report.note(`stops.txt : ${lost} arrêts nomment une station inconnue`);
  const settled = [...stops.values()].map((stop) => ({ stop, above: top(stop) }));
  for (const { stop, above } of settled) stop.parent = above === stop ? null : above.gtfsId;
  const named = Map.groupBy(
    [...stops.values()].filter(({ parent }) => parent === null),
    ({ name }) => searchText(name) || name,
  );
  const joined = new Map<string, string>();
  for (const same of named.values()) for (const [one, into] of close(same)) joined.set(one, into);
  for (const stop of stops.values()) {
    const into = joined.get(stop.parent ?? stop.gtfsId);
    if (into) stop.parent = into;
  }
}

/** Of stops of one name, those close to another one, each with the one that remains. */
function close(same: ReadStop[]): [string, string][] {
  const distinct: ReadStop[] = [];
  const joined: [string, string][] = [];
  for (const stop of same.sort((a, b) => (a.gtfsId < b.gtfsId ? -1 : 1))) {
    const near = distinct.find((one) => metres(one.at, stop.at) <= limits.sameStopMetres);
    if (near) joined.push([stop.gtfsId, near.gtfsId]);
    else distinct.push(stop);
  }
  return joined;
}

/** Metres between two positions, accurate enough for a walk; far when one is unknown. */
function metres(a: [number, number] | null, b: [number, number] | null): number {
  if (!a || !b) return Number.POSITIVE_INFINITY;
  const degree = 111_320;
  const across = (a[1] - b[1]) * degree * Math.cos((a[0] * Math.PI) / 180);
  return Math.hypot((a[0] - b[0]) * degree, across);
}
