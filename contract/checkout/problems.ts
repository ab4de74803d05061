// Refusals of every sale, a part of the catalogue of errors.ts.

export const checkoutRefusals = {
  order_changed: {
    status: 409,
    message: "Cet achat a été modifié entre-temps. Vérifiez-le de nouveau avant de payer.",
  },
  top_up_state: {
    status: 409,
    message: "Cette recharge est «\u00a0{state}\u00a0»\u202f: rien n'est fait.",
  },
  debt_amount: {
    status: 422,
    message: "De cette dette il reste {left} à régler : donnez un montant jusque-là.",
  },
  debt_repaid: {
    status: 409,
    message: "Cette dette est réglée, en tout ou en partie : annulez d'abord ses règlements.",
  },
  top_up_suspense_empty: {
    status: 409,
    message:
      "Plus rien de cette recharge n'attend\u202f: notez-la rendue avec «\u00a0payments record-refund\u00a0».",
  },
  payment_event_settled: {
    status: 409,
    message: "Cette nouvelle n'attend personne.",
  },
  price_changed: {
    status: 409,
    message: "Le prix est maintenant de {total}. Vérifiez-le avant de payer.",
  },
  split_changed: {
    status: 409,
    message:
      "Le solde de la cagnotte a changé entre-temps. Vérifiez ce que paie la carte bancaire, puis continuez.",
  },
  wallet_not_accepted: {
    status: 422,
    message: "Cette cagnotte n'est pas acceptée pour cet achat. Choisissez-en une autre.",
  },
} as const;
