// Sources of what a company is owed, and the states of its payouts.

/** Sources of a company's income. */
export const settlementSources = ["till", "meal", "ticket", "pass"] as const;
export type SettlementSource = (typeof settlementSources)[number];
export const settlementSourceNames: Readonly<Record<SettlementSource, string>> = {
  till: "Ventes en caisse",
  meal: "Repas",
  ticket: "E-billets",
  pass: "Titres de transport",
};

/** A correction is an operator's reversal of a transfer. */
export const settlementLineKinds = ["sale", "return", "correction"] as const;
export type SettlementLineKind = (typeof settlementLineKinds)[number];
export const settlementLineKindNames: Readonly<Record<SettlementLineKind, string>> = {
  sale: "Vente",
  return: "Remboursement",
  correction: "Correction",
};

export const payoutStates = ["sent", "accepted", "rejected"] as const;
export type PayoutState = (typeof payoutStates)[number];
export const payoutStateNames: Readonly<Record<PayoutState, string>> = {
  sent: "Transmis à la banque",
  accepted: "Versé",
  rejected: "Refusé par la banque",
};

/** The one table of transitions: a bank may send back what it had accepted. */
export const payoutTransitions: Readonly<Record<PayoutState, readonly PayoutState[]>> = {
  sent: ["accepted", "rejected"],
  accepted: ["rejected"],
  rejected: [],
};

/** What may become of a payout in its state. */
export const payoutCan = {
  accept: ({ state }: { state: PayoutState }) => payoutTransitions[state].includes("accepted"),
  reject: ({ state }: { state: PayoutState }) => payoutTransitions[state].includes("rejected"),
};

/** Why nothing is paid out to a company for now. */
export const payoutHolds = ["no_account", "frozen", "bad_iban", "incomplete_account"] as const;
export type PayoutHold = (typeof payoutHolds)[number];
export const payoutHoldNames: Readonly<Record<PayoutHold, string>> = {
  no_account: "aucun compte bancaire",
  frozen: "compte bancaire changé depuis moins de 48 h",
  bad_iban: "IBAN faux",
  incomplete_account: "BIC manquant, ou titulaire illisible pour les banques",
};

/** The reference of a payout on a bank's statement: its batch and its place in it. */
export const payoutReference = ({ batch, place }: { batch: number; place: number }): string =>
  `MC-${String(batch).padStart(6, "0")}-${String(place).padStart(4, "0")}`;

/** « 2,50 % » of hundredths of a percent. */
export const rateOf = (basisPoints: number): string =>
  `${(basisPoints / 100).toFixed(2).replace(".", ",")}\u00a0%`;
