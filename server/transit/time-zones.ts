// Time zones of agencies: departures are in the time of Paris, so a feed whose clocks show another time is
// refused by name.
import { dayMs } from "#contract/days.ts";

/** « 13:00 » of an instant, in the time of a zone; throws for an unknown zone. */
const clockOf = (timeZone: string) =>
  new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" });

const paris = clockOf("Europe/Paris");

/** Whether a zone has the time of Paris every day of the two years around `at`. Null: no such zone. */
export function hasParisTime(timeZone: string, at: Date): boolean | null {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(timeZone)) return null;
  let clock: Intl.DateTimeFormat;
  try {
    clock = clockOf(timeZone);
  } catch {
    return null;
  }
  for (let day = -365; day <= 365; day++) {
    const instant = new Date(at.getTime() + day * dayMs);
    if (clock.format(instant) !== paris.format(instant)) return false;
  }
  return true;
}
