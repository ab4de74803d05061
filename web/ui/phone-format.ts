// A phone number as it is read.
import { dialledInFrance } from "#contract/phones.ts";

/** « 06 12 34 56 78 » for a number of France, the international form for another. */
export const frenchPhone = (e164: string): string =>
  dialledInFrance(e164)?.replaceAll(/(\d\d)(?=\d)/g, "$1 ") ?? e164;
