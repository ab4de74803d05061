// A plan of the places that are listed, without any map of a third party: where they are to each other,
// the towns' names, north up, and how long a kilometre is.
import type { PartnerLine } from "#contract/partners/rows.ts";
import { plural } from "#contract/french.ts";
import type { Position } from "./position.ts";
import styles from "./directory.module.css";

const width = 360;
const height = 300;
const margin = 34;
const metresPerDegree = 111_195;
/** At least so many metres across, so that one place alone is not the whole plan. */
const narrowest = 1200;

type Place = Pick<PartnerLine, "id" | "town" | "position" | "opening">;

export function Plan({
  places,
  position,
}: {
  places: readonly Place[];
  position: Position | null;
}) {
  const { at, metresPerPixel } = project(places, position);
  const towns = [...new Set(places.map(({ town }) => town))];
  const said = `${plural(places.length, "lieu", "lieux")} dans ${plural(towns.length, "commune")}`;
  return (
    <figure className={styles.plan}>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`Plan : ${said}`}>
        <Waves />
        {places.map(({ id, position: one, opening }) => {
          const { x, y } = at(one);
          return (
            <circle
              key={id}
              className={styles.planPlace}
              data-open={opening.open || undefined}
              cx={x}
              cy={y}
              r={5}
            />
          );
        })}
        {position && <Here {...at(position)} />}
        {towns.map((town) => (
          <TownName key={town} town={town} {...above(places, town, at)} />
        ))}
        <Scale metresPerPixel={metresPerPixel} />
      </svg>
      <figcaption className={styles.planLegend}>
        <span>
          <i data-mark="open" /> ouvert
        </span>
        <span>
          <i data-mark="closed" /> fermé
        </span>
        {position && (
          <span>
            <i data-mark="here" /> vous
          </span>
        )}
      </figcaption>
    </figure>
  );
}

/** Flat enough for a few dozen kilometres: degrees of longitude shortened by the latitude. */
function project(places: readonly Place[], position: Position | null) {
  const all = [...places.map((one) => one.position), ...(position ? [position] : [])];
  const lats = all.map(({ lat }) => lat);
  const lons = all.map(({ lon }) => lon);
  const middle = { lat: middleOf(lats), lon: middleOf(lons) };
  const east = metresPerDegree * Math.cos((middle.lat * Math.PI) / 180);
  const across = Math.max((Math.max(...lons) - Math.min(...lons)) * east, narrowest);
  const up = Math.max((Math.max(...lats) - Math.min(...lats)) * metresPerDegree, narrowest);
  const metresPerPixel = Math.max(across / (width - 2 * margin), up / (height - 2 * margin - 20));
  const at = ({ lat, lon }: Position) => ({
    x: width / 2 + ((lon - middle.lon) * east) / metresPerPixel,
    y: height / 2 - ((lat - middle.lat) * metresPerDegree) / metresPerPixel,
  });
  return { at, metresPerPixel };
}

const middleOf = (numbers: readonly number[]) => (Math.max(...numbers) + Math.min(...numbers)) / 2;

function above(
  places: readonly Place[],
  town: string,
  at: (one: Position) => { x: number; y: number },
) {
  const own = places.filter((one) => one.town === town).map((one) => at(one.position));
  const x = own.reduce((sum, one) => sum + one.x, 0) / own.length;
  return { x, y: Math.min(...own.map((one) => one.y)) - 12 };
}

/** Half of what the longest names take: a name near the border moves inside. */
const halfName = 58;

const TownName = ({ town, x, y }: { town: string; x: number; y: number }) => (
  <text
    className={styles.planTown}
    x={Math.min(Math.max(x, halfName), width - halfName)}
    y={Math.max(y, 16)}
    textAnchor="middle"
  >
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

/** A bar of a round length that takes about a quarter of the plan. */
function Scale({ metresPerPixel }: { metresPerPixel: number }) {
  const lengths = [100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000];
  const metres = lengths.findLast((one) => one / metresPerPixel <= width / 3) ?? 100;
  const long = metres / metresPerPixel;
  return (
    <g className={styles.planScale}>
      <path d={`M${margin / 2} ${height - 18}v6h${long}v-6`} />
      <text x={margin / 2} y={height - 24}>
        {metres < 1000 ? `${metres} m` : `${metres / 1000} km`}
      </text>
      <path d={`M${width - 20} ${height - 12}v-18m-4 6 4-6 4 6`} />
      <text x={width - 20} y={height - 36} textAnchor="middle">
        N
      </text>
    </g>
  );
}
