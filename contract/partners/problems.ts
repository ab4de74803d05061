// Refusals of the partners room: what a company writes on its own sheets, and partnerships. None of these
// says whether a number that was typed belongs to a company.
export const partnerProblems = {
  partner_hours_overlap: {
    status: 422,
    message: "Deux plages d'ouverture du même jour se chevauchent. Corrigez-en une.",
  },
  partner_closures_overlap: {
    status: 422,
    message: "Deux fermetures se chevauchent. Corrigez leurs dates, ou gardez-en une seule.",
  },
  partner_identity_same: {
    status: 422,
    message: "La fiche dit déjà ce nom et cette adresse. Changez-les, ou gardez-les.",
  },
  partnership_own: {
    status: 422,
    message: "Ce numéro est celui de votre entreprise. Donnez celui de l'entreprise à inviter.",
  },
  partnership_known: {
    status: 409,
    message:
      "Un partenariat avec cette entreprise est déjà en cours. Proposez-lui plutôt de nouvelles conditions.",
  },
  partnership_invited: {
    status: 409,
    message:
      "Cette entreprise vous a déjà invité\u202f: répondez-lui dans «\u00a0En attente\u00a0».",
  },
  partnership_waiting: {
    status: 409,
    message:
      "Une invitation à ce numéro attend déjà sa réponse. Retirez-la d'abord pour la refaire.",
  },
  partnership_full: {
    status: 409,
    message:
      "Vous avez déjà {max} invitations en attente. Retirez-en une pour en envoyer une autre.",
  },
  partnership_state: {
    status: 409,
    message: "Ce partenariat n'est plus dans l'état qui le permet. Actualisez la page.",
  },
  partnership_terms_open: {
    status: 409,
    message:
      "De nouvelles conditions attendent déjà une réponse. Répondez-y, ou retirez-les, avant d'en proposer d'autres.",
  },
  partnership_terms_often: {
    status: 409,
    message:
      "Vous avez proposé {max} fois de nouvelles conditions en 24 heures. Écrivez plutôt un message, ou proposez-en d'autres demain.",
  },
  partnership_terms_same: {
    status: 422,
    message: "Ces conditions sont déjà celles du partenariat. Changez au moins une remise.",
  },
} as const;
