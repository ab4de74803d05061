// The parts of Leaflet that the plans load: the whole, which its types describe, is twice as much.
declare module "leaflet/src/map/Map.js" {
  export { Map } from "leaflet";
}
declare module "leaflet/src/layer/tile/TileLayer.js" {
  export { TileLayer } from "leaflet";
}
declare module "leaflet/src/layer/marker/Marker.js" {
  export { Marker } from "leaflet";
}
declare module "leaflet/src/layer/marker/DivIcon.js" {
  export { DivIcon } from "leaflet";
}
declare module "leaflet/src/layer/vector/SVG.js" {
  export { SVG } from "leaflet";
}
declare module "leaflet/src/layer/vector/Polyline.js" {
  export { Polyline } from "leaflet";
}
declare module "leaflet/src/layer/vector/CircleMarker.js" {
  export { CircleMarker } from "leaflet";
}
declare module "leaflet/src/geo/LatLngBounds.js" {
  export { LatLngBounds } from "leaflet";
}
// These add themselves to the map when they are imported.
declare module "leaflet/src/map/handler/Map.DoubleClickZoom.js";
declare module "leaflet/src/map/handler/Map.Drag.js";
declare module "leaflet/src/map/handler/Map.Keyboard.js";
declare module "leaflet/src/map/handler/Map.ScrollWheelZoom.js";
declare module "leaflet/src/map/handler/Map.TouchZoom.js";
