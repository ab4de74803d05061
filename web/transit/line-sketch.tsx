// The course of a line as a sketch: true to the ground and to scale, without a map's service.
import { formatCount } from "#contract/french.ts";
import type { LineDetail, LineDirection } from "#contract/transit/rows.ts";
import styles from "./transit.module.css";

const width = 360;
export const sketchHeight = 260;
const height = sketchHeight;
const margin = 24;
const kmPerDegree = 111.32;

type Spot = readonly [x: number, y: number];

/** Kilometres from the first point, x to the east and y to the south. */
function onPaper(points: readonly (readonly [number, number])[]): Spot[] {
  const [lat0, lon0] = points[0] ?? [0, 0];
  const shrink = Math.cos((lat0 * Math.PI) / 180);
  return points.map(([lat, lon]) => [
    (lon - lon0) * kmPerDegree * shrink,
    (lat0 - lat) * kmPerDegree,
  ]);
}

/** A length of 1, 2 or 5 × 10ⁿ km that takes about a fifth of the sketch. */
function roundKm(km: number): number {
  const power = 10 ** Math.floor(Math.log10(km));
  return [5, 2, 1].map((unit) => unit * power).find((length) => length <= km) ?? power;
}

export function LineSketch({ line, direction }: { line: LineDetail; direction: LineDirection }) {
  const stops = direction.stops.flatMap(({ at }) => (at ? [at] : []));
  if (stops.length < 2) return null;
  const drawn = onPaper([...(direction.path ?? stops), ...stops]);
  const [xs, ys] = [drawn.map(([x]) => x), drawn.map(([, y]) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const [across, down] = [Math.max(...xs) - left, Math.max(...ys) - top];
  const scale = Math.min(
    (width - 2 * margin) / Math.max(across, 0.1),
    (height - 2 * margin - 16) / Math.max(down, 0.1),
  );
  const [dx, dy] = [(width - across * scale) / 2, (height - 16 - down * scale) / 2];
  const place = ([x, y]: Spot): Spot => [
    Math.round((x - left) * scale + dx),
    Math.round((y - top) * scale + dy),
  ];
  const count = (direction.path ?? stops).length;
  const course = drawn.slice(0, count).map(place);
  const dots = drawn.slice(count).map(place);
  const path = course.map(([x, y], n) => `${n === 0 ? "M" : "L"}${x} ${y}`).join("");
  const bar = roundKm(width / 4 / scale);
  return (
    <svg
      className={styles.sketch}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={`Tracé de la ligne ${line.number} vers ${direction.to}, le nord en haut`}
    >
      <path className={styles.sketchCase} d={path} />
      <path className={styles.sketchCourse} d={path} style={{ stroke: line.color }} />
      {dots.map(([x, y], n) => {
        const end = n === 0 || n === dots.length - 1;
        return (
          <circle
            // oxlint-disable-next-line react/no-array-index-key -- a drawing, never reordered
            key={n}
            className={styles.sketchStop}
            data-end={end || undefined}
            cx={x}
            cy={y}
            r={end ? 6.5 : 3.5}
          />
        );
      })}
      <path
        className={styles.sketchBar}
        d={`M${margin} ${height - 12}v4h${Math.round(bar * scale)}v-4`}
      />
      <text className={styles.sketchText} x={margin + Math.round(bar * scale) + 8} y={height - 7}>
        {bar >= 1 ? `${formatCount(bar)} km` : `${formatCount(bar * 1000)} m`}
      </text>
    </svg>
  );
}
