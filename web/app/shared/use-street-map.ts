// A map in an element of the screen: opened and taken away with it, with its tiles, and what it shows at the moment.
import type { Map as LeafletMap } from "leaflet";
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import type { Background } from "./plan.tsx";
import type { Position } from "./position.ts";
import { addTiles, metresPerPixel, openMap, showAll } from "./street-map-view.ts";
import styles from "./street-map.module.css";

/** After this long without any tile, the plan says that it waits. */
const slowMs = 8000;

interface View {
  isNearest: boolean;
  isFarthest: boolean;
  metresPerPixel: number;
  /** The person has turned to a part of the whole. */
  moved: boolean;
}

/** What the listeners of the map read at the moment that they are called. */
interface Aim {
  all: readonly Position[];
  moved: boolean;
  isFitting: boolean;
}

/** Shows the whole, which is no movement of the person. */
function fit(map: LeafletMap, aim: Aim): void {
  aim.moved = false;
  aim.isFitting = true;
  showAll(map, aim.all);
  aim.isFitting = false;
}

export function useStreetMap(
  ground: RefObject<HTMLElement | null>,
  background: Background,
  onFailed: () => void,
  all: readonly Position[],
) {
  const [map, setMap] = useState<LeafletMap | null>(null);
  const [view, setView] = useState<View | null>(null);
  const [slow, setSlow] = useState(false);
  const aim = useRef<Aim>({ all, moved: false, isFitting: false });
  const fail = useEffectEvent(onFailed);

  useEffect(() => {
    if (!ground.current) return;
    const opened = openMap(ground.current, background);
    opened.on("movestart", () => {
      if (!aim.current.isFitting) aim.current.moved = true;
    });
    opened.on("moveend", () => {
      const zoom = opened.getZoom();
      setView({
        isNearest: zoom >= opened.getMaxZoom(),
        isFarthest: zoom <= opened.getMinZoom(),
        metresPerPixel: metresPerPixel(opened),
        moved: aim.current.moved,
      });
    });
    opened.whenReady(() => setMap(opened));
    const timer = setTimeout(() => setSlow(true), slowMs);
    const settle = () => {
      clearTimeout(timer);
      setSlow(false);
    };
    addTiles(opened, background, styles.tiles ?? "", {
      onFirst: settle,
      onFailed: () => {
        settle();
        fail();
      },
    });
    // Called first when the element has its size.
    const sized = new ResizeObserver(() => {
      opened.invalidateSize({ animate: false });
      if (!aim.current.moved) fit(opened, aim.current);
    });
    sized.observe(ground.current);
    return () => {
      clearTimeout(timer);
      sized.disconnect();
      opened.remove();
    };
  }, [ground, background]);

  // Other places are found: all of them are shown.
  const found = all.map(({ lat, lon }) => `${lat} ${lon}`).join();
  const findAgain = useEffectEvent(() => {
    aim.current.all = all;
    if (map) fit(map, aim.current);
  });
  useEffect(() => {
    if (found !== "") findAgain();
  }, [found]);
  return {
    map,
    view,
    slow,
    showWhole: () => {
      if (map) fit(map, aim.current);
    },
  };
}
