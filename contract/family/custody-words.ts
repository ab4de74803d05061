// Custody in French words, for the notices and the screens alike; apart from the rows, so that the
// shell of the portal does not carry it.
import type { CustodyAgreement, CustodyKind } from "./custody.ts";
import { formatDate } from "../french.ts";

/** A rule goes on until another one is agreed; days have their last one. */
export const isRule = (kind: CustodyKind): boolean => kind === "weeks" || kind === "usual";

/** An agreement in words: « semaines paires avec Camille, semaines impaires avec Thomas ». */
export function custodyWords(
  { kind, fromOn, toOn }: Pick<CustodyAgreement, "kind" | "fromOn" | "toOn">,
  first: string,
  second: string,
): string {
  const days = `du ${formatDate(fromOn)} au ${formatDate(toOn ?? fromOn)}`;
  switch (kind) {
    case "weeks":
      return `semaines paires avec ${first}, semaines impaires avec ${second}`;
    case "usual":
      return `avec ${first}, sauf les jours convenus`;
    case "days":
      return toOn === fromOn ? `le ${formatDate(fromOn)} avec ${first}` : `${days} avec ${first}`;
    case "halves":
      return `${days}, première moitié avec ${first}, seconde avec ${second}`;
  }
}
