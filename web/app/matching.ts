// Which path of the table an address is: segment by segment, a spelled one before a parameter, whatever
// the case and whether a slash ends it.

export type Values = Readonly<Record<string, string>>;

interface Pattern<E> {
  entry: E;
  segments: readonly string[];
}

const segmentsOf = (path: string): string[] => path.replace(/\/$/, "").split("/");
const isParameter = (segment: string) => segment.startsWith(":");

/** What is no percent-encoding stands for itself. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The parameters of an address of that pattern, null where it is another's. */
function valuesIn(pattern: readonly string[], address: readonly string[]): Values | null {
  if (pattern.length !== address.length) return null;
  const values: Record<string, string> = {};
  for (const [index, segment] of pattern.entries()) {
    const given = address[index] ?? "";
    if (isParameter(segment) && given !== "") values[segment.slice(1)] = given;
    else if (segment.toLowerCase() !== given.toLowerCase()) return null;
  }
  return values;
}

/** The first segment at which only one of the two is spelled decides. */
function bySpelling(one: Pattern<unknown>, other: Pattern<unknown>): number {
  for (const [index, segment] of one.segments.entries()) {
    const order = Number(isParameter(segment)) - Number(isParameter(other.segments[index] ?? ""));
    if (order !== 0) return order;
  }
  return 0;
}

/** Finds the entry of a pathname with its parameters; null where no entry has such an address. */
export function matcherOf<E extends { path: string }>(entries: readonly E[]) {
  const patterns = entries
    .map((entry): Pattern<E> => ({ entry, segments: segmentsOf(entry.path) }))
    .toSorted(bySpelling);
  return (pathname: string): { entry: E; params: Values } | null => {
    const address = segmentsOf(pathname).map(decoded);
    for (const { entry, segments } of patterns) {
      const params = valuesIn(segments, address);
      if (params) return { entry, params };
    }
    return null;
  };
}
