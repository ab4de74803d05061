// One line: its directions, their stops in order in the line's colour, a sketch of the route.
import type { CSSProperties } from "react";
import { api } from "#contract/api.ts";
import type { LineDetail, LineDirection } from "#contract/transit/rows.ts";
import { paths } from "#contract/paths.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { useSearchParameters } from "#web/app/shared/search.ts";
import { NotFound } from "#web/app/shared/states.tsx";
import { ButtonLink } from "#web/ui/button.tsx";
import { Chips } from "#web/ui/choice.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Page, PageHeader, Section, Sides } from "#web/ui/layout.tsx";
import { Link } from "#web/ui/link.tsx";
import { NotLoaded } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { passesPath, stopPath } from "./address.ts";
import { LineMark } from "./line-mark.tsx";
import { LineCourse } from "./line-course.tsx";
import { usePassesOnSale } from "./use-passes-on-sale.ts";
import styles from "./transit.module.css";

const back = { href: paths.lines, label: "Toutes les lignes" };

export function LineView({ id, direction }: { id: number; direction: number }) {
  const answer = useAnswer(api.transit.line, { line: id });
  const { data, error } = answer;
  if (error?.status === 404 && !data) return <NotFound />;
  if (data) return <Line line={data} direction={direction} />;
  return (
    <Page>
      <PageHeader title="Ligne" back={back} />
      <NotLoaded
        answer={answer}
        label="Chargement de la ligne…"
        lines={8}
        height="3rem"
        failed="Cette ligne n’a pas pu être chargée."
      />
    </Page>
  );
}

function Line({ line, direction }: { line: LineDetail; direction: number }) {
  const [, change] = useSearchParameters<"lines">();
  const sold = usePassesOnSale();
  const selected = line.directions.find((one) => one.direction === direction) ?? line.directions[0];
  return (
    <Page>
      <PageHeader
        title={`Ligne ${line.number}`}
        lead={
          <span className={styles.lineLead}>
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
      {selected && (
        <Sides
          main={
            <Section title="Arrêts">
              {line.directions.length > 1 && (
                <Chips
                  label="Sens"
                  options={line.directions.map(({ direction: value, to }) => ({
                    value: String(value),
                    label: `Vers ${to}`,
                  }))}
                  value={[String(selected.direction)]}
                  onValue={(value) => change({ direction: Number(value) || undefined })}
                />
              )}
              <Diagram line={line} direction={selected} />
            </Section>
          }
          side={<LineCourse key={selected.direction} line={line} direction={selected} />}
        />
      )}
    </Page>
  );
}

function Diagram({ line, direction }: { line: LineDetail; direction: LineDirection }) {
  const some = direction.stops.some((stop) => stop.some);
  return (
    <>
      <ol
        className={styles.diagram}
        style={{ "--of-line": line.color } as CSSProperties}
        aria-label={`Arrêts vers ${direction.to}`}
      >
        {direction.stops.map((stop, place) => (
          <li
            key={`${stop.id}/${direction.stops[place - 1]?.id}`}
            data-end={place === 0 || place === direction.stops.length - 1 || undefined}
            data-some={stop.some || undefined}
          >
            <Link
              className={styles.diagramStop}
              href={stopPath(stop.id, { line: line.id, direction: direction.direction })}
            >
              <span>
                {stop.name}
                {stop.some && <span className={styles.diagramSome}> certains passages</span>}
              </span>
              <Icon name="right" size={16} />
            </Link>
          </li>
        ))}
      </ol>
      {some && (
        <Text tone="soft" size="fine">
          Un rond évidé : moins de la moitié des bus de ce sens s’y arrêtent.
        </Text>
      )}
    </>
  );
}
