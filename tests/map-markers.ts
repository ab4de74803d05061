// The markers of a places map: on a phone a finger hits one and not its neighbour.
import type { Locator } from "playwright-core";

/** The shortest distance between the middles of two markers, in px; NaN where there are fewer than two. */
export const minDistance = (marks: Locator): Promise<number> =>
  marks.evaluateAll((all) => {
    const middles = all.map((mark) => {
      const { x, y, width, height } = mark.getBoundingClientRect();
      return [x + width / 2, y + height / 2] as const;
    });
    const ways = middles.flatMap(([x, y], index) =>
      middles.slice(index + 1).map(([otherX, otherY]) => Math.hypot(x - otherX, y - otherY)),
    );
    return ways.length === 0 ? NaN : Math.min(...ways);
  });
