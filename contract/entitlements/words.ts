// The kinds and states of proofs in French; apart from the rows, so that the shell does not carry them.
import type { ProofKind, ProofState } from "./rows.ts";

export const proofNames: Readonly<Record<ProofKind, string>> = {
  quotient: "Quotient familial",
  home: "Domicile",
  schooling: "Scolarité",
  disability: "Handicap",
  identity: "Identité",
};

/** Which documents are accepted. */
export const acceptedDocuments: Readonly<Record<ProofKind, string>> = {
  quotient: "Attestation de la CAF ou de la MSA de moins de trois mois.",
  home: "Facture d’énergie, d’eau ou d’internet, de moins de trois mois.",
  schooling: "Certificat de scolarité de l’année, ou carte d’étudiant.",
  disability: "Notification de la MDPH, ou carte mobilité inclusion.",
  identity: "Carte d’identité, passeport ou livret de famille.",
};

export const proofStateNames: Readonly<Record<ProofState, string>> = {
  waiting: "En attente",
  validated: "Validé",
  refused: "Refusé",
  expired: "Expiré",
  replaced: "Remplacé",
};
