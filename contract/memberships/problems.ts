// Refusals of the memberships room.
export const membershipProblems = {
  membership_changed: {
    status: 409,
    message:
      "Cette demande a été modifiée dans un autre onglet ou sur un autre appareil. Voici ce qui est enregistré : relisez et recommencez.",
  },
  membership_closed: {
    status: 409,
    message: "Cette demande ne se modifie plus ainsi. Rechargez la page pour voir où elle en est.",
  },
  membership_service_closed: {
    status: 409,
    message:
      "Les adhésions à ce service sont suspendues ({why}). Ce que vous avez écrit est gardé.",
  },
  membership_own_company: {
    status: 409,
    message:
      "Votre numéro appartient déjà à une entreprise. Pour lui ouvrir un autre service, écrivez au service clients.",
  },
  membership_company_open: {
    status: 409,
    message:
      "Une demande est déjà en cours pour cette entreprise. Rapprochez-vous de la personne qui l'a faite, ou écrivez au service clients.",
  },
  membership_incomplete: {
    status: 422,
    message: "Il manque une étape à cette demande : {what}. Complétez-la pour continuer.",
  },
  membership_same_documents: {
    status: 409,
    message: "Ce document est déjà donné. Retirez-le d'abord pour en mettre un autre.",
  },
  membership_state: {
    status: 409,
    message: "Cette demande est dans l'état «\u00a0{state}\u00a0». Rien n'est changé.",
  },
  membership_not_taken_up: {
    status: 409,
    message:
      "Cette demande est envoyée, pas encore à l'étude. Prenez-la d'abord : memberships review {number}.",
  },
  siret_invalid: {
    status: 422,
    message: "Ce SIRET n'existe pas : vérifiez ses 14 chiffres sur votre Kbis ou avis Insee.",
  },
} as const;
