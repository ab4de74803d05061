// The refusals of subscriptions, a part of the catalogue of errors.ts.

export const subscriptionProblems = {
  subscription_closed: {
    status: 409,
    message: "Ce dossier n'est plus à remplir. Revenez à vos abonnements pour voir où il en est.",
  },
  subscription_too_early: {
    status: 409,
    message:
      "L'abonnement de cette carte court jusqu'au {end}. Il peut être prolongé à partir du {from}.",
  },
  subscription_conditions: {
    status: 422,
    message: "Cette carte ne remplit pas les conditions de la formule. Choisissez-en une autre.",
  },
  subscription_unknown: {
    status: 422,
    message: "Cette formule ou cette option n'est plus proposée. Actualisez la page.",
  },
  subscription_proofs: {
    status: 422,
    message: "Il manque un justificatif à ce dossier. Ajoutez-le pour continuer.",
  },
  subscription_final: {
    status: 409,
    message: "Cet abonnement ne peut plus être annulé. Il court jusqu'à son terme.",
  },
  subscription_followed: {
    status: 409,
    message: "Un autre abonnement prend la suite de celui-ci. Annulez d'abord le suivant.",
  },
  subscription_unpaid: {
    status: 409,
    message: "Le reçu sera disponible quand l'abonnement sera payé.",
  },
} as const;
