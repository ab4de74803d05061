// The filters of a list of movements. They live in the address, so that a filtered list can be kept
// and shared; changing them is no navigation (spec.md 5).
import { lazy, Suspense, useState } from "react";
import { todayInParis } from "#contract/days.ts";
import type { SearchIn, SearchOf } from "#contract/searches.ts";
import { type MovementKind, movementKindNames, movementKinds } from "#contract/wallet/rows.ts";
import {
  listedCategories,
  type ListedCategory,
  spendingCategoryNames,
} from "#contract/wallet/spending.ts";
import { useSearchText } from "#web/app/shared/use-search-text.ts";
import { Button, IconButton } from "#web/ui/button.tsx";
import { type Option, Select } from "#web/ui/choice.tsx";
import { TextInput } from "#web/ui/input.tsx";
import styles from "./movements.module.css";

const MovementDays = lazy(async () => ({
  default: (await import("./movement-days.tsx")).MovementDays,
}));

/** `from` and `to` are days (YYYY-MM-DD), both included; `q` is searched in the label. */
export interface MovementFilters {
  kind?: MovementKind | undefined;
  /** What was spent in it, and what of that came back. */
  category?: ListedCategory | undefined;
  from?: string | undefined;
  to?: string | undefined;
  q?: string | undefined;
}

/** Reads the filters from search parameters; what is not a filter there is left out. */
export function filtersOf(search: SearchIn<"movements">): MovementFilters {
  const day = (key: "from" | "to") => {
    const value = search[key];
    return value && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
      ? value
      : undefined;
  };
  return {
    kind: movementKinds.find((kind) => kind === search.kind),
    category: listedCategories.find((category) => category === search.category),
    from: day("from"),
    to: day("to"),
    q: search.text?.slice(0, 60) || undefined,
  };
}

/** The filters as search parameters; undefined takes a parameter out of the address. */
export const searchFor = ({ q, ...filters }: MovementFilters): SearchOf<"movements"> => ({
  kind: filters.kind,
  category: filters.category,
  from: filters.from,
  to: filters.to,
  text: q,
});

export const isFiltered = ({ kind, category, from, to, q }: MovementFilters): boolean =>
  Boolean(kind ?? category ?? from ?? to ?? q);

/** First or last day of the month that is `months` after the one of `day`. */
function monthEdge(day: string, months: number, edge: "first" | "last"): string {
  const [year = 0, month = 1] = day.split("-").map(Number);
  const at = Date.UTC(
    year,
    month - 1 + months + (edge === "last" ? 1 : 0),
    edge === "last" ? 0 : 1,
  );
  return new Date(at).toISOString().slice(0, 10);
}

const periods = [
  { value: "all", label: "Tout", span: () => ({}) },
  {
    value: "month",
    label: "Ce mois-ci",
    span: (day: string) => ({ from: monthEdge(day, 0, "first") }),
  },
  {
    value: "last",
    label: "Mois dernier",
    span: (day: string) => ({ from: monthEdge(day, -1, "first"), to: monthEdge(day, -1, "last") }),
  },
  {
    value: "quarter",
    label: "Trois mois",
    span: (day: string) => ({ from: monthEdge(day, -2, "first") }),
  },
] as const;
type Period = (typeof periods)[number]["value"] | "dates";

function periodOf({ from, to }: MovementFilters): Period {
  const day = todayInParis();
  const known = periods.find(({ span }) => {
    const range: { from?: string; to?: string } = span(day);
    return range.from === from && range.to === to;
  });
  return known?.value ?? "dates";
}

const types: Option<MovementKind | ListedCategory | "all">[] = [
  { value: "all", label: "Toutes" },
  ...movementKinds.map((kind) => ({ value: kind, label: movementKindNames[kind] })),
  ...listedCategories.map((category) => ({
    value: category,
    label: `Dépenses\u00a0: ${spendingCategoryNames[category]}`,
  })),
];

export function MovementFilterBar({
  filters,
  onFilters,
}: {
  filters: MovementFilters;
  onFilters: (filters: MovementFilters) => void;
}) {
  const [dates, setDates] = useState(false);
  // Where there is little room they come when asked for.
  const [open, setOpen] = useState(() => isFiltered(filters));
  const period = dates ? "dates" : periodOf(filters);
  const choosePeriod = (value: Period) => {
    setDates(value === "dates");
    const known = periods.find((one) => one.value === value);
    if (known)
      onFilters({ ...filters, from: undefined, to: undefined, ...known.span(todayInParis()) });
  };
  return (
    <>
      <div className={styles.movementToggle}>
        <IconButton
          icon="filter"
          label={open ? "Masquer les filtres" : "Filtrer les opérations"}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        />
      </div>
      <search
        className={styles.movementFilters}
        aria-label="Filtrer les opérations"
        data-open={open || undefined}
      >
        <Select
          label="Type"
          value={filters.category ?? filters.kind ?? "all"}
          options={types}
          onValue={(type) =>
            onFilters({
              ...filters,
              kind: movementKinds.find((kind) => kind === type),
              category: listedCategories.find((category) => category === type),
            })
          }
        />
        <Select
          label="Période"
          value={period}
          options={[
            ...periods.map(({ value, label }) => ({ value, label })),
            { value: "dates" as const, label: "Entre deux dates" },
          ]}
          onValue={choosePeriod}
        />
        <SearchText text={filters.q ?? ""} onText={(q) => onFilters({ ...filters, q })} />
        {period === "dates" && (
          <Suspense fallback={<div className={styles.movementDates} />}>
            <MovementDays
              from={filters.from}
              to={filters.to}
              onDays={(days) => onFilters({ ...filters, ...days })}
            />
          </Suspense>
        )}
        {isFiltered(filters) && (
          <div className={styles.movementReset}>
            <Button
              kind="ghost"
              size="small"
              icon="close"
              onClick={() => {
                setDates(false);
                onFilters({});
              }}
            >
              Effacer les filtres
            </Button>
          </div>
        )}
      </search>
    </>
  );
}

function SearchText({
  text,
  onText,
}: {
  text: string;
  onText: (text: string | undefined) => void;
}) {
  const [typed, setTyped] = useSearchText(text, onText);
  return (
    <TextInput
      label="Rechercher"
      type="search"
      required={false}
      maxLength={60}
      placeholder="Cantine, librairie…"
      value={typed}
      onValue={setTyped}
    />
  );
}
