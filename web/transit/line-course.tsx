// Where a line passes: on the background that the town has chosen, or as a sketch.
import { plural } from "#contract/french.ts";
import type { LineDetail, LineDirection } from "#contract/transit/rows.ts";
import { Plan } from "#web/app/shared/plan.tsx";
import { Section } from "#web/ui/layout.tsx";
import { stopPath } from "./address.ts";
import { LineSketch, sketchHeight } from "./line-sketch.tsx";
import styles from "./transit.module.css";

const toPosition = ([lat, lon]: readonly [number, number]) => ({ lat, lon });

export function LineCourse({ line, direction }: { line: LineDetail; direction: LineDirection }) {
  const placed = direction.stops.flatMap(({ at, ...stop }) => (at ? [{ ...stop, at }] : []));
  if (placed.length < 2) return null;
  const stops = placed.map(({ at }) => toPosition(at));
  // A line that comes back to a stop has it once on the plan.
  const places = [...new Map(placed.map((stop) => [stop.id, stop])).values()].map((stop) => ({
    id: String(stop.id),
    name: stop.name,
    position: toPosition(stop.at),
    href: stopPath(stop.id, { line: line.id, direction: direction.direction }),
  }));
  return (
    <Section title="Tracé">
      <Plan
        label={`Tracé de la ligne ${line.number} vers ${direction.to}, le nord en haut`}
        places={places}
        countOf={(count) => plural(count, "arrêt")}
        course={{
          points: direction.path?.map(toPosition) ?? stops,
          color: line.color,
          stops,
          ends: [stops[0], stops.at(-1)].filter((end) => end !== undefined),
        }}
        height={sketchHeight}
        own={<LineSketch line={line} direction={direction} />}
      />
      <dl className={styles.sketchEnds}>
        <div>
          <dt>Départ</dt>
          <dd>{direction.stops[0]?.name}</dd>
        </div>
        <div>
          <dt>Arrivée</dt>
          <dd>{direction.to}</dd>
        </div>
      </dl>
    </Section>
  );
}
