// Refusals of invoices.
export const invoiceProblems = {
  invoice_issuer: {
    status: 409,
    message:
      "Le réseau n'a pas encore dit qui il est pour facturer. L'opérateur remplit le réglage ISSUER_FILE.",
  },
  invoice_buyer: {
    status: 409,
    message:
      "Une facture demande le SIREN de l'entreprise, ou son numéro de TVA hors de France. L'opérateur l'écrit avec «\u00a0companies write\u00a0».",
  },
  invoice_content: {
    status: 422,
    message: "Cette facture ne peut pas être émise\u202f: {why}. Corrigez-la et recommencez.",
  },
  invoice_other_content: {
    status: 409,
    message: "Une facture existe déjà pour cela, avec d'autres montants. Émettez d'abord un avoir.",
  },
  invoice_too_much: {
    status: 422,
    message:
      "C'est plus que ce qui reste ouvert sur ce document ({left}). Notez ce qui est dû, rendez le reste.",
  },
  invoice_credit_elsewhere: {
    status: 409,
    message: "L'argent de cette facture n'est pas au compte des factures. Passez par {how}.",
  },
  invoice_credited: {
    status: 422,
    message: "Un avoir ne dépasse pas sa facture\u202f: il reste {left} à créditer.",
  },
  invoice_settled: {
    status: 409,
    message: "Rien n'est à payer sur ce document. Actualisez la page.",
  },
} as const;
