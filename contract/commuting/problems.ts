// Refusals of employers' transport. None says whether a card number is anybody's.
export const commutingProblems = {
  commuting_closed: {
    status: 409,
    message: "Votre entreprise n'a pas encore fixé sa part. Fixez-la, puis inscrivez vos salariés.",
  },
  commuting_no_pass: {
    status: 409,
    message:
      "Aucun abonnement n'est en vente pour cette offre. Écrivez au réseau pour en savoir plus.",
  },
  commuting_minimum: {
    status: 422,
    message: "La loi demande au moins {percent} % du prix de l'abonnement. Augmentez votre part.",
  },
  commuting_number: {
    status: 422,
    message: "Un chiffre du numéro de carte est faux. Vérifiez-le avec le salarié.",
  },
  commuting_personal_card: {
    status: 422,
    message:
      "Ce numéro n'est pas celui d'une carte personnelle, qui commence par 1. Demandez-le au salarié.",
  },
  commuting_enrolled: {
    status: 409,
    message: "Ce numéro est déjà inscrit à cette offre. Retrouvez-le dans la liste des salariés.",
  },
  commuting_often: {
    status: 409,
    message:
      "Vous avez déjà inscrit ce numéro {max} fois en {days} jours. Vérifiez-le avec le salarié avant de recommencer.",
  },
  commuting_full: {
    status: 409,
    message: "Vous avez déjà {max} inscriptions en cours. Terminez celles qui ne servent plus.",
  },
  commuting_other: {
    status: 409,
    message:
      "Une autre entreprise paie déjà une part de vos abonnements. Quittez-la d'abord, puis acceptez.",
  },
  commuting_state: {
    status: 409,
    message: "Cette inscription a changé entre-temps. Actualisez la page.",
  },
} as const;
