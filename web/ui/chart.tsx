// Balance over time, with what is expected next as a dashed line. Read by pointer, by finger and by
// keyboard (a native range laid over the drawing), and written out in a table.
import { type PointerEvent, useId, useMemo, useState } from "react";
import { formatDate, formatMoney } from "#contract/french.ts";
import "./chart.css";
import { ChartMarks } from "./chart-marks.tsx";
import { scaleOf, shareBelowTop } from "./scale.ts";
import { Table } from "./table.tsx";

export interface ChartPoint {
  /** An instant or a bare day; points come in order. */
  at: string;
  cents: number;
}

const none: readonly ChartPoint[] = [];
const width = 640;
const height = 200;

function geometryOf(points: readonly ChartPoint[], expected: readonly ChartPoint[]) {
  const all = [...points, ...expected];
  const scale = scaleOf(all.map((point) => point.cents));
  const start = Date.parse(all[0]?.at ?? "");
  const span = Math.max(1, Date.parse(all.at(-1)?.at ?? "") - start);
  const placed = all.map((point) => ({
    ...point,
    x: ((Date.parse(point.at) - start) / span) * width,
    y: shareBelowTop(scale, point.cents) * height,
  }));
  const lineOf = (from: number, to: number) =>
    placed
      .slice(from, to)
      .map((point, index) => `${index ? "L" : "M"}${point.x.toFixed(1)} ${point.y.toFixed(1)}`)
      .join("");
  const past = lineOf(0, points.length);
  const lastX = placed[points.length - 1]?.x ?? 0;
  return {
    placed,
    scale,
    past,
    area: `${past}L${lastX.toFixed(1)} ${height}L0 ${height}Z`,
    future: expected.length > 0 ? lineOf(points.length - 1, placed.length) : "",
  };
}

/** `points` is what was, `expected` what is foreseen after the last of them. */
export function LineChart({
  title,
  points,
  expected = none,
}: {
  title: string;
  points: readonly ChartPoint[];
  expected?: readonly ChartPoint[];
}) {
  const id = useId();
  const drawn = useMemo(() => geometryOf(points, expected), [points, expected]);
  const [chosen, setChosen] = useState<number | null>(null);
  if (points.length === 0) return null;
  const index = Math.min(chosen ?? points.length - 1, drawn.placed.length - 1);
  const point = drawn.placed[index] as (typeof drawn.placed)[number];
  const foreseen = index >= points.length;
  const read = `${formatDate(point.at)} : ${formatMoney(point.cents)}${foreseen ? " (prévu)" : ""}`;
  const follow = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * width;
    const nearest = drawn.placed.reduce(
      (best, other, position) =>
        Math.abs(other.x - x) < Math.abs((drawn.placed[best]?.x ?? 0) - x) ? position : best,
      0,
    );
    setChosen(nearest);
  };
  return (
    <figure className="chart" aria-labelledby={id}>
      <figcaption className="chart-head">
        <span id={id} className="chart-title">
          {title}
        </span>
        <output className="chart-read">{read}</output>
      </figcaption>
      <div className="chart-body">
        <ChartMarks scale={drawn.scale} />
        <div className="chart-plot" onPointerMove={follow} onPointerLeave={() => setChosen(null)}>
          <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
            <path className="chart-area" d={drawn.area} />
            <path className="chart-past" d={drawn.past} />
            <path className="chart-future" d={drawn.future} />
          </svg>
          <span
            className="chart-dot"
            data-foreseen={foreseen || undefined}
            style={{ left: `${(point.x / width) * 100}%`, top: `${(point.y / height) * 100}%` }}
          />
          <input
            className="chart-range"
            type="range"
            min={0}
            max={drawn.placed.length - 1}
            value={index}
            aria-label={`${title}, jour par jour`}
            aria-valuetext={read}
            onChange={(event) => setChosen(Number(event.target.value))}
          />
        </div>
      </div>
      <div className="chart-days" aria-hidden="true">
        <span>{formatDate(points[0]?.at ?? "")}</span>
        <span>{formatDate(drawn.placed.at(-1)?.at ?? "")}</span>
      </div>
      <ChartTable title={title} points={points} expected={expected} />
    </figure>
  );
}

function ChartTable({
  title,
  points,
  expected,
}: {
  title: string;
  points: readonly ChartPoint[];
  expected: readonly ChartPoint[];
}) {
  const rows = [
    ...points.map((point) => ({ ...point, kind: "constaté" })),
    ...expected.map((point) => ({ ...point, kind: "prévu" })),
  ];
  return (
    <details className="chart-table">
      <summary>Voir les valeurs</summary>
      <Table
        caption={title}
        rows={rows}
        keyOf={(row) => `${row.kind} ${row.at}`}
        columns={[
          { key: "at", label: "Date", cell: (row) => formatDate(row.at), place: "title" },
          { key: "kind", label: "Valeur", cell: (row) => row.kind },
          {
            key: "cents",
            label: "Solde",
            align: "end",
            place: "end",
            cell: (row) => formatMoney(row.cents),
          },
        ]}
      />
    </details>
  );
}
