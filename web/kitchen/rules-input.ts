// Numbers typed in the forms of the canteen's rules.

/** A whole number between two bounds; null of what is none. */
export function readCount(typed: string, least: number, most: number): number | null {
  const text = typed.replaceAll(/\s/g, "");
  if (!/^\d{1,6}$/.test(text)) return null;
  const count = Number(text);
  return count >= least && count <= most ? count : null;
}
