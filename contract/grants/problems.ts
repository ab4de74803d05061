// Refusals of the money that companies grant.
export const grantProblems = {
  grant_closed: {
    status: 409,
    message: "Cette dotation est déjà accordée. Actualisez la page pour la voir.",
  },
  grant_awaiting: {
    status: 409,
    message:
      "Cette dotation attend votre virement. Abandonnez le virement pour payer autrement ou l'effacer.",
  },
  grant_no_transfer: {
    status: 409,
    message:
      "Cette dotation n'attend pas de virement. Actualisez la page pour voir où elle en est.",
  },
  grant_transfer_amount: {
    status: 422,
    message:
      "Cette dotation se règle en un virement de {total}. Rendez celui-ci, ou demandez le bon montant.",
  },
  grant_card: {
    status: 422,
    message:
      "La carte {card} n'est pas une carte active de votre entreprise, confiée à quelqu'un. Retirez-la.",
  },
  grant_card_twice: {
    status: 422,
    message: "La carte {card} est nommée deux fois. Gardez une seule ligne.",
  },
  grant_day: {
    status: 422,
    message: "La date limite va de demain à {months} mois. Choisissez-en une autre.",
  },
  grant_group: {
    status: 422,
    message: "Aucun partenaire n'accepte cette cagnotte pour le moment. Choisissez-en une autre.",
  },
  grant_label: {
    status: 422,
    message: "Ce libellé ne convient pas. Gardez des lettres, des chiffres et de la ponctuation.",
  },
  grant_final: {
    status: 409,
    message: "Les {hours} heures pour reprendre cette dotation sont passées.",
  },
  grant_spent: {
    status: 409,
    message: "Il n'y a plus rien à reprendre : tout est dépensé, réservé ou déjà revenu.",
  },
  grant_file_type: {
    status: 422,
    message:
      "Ce fichier n'est pas un CSV. Dans votre tableur, choisissez «\u00a0Enregistrer sous\u00a0», puis CSV.",
  },
  grant_file_unreadable: {
    status: 422,
    message: "Ce fichier ne se lit pas. {why} Corrigez-le, puis choisissez-le à nouveau.",
  },
  grant_file_columns: {
    status: 422,
    message: "Ligne de titres : {wrong}. Colonnes : carte, montant ; facultative : nom.",
  },
} as const;
