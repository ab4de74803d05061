// The timetable of a stop for one day, hour by hour, for each line and destination.
import { Fragment } from "react";
import { api } from "#contract/api.ts";
import type { Output } from "#contract/endpoint.ts";
import { formatDayInWords, formatTime, plural } from "#contract/french.ts";
import { spec } from "#contract/limits.ts";
import { useAnswer } from "#web/app/answers.ts";
import { useSearchParameters } from "#web/app/search.ts";
import { IconButton } from "#web/ui/button.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Section } from "#web/ui/layout.tsx";
import { EmptyState, ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { LineMark } from "./line-mark.tsx";
import { byHalf, dayAfter } from "./words.ts";
import styles from "./transit.module.css";

type Day = Output<typeof api.transit.timetable>;

export function Timetable({ stop, line }: { stop: number; line?: number }) {
  const [search] = useSearchParameters();
  const asked = search["jour"] ?? "";
  const on = /^20\d\d-\d\d-\d\d$/.test(asked) ? { on: asked } : {};
  const { data, error, isFetching, refetch } = useAnswer(api.transit.timetable, {
    stop,
    ...(line !== undefined && { line }),
    ...on,
  });
  return (
    <Section title="Horaires de la journée">
      {data && <DayChoice day={data} />}
      {error && !data && (
        <ErrorState
          title="Les horaires n’ont pas pu être chargés."
          answer={{ error, isFetching, refetch }}
        />
      )}
      {!error && !data && (
        <Loading label="Chargement des horaires…">
          <Skeleton lines={7} height="2.5rem" />
        </Loading>
      )}
      {data && <Hours day={data} />}
    </Section>
  );
}

function DayChoice({ day: { on, from, until } }: { day: Day }) {
  const [, change] = useSearchParameters();
  const go = (days: number) => change({ jour: dayAfter(on, days) });
  return (
    <div className={styles.dayChoice}>
      <IconButton
        icon="left"
        label="Jour précédent"
        disabled={from === null || on <= from}
        onClick={() => go(-1)}
      />
      <p className={styles.dayName} aria-live="polite">
        {formatDayInWords(on)}
      </p>
      <IconButton
        icon="right"
        label="Jour suivant"
        disabled={until === null || on >= until}
        onClick={() => go(1)}
      />
    </div>
  );
}

/** « 24 départs, de 06:33 à 22:03 ». */
function span(times: readonly string[]): string {
  const [first = "", last = ""] = [times[0], times.at(-1)];
  const count = plural(times.length, "départ");
  return times.length === 1
    ? `${count}, à ${formatTime(first)}`
    : `${count}, de ${formatTime(first)} à ${formatTime(last)}`;
}

function Hours({ day }: { day: Day }) {
  if (day.items.length === 0) {
    return (
      <EmptyState icon="calendar" title="Aucun bus ce jour-là">
        Regardez un autre jour avec les flèches.
      </EmptyState>
    );
  }
  return (
    <div className={styles.timetables}>
      {day.items.map(({ line, direction, to, times }) => (
        <details key={`${line.id}/${direction}/${to}`} open={day.items.length < 3}>
          <summary className={styles.timetableWay}>
            <LineMark line={line} />
            <span className={styles.timetableTo}>
              {to}
              <span className={styles.timetableSpan}>{span(times)}</span>
            </span>
            <Icon name="down" size={20} />
          </summary>
          {byHalf(times).map(({ half, hours }, index) => (
            <Fragment key={`${half}/${index < 2 ? "day" : "night"}`}>
              <p className={styles.timetableHalf}>
                <abbr title={half === spec.meridiem[0] ? "avant midi" : "après midi"}>{half}</abbr>
              </p>
              <dl className={styles.timetable}>
                {hours.map(({ hour, minutes }) => (
                  <div key={`${hour}/${minutes.join(" ")}`}>
                    <dt>
                      {hour}
                      <span className="unseen"> heures</span>
                    </dt>
                    <dd>{minutes.join(" ")}</dd>
                  </div>
                ))}
              </dl>
            </Fragment>
          ))}
        </details>
      ))}
    </div>
  );
}
