// The kinds of proofs in French; apart from the rows, so that the shell does not carry them.
import type { ProofKind } from "./rows.ts";

export const proofNames: Readonly<Record<ProofKind, string>> = {
  quotient: "Quotient familial",
  home: "Domicile",
  schooling: "Scolarité",
  disability: "Handicap",
  identity: "Identité",
};
