// The search of the sales of a counter, as the address keeps it.
import { addDays, firstOfMonth, startOfWeek } from "#contract/days.ts";
import type { SearchIn, SearchOf } from "#contract/searches.ts";
import { type TillSaleSearch, tillSaleFilters } from "#contract/till/sales.ts";
import { isDay } from "#web/ui/days.ts";

export type SaleSearch = Omit<TillSaleSearch, "partner">;
/** Parameters of the address; undefined takes one out of it. */
export type SaleParameters = SearchOf<"till">;

/** Takes the whole search out of the address. */
export const noSearch: SaleParameters = {
  text: undefined,
  from: undefined,
  to: undefined,
  cashier: undefined,
  state: undefined,
};

const dayOf = (text: string | undefined) => (text && isDay(text) ? text : undefined);

/** What the address asks for; what is no search there is left out. */
export const saleSearchOf = (search: SearchIn<"till">): SaleSearch => ({
  q: search.text?.trim().slice(0, 60) || undefined,
  from: dayOf(search.from),
  to: dayOf(search.to),
  cashier: /^[12]\d{9}$/.test(search.cashier ?? "") ? Number(search.cashier) : undefined,
  state: tillSaleFilters.find((one) => one === search.state),
});

export const isSearched = (search: SaleSearch): boolean =>
  Object.values(search).some((part) => part !== undefined);

/** Days that people name, and `own` for any others. */
export type Period = "all" | "today" | "yesterday" | "week" | "month" | "own";

type Days = Pick<SaleSearch, "from" | "to">;

/** The days of each period but `own`, both included, as of `today`; whole weeks and months. */
export function daysOfPeriods(today: string): Readonly<Record<Exclude<Period, "own">, Days>> {
  const [monday, first] = [startOfWeek(today), firstOfMonth(today)];
  const yesterday = addDays(today, -1);
  return {
    all: { from: undefined, to: undefined },
    today: { from: today, to: today },
    yesterday: { from: yesterday, to: yesterday },
    week: { from: monday, to: addDays(monday, 6) },
    month: { from: first, to: addDays(firstOfMonth(first, 1), -1) },
  };
}

/** The period whose days the search has. */
export function periodOf({ from, to }: Days, today: string): Period {
  const known = Object.entries(daysOfPeriods(today)) as [Exclude<Period, "own">, Days][];
  return known.find(([, days]) => days.from === from && days.to === to)?.[0] ?? "own";
}
