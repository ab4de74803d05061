// « Entre deux dates »: the two days of a filter. They come when they are asked for: most lists are
// read by whole months.
import { useState } from "react";
import { todayInParis } from "#contract/days.ts";
import { DateField } from "#web/ui/date-field.tsx";
import { isDay } from "#web/ui/days.ts";
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
      <DayInput
        label="Du"
        value={from}
        max={to ?? todayInParis()}
        onValue={(day) => onDays({ from: day })}
      />
      <DayInput
        label="Au"
        value={to}
        min={from}
        max={todayInParis()}
        onValue={(day) => onDays({ to: day })}
      />
    </div>
  );
}

/** What is typed stays in the field until it is a day; only a day filters. */
function DayInput({
  value,
  onValue,
  ...field
}: {
  label: string;
  value: Day;
  min?: Day;
  max: Day;
  onValue: (value: Day) => void;
}) {
  const [typed, setTyped] = useState(value ?? "");
  const [known, setKnown] = useState(value);
  if (value !== known) {
    setKnown(value);
    setTyped(value ?? typed);
  }
  const type = (text: string) => {
    setTyped(text);
    const day = isDay(text) ? text : undefined;
    if (day !== value) onValue(day);
  };
  return <DateField {...field} live value={typed} onValue={type} />;
}
