// Addresses inside the portal: filling a template, the canonical spelling, and the way back after
// the login.
import { localPath } from "#contract/local-path.ts";

/** The names of a template's `:parameters`, as a type. */
export type Parameters<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Parameters<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** `/faq/:id` with `{id: 7}` is `/faq/7`. */
export const fill = (template: string, values: Readonly<Record<string, string | number>>): string =>
  template.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values[name])));

/** The way back is a search parameter of the login, so that it survives the page's own reloads. */
export const returnParameter = "retour";

/** What the login says of how one got there; the words are the login page's. */
export const endParameter = "fin";
export const ends = {
  logout: "deconnexion",
  ended: "session",
  opposed: "opposition",
  missing: "jeton",
} as const;

/** Where to go after the login: the page one was sent away from, on this very site, else home. */
export function returnPath(search: string, home: string): string {
  const path = new URLSearchParams(search).get(returnParameter);
  return (path && localPath(path)) || home;
}

/** Search parameters as plain strings, in both directions: nothing is guessed to be a number. */
export const readSearch = (search: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(search));

export function writeSearch(values: Record<string, unknown>): string {
  const entries = Object.entries(values).filter(
    ([, value]) => value !== undefined && value !== null,
  );
  const search = new URLSearchParams(
    entries.map(([name, value]) => [name, String(value)]),
  ).toString();
  return search ? `?${search}` : "";
}
