// One stop: the next three departures of each line and direction, told again as time goes by; unfolded,
// the line's timetable of a day.
import { useState } from "react";
import { api } from "#contract/api.ts";
import { parisDay } from "#contract/days.ts";
import type { Output } from "#contract/endpoint.ts";
import { formatDate, formatTime, plural } from "#contract/french.ts";
import type { NextDepartures, TransitStop } from "#contract/transit/rows.ts";
import { paths } from "#contract/paths.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { dayWord } from "#web/app/shared/leaves-in.ts";
import { numberIn, useSearchParameters } from "#web/app/shared/search.ts";
import { NotFound } from "#web/app/shared/states.tsx";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Select } from "#web/ui/choice.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Page, PageHeader, Section } from "#web/ui/layout.tsx";
import { EmptyState, Loaded } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { linePath } from "./address.ts";
import { FavouriteButton, useFavourite } from "./favourite-button.tsx";
import { LineMarks } from "./line-mark.tsx";
import { NextTimes, pollMs, stillToLeave, theoretical, useServerNow } from "./next-times.tsx";
import { type Days, Timetable } from "./timetable.tsx";
import styles from "./transit.module.css";

/** Lines of a stop from which one of them is chosen rather than looked for. */
const manyLines = 5;

export function StopView({
  stop,
  line,
  direction,
}: {
  stop: number;
  line: number | null;
  direction: number;
}) {
  const answer = useAnswer(api.transit.departures, { stop }, { pollMs });
  const { data, error } = answer;
  const favourite = useFavourite(stop);
  const back =
    line === null
      ? { href: paths.lines, label: "Toutes les lignes" }
      : { href: linePath(line, direction), label: "Retour à la ligne" };
  if (error?.status === 404 && !data) return <NotFound />;
  return (
    <Page>
      <PageHeader
        title={data?.stop.name ?? "Arrêt"}
        lead={data ? <LineMarks lines={data.stop.lines} /> : "\u00a0"}
        back={back}
        actions={data && <FavouriteButton isFavourite={data.isFavourite} change={favourite} />}
      />
      <ProblemBanner problem={favourite.error} title="Vos favoris n’ont pas changé." />
      <Section title="Prochains départs">
        <Loaded
          answer={answer}
          label="Chargement des départs…"
          lines={8}
          height="3.5rem"
          failed="Les départs n’ont pas pu être chargés."
        >
          {(next) => (
            <Departures
              answer={next}
              from={line}
              aheadMs={Date.parse(next.now) - answer.dataUpdatedAt}
              stale={error !== null}
            />
          )}
        </Loaded>
      </Section>
    </Page>
  );
}

function Departures({
  answer: { stop, items, knownUntil },
  from,
  aheadMs,
  stale,
}: {
  answer: Output<typeof api.transit.departures>;
  from: number | null;
  aheadMs: number;
  stale: boolean;
}) {
  const [search] = useSearchParameters<"lines">();
  const now = useServerNow(aheadMs);
  const linesParam = search.lines;
  const own = numberIn(linesParam) ?? (linesParam === "toutes" ? null : from);
  const line = stop.lines.some(({ id }) => id === own) ? own : null;
  const visible = line === null ? items : items.filter((one) => one.line.id === line);
  const days = { today: parisDay(new Date(now)), until: knownUntil };
  return (
    <>
      <LineChoice stop={stop} line={line} from={from} />
      <Today departures={visible} now={now} knownUntil={knownUntil} />
      {visible.length > 0 && (
        <Text tone="soft" size="fine">
          {stale ? "Sans réseau pour l’instant : heures de la dernière lecture. " : ""}
          {theoretical} Dépliez une ligne pour sa journée.
        </Text>
      )}
      <ul className={styles.departures} aria-label="Prochains départs">
        {visible.map((way) => (
          <DirectionDepartures
            key={`${way.line.id}/${way.direction}`}
            {...{ stop, way, now, days }}
          />
        ))}
      </ul>
    </>
  );
}

/** One of the lines of a busy stop, or of a stop that one came to from a line; else all are shown. */
function LineChoice({
  stop,
  line,
  from,
}: {
  stop: TransitStop;
  line: number | null;
  from: number | null;
}) {
  const [, change] = useSearchParameters<"lines">();
  const few = stop.lines.length < (from === null ? manyLines : 2);
  if (few) return null;
  const all = `Les ${plural(stop.lines.length, "ligne")} de l’arrêt`;
  return (
    <Select
      label="Lignes montrées"
      value={line === null ? "toutes" : String(line)}
      options={[
        { value: "toutes", label: all },
        ...stop.lines.map(({ id, number }) => ({ value: String(id), label: `Ligne ${number}` })),
      ]}
      onValue={(value) => change({ lines: value })}
    />
  );
}

/** The notice before the list: no departure left today, or none at all. */
function Today({
  departures,
  now,
  knownUntil,
}: {
  departures: readonly NextDepartures[];
  now: number;
  knownUntil: string | null;
}) {
  const times = departures.flatMap(({ next }) => stillToLeave(next, now).map(({ at }) => at));
  const [first] = times.toSorted();
  if (first === undefined) {
    return (
      <EmptyState icon="clock" title="Aucun départ dans les sept prochains jours">
        {knownUntil && <>Les horaires sont connus jusqu’au {formatDate(knownUntil)}.</>}
      </EmptyState>
    );
  }
  const later = dayWord(first, now);
  if (later === "") return null;
  return (
    <p className={styles.transitLater}>
      Plus de départ aujourd’hui. Le prochain : {later} à {formatTime(first)}.
    </p>
  );
}

function DirectionDepartures({
  stop,
  way,
  now,
  days,
}: {
  stop: TransitStop;
  way: NextDepartures;
  now: number;
  days: Days;
}) {
  const [open, setOpen] = useState(false);
  return (
    <li>
      <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className={styles.waySummary}>
          <NextTimes way={way} now={now} />
          <Icon name="down" size={20} />
        </summary>
        {open && (
          <Timetable stop={stop.id} line={way.line.id} direction={way.direction} days={days} />
        )}
      </details>
    </li>
  );
}
