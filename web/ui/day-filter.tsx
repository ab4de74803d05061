// A day that filters a list: what is typed stays in the field until it is a day.
import { useState } from "react";
import { DateField } from "./date-field.tsx";
import { isDay } from "./days.ts";

type Day = string | undefined;

/** `onValue` is given a day (YYYY-MM-DD), or undefined while the field holds none. */
export function DayFilter({
  value,
  onValue,
  ...field
}: {
  label: string;
  value: Day;
  min?: Day;
  max?: Day;
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
