// The addresses of the bus screen: what is looked at lives in search parameters (spec.md 5).

export const busPath = "/Abonnement/ligne";

export const linePath = (line: number, direction = 0): string =>
  `${busPath}?ligne=${line}${direction === 0 ? "" : `&sens=${direction}`}`;

/** A stop, seen from a line when one came from there. */
export const stopPath = (stop: number, from?: { line: number; direction: number }): string =>
  from ? `${linePath(from.line, from.direction)}&arret=${stop}` : `${busPath}?arret=${stop}`;

/** Where the passes of a line group are sold. */
export const passesPath = (group: number): string => `${busPath}/${group}`;
