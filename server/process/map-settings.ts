// The background of the plans: the service of tiles that the town has chosen, if it has (docs/running.md).
import * as z from "zod/mini";

/** A background for the plans; a portal without one draws its own. */
export interface MapSettings {
  /** Address of a tile, with `{z}`, `{x}` and `{y}`. */
  tilesUrl: string;
  /** Whose work it is, in the words that its licence asks for. */
  attribution: string;
  /** Where these words lead, e.g. to the licence; null where they are no link. */
  attributionUrl: string | null;
  /** Nearest level that the service has. */
  maxZoom: number;
}

const places = ["{z}", "{x}", "{y}"];
const withPlaces = (template: string, value: string) =>
  places.reduce((text, place) => text.replace(place, value), template);

/** The address of one tile; null where the template makes none whose origin a security policy can name. */
function tileUrl(template: string): URL | null {
  const isWhole = places.every((place) => template.split(place).length === 2);
  const url = URL.parse(withPlaces(template, "1"));
  if (!isWhole || url === null) return null;
  const isPlain = !/[{}]/.test(withPlaces(template, "")) && /^[a-z0-9.-]+$/.test(url.hostname);
  // A place within the host would be as many origins as there are tiles.
  const isOneOrigin = URL.parse(withPlaces(template, "2"))?.origin === url.origin;
  const isOpen = url.username === "" && url.password === "" && url.hash === "";
  return isPlain && isOneOrigin && isOpen ? url : null;
}

export const tilesTemplate = z.string().check(
  z.maxLength(1000),
  z.refine((template) => /^https?:$/.test(tileUrl(template)?.protocol ?? "")),
);

/** The one origin from which pages may load these tiles. */
export const originOfTiles = (template: string): string => tileUrl(template)?.origin ?? "";
