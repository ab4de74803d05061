// A plan on a background of streets: the same places, pressed to the same end, as on the portal's own plan.
import "#web/ui/leaflet.css";
import type { Map as LeafletMap } from "leaflet";
import { useEffect, useRef, useState, type WheelEvent } from "react";
import { Button } from "#web/ui/button.tsx";
import { Icon, type IconName } from "#web/ui/icon.tsx";
import { textScale } from "./plan-clusters.ts";
import type { Background, PlanContent } from "./plan.tsx";
import { PlanMark, type PlanPlace, SameAddress } from "./plan-mark.tsx";
import { scaleOf } from "./plan-scale.ts";
import { MapMark } from "./street-map-mark.tsx";
import { drawCourse, showNearer, spotsOf } from "./street-map-view.ts";
import { useStreetMap } from "./use-street-map.ts";
import styles from "./street-map.module.css";

/** Marks stand so far apart that each can be pressed; those of a course are smaller, the course being long. */
const apart = 40;
const apartOnCourse = 34;
/** Of the scale, in px. */
const widest = 90;

export function StreetMap({
  background,
  onFailed,
  label,
  places,
  countOf,
  here = null,
  course,
  height = 300,
  legend,
}: PlanContent & { background: Background; onFailed: () => void }) {
  const ground = useRef<HTMLDivElement>(null);
  const [same, setSame] = useState<readonly PlanPlace[]>([]);
  const positions = places.map(({ position }) => position);
  const { map, view, slow, showWhole } = useStreetMap(ground, background, onFailed, [
    ...positions,
    ...(course?.points ?? []),
    ...(here ? [here] : []),
  ]);
  useEffect(() => {
    if (!map || !course) return;
    return drawCourse(map, course, {
      around: styles.around ?? "",
      stop: styles.stop ?? "",
    });
  }, [map, course]);
  const open = (pressed: readonly PlanPlace[]) => {
    const nearer = map !== null && showNearer(map, pressed);
    setSame(nearer ? [] : pressed);
    // The mark that was pressed is gone: the keyboard goes on at the map.
    if (nearer) ground.current?.focus({ preventScroll: true });
  };
  const spots =
    map && view ? spotsOf(map, places, course ? apartOnCourse : apart * textScale()) : [];
  return (
    <figure aria-label={label}>
      <div className={styles.frame} onWheelCapture={leaveToPage}>
        <div
          ref={ground}
          className={styles.ground}
          style={{ aspectRatio: `360 / ${height}` }}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset is one of a form
          role="group"
          aria-label="Plan à déplacer avec les flèches, à agrandir avec + et −"
        />
        {view?.moved && (
          <Button
            size="small"
            icon="left"
            className={styles.whole ?? ""}
            onClick={() => {
              setSame([]);
              showWhole();
              ground.current?.focus({ preventScroll: true });
            }}
          >
            Tout le plan
          </Button>
        )}
        <div className={styles.foot}>
          <div className={styles.facts}>
            {view && <Scale {...scaleOf(view.metresPerPixel, widest)} />}
            <Attribution {...background} />
          </div>
          <div className={styles.controls}>
            <ZoomButton
              map={map}
              icon="minus"
              label="Voir de plus loin"
              isLast={view?.isFarthest}
            />
            <ZoomButton map={map} icon="plus" label="Voir de plus près" isLast={view?.isNearest} />
          </div>
        </div>
      </div>
      {map &&
        spots.map((spot) => (
          <MapMark key={spot.places.map(({ id }) => id).join(" ")} map={map} at={spot.at}>
            <PlanMark
              places={spot.places}
              label={`${countOf(spot.places.length)}, voir de plus près`}
              onPress={() => open(spot.places)}
              quiet={course !== undefined}
            />
          </MapMark>
        ))}
      {map && here && (
        <MapMark map={map} at={here}>
          <span className={styles.here} aria-hidden="true" />
        </MapMark>
      )}
      {same.length > 0 && <SameAddress places={same} />}
      {slow && (
        <output className={styles.note}>
          Le fond de plan tarde à venir. Ce que montre le plan est déjà à sa place.
        </output>
      )}
      <p className={styles.touch}>Touchez le plan pour le déplacer d’un doigt.</p>
      {legend}
    </figure>
  );
}

/** The wheel scrolls the page, and the map with Ctrl or ⌘ or two fingers on a touchpad, which browsers tell alike. */
function leaveToPage(event: WheelEvent): void {
  if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
}

function ZoomButton({
  map,
  icon,
  label,
  isLast = false,
}: {
  map: LeafletMap | null;
  icon: Extract<IconName, "plus" | "minus">;
  label: string;
  isLast: boolean | undefined;
}) {
  const step = icon === "plus" ? 1 : -1;
  return (
    <button
      type="button"
      className={styles.zoom}
      aria-label={label}
      title={label}
      aria-disabled={isLast || undefined}
      onClick={() => {
        if (!isLast) map?.setZoom(map.getZoom() + step);
      }}
    >
      <Icon name={icon} size={20} />
    </button>
  );
}

const Scale = ({ long, text }: ReturnType<typeof scaleOf>) => (
  <span className={styles.scale}>
    <span style={{ width: long }} aria-hidden="true" />
    {text}
  </span>
);

const Attribution = ({ attribution, attributionUrl }: Background) =>
  attributionUrl ? (
    <a href={attributionUrl} target="_blank" rel="noreferrer">
      {attribution}
    </a>
  ) : (
    <span>{attribution}</span>
  );
