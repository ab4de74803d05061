// Stop patterns: the stops of a line in each direction, merged from the patterns of its trips. The most
// frequent pattern comes first; stops of the others are inserted where they belong.

/** Trips that serve the same stops in the same order. */
export interface Pattern {
  id: number;
  line: number;
  /** Null when the feed does not say. */
  direction: number | null;
  stops: number[];
  trips: number;
  shape: number | null;
}

export interface LineDirection {
  line: number;
  direction: number;
  /** The stops where most of its trips begin and end. */
  from: number;
  to: number;
  trips: number;
  shape: number | null;
  stops: { id: number; share: number }[];
  /** Ids of its patterns. */
  patterns: number[];
}

/** Rare patterns beyond this number are not drawn; their departures are stored. */
const maxDrawnPatterns = 40;

/** The directions of every line; `patterns` has the most frequent first within a line. */
export function directionsOf(patterns: readonly Pattern[]): LineDirection[] {
  const byLine = Map.groupBy(patterns, ({ line }) => line);
  return [...byLine.values()].flatMap((own) => {
    const main = own[0] as Pattern;
    const directed = own.map((pattern) => ({
      ...pattern,
      direction: pattern.direction ?? (isReverse(pattern.stops, main.stops) ? 1 : 0),
    }));
    return [...Map.groupBy(directed, ({ direction }) => direction)].map(([direction, same]) =>
      directionOf(direction, same),
    );
  });
}

/** Whether a pattern serves the stops of another more often backwards than forwards. */
function isReverse(stops: readonly number[], main: readonly number[]): boolean {
  const place = new Map(main.map((stop, index) => [stop, index]));
  const met = stops.map((stop) => place.get(stop)).filter((at) => at !== undefined);
  let turn = 0;
  for (let n = 1; n < met.length; n++) {
    turn += Math.sign((met[n] as number) - (met[n - 1] as number));
  }
  return turn < 0;
}

function directionOf(
  direction: number,
  patterns: (Pattern & { direction: number })[],
): LineDirection {
  const main = patterns[0] as Pattern;
  const trips = patterns.reduce((sum, pattern) => sum + pattern.trips, 0);
  const served = new Map<number, number>();
  for (const pattern of patterns) {
    for (const stop of new Set(pattern.stops)) {
      served.set(stop, (served.get(stop) ?? 0) + pattern.trips);
    }
  }
  const order = patterns.slice(0, maxDrawnPatterns).reduce((merged, { stops }) => {
    merge(merged, stops);
    return merged;
  }, [] as number[]);
  return {
    line: main.line,
    direction,
    from: mostFrequent(patterns, ({ stops }) => stops[0]),
    to: mostFrequent(patterns, ({ stops }) => stops.at(-1)),
    trips,
    shape: main.shape,
    patterns: patterns.map(({ id }) => id),
    stops: order.map((id) => ({
      id,
      share: Math.max(1, Math.round(((served.get(id) ?? 0) / trips) * 100)),
    })),
  };
}

/** The stop that most trips have at that end; of equals, the one of the most frequent pattern. */
function mostFrequent(
  patterns: readonly Pattern[],
  stopOf: (pattern: Pattern) => number | undefined,
): number {
  const trips = new Map<number, number>();
  for (const pattern of patterns) {
    const stop = stopOf(pattern) as number;
    trips.set(stop, (trips.get(stop) ?? 0) + pattern.trips);
  }
  const max = Math.max(...trips.values());
  return [...trips].find(([, count]) => count === max)?.[0] as number;
}

/** Inserts missing stops after the one that they follow, or before the one that they precede. */
function merge(order: number[], stops: readonly number[]): void {
  if (order.length === 0) {
    order.push(...stops.filter((stop, index) => stop !== stops[index - 1]));
    return;
  }
  const known = new Set(order);
  stops.forEach((stop, index) => {
    if (known.has(stop)) return;
    known.add(stop);
    const before = index > 0 ? order.indexOf(stops[index - 1] as number) : -1;
    if (before >= 0) order.splice(before + 1, 0, stop);
    else {
      const next = order.indexOf(stops.find((one) => order.includes(one)) ?? -1);
      order.splice(Math.max(next, 0), 0, stop);
    }
  });
}

/** A polyline with fewer points, as close to the original as possible (Visvalingam's areas). */
export function simplified(points: readonly [number, number][], max: number): [number, number][] {
  const distinct = points.filter(
    ([lat, lon], index) =>
      index === 0 || lat !== points[index - 1]?.[0] || lon !== points[index - 1]?.[1],
  );
  if (distinct.length <= max) return distinct;
  // Sampled first, so that the areas are not computed for tens of thousands of points.
  const step = Math.max(1, Math.ceil(distinct.length / 4000));
  let left = distinct.filter((_, index) => index % step === 0 || index === distinct.length - 1);
  while (left.length > max) {
    const areas = left.map((_, index) => areaAt(left, index));
    const sorted = areas.toSorted((a, b) => a - b);
    // A tenth of the surplus in each round: close to one at a time, and quick.
    const count = Math.max(1, Math.ceil((left.length - max) / 10));
    const least = sorted[count - 1] as number;
    let dropped = 0;
    left = left.filter((_, index) => {
      const drop = dropped < count && (areas[index] as number) <= least;
      if (drop) dropped += 1;
      return !drop;
    });
  }
  return left;
}

function areaAt(points: readonly [number, number][], index: number): number {
  const [a, b, c] = [points[index - 1], points[index], points[index + 1]];
  if (!a || !b || !c) return Number.POSITIVE_INFINITY;
  return Math.abs((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]));
}
