// Refusals of the companies room.
export const companyProblems = {
  company_missing: {
    status: 403,
    message:
      "Votre numéro n'est rattaché à aucune entreprise. Demandez au responsable de vous ajouter, ou faites une demande d'adhésion.",
  },
  company_known: {
    status: 409,
    message:
      "Une entreprise de ce SIREN a déjà son compte. Demandez à son responsable de vous y ajouter.",
  },
  company_member_once: {
    status: 409,
    message: "Ce numéro appartient déjà à une entreprise. Retirez-le d'abord de l'autre.",
  },
  company_role: {
    status: 403,
    message:
      "Votre rôle dans l'entreprise ne permet pas cette action. Demandez au responsable de votre entreprise.",
  },
  pro_card_resume: {
    status: 403,
    message:
      "Cette carte est celle de votre entreprise. Demandez à son responsable de la réactiver.",
  },
  pro_card_assigned: {
    status: 409,
    message: "Cette carte est déjà attribuée. Choisissez-en une autre qui attend son porteur.",
  },
  pro_card_used: {
    status: 409,
    message:
      "Cette carte a déjà servi sans porteur. Mettez-la en opposition, et attribuez-en une autre.",
  },
  pro_card_full: {
    status: 409,
    message: "L'entreprise aurait plus de {most} cartes. Demandez-en moins.",
  },
} as const;
