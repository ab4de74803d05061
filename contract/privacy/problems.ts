// The refusals of health data, exports and closing an account, a part of the catalogue of errors.ts.

export const privacyErrors = {
  health_consent: {
    status: 422,
    message: "Ces informations touchent à la santé. Cochez l'accord pour que nous les gardions.",
  },
  export_waiting: {
    status: 409,
    message: "Un export est déjà en préparation. Vous serez prévenu quand il sera prêt.",
  },
  export_full: {
    status: 429,
    message: "Vous avez déjà demandé {max} exports aujourd'hui. Revenez demain.",
  },
  closure_professional: {
    status: 409,
    message: "Un compte professionnel se ferme avec nous, factures réglées. Écrivez-nous.",
  },
  closure_last_guardian: {
    status: 409,
    message:
      "Vous êtes le seul responsable {ofNames}. Ajoutez un autre responsable ou fermez d'abord ce compte.",
  },
  closure_bookings: {
    status: 409,
    message: "De l'argent est réservé dans vos cagnottes. Attendez ou annulez ces réservations.",
  },
  closure_payment_under_way: {
    status: 409,
    message: "Un paiement est en cours. Le compte pourra être fermé quand il sera terminé.",
  },
  closure_debt: {
    status: 409,
    message:
      "Une somme reste à régler d'un paiement repris par la banque. Écrivez-nous pour la régler, puis demandez la fermeture.",
  },
  closure_requested: {
    status: 409,
    message: "La fermeture de ce compte est déjà demandée. Vous pouvez encore y renoncer.",
  },
  closure_none: {
    status: 409,
    message: "Aucune fermeture n'est en attente pour ce compte. Actualisez la page.",
  },
  closure_iban_missing: {
    status: 422,
    message: "Il vous revient {amount}. Indiquez l'IBAN et son titulaire pour les recevoir.",
  },
  iban_invalid: {
    status: 422,
    message: "Cet IBAN n'est pas valable. Vérifiez-le sur votre relevé d'identité bancaire.",
  },
} as const;
