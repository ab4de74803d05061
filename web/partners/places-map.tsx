// A map of the places that are found, without any map of a third party: where they are to each other, the
// towns' names, north up, and how long a kilometre is. Places too close to be pressed apart are one marker
// with their number; pressed, the map shows them nearer.
import { useRef, useState } from "react";
import { plural } from "#contract/french.ts";
import { clustersOf, type Spot, textScale } from "#web/app/shared/plan-clusters.ts";
import { PlanMark, type PlanPlace, SameAddress } from "#web/app/shared/plan-mark.tsx";
import { scaleOf } from "#web/app/shared/plan-scale.ts";
import { Button } from "#web/ui/button.tsx";
import type { Position } from "#web/app/shared/position.ts";
import styles from "./directory.module.css";

const width = 360;
const height = 300;
const margin = 34;
const metresPerDegree = 111_195;
/** At least so many metres across, so that one place alone is not the whole map. */
const minWidthMetres = 1200;
/** Nearer than that, a single address fills the map. */
const nearest = 40;
/** Markers stand so far apart that each can be pressed. */
const apart = 40;

export interface Place extends PlanPlace {
  town: string;
}

export const placesLabel = (places: readonly Place[]): string => {
  const towns = new Set(places.map(({ town }) => town));
  return `Plan\u202f: ${countPlaces(places.length)} dans ${plural(towns.size, "commune")}`;
};

export const countPlaces = (count: number): string => plural(count, "lieu", "lieux");

export function PlacesMap({
  places,
  position,
}: {
  places: readonly Place[];
  position: Position | null;
}) {
  const [near, setNear] = useState<ReadonlySet<string>>(new Set());
  const top = useRef<HTMLElement>(null);
  const found = places.filter(({ id }) => near.has(id));
  const zoomed = found.length > 0;
  const visiblePlaces = zoomed ? found : places;
  const me = zoomed ? null : position;
  const { at, metresPerPixel } = project(visiblePlaces, me, zoomed ? nearest : minWidthMetres);
  const spots = clustersOf(
    visiblePlaces.map((place) => ({ ...at(place.position), place })),
    apart * textScale(),
  );
  const show = (ids: readonly string[]) => {
    setNear(new Set(ids));
    // The marker that was pressed is gone: the keyboard goes on at the map.
    top.current?.focus();
  };
  return (
    <figure className={styles.plan} ref={top} tabIndex={-1} aria-label={placesLabel(visiblePlaces)}>
      <div className={styles.planGround}>
        <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
          <Waves />
          {me && <Here {...at(me)} />}
          {labelsOf(visiblePlaces, at).map((label) => (
            <TownName key={label.town} {...label} />
          ))}
          <Scale metresPerPixel={metresPerPixel} />
        </svg>
        {spots.map((spot) => (
          <Mark
            key={spot.places.map(({ id }) => id).join(" ")}
            spot={spot}
            onPress={spots.length === 1 ? null : () => show(spot.places.map(({ id }) => id))}
          />
        ))}
      </div>
      {zoomed && (
        <p className={styles.planBack}>
          <Button size="small" icon="left" onClick={() => show([])}>
            Tout le plan
          </Button>
        </p>
      )}
      {zoomed && spots.length === 1 && found.length > 1 && <SameAddress places={found} />}
      <PlacesLegend withHere={me !== null} />
    </figure>
  );
}

export const PlacesLegend = ({ withHere }: { withHere: boolean }) => (
  <figcaption className={styles.planLegend}>
    <span>
      <i data-mark="open" /> ouvert
    </span>
    <span>
      <i data-mark="closed" /> fermé
    </span>
    {withHere && (
      <span>
        <i data-mark="here" /> vous
      </span>
    )}
  </figcaption>
);

/** A place alone leads to its sheet; several are shown nearer, unless nothing sets them apart. */
const Mark = ({
  spot: { x, y, places },
  onPress,
}: {
  spot: Spot<Place>;
  onPress: (() => void) | null;
}) => (
  <span
    className={styles.planMark}
    style={{ left: `${(x / width) * 100}%`, top: `${(y / height) * 100}%` }}
  >
    <PlanMark
      places={places}
      label={`${countPlaces(places.length)} au même endroit, voir de plus près`}
      onPress={onPress}
    />
  </span>
);

