// Time zones of agencies: departures are told by the clocks of Paris, so a feed whose clocks show another time is
// refused by name.
import { dayMs } from "#contract/days.ts";

/** « 13:00 » of an instant, as clocks of a zone show it; throws for a name that is no zone. */
const clockOf = (timeZone: string) =>
  new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" });

const paris = clockOf("Europe/Paris");

/** Whether clocks of a zone show the time of Paris every day of the two years around `at`. Null: no such zone. */
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
