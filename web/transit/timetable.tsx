// The timetable of a line in one direction at a stop for one day, hour by hour, read when it is unfolded.
import { Fragment } from "react";
import { api } from "#contract/api.ts";
import { addDays } from "#contract/days.ts";
import { formatDayInWords } from "#contract/french.ts";
import { spec } from "#contract/limits.ts";
import type { Departure } from "#contract/transit/rows.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { IconButton } from "#web/ui/button.tsx";
import { isDay } from "#web/ui/days.ts";
import { EmptyState, Loaded } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { byHalf } from "./words.ts";
import styles from "./transit.module.css";

/** The days that can be looked at, from today to the last one that the network knows. */
export interface Days {
  today: string;
  until: string | null;
}

export function Timetable({
  days,
  ...query
}: {
  stop: number;
  line: number;
  direction: number;
  days: Days;
}) {
  const [search, change] = useSearchParameters<"lines">();
  const dayParam = search.day ?? "";
  const on = isDay(dayParam) ? dayParam : days.today;
  const answer = useAnswer(api.transit.timetable, { ...query, on });
  const go = (count: number) => change({ day: addDays(on, count) });
  // At either end the button keeps the focus that it has, and does nothing.
  const isFirst = on <= days.today;
  const isLast = days.until === null || on >= days.until;
  return (
    <div className={styles.day}>
      <div className={styles.dayChoice}>
        <IconButton
          icon="left"
          label="Jour précédent"
          aria-disabled={isFirst || undefined}
          onClick={() => !isFirst && go(-1)}
        />
        <p className={styles.dayName} aria-live="polite">
          {formatDayInWords(on)}
        </p>
        <IconButton
          icon="right"
          label="Jour suivant"
          aria-disabled={isLast || undefined}
          onClick={() => !isLast && go(1)}
        />
      </div>
      <Loaded
        answer={answer}
        label="Chargement des horaires…"
        lines={7}
        height="2.5rem"
        failed="Les horaires n’ont pas pu être chargés."
      >
        {({ items }) => <Hours departures={items} />}
      </Loaded>
    </div>
  );
}

function Hours({ departures }: { departures: readonly Departure[] }) {
  if (departures.length === 0) {
    return (
      <EmptyState icon="calendar" title="Aucun bus ce jour-là">
        Regardez un autre jour avec les flèches.
      </EmptyState>
    );
  }
  const ends = [...new Set(departures.map(({ endsAt }) => endsAt))].filter((end) => end !== null);
  const hasRequests = departures.some(({ onRequest }) => onRequest);
  const letterOf = (end: string) => String.fromCodePoint(97 + ends.indexOf(end));
  return (
    <>
      {byHalf(departures).map(({ half, hours }, index) => (
        <Fragment key={`${half}/${index < 2 ? "day" : "night"}`}>
          <p className={styles.timetableHalf}>
            <abbr title={half === spec.meridiem[0] ? "avant midi" : "après midi"}>{half}</abbr>
          </p>
          <dl className={styles.timetable}>
            {hours.map(({ hour, minutes }) => (
              <div key={`${hour}/${minutes[0]?.minute}`}>
                <dt>
                  {hour}
                  <span className="unseen"> heures</span>
                </dt>
                <dd>
                  {minutes.map(({ minute, endsAt, onRequest }, place) => (
                    // oxlint-disable-next-line react/no-array-index-key -- a day that is read whole, never reordered
                    <Fragment key={place}>
                      {place > 0 && " "}
                      {minute}
                      {endsAt && <sup>{letterOf(endsAt)}</sup>}
                      {onRequest && <sup>*</sup>}
                    </Fragment>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </Fragment>
      ))}
      {(ends.length > 0 || hasRequests) && (
        <Text as="ul" tone="soft" size="fine" aria-label="Passages particuliers">
          {ends.map((end) => (
            <li key={end}>
              <sup>{letterOf(end)}</sup> jusqu’à {end}
            </li>
          ))}
          {hasRequests && (
            <li>
              <sup>*</sup> sur réservation
            </li>
          )}
        </Text>
      )}
    </>
  );
}
