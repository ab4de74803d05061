// Where a failed test leaves what helps to find its cause.
import { basename, join } from "node:path";

export const failures = join(import.meta.dirname, "..", ".tmp", "failures");
const longestName = 80;

/** The folder of a test: the name of its file and the words of its title. */
export function failureFolder(file: string, title: string): string {
  const words = title.toLowerCase().normalize("NFD").replaceAll(/\p{M}/gu, "");
  const name = words.replaceAll(/[^a-z0-9]+/g, "-").slice(0, longestName);
  return join(failures, `${basename(file, ".test.ts")}-${name}`);
}
