// French words of memberships, apart from the states: only the screens that show them load them.
import type {
  LegalForm,
  MembershipDocumentKind,
  MembershipPart,
  MembershipState,
} from "./states.ts";

/** French names of the states, as the operator reads them. */
export const membershipStateNames: Readonly<Record<MembershipState, string>> = {
  draft: "À terminer",
  submitted: "Envoyée",
  review: "En cours d’étude",
  clarification: "Précision demandée",
  approved: "Acceptée",
  rejected: "Refusée",
};

export const membershipPartNames: Readonly<Record<MembershipPart, string>> = {
  company: "Entreprise",
  representative: "Représentant",
  documents: "Documents",
};

/** Name of each document on the screen. */
export const membershipDocumentNames: Readonly<Record<MembershipDocumentKind, string>> = {
  registration: "Extrait Kbis ou avis de situation Insee",
  identity: "Pièce d’identité du représentant",
  mandate: "Pouvoir du représentant",
};

/** What each document must show. */
export const membershipDocumentHints: Readonly<Record<MembershipDocumentKind, string>> = {
  registration: "Daté de moins de trois mois, au nom de l’entreprise.",
  identity: "Carte d’identité recto verso, passeport ou titre de séjour en cours de validité.",
  mandate: "Signé par le dirigeant de l’entreprise.",
};

/** French names of the legal forms. */
export const legalFormNames: Readonly<Record<LegalForm, string>> = {
  micro: "Micro-entreprise",
  ei: "Entreprise individuelle",
  eurl: "EURL",
  sarl: "SARL",
  sas: "SAS",
  sasu: "SASU",
  sa: "SA",
  snc: "SNC",
  cooperative: "Coopérative (SCOP, SCIC…)",
  association: "Association",
  public: "Collectivité ou établissement public",
  other: "Autre forme",
};
