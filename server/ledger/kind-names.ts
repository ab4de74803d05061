// French names of the kinds of transfers, for readers of the journal.

const names: Readonly<Record<string, string>> = {
  top_up: "recharge",
  transfer: "virement",
  purchase: "achat",
  meal: "repas",
  grant: "aide",
  refund: "remboursement",
  return: "trop-perçu",
  suspense: "mise en attente",
  dispute: "litige",
  expiry: "expiration",
  employer_share: "part d’un employeur",
  payout: "versement",
  settlement: "règlement",
  commission: "commission",
  vat: "TVA",
  correction: "correction",
  invoice_paid: "facture payée",
  debt_paid: "dette réglée",
  grant_paid: "dotation payée",
  points_earned: "points gagnés",
  points_used: "points utilisés",
  points_back: "points rendus",
  points_withdrawn: "points repris",
  points_expired: "points expirés",
};

/** The French name of a transfer's kind; one without a name is shown as it is. */
export const transferKindName = (kind: string): string => names[kind] ?? kind;
