// Paths with `:parameters` and search parameters, read and written as text.

/** The names of a path's `:parameters`, as a type. */
export type Parameters<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Parameters<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** `/faq/:id` with `{id: 7}` is `/faq/7`. */
export const fill = (template: string, values: Readonly<Record<string, string | number>>): string =>
  template.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values[name])));

/** Search parameters as plain strings: no value is converted to a number. */
export const readSearch = (search: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(search));

/** The query string of the values except undefined and null, in their order; "" if there are none. */
export function writeSearch(values: Readonly<Record<string, unknown>>): string {
  const present = Object.entries(values).filter(
    ([, value]) => value !== undefined && value !== null,
  );
  const search = new URLSearchParams(
    present.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return search ? `?${search}` : "";
}
