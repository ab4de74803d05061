// What a proof must be and where it stands, in French. The first screen names kinds of proofs and needs
// none of these.
import type { ProofKind, ProofState } from "#contract/entitlements/rows.ts";

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
