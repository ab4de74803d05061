// The search of the sales of a counter, as the address keeps it.
import { type TillSaleSearch, tillSaleFilters } from "#contract/till/sales.ts";
import { isDay } from "#web/ui/days.ts";

export type SaleSearch = Omit<TillSaleSearch, "partner">;
/** Parameters of the address; undefined takes one out of it. */
export type SaleParameters = Partial<
  Record<"texte" | "du" | "au" | "encaisseur" | "etat", string | undefined>
>;

/** Takes the whole search out of the address. */
export const noSearch: SaleParameters = {
  texte: undefined,
  du: undefined,
  au: undefined,
  encaisseur: undefined,
  etat: undefined,
};

const dayOf = (text: string | undefined) => (text && isDay(text) ? text : undefined);

/** What the address asks for; what is no search there is left out. */
export const saleSearchOf = (search: SaleParameters): SaleSearch => ({
  q: search.texte?.trim().slice(0, 60) || undefined,
  from: dayOf(search.du),
  to: dayOf(search.au),
  cashier: /^[12]\d{9}$/.test(search.encaisseur ?? "") ? Number(search.encaisseur) : undefined,
  state: tillSaleFilters.find((one) => one === search.etat),
});

export const isSearched = (search: SaleSearch): boolean =>
  Object.values(search).some((part) => part !== undefined);
