// The refusals of automatic top-ups and relatives' links, a part of the catalogue of errors.ts.

export const fundingErrors = {
  money_request_adult: {
    status: 403,
    message:
      "Seul un enfant rattaché à un responsable demande de l'argent ici. Rien n'a été envoyé.",
  },
  money_request_waiting: {
    status: 409,
    message: "Une demande attend déjà une réponse. Retirez-la pour en envoyer une autre.",
  },
  money_request_amount: {
    status: 422,
    message: "Demandez entre {min} et {max}.",
  },
  money_request_words: {
    status: 422,
    message:
      "Ces mots ne conviennent pas : écrivez-les sans adresse, ni lien, ni numéro de compte ou de téléphone.",
  },
  money_request_answered: {
    status: 409,
    message: "Une réponse a déjà été donnée à cette demande. Rien d'autre n'a été envoyé.",
  },
  money_request_withdrawn: {
    status: 409,
    message: "Cette demande a été retirée. Rien n'a été envoyé.",
  },
  money_request_expired: {
    status: 410,
    message:
      "Cette demande est restée trop longtemps sans réponse : elle est terminée. Il faut en faire une autre.",
  },
  money_request_ended: {
    status: 410,
    message: "Cette demande est terminée : la carte ou le compte a changé. Rien n'a été envoyé.",
  },
  rule_exists: {
    status: 409,
    message: "Cette cagnotte a déjà une recharge automatique de ce genre. Supprimez-la d'abord.",
  },
  rule_amount: {
    status: 422,
    message: "Choisissez au moins {min} : une recharge doit porter le solde au-dessus du seuil.",
  },
  rule_ceiling: {
    status: 422,
    message: "Le plafond du mois est plus bas qu'une seule recharge. Augmentez-le.",
  },
  rule_state: {
    status: 409,
    message: "Cette recharge automatique a changé entre-temps. Rechargez la page.",
  },
  rule_not_yours: {
    status: 403,
    message: "Une autre personne paie cette recharge automatique : elle seule peut la relancer.",
  },
  link_amounts: {
    status: 422,
    message:
      "Ces montants ne vont pas ensemble. Le total couvre au moins un paiement, et chaque paiement reste dans les limites d'une recharge.",
  },
  link_full: {
    status: 409,
    message: "Cette cagnotte a déjà {max} liens ouverts. Supprimez-en un pour en créer un autre.",
  },
  link_unknown: {
    status: 404,
    message: "Ce lien n'existe pas. Demandez-en un nouveau à la personne qui vous l'a envoyé.",
  },
  link_over: {
    status: 410,
    message:
      "Ce lien ne sert plus. Demandez-en un nouveau à la personne qui vous l'a envoyé ; rien n'a été débité.",
  },
  gift_word: {
    status: 422,
    message:
      "Ce mot ne convient pas : écrivez-le sans adresse, ni lien, ni numéro de compte ou de téléphone.",
  },
  gift_name: {
    status: 422,
    message:
      "Ce nom ne convient pas. Écrivez un prénom ou un nom, sans adresse de site ni d'e-mail, sans deux-points ni barre.",
  },
  gift_amount: {
    status: 422,
    message: "Choisissez un montant entre {min} et {max}.",
  },
} as const;
