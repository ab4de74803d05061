// One stop: when the next buses leave, told again as time goes by, and the timetable of a day.
import { useEffect, useState } from "react";
import { api } from "#contract/api.ts";
import { formatDate, formatTime } from "#contract/french.ts";
import type { Departure, LineBadge, TransitStop } from "#contract/transit/rows.ts";
import { useAnswer } from "#web/app/answers.ts";
import { useSearchParameters } from "#web/app/search.ts";
import { NotFound } from "#web/app/states.tsx";
import { Chips } from "#web/ui/choice.tsx";
import { Page, PageHeader, Section, Sides } from "#web/ui/layout.tsx";
import { EmptyState, ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { busPath, linePath } from "./address.ts";
import { LineMark } from "./line-mark.tsx";
import { Timetable } from "./timetable.tsx";
import { dayWord, leavesIn } from "./words.ts";
import styles from "./transit.module.css";

const pollMs = 30_000;
const tickMs = 5_000;

export function StopView({
  stop,
  line,
  direction,
}: {
  stop: number;
  line: number | null;
  direction: number;
}) {
  const [search] = useSearchParameters();
  const all = search["lignes"] === "toutes";
  const only = line !== null && !all ? { line } : {};
  const asked = useAnswer(api.transit.departures, { stop, ...only }, { pollMs });
  const { data, error, isFetching, refetch } = asked;
  const back =
    line === null
      ? { href: busPath, label: "Toutes les lignes" }
      : { href: linePath(line, direction), label: "Retour à la ligne" };
  if (error?.status === 404 && !data) return <NotFound />;
  return (
    <Page>
      <PageHeader
        title={data?.stop.name ?? "Arrêt"}
        lead={data ? <Serving lines={data.stop.lines} /> : "\u00a0"}
        back={back}
      />
      <Sides
        main={
          <Section title="Prochains départs">
            {data && line !== null && <Choice stop={data.stop} line={line} all={all} />}
            {error && !data && (
              <ErrorState
                title="Les départs n’ont pas pu être chargés."
                answer={{ error, isFetching, refetch }}
              />
            )}
            {!error && !data && (
              <Loading label="Chargement des départs…">
                <Skeleton lines={8} height="3rem" />
              </Loading>
            )}
            {data && (
              <Next
                items={data.items}
                aheadMs={Date.parse(data.now) - asked.dataUpdatedAt}
                knownUntil={data.knownUntil}
                stale={error !== null}
              />
            )}
          </Section>
        }
        side={<Timetable stop={stop} {...only} />}
      />
    </Page>
  );
}

const Serving = ({ lines }: { lines: readonly LineBadge[] }) => (
  <span className={styles.lineMarks}>
    {lines.map((line) => (
      <LineMark key={line.id} line={line} />
    ))}
  </span>
);

/** One came from a line: it alone, or every line of the stop. */
function Choice({ stop, line, all }: { stop: TransitStop; line: number; all: boolean }) {
  const [, change] = useSearchParameters();
  const own = stop.lines.find(({ id }) => id === line);
  if (!own || stop.lines.length < 2) return null;
  return (
    <Chips
      label="Lignes montrées"
      options={[
        { value: "own", label: `Ligne ${own.number}` },
        { value: "all", label: "Toutes les lignes" },
      ]}
      value={[all ? "all" : "own"]}
      onValue={(shown) => change({ lignes: shown === "all" ? "toutes" : undefined })}
    />
  );
}

/** The server's time now; `aheadMs` is how far its clock was ahead of the device's. */
function useServerNow(aheadMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, []);
  return now + aheadMs;
}

function Next({
  items,
  aheadMs,
  knownUntil,
  stale,
}: {
  items: readonly Departure[];
  aheadMs: number;
  knownUntil: string | null;
  stale: boolean;
}) {
  const now = useServerNow(aheadMs);
  const left = items.filter(({ at }) => Date.parse(at) > now - tickMs);
  const [first] = left;
  if (!first) {
    return (
      <EmptyState icon="clock" title="Aucun départ dans les sept prochains jours">
        {knownUntil && <>Les horaires sont connus jusqu’au {formatDate(knownUntil)}.</>}
      </EmptyState>
    );
  }
  const later = dayWord(first.at, now);
  return (
    <>
      {later !== "" && (
        <p className={styles.transitLater}>
          Plus de départ aujourd’hui. Le prochain : {later} à {formatTime(first.at)}.
        </p>
      )}
      {stale && (
        <p className={styles.transitNote}>
          Sans réseau pour l’instant : heures de la dernière lecture.
        </p>
      )}
      <ul className={styles.departures} aria-label="Prochains départs">
        {left.map(({ at, line, to, direction }) => (
          <li key={`${at}/${line.id}/${direction}/${to}`}>
            <LineMark line={line} />
            <span className={styles.departureTo}>{to}</span>
            <time className={styles.departureWhen} dateTime={at}>
              <span>{leavesIn(at, now)}</span>
              {Date.parse(at) - now < 3_600_000 && (
                <span className={styles.departureClock}>{formatTime(at)}</span>
              )}
            </time>
          </li>
        ))}
      </ul>
    </>
  );
}
