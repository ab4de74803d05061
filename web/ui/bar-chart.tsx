// Amounts by period as stacked bars. Each period is a native radio button: Tab leads to the chosen one,
// arrows to the next. The caller shows the sum and the parts of the chosen period, each part beside its `SeriesMark`.
import { useId } from "react";
import { formatMoney } from "#contract/french.ts";
import "./bar-chart.css";
import "./chart.css";
import { ChartMarks } from "./chart-marks.tsx";
import { scaleOf, type Scale, shareBelowTop } from "./scale.ts";

/** The place of a series among the colours. */
export type Series = 1 | 2 | 3 | 4 | 5 | 6;

export interface BarPeriod<Key extends string = string> {
  key: Key;
  /** « novembre 2026 », and shorter where there is less room: « nov. », « N ». */
  name: string;
  shortName: string;
  initial: string;
  /** Stacked in their order; what is negative hangs below zero. */
  parts: readonly { series: Series; cents: number }[];
}

interface Segment {
  series: Series;
  /** Shares of the height of the drawing. */
  top: number;
  height: number;
}

const sumOf = (parts: BarPeriod["parts"]): number =>
  parts.reduce((sum, { cents }) => sum + cents, 0);

/** Where the stack of a period ends, above zero and below. */
const endsOf = ({ parts }: BarPeriod): number[] => [
  sumOf(parts.filter(({ cents }) => cents > 0)),
  sumOf(parts.filter(({ cents }) => cents < 0)),
];

function segmentsOf({ parts }: BarPeriod, scale: Scale): Segment[] {
  let above = 0;
  let below = 0;
  return parts.map(({ series, cents }) => {
    const from = cents > 0 ? above : below;
    const to = from + cents;
    if (cents > 0) above = to;
    else below = to;
    const top = shareBelowTop(scale, Math.max(from, to));
    return { series, top, height: shareBelowTop(scale, Math.min(from, to)) - top };
  });
}

export function BarChart<Key extends string>({
  title,
  periods,
  chosen,
  onChoose,
}: {
  title: string;
  periods: readonly BarPeriod<Key>[];
  chosen: Key;
  onChoose: (key: Key) => void;
}) {
  const id = useId();
  const scale = scaleOf(periods.flatMap(endsOf));
  return (
    <figure className="chart bar-chart" aria-labelledby={id}>
      <figcaption className="chart-head">
        <span id={id} className="chart-title">
          {title}
        </span>
      </figcaption>
      <div className="chart-body" role="radiogroup" aria-labelledby={id}>
        <ChartMarks scale={scale} />
        <div className="chart-plot bar-plot">
          <span
            className="bar-zero"
            style={{ top: `${shareBelowTop(scale, 0) * 100}%` }}
            aria-hidden="true"
          />
          {periods.map((period) => (
            <label
              key={period.key}
              className="bar"
              data-chosen={period.key === chosen || undefined}
            >
              <input
                className="bar-choice"
                type="radio"
                name={id}
                value={period.key}
                checked={period.key === chosen}
                aria-label={readingOf(period)}
                onChange={() => onChoose(period.key)}
              />
              <span className="bar-stack" aria-hidden="true">
                {segmentsOf(period, scale).map(({ series, top, height }) => (
                  <span
                    key={series}
                    className="bar-part"
                    data-series={series}
                    style={{ top: `${top * 100}%`, height: `${height * 100}%` }}
                  />
                ))}
              </span>
              <span className="bar-name" aria-hidden="true">
                <span>{period.shortName}</span>
                <span>{period.initial}</span>
              </span>
            </label>
          ))}
        </div>
      </div>
    </figure>
  );
}

const readingOf = ({ name, parts }: BarPeriod): string => `${name} : ${formatMoney(sumOf(parts))}`;

/** The colour of a series, beside its name: never without it. */
export const SeriesMark = ({ series }: { series: Series }) => (
  <span className="series-mark" data-series={series} aria-hidden="true" />
);

/** A share of a whole as a line, beside its words. */
export const SeriesShare = ({ series, share }: { series: Series; share: number }) => (
  <span className="series-share" aria-hidden="true">
    <span data-series={series} style={{ width: `${Math.min(1, Math.max(0, share)) * 100}%` }} />
  </span>
);
