// The search of the sales of a counter, as the address keeps it.
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
