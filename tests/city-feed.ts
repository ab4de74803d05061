// A city's feed in the form that real ones have: names in capitals, headsigns « Aller » and « Retour » or
// one for each trip, a branch that ends elsewhere, a station where 25 lines meet. Made up, all of it.
import { sheet, weekdays } from "./transit-feed.ts";

/** Where lines begin, pass the station, and end. */
const courses = `ALLONVILLE - MAIRIE,ZA LES PRÉS
PLACE DE L'ÉGLISE,CHU SUD
SAINT-ACHEUL,IUT - AVENUE DES FACULTÉS
RUE D'ARTAGNAN,STADE DE LA LICORNE
LYCEE LOUIS XIV,PISCINE
CENTRE COMMERCIAL,QUAI DE LA SOMME
LES HORTILLONNAGES,PARC DES EXPOSITIONS
DURY - LA FORÊT,PONT-DE-METZ
ALLONVILLE - ZI NORD,BOVES - GARE SNCF
ÉTOUVIE,CAGNY
LONGUEAU,RIVERY
GLISY,SALOUËL
CAMON,POULAINVILLE
JEAN-PAUL II,SAINT-FUSCIEN
COLLÈGE ROSA PARKS,CAP SUD
MARIVAUX,VALLÉE DES VIGNES
ELBEUF,PIERRE ROLLIN
CONDORCET,VAL D'AVRE
TULIPES,CIRQUE JULES VERNE
BEFFROI,MARCHÉ SUR L'EAU
COLBERT,MONTIÈRES
DELPECH,PETIT SAINT-JEAN
8 MAI 1945,HENRI IV
FAUBOURG DE HEM,MUSÉE DE PICARDIE
COLLÈGE ARTHUR RIMBAUD,GYMNASE`
  .split("\n")
  .map((course) => course.split(",") as [string, string]);

export const station = "Gare du Nord - École Jules Ferry";
const stationId = "GARE";

const clock = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}:00`;

/**
 * Lines 1 to 25 through the station, every 20 minutes from 05:00 to 01:00 on every day of 2026 and 2027,
 * both ways. One bus in three of line 2 ends at Chemin Vert; line 25 ran in January 2026 only.
 */
export function cityFeed(): Record<string, string> {
  const trips: (string | number)[][] = [];
  const times: (string | number)[][] = [];
  const run = (line: number, direction: number, start: number, ends?: string) => {
    const [from, to] = [`A${line}`, ends ?? `B${line}`];
    const way = direction === 0 ? [from, stationId, to] : [to, stationId, from];
    const id = `${line}-${direction}-${start}`;
    const generic = direction === 0 ? "Aller" : "Retour";
    const head = line === 9 ? `Ligne 9 ${clock(start).slice(0, 5)} to Allonville` : generic;
    trips.push([`R${line}`, line === 25 ? "past" : "daily", id, head, direction]);
    way.forEach((stop, place) => {
      const at = clock(start + place * 10);
      times.push([id, at, at, stop, place + 1]);
    });
  };
  courses.forEach((_, index) => {
    const line = index + 1;
    for (let n = 0; n < 60; n++) {
      const start = 300 + n * 20 + (index % 20);
      run(line, 0, start, line === 2 && n % 3 === 2 ? "C2" : undefined);
      run(line, 1, start + 5);
    }
  });
  return {
    "agency.txt": sheet(
      ["agency_id", "agency_name", "agency_url", "agency_timezone"],
      ["baie", "BUS DE LA BAIE", "https://exemple.fr", "Europe/Paris"],
    ),
    "routes.txt": sheet(
      ["route_id", "agency_id", "route_short_name", "route_long_name", "route_type", "route_color"],
      ...courses.map(([from, to], index) => [
        `R${index + 1}`,
        "baie",
        index + 1,
        `${from} <> ${to}`,
        3,
        ["C2185B", "00695C", "FFD54F", "283593", ""][index % 5] as string,
      ]),
    ),
    "stops.txt": sheet(
      ["stop_id", "stop_name", "stop_lat", "stop_lon"],
      [stationId, "GARE DU NORD - ÉCOLE JULES FERRY", 49.89, 2.308],
      ["C2", "CHEMIN VERT", 49.92, 2.29],
      ...courses.flatMap(([from, to], index) => [
        [`A${index + 1}`, from, 49.9 + index / 500, 2.2],
        [`B${index + 1}`, to, 49.9 - index / 500, 2.4],
      ]),
    ),
    "calendar.txt": sheet(
      ["service_id", ...weekdays, "start_date", "end_date"],
      ["daily", 1, 1, 1, 1, 1, 1, 1, 20260101, 20271231],
      ["past", 1, 1, 1, 1, 1, 1, 1, 20260101, 20260131],
    ),
    "trips.txt": sheet(
      ["route_id", "service_id", "trip_id", "trip_headsign", "direction_id"],
      ...trips,
    ),
    "stop_times.txt": sheet(
      ["trip_id", "arrival_time", "departure_time", "stop_id", "stop_sequence"],
      ...times,
    ),
  };
}
