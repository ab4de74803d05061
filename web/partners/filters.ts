// The filters of the directory, as the address keeps them.
import { useLocation } from "@tanstack/react-router";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import type { SearchIn, SearchOf } from "#contract/searches.ts";

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

type DirectoryPath = typeof paths.directory | typeof paths.repertory;

/** The address of the directory that is on the screen: that of everybody, or the professional one. */
export const useDirectoryPath = (): DirectoryPath =>
  useLocation().pathname === paths.repertory ? paths.repertory : paths.directory;

const trimmed = (text: string | undefined, max: number) => text?.slice(0, max).trim() || undefined;

/** Values that nobody could have chosen are left out: a wrong address shows the whole directory. */
export const filtersIn = (search: SearchIn<"directory">): Filters => ({
  q: trimmed(search.q, 100),
  around: trimmed(search.around, 80),
  category: /^[a-z0-9-]{1,60}$/.exec(search.category ?? "")?.[0],
  group: /^[1-9]\d{0,8}$/.exec(search.group ?? "")?.[0],
  open: search.open === "1" || undefined,
  plan: search.view === "plan" || undefined,
});

export const parametersOf = ({
  q,
  around,
  category,
  group,
  open,
  plan,
}: Filters): SearchOf<"directory"> => ({
  q: q || undefined,
  around: around || undefined,
  category,
  group,
  open: open ? "1" : undefined,
  view: plan ? "plan" : undefined,
});

/** The address of a sheet that keeps the filters, so that going back finds the same list. */
export const sheetPath = (base: DirectoryPath, filters: Filters, id: string): string =>
  linkTo(base, {}, { ...parametersOf(filters), sheet: id });

export const isFiltered = ({ plan: _plan, ...filters }: Filters): boolean =>
  Object.values(filters).some((value) => value !== undefined);
