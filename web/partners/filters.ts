// The filters of the directory, as the address keeps them.
import { useLocation } from "@tanstack/react-router";

export interface Filters {
  q?: string | undefined;
  /** A town or a postcode. */
  around?: string | undefined;
  category?: string | undefined;
  /** An acceptance group. */
  group?: string | undefined;
  open?: boolean | undefined;
  /** The map instead of the list, on a phone. */
  plan?: boolean | undefined;
}

/** The address of the directory that is on the screen: that of everybody, or the professional one. */
export const useDirectoryPath = (): string => useLocation().pathname;

/** The parameter that opens a partner's sheet. */
export const sheetParameter = "fiche";

type Search = Readonly<Record<string, string | undefined>>;

const trimmed = (text: string | undefined, most: number) =>
  text?.slice(0, most).trim() || undefined;

/** Values that nobody could have chosen are left out: a wrong address shows the whole directory. */
export const filtersIn = (search: Search): Filters => ({
  q: trimmed(search["q"], 100),
  around: trimmed(search["autour"], 80),
  category: /^[a-z0-9-]{1,60}$/.exec(search["categorie"] ?? "")?.[0],
  group: /^[1-9]\d{0,8}$/.exec(search["groupe"] ?? "")?.[0],
  open: search["ouvert"] === "1" || undefined,
  plan: search["vue"] === "plan" || undefined,
});

export const parametersOf = ({ q, around, category, group, open, plan }: Filters) => ({
  q: q || undefined,
  autour: around || undefined,
  categorie: category,
  groupe: group,
  ouvert: open ? "1" : undefined,
  vue: plan ? "plan" : undefined,
});

/** The address of a sheet that keeps the filters, so that going back finds the same list. */
export function sheetPath(base: string, filters: Filters, id: string): string {
  const parameters = Object.entries(parametersOf(filters)).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as [string, string]],
  );
  return `${base}?${new URLSearchParams([...parameters, [sheetParameter, id]])}`;
}

export const isFiltered = ({ plan: _plan, ...filters }: Filters): boolean =>
  Object.values(filters).some((value) => value !== undefined);
