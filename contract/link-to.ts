// Builds addresses of the portal from the table (paths.ts): links on screens, paths of notices and messages.
import { fill, type Parameters, writeSearch } from "./address.ts";
import { type paths, searchNames } from "./paths.ts";
import type { PathName, PortalPath, SearchOf } from "./searches.ts";

/** The values of a path's parameters; no property for a path without any. */
type Values<Path extends string> = Readonly<
  [Parameters<Path>] extends [never]
    ? Record<string, never>
    : Record<Parameters<Path>, string | number>
>;

/** The name of a path in the table. */
export type NameOf<Path extends PortalPath> = {
  [Name in PathName]: (typeof paths)[Name] extends Path ? Name : never;
}[PathName];

const onWire: Readonly<Record<string, string>> = searchNames;

/** The name of a search parameter on the wire. */
export const wireName = (name: string): string => onWire[name] ?? name;

/** Search parameters under their wire names, for the router: `{tab: "ventes"}` is `{onglet: "ventes"}`. */
export const wireSearch = <Of extends PathName>(search: SearchOf<Of>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(search).map(([name, value]) => [wireName(name), value]));

/**
 * An address of the table with its parameters filled in, e.g. `linkTo(paths.fares, { group }, { card, pass })`.
 * A path, parameter or value that the table does not contain is a type error.
 */
export const linkTo = <Path extends PortalPath>(
  path: Path,
  values: Values<Path>,
  search?: SearchOf<NameOf<Path>>,
): string => fill(path, values) + (search ? writeSearch(wireSearch(search)) : "");
