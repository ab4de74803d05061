// What stands at a place of the map, drawn by React in an element that Leaflet moves.
import type { Map as LeafletMap } from "leaflet";
import { DivIcon } from "leaflet/src/layer/marker/DivIcon.js";
import { Marker } from "leaflet/src/layer/marker/Marker.js";
import { type ReactNode, useEffect, useState } from "react";
import { createPortal } from "react-dom";
import type { Position } from "./position.ts";
import styles from "./street-map.module.css";

export function MapMark({
  map,
  at: { lat, lon },
  children,
}: {
  map: LeafletMap;
  at: Position;
  children: ReactNode;
}) {
  const [element] = useState(() => document.createElement("div"));
  useEffect(() => {
    const icon = new DivIcon({ html: element, className: styles.spot ?? "", iconSize: [0, 0] });
    // Pressed and focused is what stands in it.
    const marker = new Marker([lat, lon], { icon, interactive: false, keyboard: false }).addTo(map);
    // What is out of sight is not met by the keyboard either.
    const see = () =>
      marker.getElement()?.toggleAttribute("inert", !map.getBounds().contains([lat, lon]));
    see();
    map.on("moveend", see);
    return () => {
      map.off("moveend", see);
      marker.remove();
    };
  }, [map, element, lat, lon]);
  return createPortal(children, element);
}
