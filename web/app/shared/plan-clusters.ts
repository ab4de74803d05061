// Groups places of a map that stand too close to be pressed apart.

export interface Spot<Place> {
  x: number;
  y: number;
  places: readonly Place[];
}

/**
 * Groups points nearer than `apart` to the middle of a group, in their order; a point alone is a group
 * of one. Each group stands in the middle of its points.
 */
export function clustersOf<Place>(
  points: readonly { x: number; y: number; place: Place }[],
  apart: number,
): Spot<Place>[] {
  let spots: Spot<Place>[] = points.map(({ x, y, place }) => ({ x, y, places: [place] }));
  // Two groups that came near each other by joining are one: until no two are.
  for (;;) {
    const joined = joinedOnce(spots, apart);
    if (joined.length === spots.length) return spots;
    spots = joined;
  }
}

function joinedOnce<Place>(spots: readonly Spot<Place>[], apart: number): Spot<Place>[] {
  const groups: Spot<Place>[] = [];
  for (const spot of spots) {
    const near = groups.findIndex(({ x, y }) => Math.hypot(x - spot.x, y - spot.y) < apart);
    const group = groups[near];
    if (group) groups[near] = merge(group, spot);
    else groups.push(spot);
  }
  return groups;
}

function merge<Place>(a: Spot<Place>, b: Spot<Place>): Spot<Place> {
  const [one, other] = [a.places.length, b.places.length];
  const middle = (from: number, to: number) => (from * one + to * other) / (one + other);
  return { x: middle(a.x, b.x), y: middle(a.y, b.y), places: [...a.places, ...b.places] };
}

/** Numbers on a plan grow with the browser's text: so much farther apart they stand. */
export const textScale = (): number =>
  Math.max(1, Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16);
