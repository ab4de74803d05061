// Drawn numbers of the demo, always the same for the same words.
import { createHash } from "node:crypto";

/** A number from 0 to 1 that is always the same for the same words. */
export const chance = (words: string): number =>
  createHash("sha256").update(words).digest().readUInt32BE(0) / 2 ** 32;

/** A uuid that is always the same for the same words. */
export function uuidOf(words: string): string {
  const hex = createHash("sha256").update(words).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
