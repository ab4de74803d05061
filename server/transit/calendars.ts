// Reads the days on which a feed's services run: weekly calendars, exceptions, or either alone.
import { FeedRefused } from "./report.ts";
import { type FeedReader, readCsvFile } from "./csv-files.ts";
import { dayIn, idIn } from "./values.ts";

export interface Services {
  /** GTFS id → number in this feed. */
  ids: Map<string, number>;
  weeks: { service: number; first: string; last: string; weekdays: number }[];
  changes: { service: number; on: string; runs: boolean }[];
}

const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/** Throws `FeedRefused` when the feed has neither calendar.txt nor calendar_dates.txt. */
export async function readServices(reading: FeedReader): Promise<Services> {
  const services: Services = { ids: new Map(), weeks: [], changes: [] };
  const numberOf = (id: string) => {
    const number = services.ids.get(id) ?? services.ids.size + 1;
    services.ids.set(id, number);
    return number;
  };
  const weekly = await readWeeks(reading, services, numberOf);
  const dated = await readChanges(reading, services, numberOf);
  if (!weekly && !dated) {
    throw new FeedRefused("Il manque les fichiers calendar.txt et calendar_dates.txt.");
  }
  return services;
}

async function readWeeks(
  reading: FeedReader,
  { ids, weeks }: Services,
  numberOf: (id: string) => number,
): Promise<boolean> {
  const { report } = reading;
  const file = "calendar.txt";
  return await readCsvFile(reading, {
    file,
    required: ["service_id", "start_date", "end_date", ...weekdays],
    take: ([id = "", start = "", end = "", ...days], line) => {
      const [first, last] = [dayIn(start), dayIn(end)];
      if (!idIn(id)) return report.rejectRow(file, line, "identifiant de service non valable", id);
      if (ids.has(id)) return report.rejectRow(file, line, "service donné deux fois", id);
      if (!first || !last || first > last) {
        return report.rejectRow(file, line, "dates non valables", `${start} ${end}`);
      }
      const bits = days.reduce((sum, day, index) => sum + (day === "1" ? 1 << index : 0), 0);
      weeks.push({ service: numberOf(id), first, last, weekdays: bits });
    },
  });
}

async function readChanges(
  reading: FeedReader,
  { changes }: Services,
  numberOf: (id: string) => number,
): Promise<boolean> {
  const { report } = reading;
  const file = "calendar_dates.txt";
  return await readCsvFile(reading, {
    file,
    required: ["service_id", "date", "exception_type"],
    take: ([id = "", date = "", type = ""], line) => {
      const on = dayIn(date);
      if (!idIn(id)) return report.rejectRow(file, line, "identifiant de service non valable", id);
      if (!on) return report.rejectRow(file, line, "date non valable", date);
      if (type !== "1" && type !== "2")
        return report.rejectRow(file, line, "exception inconnue", type);
      changes.push({ service: numberOf(id), on, runs: type === "1" });
    },
  });
}

/** The first and the last day on which a service runs, null when none ever does. */
export function spanOf({ weeks, changes }: Services): { first: string; last: string } | null {
  const days = [
    ...weeks.filter((week) => week.weekdays > 0).flatMap(({ first, last }) => [first, last]),
    ...changes.filter(({ runs }) => runs).map(({ on }) => on),
  ].sort();
  const [first, last] = [days[0], days.at(-1)];
  return first && last ? { first, last } : null;
}
