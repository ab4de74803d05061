// Amounts and dates as people read them, with figures that line up.
import { formatDate, formatDateTime, formatMoney } from "#contract/french.ts";
import "./money.css";

/** Integer cents as « 1 234,50 € ». `signed` shows + on what comes in; what goes out has its −. */
export function Money({
  cents,
  signed = false,
  size = "normal",
}: {
  cents: number;
  signed?: boolean;
  size?: "normal" | "large" | "hero";
}) {
  const written = formatMoney(cents, { signed });
  const comma = written.indexOf(",");
  return (
    <data
      className="money"
      value={(cents / 100).toFixed(2)}
      data-size={size}
      data-incoming={signed && cents > 0 ? true : undefined}
    >
      {written.slice(0, comma)}
      <span>{written.slice(comma, -1)}</span>
      <span className="money-unit">€</span>
    </data>
  );
}

/** DD/MM/YYYY, with HH:mm when `time` is asked. Takes an instant or a bare day. */
export function DateText({ at, time = false }: { at: string; time?: boolean }) {
  return (
    <time className="date" dateTime={at}>
      {time ? formatDateTime(at) : formatDate(at)}
    </time>
  );
}
