// The addresses of the bus screen: what is looked at lives in search parameters (décision 5).

export const busPath = "/Abonnement/ligne";

export const linePath = (line: number, way = 0): string =>
  `${busPath}?ligne=${line}${way === 0 ? "" : `&sens=${way}`}`;

/** A stop, seen from a line when one came from there. */
export const stopPath = (stop: number, from?: { line: number; way: number }): string =>
  from ? `${linePath(from.line, from.way)}&arret=${stop}` : `${busPath}?arret=${stop}`;

/** Where the passes of a line group are sold. */
export const passesPath = (group: number): string => `${busPath}/${group}`;

/** A number of the address; null when it is none. */
export const numberIn = (text: string | undefined): number | null =>
  text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
