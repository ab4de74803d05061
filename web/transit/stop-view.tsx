// One stop: when the next buses leave, told again as time goes by, and the timetable of a day.
import { useEffect, useState } from "react";
import { api } from "#contract/api.ts";
import { formatDate, formatTime } from "#contract/french.ts";
import type { Departure, LineBadge, TransitStop } from "#contract/transit.ts";
import { useAnswer } from "#web/app/answers.ts";
import { useSearchParameters } from "#web/app/search.ts";
import { NotFound } from "#web/app/states.tsx";
import { Page, PageHeader, Section, Sides } from "#web/ui/layout.tsx";
import { EmptyState, ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { busPath, linePath } from "./address.ts";
import { LineMark } from "./line-mark.tsx";
import { Timetable } from "./timetable.tsx";
import { dayWord, leavesIn } from "./words.ts";
import "./transit.css";

const pollMs = 30_000;
const tickMs = 5_000;

export function StopView({ stop, line, way }: { stop: number; line: number | null; way: number }) {
  const [search] = useSearchParameters();
  const all = search["lignes"] === "toutes";
  const only = line !== null && !all ? { line } : {};
  const asked = useAnswer(api.transit.departures, { stop, ...only }, { pollMs });
  const { data, error, isFetching, refetch } = asked;
  const back =
    line === null
      ? { href: busPath, label: "Toutes les lignes" }
      : { href: linePath(line, way), label: "Retour à la ligne" };
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
                message={error.message}
                retrying={isFetching}
                onRetry={() => void refetch()}
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
  <span className="line-marks">
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
  const chip = (pressed: boolean, label: string, lignes: string | undefined) => (
    <button
      type="button"
      className="chip"
      aria-pressed={pressed}
      onClick={() => change({ lignes })}
    >
      {label}
    </button>
  );
  return (
    <fieldset className="chips">
      <legend className="unseen">Lignes montrées</legend>
      {chip(!all, `Ligne ${own.number}`, undefined)}
      {chip(all, "Toutes les lignes", "toutes")}
    </fieldset>
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
        <p className="transit-later">
          Plus de départ aujourd’hui. Le prochain : {later} à {formatTime(first.at)}.
        </p>
      )}
      {stale && (
        <p className="transit-note">Sans réseau pour l’instant : heures de la dernière lecture.</p>
      )}
      <ul className="departures" aria-label="Prochains départs">
        {left.map(({ at, line, to, direction }) => (
          <li key={`${at}/${line.id}/${direction}/${to}`}>
            <LineMark line={line} />
            <span className="departure-to">{to}</span>
            <time className="departure-when" dateTime={at}>
              <span>{leavesIn(at, now)}</span>
              {Date.parse(at) - now < 3_600_000 && (
                <span className="departure-clock">{formatTime(at)}</span>
              )}
            </time>
          </li>
        ))}
      </ul>
    </>
  );
}
