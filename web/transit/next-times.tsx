// The next departures of a line in one direction, as one line: « dans 4 min, 08:24, 08:44 ».
import { useEffect, useState } from "react";
import type { Departure, NextDepartures } from "#contract/transit/rows.ts";
import { leavesIn } from "#web/app/shared/leaves-in.ts";
import { LineMark } from "./line-mark.tsx";
import { leavesAfter } from "./words.ts";
import styles from "./transit.module.css";

/** How often departures are read again. */
export const pollMs = 30_000;
const tickMs = 5_000;

/** The server's time now; `aheadMs` is how far its clock was ahead of the device's. */
export function useServerNow(aheadMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, []);
  return now + aheadMs;
}

/** Those of the departures that have not left. */
export const stillToLeave = (next: readonly Departure[], now: number): Departure[] =>
  next.filter(({ at }) => Date.parse(at) > now - tickMs);

/** The line, where it goes and its next departures. */
export function NextTimes({ way, now }: { way: NextDepartures; now: number }) {
  const left = stillToLeave(way.next, now);
  return (
    <>
      <LineMark line={way.line} />
      <span className={styles.way}>
        <span className={styles.wayTo}>{way.to}</span>{" "}
        <span className={styles.wayTimes}>
          {left.length === 0 && "aucun départ d’ici sept jours"}
          {left.map(({ at, endsAt, onRequest }, index) => {
            const before = left[index - 1];
            return (
              <span key={at}>
                {before && ", "}
                <time dateTime={at}>
                  {before ? leavesAfter(at, before.at, now) : leavesIn(at, now)}
                </time>
                {endsAt && ` jusqu’à ${endsAt}`}
                {onRequest && " sur réservation"}
              </span>
            );
          })}
        </span>
      </span>
    </>
  );
}

/** Says that the hours are those of the timetable. */
export const theoretical = "Horaires théoriques, sans les retards du moment.";
