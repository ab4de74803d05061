// The short name of what bears a long id: what people read aloud, and what the operator finds it by.

/** « 8F3A-21C7 »: the first characters of an id. */
export const referenceOf = (id: string): string =>
  `${id.slice(0, 4)}-${id.slice(4, 8)}`.toUpperCase();

/** What the ids of a typed reference begin with; null for what is none. */
export function idStart(typed: string): string | null {
  const start = typed.trim().replace("-", "").toLowerCase();
  return /^[0-9a-f]{8}$/.test(start) ? start : null;
}
