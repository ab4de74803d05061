// The fields of a deadline, with the sentence that they mean.
import type { ReactNode } from "react";
import { deadlineWords } from "#contract/kitchen/deadline-words.ts";
import type { Deadline } from "#contract/kitchen/deadlines.ts";
import { Checkbox, type Option, Select } from "#web/ui/choice.tsx";
import { TextInput } from "#web/ui/input.tsx";
import { readCount } from "./rules-input.ts";
import styles from "./rules.module.css";

/** The fields as they are typed; those of the other kinds keep what they had. */
export interface TypedDeadline {
  kind: Deadline["kind"];
  days: string;
  workingDays: boolean;
  weeks: string;
  weekday: string;
  monthDay: string;
  at: string;
}

export const typedDeadline = (rule: Deadline): TypedDeadline => ({
  kind: rule.kind,
  days: rule.kind === "days_before" ? String(rule.days) : "1",
  workingDays: rule.kind === "days_before" ? rule.workingDays : true,
  weeks: rule.kind === "weekday_before" ? String(rule.weeks) : "1",
  weekday: rule.kind === "weekday_before" ? String(rule.weekday) : "3",
  monthDay: rule.kind === "month_day_before" ? String(rule.day) : "20",
  at: "at" in rule ? rule.at : "10:00",
});

/** HH:mm of « 10:00 », « 9h30 » or « 9 h »; null of what is no time. */
function readTime(typed: string): string | null {
  const match = /^(\d{1,2})(?:\s*[:h.]\s*(\d{2})?)?$/i.exec(typed.trim());
  if (!match) return null;
  const [hour, minute] = [Number(match[1]), Number(match[2] ?? "0")];
  if (hour > 23 || minute > 59) return null;
  return `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
}

/** The rule that is typed; null while a field is wrong. */
export function readDeadline(typed: TypedDeadline): Deadline | null {
  const { kind } = typed;
  if (kind === "none" || kind === "never") return { kind };
  const at = readTime(typed.at);
  if (at === null) return null;
  if (kind === "weekday_before") {
    return { kind, weeks: Number(typed.weeks), weekday: Number(typed.weekday), at };
  }
  if (kind === "month_day_before") return { kind, day: Number(typed.monthDay), at };
  const days = readCount(typed.days, 0, 60);
  return days === null ? null : { kind, days, workingDays: typed.workingDays, at };
}

export function deadlineFault(typed: TypedDeadline): string | false {
  if (readDeadline(typed) !== null) return false;
  const isDays = typed.kind === "days_before" && readCount(typed.days, 0, 60) === null;
  return isDays
    ? "Indiquez un nombre de jours, de 0 à 60."
    : "Indiquez une heure, par exemple 10:00.";
}

const kinds: readonly Option<Deadline["kind"]>[] = [
  { value: "days_before", label: "Un nombre de jours avant le repas" },
  { value: "weekday_before", label: "Un jour d’une semaine d’avant" },
  { value: "month_day_before", label: "Un jour du mois d’avant" },
  { value: "none", label: "Jusqu’au début du service" },
  { value: "never", label: "Jamais" },
];
const weekdays = ["Lundi", "Mardi", "Mercredi", "Jeudi", "Vendredi", "Samedi", "Dimanche"].map(
  (label, index) => ({ value: String(index), label }),
);
const weeks = Array.from({ length: 8 }, (_, index) => ({
  value: String(index + 1),
  label: index === 0 ? "La semaine d’avant" : `${index + 1} semaines avant`,
}));
const monthDays = Array.from({ length: 31 }, (_, index) => ({
  value: String(index + 1),
  label: index === 0 ? "le 1er" : `le ${index + 1}`,
}));

export function DeadlineFields({
  legend,
  act,
  value,
  error,
  onValue,
}: {
  legend: string;
  /** The subject of the sentence: « Commande possible ». */
  act: string;
  value: TypedDeadline;
  error: ReactNode;
  onValue: (value: TypedDeadline) => void;
}) {
  const set = (part: Partial<TypedDeadline>) => onValue({ ...value, ...part });
  const { kind } = value;
  const rule = readDeadline(value);
  const isTimeWrong = readTime(value.at) === null;
  return (
    <fieldset className={styles.deadline}>
      <legend>{legend}</legend>
      <Select
        label="Limite"
        options={kinds}
        value={kind}
        onValue={(chosen) => set({ kind: chosen })}
      />
      <div className={styles.deadlineFields}>
        {kind === "days_before" && (
          <TextInput
            label="Jours avant"
            inputMode="numeric"
            autoComplete="off"
            maxLength={2}
            value={value.days}
            error={readCount(value.days, 0, 60) === null && error}
            onValue={(days) => set({ days })}
          />
        )}
        {kind === "weekday_before" && (
          <>
            <Select
              label="Jour"
              options={weekdays}
              value={value.weekday}
              onValue={(weekday) => set({ weekday })}
            />
            <Select
              label="Semaine"
              options={weeks}
              value={value.weeks}
              onValue={(chosen) => set({ weeks: chosen })}
            />
          </>
        )}
        {kind === "month_day_before" && (
          <Select
            label="Jour du mois"
            options={monthDays}
            value={value.monthDay}
            onValue={(monthDay) => set({ monthDay })}
          />
        )}
        {kind !== "none" && kind !== "never" && (
          <TextInput
            label="Heure"
            inputMode="text"
            autoComplete="off"
            maxLength={5}
            value={value.at}
            error={isTimeWrong && error}
            onValue={(at) => set({ at })}
          />
        )}
      </div>
      {kind === "days_before" && (
        <Checkbox
          label="Compter les jours ouvrés seulement"
          hint="Sans les week-ends, les jours fériés et vos fermetures."
          checked={value.workingDays}
          onChecked={(workingDays) => set({ workingDays })}
        />
      )}
      <p className={styles.sentence} aria-live="polite">
        {rule && `${act}${rule.kind === "never" ? "\u202f:" : ""} ${deadlineWords(rule)}.`}
      </p>
    </fieldset>
  );
}
