// What a link leads to on its screen (contract/places.ts).
import { placeId, type PlaceName } from "#contract/places.ts";

/** Attributes of its element: arrival.ts brings it into view and gives it the focus, and `label` is announced. */
export const placed = (name: PlaceName, id: string, label: string) =>
  ({ id: placeId(name, id), role: "group", "aria-label": label }) as const;
