// Leaflet as the plans use it: its own controls and marks are left out (they write HTML, which the security policy
// of the pages refuses), and the page scrolls on where nobody has turned to the map.
import { LatLngBounds } from "leaflet/src/geo/LatLngBounds.js";
import { TileLayer } from "leaflet/src/layer/tile/TileLayer.js";
import { CircleMarker } from "leaflet/src/layer/vector/CircleMarker.js";
import { Polyline } from "leaflet/src/layer/vector/Polyline.js";
import { SVG } from "leaflet/src/layer/vector/SVG.js";
import "leaflet/src/map/handler/Map.DoubleClickZoom.js";
import "leaflet/src/map/handler/Map.Drag.js";
import "leaflet/src/map/handler/Map.Keyboard.js";
import "leaflet/src/map/handler/Map.ScrollWheelZoom.js";
import "leaflet/src/map/handler/Map.TouchZoom.js";
import { Map as LeafletMap } from "leaflet/src/map/Map.js";
import { clustersOf } from "./plan-clusters.ts";
import type { Background, PlanCourse } from "./plan.tsx";
import type { PlanPlace } from "./plan-mark.tsx";
import type { Position } from "./position.ts";

/** Free of places at the border, in px. */
const margin = 18;
/** A continent. */
const farthest = 3;
/** A single address is not shown nearer than its streets. */
const nearestAtFirst = 16;

/** Its length in metres, which is 256 px at level 0. */
const equator = 40_075_017;

const latLng = ({ lat, lon }: Position): [number, number] => [lat, lon];
const boundsOf = (all: readonly Position[]) => new LatLngBounds(all.map(latLng));

// What draws a course; the library's own way to it brings its canvas along.
LeafletMap.include({ getRenderer: (layer: Polyline) => layer.options.renderer });

/** A map in an element that has its size. */
export function openMap(ground: HTMLElement, background: Background): LeafletMap {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  // One finger scrolls the page, until the map has been touched.
  const touched = matchMedia("(pointer: coarse)").matches;
  const map = new LeafletMap(ground, {
    minZoom: farthest,
    maxZoom: background.maxZoom,
    dragging: !touched,
    ...(still && { zoomAnimation: false, fadeAnimation: false, inertia: false }),
  });
  if (still) {
    const pan = map.panBy.bind(map);
    map.panBy = (offset, options) => pan(offset, { ...options, animate: false });
  }
  if (touched) {
    map.on("focus", () => map.dragging.enable());
    map.on("blur", () => map.dragging.disable());
  }
  letGoWithoutPress(map, ground);
  return map;
}

/** A mark under the pointer that moved the map was not pressed. */
function letGoWithoutPress(map: LeafletMap, ground: HTMLElement): void {
  let dragged = false;
  map.on("dragstart", () => {
    dragged = true;
  });
  // The press that ends the movement comes before this.
  map.on("dragend", () => setTimeout(() => (dragged = false)));
  ground.addEventListener(
    "click",
    (event) => {
      if (!dragged) return;
      event.preventDefault();
      event.stopPropagation();
    },
    { capture: true },
  );
}

/** Its tiles: `onFirst` when one is there, `onFailed` when all that were asked for first are not. */
export function addTiles(
  map: LeafletMap,
  { tilesUrl, maxZoom }: Background,
  className: string,
  { onFirst, onFailed }: { onFirst: () => void; onFailed: () => void },
): void {
  let shown = false;
  new TileLayer(tilesUrl, { maxZoom, className, referrerPolicy: "no-referrer" })
    .on("tileload", () => {
      if (!shown) onFirst();
      shown = true;
    })
    .on("load", () => {
      if (!shown) onFailed();
    })
    .addTo(map);
}

/** The course of a line with its stops; the returned function takes it away. */
export function drawCourse(
  map: LeafletMap,
  { points, color, stops, ends }: PlanCourse,
  className: { around: string; stop: string },
): () => void {
  const line = points.map(latLng);
  const renderer = new SVG();
  const quiet = { renderer, interactive: false, opacity: 1 } as const;
  const isEnd = ({ lat, lon }: Position) => ends.some((end) => end.lat === lat && end.lon === lon);
  const layers = [
    renderer,
    new Polyline(line, { ...quiet, weight: 8, className: className.around }),
    new Polyline(line, { ...quiet, weight: 5, color }),
    ...stops.map(
      (stop) =>
        new CircleMarker(latLng(stop), {
          ...quiet,
          radius: isEnd(stop) ? 6.5 : 4,
          weight: isEnd(stop) ? 3 : 2,
          className: className.stop,
        }),
    ),
  ];
  for (const layer of layers) layer.addTo(map);
  return () => {
    for (const layer of layers) layer.remove();
  };
}

/** Shows all of the places, at once. */
export function showAll(map: LeafletMap, all: readonly Position[]): void {
  if (all.length === 0) return;
  map.fitBounds(boundsOf(all), {
    padding: [margin, margin],
    maxZoom: nearestAtFirst,
    animate: false,
  });
}

/** Shows the places of a spot nearer; false where they cannot be set apart. */
export function showNearer(map: LeafletMap, places: readonly PlanPlace[]): boolean {
  const bounds = boundsOf(places.map(({ position }) => position));
  const zoom = map.getZoom();
  const isOneAddress = bounds.getNorthEast().equals(bounds.getSouthWest());
  if (isOneAddress || zoom >= map.getMaxZoom()) return false;
  const fitting = map.getBoundsZoom(bounds.pad(0.5));
  map.setView(bounds.getCenter(), Math.min(Math.max(fitting, zoom + 1), map.getMaxZoom()));
  return true;
}

/** Metres that a pixel is long in the middle of the map. */
export const metresPerPixel = (map: LeafletMap): number =>
  (equator * Math.cos((map.getCenter().lat * Math.PI) / 180)) / 2 ** (map.getZoom() + 8);

/** The places in spots that stand `apart` px from each other at the level of the map. */
export function spotsOf(map: LeafletMap, places: readonly PlanPlace[], apart: number) {
  const spots = clustersOf(
    places.map((place) => {
      const { x, y } = map.project(latLng(place.position));
      return { x, y, place };
    }),
    apart,
  );
  return spots.map(({ x, y, places: found }) => {
    const { lat, lng } = map.unproject([x, y]);
    return { places: found, at: { lat, lon: lng } };
  });
}
