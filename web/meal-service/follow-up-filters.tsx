// The filters of the follow-up: days, class, name, and a chip for each state with how many meals it has.
import {
  mealOrderStateNames,
  type MealOrderState,
  mealOrderStates,
} from "#contract/meals/states.ts";
import type { OwnCanteen } from "#contract/kitchen/own.ts";
import { serviceDayFrom } from "#contract/kitchen/service-day.ts";
import { todayInParis } from "#contract/days.ts";
import type { SearchIn, SearchOf } from "#contract/searches.ts";
import { useSearchText } from "#web/app/shared/use-search-text.ts";
import { Chips, Select } from "#web/ui/choice.tsx";
import { DayFilter } from "#web/ui/day-filter.tsx";
import { isDay } from "#web/ui/days.ts";
import { TextInput } from "#web/ui/input.tsx";
import styles from "./follow-up.module.css";

/** `from` and `to` are days (YYYY-MM-DD), both included. */
export interface MealFilters {
  from: string;
  to: string;
  state?: MealOrderState | undefined;
  className?: string | undefined;
  name?: string | undefined;
}

/**
 * Reads the filters from search parameters: the next day of service, today or later, unless told; what is
 * no filter is left out.
 */
export function filtersOf(search: SearchIn<"canteenFollowUp">, canteen: OwnCanteen): MealFilters {
  const day = (value: string | undefined) => (value && isDay(value) ? value : undefined);
  const from = day(search.from) ?? serviceDayFrom(todayInParis(), [canteen]);
  return {
    from,
    to: day(search.to) ?? from,
    state: mealOrderStates.find((state) => state === search.state),
    className: search.className?.slice(0, 20),
    name: search.name?.slice(0, 60),
  };
}

type Change = (changes: SearchOf<"canteenFollowUp">) => void;

export function FollowUpFilters({
  canteen,
  filters,
  onChange,
}: {
  canteen: OwnCanteen;
  filters: MealFilters;
  onChange: Change;
}) {
  const { from, to, className } = filters;
  const [name, setName] = useSearchText(filters.name ?? "", (text) => onChange({ name: text }));
  const chooseFrom = (day: string | undefined) => {
    if (day) onChange({ from: day, to: to < day || from === to ? undefined : to });
  };
  return (
    <search className={styles.filters} aria-label="Filtrer les repas">
      <DayFilter label="Du" value={from} onValue={chooseFrom} />
      <DayFilter
        label="Au"
        value={to}
        min={from}
        onValue={(day) => day && onChange({ to: day === from ? undefined : day })}
      />
      {canteen.classes.length > 0 && (
        <Select
          label="Classe"
          value={className ?? "all"}
          options={[
            { value: "all", label: "Toutes" },
            ...canteen.classes.map((value) => ({ value, label: value })),
          ]}
          onValue={(value) => onChange({ className: value === "all" ? undefined : value })}
        />
      )}
      <TextInput label="Nom" type="search" maxLength={60} value={name} onValue={setName} optional />
    </search>
  );
}

export function StateChips({
  counts,
  state,
  onState,
}: {
  counts: readonly { state: MealOrderState; count: number }[];
  state: MealOrderState | undefined;
  onState: (state: MealOrderState | undefined) => void;
}) {
  const known = new Map(counts.map((one) => [one.state, one.count]));
  const visibleStates = mealOrderStates.filter((one) => known.has(one) || one === state);
  return (
    <Chips
      label="État"
      options={[
        {
          value: "all" as const,
          label: "Tous",
          count: counts.reduce((sum, { count }) => sum + count, 0),
        },
        ...visibleStates.map((value) => ({
          value,
          label: mealOrderStateNames[value],
          count: known.get(value) ?? 0,
        })),
      ]}
      value={[state ?? "all"]}
      onValue={(value) => onState(value === "all" || value === state ? undefined : value)}
    />
  );
}
