// Documents of the scheme to a company: states of the document, and apart from them, of its payment.

export const invoiceKinds = ["invoice", "credit_note"] as const;
export type InvoiceKind = (typeof invoiceKinds)[number];

export const invoiceKindNames: Readonly<Record<InvoiceKind, string>> = {
  invoice: "Facture",
  credit_note: "Avoir",
};

/** Credited: credit notes have taken back the whole of it. */
export const documentStates = ["draft", "issued", "credited"] as const;
export type DocumentState = (typeof documentStates)[number];

export const documentStateNames: Readonly<Record<DocumentState, string>> = {
  draft: "Brouillon",
  issued: "Émise",
  credited: "Annulée par avoir",
};

/** An issued document never changes: a credit note corrects it. */
export const documentTransitions: Readonly<Record<DocumentState, readonly DocumentState[]>> = {
  draft: ["issued"],
  issued: ["credited"],
  credited: [],
};

export const paymentStates = ["unpaid", "partly_paid", "paid"] as const;
export type PaymentState = (typeof paymentStates)[number];

export const paymentTransitions: Readonly<Record<PaymentState, readonly PaymentState[]>> = {
  unpaid: ["partly_paid", "paid"],
  partly_paid: ["paid"],
  paid: [],
};

/** How much of a document is settled says the state of its payment; amounts in cents. */
export const paymentStateOf = (dueCents: number, settledCents: number): PaymentState => {
  if (settledCents >= dueCents) return "paid";
  return settledCents > 0 ? "partly_paid" : "unpaid";
};

interface InvoiceBalance {
  kind: InvoiceKind;
  /** Amount still to pay, or to refund for a credit note, in cents. */
  openCents: number;
  dueOn: string;
}

/** French words of the payment: an invoice is paid, a credit note is refunded. */
export function paymentStateName({
  kind,
  payment,
}: InvoiceBalance & { payment: PaymentState }): string {
  const names =
    kind === "invoice"
      ? { unpaid: "À payer", partly_paid: "Payée en partie", paid: "Payée" }
      : { unpaid: "À rembourser", partly_paid: "Remboursé en partie", paid: "Soldé" };
  return names[payment];
}

export const invoiceCan = {
  pay: ({ kind, openCents }: Pick<InvoiceBalance, "kind" | "openCents">) =>
    kind === "invoice" && openCents > 0,
  /** Whether its last day for payment has passed. */
  late: (invoice: InvoiceBalance, today: string) =>
    invoiceCan.pay(invoice) && invoice.dueOn < today,
};

/** How an amount of a document was settled; `credit` is a credit note set against its invoice. */
export const settlementMeans = ["checkout", "transfer", "netting", "credit"] as const;
export type SettlementMeans = (typeof settlementMeans)[number];

export const settlementMeansNames: Readonly<Record<SettlementMeans, string>> = {
  checkout: "Paiement en ligne",
  transfer: "Virement",
  netting: "Retenu sur un versement",
  credit: "Avoir imputé",
};
