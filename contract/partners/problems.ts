// Refusals of what a company writes on its own sheets.
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
} as const;
