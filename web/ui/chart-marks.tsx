// The lines across a chart, each with its amount.
import { formatMoney } from "#contract/french.ts";
import "./chart.css";
import { type Scale, shareBelowTop } from "./scale.ts";

export const ChartMarks = ({ scale }: { scale: Scale }) =>
  scale.marks.map((cents) => (
    <span
      key={cents}
      className="chart-mark"
      style={{ top: `${shareBelowTop(scale, cents) * 100}%` }}
      aria-hidden="true"
    >
      <span>{formatMoney(cents).replace(",00", "")}</span>
    </span>
  ));
