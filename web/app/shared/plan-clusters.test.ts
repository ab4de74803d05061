import { expect, test } from "vitest";
import { clustersOf } from "./plan-clusters.ts";

const at = (x: number, y: number, place: string) => ({ x, y, place });
const summarize = (points: ReturnType<typeof at>[]) =>
  clustersOf(points, 30).map(({ x, y, places }) => [x, y, places.join("")]);

test("near points are one group in their middle, far ones stay alone, none is lost", () => {
  expect(summarize([at(0, 0, "a"), at(100, 0, "b"), at(20, 0, "c")])).toEqual([
    [10, 0, "ac"],
    [100, 0, "b"],
  ]);
  expect(summarize([])).toEqual([]);
});

test("groups that come near each other by joining are one: no two overlap", () => {
  expect(summarize([at(0, 0, "a"), at(40, 0, "b"), at(20, 0, "c"), at(20, 0, "d")])).toEqual([
    [20, 0, "acdb"],
  ]);
  const crowd = Array.from({ length: 60 }, (_, n) => at((n * 37) % 200, (n * 53) % 150, "x"));
  const spots = clustersOf(crowd, 30);
  expect(spots.flatMap(({ places }) => places)).toHaveLength(60);
  for (const [index, one] of spots.entries())
    for (const other of spots.slice(index + 1))
      expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThanOrEqual(30);
});
