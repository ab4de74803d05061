// A small bus feed for tests: two lines, one way each and back, on days that the test chooses.

type Texts = Record<string, string>;

/** The text of a file of a feed. */
export const sheet = (...rows: readonly (string | number)[][]): string =>
  `${rows.map((row) => row.join(",")).join("\n")}\n`;

/** Columns of calendar.txt, Monday first. */
export const weekdays = [
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
  "sunday",
];

/** Feed of line 1 (A to D, weekdays) and line 2 (C to A, week-ends), the given files put in its place. */
export function smallFeed(changes: Texts = {}): Texts {
  return {
    "agency.txt": sheet(
      ["agency_id", "agency_name", "agency_url", "agency_timezone"],
      ["lag", "Bus du Lagon", "https://exemple.fr", "Europe/Paris"],
    ),
    "routes.txt": sheet(
      ["route_id", "agency_id", "route_short_name", "route_long_name", "route_type", "route_color"],
      ["L2", "lag", "2", "Clinique - Abbaye", 3, "FFD500"],
      ["L1", "lag", "1", "Abbaye - Dock", 3, "A51D2A"],
    ),
    "stops.txt": sheet(
      ["stop_id", "stop_name", "stop_lat", "stop_lon"],
      ["A", "Abbaye", 47.2, -1.55],
      ["B", "Bibliothèque St-Étienne", 47.21, -1.55],
      ["C", "Clinique", 47.22, -1.55],
      ["D", "Dock", 47.23, -1.55],
    ),
    "calendar.txt": sheet(
      ["service_id", ...weekdays, "start_date", "end_date"],
      ["week", 1, 1, 1, 1, 1, 0, 0, 20260101, 20271231],
      ["end", 0, 0, 0, 0, 0, 1, 1, 20260101, 20271231],
    ),
    "trips.txt": sheet(
      ["route_id", "service_id", "trip_id", "trip_headsign", "direction_id"],
      ["L1", "week", "T1", "Dock", 0],
      ["L1", "week", "T2", "Dock", 0],
      ["L1", "week", "T3", "Abbaye", 1],
      ["L2", "end", "T4", "", 0],
    ),
    "stop_times.txt": sheet(
      ["trip_id", "arrival_time", "departure_time", "stop_id", "stop_sequence"],
      ["T1", "08:00:00", "08:00:00", "A", 1],
      ["T1", "08:05:00", "08:05:00", "B", 2],
      ["T1", "08:10:00", "08:10:00", "C", 3],
      ["T1", "08:15:00", "08:15:00", "D", 4],
      ["T2", "24:20:00", "24:20:00", "A", 1],
      ["T2", "24:30:00", "24:30:00", "B", 2],
      ["T2", "25:10:00", "25:10:00", "D", 3],
      ["T3", "09:00:00", "09:00:00", "D", 1],
      ["T3", "09:20:00", "09:20:00", "A", 2],
      ["T4", "01:30:00", "01:30:00", "C", 1],
      ["T4", "10:00:00", "10:00:00", "B", 2],
      ["T4", "10:30:00", "10:30:00", "A", 3],
    ),
    ...changes,
  };
}
