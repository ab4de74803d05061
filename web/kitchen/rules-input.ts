// Numbers typed in the forms of the canteen's rules.

/** A whole number between two bounds; null of what is none. */
export function readCount(typed: string, min: number, max: number): number | null {
  const text = typed.replaceAll(/\s/g, "");
  if (!/^\d{1,6}$/.test(text)) return null;
  const count = Number(text);
  return count >= min && count <= max ? count : null;
}
