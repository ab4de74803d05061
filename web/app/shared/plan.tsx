// A plan of places: on the background that the town has chosen, where it has chosen one, else as the portal draws
// it itself. Nothing of the background is loaded before the plan comes into sight, and where it cannot be shown
// the portal's own plan is (docs/decisions/033-leaflet-on-demand.md).
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { api } from "#contract/api.ts";
import { thin } from "#contract/french.ts";
import type { Output } from "#contract/endpoint.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { Button } from "#web/ui/button.tsx";
import { PlanWait, type PlanPlace } from "./plan-mark.tsx";
import type { Position } from "./position.ts";
import styles from "./plan.module.css";

export type Background = NonNullable<Output<typeof api.portal.settings>["map"]>;

export interface PlanCourse {
  points: readonly Position[];
  color: string;
  stops: readonly Position[];
  /** Its first and last stop. */
  ends: readonly Position[];
}

export interface PlanContent {
  /** « Plan : 12 lieux dans 3 communes ». */
  label: string;
  places: readonly PlanPlace[];
  /** « 3 lieux », for several at one spot. */
  countOf: (count: number) => string;
  /** Where the person is. */
  here?: Position | null;
  /** A course to draw below the places, which are its stops. */
  course?: PlanCourse;
  /** Height of the portal's own plan for a width of 360: what is shown instead takes as much. */
  height?: number;
  legend?: ReactNode;
}

interface OnStreets {
  background: Background;
  /** The portal's own plan is shown instead. */
  onFailed: () => void;
}

export function Plan({ own, ...content }: PlanContent & { own: ReactNode }) {
  const { data, error } = useAnswer(api.portal.settings, {});
  if (data?.map)
    return <OnBackground key={data.map.tilesUrl} {...content} own={own} background={data.map} />;
  return data || error ? own : <PlanWait {...heightOf(content)} />;
}

const heightOf = ({ height }: PlanContent) => height !== undefined && { height };

function OnBackground({
  own,
  ...content
}: PlanContent & { own: ReactNode; background: Background }) {
  const place = useRef<HTMLDivElement>(null);
  const hadFocus = useRef(false);
  const [failed, setFailed] = useState(false);
  if (!failed) {
    return (
      <div ref={place}>
        <Streets
          {...content}
          onFailed={() => {
            hadFocus.current = place.current?.contains(document.activeElement) ?? false;
            setFailed(true);
          }}
        />
      </div>
    );
  }
  return (
    <div
      className={styles.failed}
      tabIndex={-1}
      // The keyboard goes on where the map was.
      ref={(shown) => {
        if (hadFocus.current) shown?.focus();
        hadFocus.current = false;
      }}
    >
      <div className={styles.why}>
        <output>{`Le fond de plan n’a pas pu être chargé${thin}: voici le plan simple.`}</output>
        <Button size="small" icon="refresh" onClick={() => setFailed(false)}>
          Réessayer
        </Button>
      </div>
      {own}
    </div>
  );
}

/** Loads the map once its place comes into sight. */
function Streets(props: PlanContent & OnStreets) {
  const [Loaded, setLoaded] = useState<((all: typeof props) => ReactNode) | null>(null);
  const wait = useRef<HTMLDivElement>(null);
  const fail = useEffectEvent(props.onFailed);
  useEffect(() => {
    const watch = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        watch.disconnect();
        import("./street-map.tsx").then(
          ({ StreetMap }) => setLoaded(() => StreetMap),
          () => fail(),
        );
      },
      { rootMargin: "25%" },
    );
    if (wait.current) watch.observe(wait.current);
    return () => watch.disconnect();
  }, []);
  if (Loaded) return <Loaded {...props} />;
  return (
    <div ref={wait}>
      <PlanWait {...heightOf(props)} />
    </div>
  );
}
