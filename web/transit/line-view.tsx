// One line: its ways, its stops in order in the line's colour, a sketch of its course.
import type { CSSProperties } from "react";
import { api } from "#contract/api.ts";
import type { LineDetail, LineWay } from "#contract/transit.ts";
import { useAnswer } from "#web/app/answers.ts";
import { useSearchParameters } from "#web/app/search.ts";
import { NotFound } from "#web/app/states.tsx";
import { ButtonLink } from "#web/ui/button.tsx";
import { Chips } from "#web/ui/choice.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Page, PageHeader, Section, Sides } from "#web/ui/layout.tsx";
import { Link } from "#web/ui/link.tsx";
import { ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { busPath, passesPath, stopPath } from "./address.ts";
import { LineMark } from "./line-mark.tsx";
import { LineSketch } from "./line-sketch.tsx";
import { useSold } from "./sold.ts";
import "./transit.css";

const back = { href: busPath, label: "Toutes les lignes" };

export function LineView({ id, way }: { id: number; way: number }) {
  const { data, error, isFetching, refetch } = useAnswer(api.transit.line, { line: id });
  if (error?.status === 404 && !data) return <NotFound />;
  if (data) return <Line line={data} way={way} />;
  return (
    <Page>
      <PageHeader title="Ligne" back={back} />
      {error ? (
        <ErrorState
          title="Cette ligne n’a pas pu être chargée."
          message={error.message}
          retrying={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <Loading label="Chargement de la ligne…">
          <Skeleton lines={8} height="3rem" />
        </Loading>
      )}
    </Page>
  );
}

function Line({ line, way }: { line: LineDetail; way: number }) {
  const [, change] = useSearchParameters();
  const sold = useSold();
  const shown = line.ways.find(({ direction }) => direction === way) ?? line.ways[0];
  return (
    <Page>
      <PageHeader
        title={`Ligne ${line.number}`}
        lead={
          <span className="line-lead">
            <LineMark line={line} large /> {line.from} – {line.to}
          </span>
        }
        back={back}
        actions={
          sold(line.group) && (
            <ButtonLink kind="primary" icon="ticket" href={passesPath(line.group)}>
              Acheter un abonnement
            </ButtonLink>
          )
        }
      />
      {shown && (
        <Sides
          main={
            <Section title="Arrêts">
              {line.ways.length > 1 && (
                <Chips
                  label="Sens"
                  options={line.ways.map(({ direction, to }) => ({
                    value: String(direction),
                    label: `Vers ${to}`,
                  }))}
                  value={[String(shown.direction)]}
                  onValue={(value) => change({ sens: value === "0" ? undefined : value })}
                />
              )}
              <Diagram line={line} way={shown} />
            </Section>
          }
          side={<LineSketch key={shown.direction} line={line} way={shown} />}
        />
      )}
    </Page>
  );
}

function Diagram({ line, way }: { line: LineDetail; way: LineWay }) {
  const some = way.stops.some((stop) => stop.some);
  return (
    <>
      <ol
        className="diagram"
        style={{ "--of-line": line.color } as CSSProperties}
        aria-label={`Arrêts vers ${way.to}`}
      >
        {way.stops.map((stop, place) => (
          <li
            key={`${stop.id}/${way.stops[place - 1]?.id}`}
            data-end={place === 0 || place === way.stops.length - 1 || undefined}
            data-some={stop.some || undefined}
          >
            <Link
              className="diagram-stop"
              href={stopPath(stop.id, { line: line.id, way: way.direction })}
            >
              <span>
                {stop.name}
                {stop.some && <span className="diagram-some"> certains passages</span>}
              </span>
              <Icon name="right" size={16} />
            </Link>
          </li>
        ))}
      </ol>
      {some && (
        <p className="transit-note">
          Un rond évidé : moins de la moitié des bus de ce sens s’y arrêtent.
        </p>
      )}
    </>
  );
}
