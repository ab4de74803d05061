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
  pro_card_close_own: {
    status: 409,
    message: "Vous ne fermez pas votre propre carte. Un autre responsable le fait à votre départ.",
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
    message: "L'entreprise aurait plus de {max} cartes. Demandez-en moins.",
  },
  company_last_owner: {
    status: 409,
    message:
      "Une entreprise garde au moins un responsable. Nommez d'abord quelqu'un d'autre responsable.",
  },
  company_person_unknown: {
    status: 404,
    message:
      "Cette carte n'est pas celle d'une personne de votre entreprise. Actualisez la page et choisissez de nouveau.",
  },
  bank_iban_country: {
    status: 422,
    message:
      "Les virements en euros n'arrivent pas dans ce pays. Donnez l'IBAN d'un compte de la zone SEPA.",
  },
  bank_bic_invalid: {
    status: 422,
    message:
      "Ce BIC n'est pas juste : il a 8 ou 11 caractères. Corrigez-le, ou laissez ce champ vide.",
  },
  bank_bic_missing: {
    status: 422,
    message:
      "Les virements vers ce pays demandent aussi le BIC. Recopiez-le de votre relevé d'identité bancaire.",
  },
  bank_holder_letters: {
    status: 422,
    message:
      "Les banques ne lisent que l'alphabet latin. Écrivez le titulaire en lettres latines, comme sur le relevé d'identité bancaire.",
  },
  bank_same: {
    status: 409,
    message: "C'est déjà le compte de votre entreprise. Rien n'est changé.",
  },
  bank_change_open: {
    status: 409,
    message:
      "Un changement de compte bancaire est en cours. Attendez la fin du délai de 48 heures, ou annulez-le d'abord.",
  },
  bank_change_over: {
    status: 409,
    message:
      "Ce changement de compte n'attend plus rien. Actualisez la page pour voir où il en est.",
  },
  bank_confirm_own: {
    status: 403,
    message: "Vous avez demandé ce changement : un autre responsable le confirme.",
  },
  bank_owner_new: {
    status: 403,
    message:
      "Vous êtes responsable depuis moins de {hours} heures. Confirmez plus tard, ou laissez faire un autre responsable.",
  },
  bank_owner_left: {
    status: 409,
    message:
      "Un responsable vient de quitter l'entreprise. Le compte bancaire se change à partir du {from}.",
  },
} as const;
