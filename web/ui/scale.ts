// The scale of the charts: amounts across a drawing.

export interface Scale {
  /** The lowest and the highest amount drawn. */
  low: number;
  high: number;
  /** Amounts of the lines across, the lowest first. */
  marks: number[];
}

/** Round amounts that cover the values: at most four lines across. */
export function scaleOf(values: readonly number[]): Scale {
  const low = Math.min(0, ...values);
  const high = Math.max(100, ...values);
  const rough = (high - low) / 3;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step =
    [1, 2, 2.5, 5, 10].map((unit) => unit * power).find((unit) => unit >= rough) ?? rough;
  const first = Math.floor(low / step) * step;
  const last = Math.ceil(high / step) * step;
  const count = Math.round((last - first) / step);
  return {
    low: first,
    high: last,
    marks: Array.from({ length: count + 1 }, (_, index) => first + index * step),
  };
}

/** How far below the top of the drawing an amount lies: 0 at the highest, 1 at the lowest. */
export const shareBelowTop = ({ low, high }: Scale, cents: number): number =>
  (high - cents) / (high - low);
