// A sale at the counter of a partner: its states and what each permits. The server refuses by them and
// the buttons follow.

export const tillSaleStates = [
  "requested",
  "paid",
  "cancelled",
  "refunded",
  "declined",
  "withdrawn",
  "expired",
] as const;
export type TillSaleState = (typeof tillSaleStates)[number];

/** French names, for the partner and the holder alike. */
export const tillSaleStateNames: Readonly<Record<TillSaleState, string>> = {
  requested: "En attente de la personne",
  paid: "Payé",
  cancelled: "Annulé",
  refunded: "Remboursé",
  declined: "Refusé par la personne",
  withdrawn: "Abandonné",
  expired: "Sans réponse",
};

/**
 * The one table of transitions. A sale refunded in part stays paid; one whose refund operators undo is paid
 * again.
 */
export const tillSaleTransitions: Readonly<Record<TillSaleState, readonly TillSaleState[]>> = {
  requested: ["paid", "declined", "withdrawn", "expired"],
  paid: ["cancelled", "refunded"],
  cancelled: ["paid"],
  refunded: ["paid"],
  declined: [],
  withdrawn: [],
  expired: [],
};

const may = ({ state }: { state: TillSaleState }, next: TillSaleState) =>
  tillSaleTransitions[state].includes(next);

/** What may be done with a sale in its state; the caller checks the time that is left. */
export const tillSaleCan = {
  answer: (sale: { state: TillSaleState }) => may(sale, "declined"),
  withdraw: (sale: { state: TillSaleState }) => may(sale, "withdrawn"),
  cancel: (sale: { state: TillSaleState; refundedCents: number }) =>
    may(sale, "cancelled") && sale.refundedCents === 0,
  refund: (sale: { state: TillSaleState }) => may(sale, "refunded"),
};
