// Addresses of the portal that a statement builds from its columns.
import { type RawBuilder, sql } from "kysely";
import type { Parameters } from "#contract/address.ts";
import { type NameOf, wireName } from "#contract/link-to.ts";
import { type PlaceName, placeNames } from "#contract/places.ts";
import type { PortalPath, SearchOf } from "#contract/searches.ts";

/**
 * SQL: as `linkTo` (contract/link-to.ts), from expressions. Their values are not URL-encoded: only numbers, ids,
 * slugs and days.
 */
export function sqlLink<Path extends PortalPath>(
  path: Path,
  values: Readonly<Record<Parameters<Path>, RawBuilder<unknown>>>,
  search: { readonly [Key in keyof SearchOf<NameOf<Path>>]?: RawBuilder<unknown> } = {},
): RawBuilder<string> {
  const valueOf: Readonly<Record<string, RawBuilder<unknown>>> = values;
  const ofPath = path
    .split(/(:\w+)/)
    .filter((part) => part !== "")
    .map((part) => (part.startsWith(":") ? valueOf[part.slice(1)] : sql.lit(part)));
  const ofSearch = Object.entries<RawBuilder<unknown> | undefined>(search).flatMap(
    ([name, value], index) =>
      value ? [sql.lit(`${index === 0 ? "?" : "&"}${wireName(name)}=`), value] : [],
  );
  return sql<string>`(${sql.join([...ofPath, ...ofSearch], sql` || `)})`;
}

/** SQL: as `atPlace` (contract/places.ts). */
export const sqlAtPlace = (
  address: RawBuilder<string>,
  name: PlaceName,
  id: RawBuilder<unknown>,
): RawBuilder<string> => sql<string>`(${address} || ${sql.lit(`#${placeNames[name]}-`)} || ${id})`;
