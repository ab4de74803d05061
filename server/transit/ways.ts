// The usual course of a line in each way, out of the many courses of its trips: the commonest one,
// with the stops of the others put in where they belong.

/** Trips that stop at the same places in the same order. */
export interface Course {
  id: number;
  line: number;
  /** Null when the feed does not say. */
  direction: number | null;
  stops: number[];
  trips: number;
  shape: number | null;
  head: string;
}

export interface Way {
  line: number;
  direction: number;
  head: string;
  trips: number;
  shape: number | null;
  stops: { id: number; share: number }[];
  /** Ids of its courses. */
  courses: number[];
}

/** Rare courses beyond so many are not drawn; their departures are kept. */
const mostCourses = 40;

/** The ways of every line; the courses come with the commonest first within a line. */
export function waysOf(courses: readonly Course[]): Way[] {
  const byLine = Map.groupBy(courses, ({ line }) => line);
  return [...byLine.values()].flatMap((own) => {
    const main = own[0] as Course;
    const directed = own.map((course) => ({
      ...course,
      direction: course.direction ?? (isReverse(course.stops, main.stops) ? 1 : 0),
    }));
    return [...Map.groupBy(directed, ({ direction }) => direction)].map(([direction, same]) =>
      wayOf(direction, same),
    );
  });
}

/** Whether a course meets the stops of another more often backwards than forwards. */
function isReverse(stops: readonly number[], main: readonly number[]): boolean {
  const place = new Map(main.map((stop, index) => [stop, index]));
  const met = stops.map((stop) => place.get(stop)).filter((at) => at !== undefined);
  let turn = 0;
  for (let n = 1; n < met.length; n++) {
    turn += Math.sign((met[n] as number) - (met[n - 1] as number));
  }
  return turn < 0;
}

function wayOf(direction: number, courses: (Course & { direction: number })[]): Way {
  const main = courses[0] as Course;
  const trips = courses.reduce((sum, course) => sum + course.trips, 0);
  const served = new Map<number, number>();
  for (const course of courses) {
    for (const stop of new Set(course.stops)) {
      served.set(stop, (served.get(stop) ?? 0) + course.trips);
    }
  }
  const order = courses.slice(0, mostCourses).reduce((merged, { stops }) => {
    merge(merged, stops);
    return merged;
  }, [] as number[]);
  return {
    line: main.line,
    direction,
    head: main.head,
    trips,
    shape: main.shape,
    courses: courses.map(({ id }) => id),
    stops: order.map((id) => ({
      id,
      share: Math.max(1, Math.round(((served.get(id) ?? 0) / trips) * 100)),
    })),
  };
}

/** Puts stops that are missing after the one that they follow, or before the one that they precede. */
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

/** A line of positions with fewer points, none further from it than it must (Visvalingam's areas). */
export function simplified(points: readonly [number, number][], most: number): [number, number][] {
  const kept = points.filter(
    ([lat, lon], index) =>
      index === 0 || lat !== points[index - 1]?.[0] || lon !== points[index - 1]?.[1],
  );
  if (kept.length <= most) return kept;
  // First by steps, so that the areas are not computed for tens of thousands of points.
  const step = Math.max(1, Math.ceil(kept.length / 4000));
  let left = kept.filter((_, index) => index % step === 0 || index === kept.length - 1);
  while (left.length > most) {
    const areas = left.map((_, index) => areaAt(left, index));
    const sorted = areas.toSorted((a, b) => a - b);
    // A tenth of what is too much in each round: close to one at a time, and quick.
    const count = Math.max(1, Math.ceil((left.length - most) / 10));
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
