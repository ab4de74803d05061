// How long a kilometre is on a plan.
import { thin } from "#contract/french.ts";

const lengths = [5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000];

/** The longest round length that takes at most `widest` px, in px and in words. */
export function scaleOf(metresPerPixel: number, widest: number) {
  const metres = lengths.findLast((one) => one / metresPerPixel <= widest) ?? 5;
  return {
    long: metres / metresPerPixel,
    text: metres < 1000 ? `${metres}${thin}m` : `${metres / 1000}${thin}km`,
  };
}
