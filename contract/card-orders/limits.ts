// Constants of the order of pro cards; amounts in cents, without VAT. Prices are the operator's, in the
// database (`operator card-orders prices`).

export const cardOrders = {
  /** Cards of one order, those without a bearer included. */
  max: 200,
  /** Characters of the words that are printed on the cards. */
  labelLength: 26,
  /** Largest size of the file of persons. */
  fileBytes: 512 * 1024,
  /** Days after the order on which its invoice is due, where it is ordered by invoice. */
  dueDays: 30,
  /**
   * Orders of one company in 24 hours, those cancelled since included: each makes persons, papers and
   * messages.
   */
  perDay: 5,
  /** Orders of one company whose invoice is not settled yet. */
  unpaid: 3,
  /** Days after which an untouched draft is erased. */
  draftDays: 60,
} as const;

/** Inks of the motif that is printed; those of the portal (contract/motif.ts). */
export const cardInks = ["lagoon", "reef", "dune", "dusk"] as const;
export type CardInk = (typeof cardInks)[number];

export const cardInkNames: Readonly<Record<CardInk, string>> = {
  lagoon: "Lagon",
  reef: "Récif",
  dune: "Dune",
  dusk: "Crépuscule",
};