/** Flat enough for a few dozen kilometres: degrees of longitude shortened by the latitude. */
function project(places: readonly Place[], position: Position | null, least: number) {
  const all = [...places.map((one) => one.position), ...(position ? [position] : [])];
  const lats = all.map(({ lat }) => lat);
  const lons = all.map(({ lon }) => lon);
  const middle = { lat: middleOf(lats), lon: middleOf(lons) };
  const east = metresPerDegree * Math.cos((middle.lat * Math.PI) / 180);
  const across = Math.max((Math.max(...lons) - Math.min(...lons)) * east, least);
  const up = Math.max((Math.max(...lats) - Math.min(...lats)) * metresPerDegree, least);
  const metresPerPixel = Math.max(across / (width - 2 * margin), up / (height - 2 * margin - 20));
  const at = ({ lat, lon }: Position) => ({
    x: width / 2 + ((lon - middle.lon) * east) / metresPerPixel,
    y: height / 2 - ((lat - middle.lat) * metresPerDegree) / metresPerPixel,
  });
  return { at, metresPerPixel };
}

const middleOf = (numbers: readonly number[]) => (Math.max(...numbers) + Math.min(...numbers)) / 2;

/** Half of what the longest names take: a name near the border moves inside. */
const halfName = 58;
/** Two names closer than that, one above the other, cannot be read. */
const nameHeight = 16;

/**
 * Names of towns above their places, those with most places first; a name that would cover another is left
 * out: nearer, it has its room.
 */
function labelsOf(places: readonly Place[], at: (one: Position) => { x: number; y: number }) {
  const labels: { town: string; x: number; y: number }[] = [];
  const towns = [...Map.groupBy(places, ({ town }) => town)];
  for (const [town, own] of towns.toSorted(([, a], [, b]) => b.length - a.length)) {
    const points = own.map(({ position }) => at(position));
    const middle = points.reduce((sum, { x }) => sum + x, 0) / points.length;
    const x = Math.min(Math.max(middle, halfName), width - halfName);
    const y = Math.max(Math.min(...points.map((one) => one.y)) - 22, nameHeight);
    const covers = labels.some(
      (one) => Math.abs(one.x - x) < 2 * halfName && Math.abs(one.y - y) < nameHeight,
    );
    if (!covers) labels.push({ town, x, y });
  }
  return labels;
}

const TownName = ({ town, x, y }: { town: string; x: number; y: number }) => (
  <text className={styles.planTown} x={x} y={y} textAnchor="middle">
    {town}
  </text>
);

const Here = ({ x, y }: { x: number; y: number }) => (
  <g className={styles.planHere}>
    <circle cx={x} cy={y} r={11} />
    <path d={`M${x - 5} ${y}h10M${x} ${y - 5}v10`} />
  </g>
);

const Waves = () => (
  <g className={styles.planWaves}>
    {Array.from({ length: 9 }, (_, line) => (
      <path key={line} d={wave(20 + line * 34)} />
    ))}
  </g>
);

const wave = (y: number) =>
  `M-10 ${y}${Array.from({ length: 10 }, () => "q10 -6 20 0t20 0").join("")}`;

/** A bar of a round length that takes about a quarter of the map. */
function Scale({ metresPerPixel }: { metresPerPixel: number }) {
  const { long, text } = scaleOf(metresPerPixel, width / 3);
  return (
    <g className={styles.planScale}>
      <path d={`M${margin / 2} ${height - 18}v6h${long}v-6`} />
      <text x={margin / 2} y={height - 24}>
        {text}
      </text>
      <path d={`M${width - 20} ${height - 12}v-18m-4 6 4-6 4 6`} />
      <text x={width - 20} y={height - 36} textAnchor="middle">
        N
      </text>
    </g>
  );
}
