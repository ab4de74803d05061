// « Entre deux dates »: the two days of a filter. They come when they are asked for: most lists are
// read by whole months.
import { todayInParis } from "#contract/days.ts";
import { DayFilter } from "#web/ui/day-filter.tsx";
import styles from "./movements.module.css";

type Day = string | undefined;

export function MovementDays({
  from,
  to,
  onDays,
}: {
  from: Day;
  to: Day;
  onDays: (days: { from?: Day; to?: Day }) => void;
}) {
  return (
    <div className={styles.movementDates}>
      <DayFilter
        label="Du"
        value={from}
        max={to ?? todayInParis()}
        onValue={(day) => onDays({ from: day })}
      />
      <DayFilter
        label="Au"
        value={to}
        min={from}
        max={todayInParis()}
        onValue={(day) => onDays({ to: day })}
      />
    </div>
  );
}
