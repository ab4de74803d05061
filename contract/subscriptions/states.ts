// States of a subscription and what each permits, and the proofs that it may ask for.

export const subscriptionStates = [
  "draft",
  "review",
  "active",
  "expired",
  "refused",
  "cancelled",
  "abandoned",
] as const;
export type SubscriptionState = (typeof subscriptionStates)[number];

/** French names of the states, for screens and the operator. */
export const subscriptionStateNames: Readonly<Record<SubscriptionState, string>> = {
  draft: "À terminer",
  review: "En vérification",
  active: "En cours",
  expired: "Terminé",
  refused: "Refusé",
  cancelled: "Annulé",
  abandoned: "Abandonné",
};

/** The one table of transitions. A proof to check makes a paid file wait in `review`. */
export const subscriptionTransitions: Readonly<
  Record<SubscriptionState, readonly SubscriptionState[]>
> = {
  draft: ["review", "active", "abandoned"],
  review: ["active", "refused", "cancelled"],
  active: ["expired", "cancelled"],
  expired: [],
  refused: [],
  cancelled: [],
  abandoned: [],
};

export const subscriptionCan = {
  fill: (one: { state: SubscriptionState }) => one.state === "draft",
  review: (one: { state: SubscriptionState }) => one.state === "review",
  cancel: (one: { state: SubscriptionState }) =>
    subscriptionTransitions[one.state].includes("cancelled"),
  receipt: (one: { state: SubscriptionState }) => !["draft", "abandoned"].includes(one.state),
};

export const subscriptionProofKinds = ["photo", "identity", "schooling", "quotient"] as const;
export type SubscriptionProofKind = (typeof subscriptionProofKinds)[number];

/** Name of each proof on the screen. */
export const subscriptionProofNames: Readonly<Record<SubscriptionProofKind, string>> = {
  photo: "Photo d’identité",
  identity: "Justificatif d’âge",
  schooling: "Certificat de scolarité",
  quotient: "Attestation de quotient familial",
};

/** What each proof must show. */
export const subscriptionProofHints: Readonly<Record<SubscriptionProofKind, string>> = {
  photo: "Le visage de face, sur un fond clair.",
  identity: "Carte d’identité, passeport ou livret de famille.",
  schooling: "Celui de l’année scolaire en cours.",
  quotient: "Délivrée par la CAF ou la MSA depuis moins de trois mois.",
};
