// The short reference of what has a long id: people read it aloud, and the operator finds the record by it.

/** « 8F3A-21C7 »: the first characters of an id. */
export const referenceOf = (id: string): string =>
  `${id.slice(0, 4)}-${id.slice(4, 8)}`.toUpperCase();

/** The first characters of the ids that a typed reference means; null for any other text. */
export function idStart(typed: string): string | null {
  const start = typed.trim().replace("-", "").toLowerCase();
  return /^[0-9a-f]{8}$/.test(start) ? start : null;
}
