// Refusals of the till. A refusal by the holder's wallet never shows the cashier its balance.
export const tillProblems = {
  till_code: {
    status: 422,
    message:
      "Ce code n'est plus valable. Demandez à la personne de l'afficher de nouveau\u202f: il change chaque minute.",
  },
  till_code_used: {
    status: 409,
    message:
      "Ce code a déjà servi. Demandez à la personne d'en afficher un nouveau\u202f: il change chaque minute.",
  },
  till_frozen: {
    status: 409,
    message: "Ce point de vente est arrêté par l'opérateur. Écrivez-nous depuis Contact.",
  },
  till_card: {
    status: 409,
    message: "Cette carte ne peut pas payer. Proposez un autre moyen de paiement.",
  },
  till_funds: {
    status: 409,
    message: "La cagnotte ne couvre pas ce montant. Proposez un autre moyen de paiement.",
  },
  till_limit: {
    status: 409,
    message:
      "Une limite fixée pour cette carte ne permet pas cet achat. Proposez un autre moyen de paiement.",
  },
  till_own: {
    status: 422,
    message:
      "Une caisse n'encaisse pas les cartes de sa propre entreprise. Demandez une autre carte.",
  },
  no_spoken_channel: {
    status: 409,
    message:
      "Cette personne n'a ni téléphone ni e-mail à qui envoyer un code. Demandez-lui de montrer son QR code.",
  },
  till_waiting: {
    status: 409,
    message: "Une demande attend déjà la réponse de cette personne. Abandonnez-la d'abord.",
  },
  till_often: {
    status: 409,
    message:
      "Cette personne n'a pas payé {max} demandes en {minutes} minutes. Attendez un peu, ou demandez-lui de montrer son QR code.",
  },
  till_state: {
    status: 409,
    message: "Cet achat a changé entre-temps. Regardez où il en est avant de recommencer.",
  },
  till_late: {
    status: 409,
    message: "Un achat s'annule pendant {minutes} minutes. Remboursez-le plutôt.",
  },
  till_too_much: {
    status: 422,
    message: "C'est plus que ce qui reste à rembourser ({left}). Diminuez le montant.",
  },
  till_unpaid: {
    status: 409,
    message: "Cet achat n'a pas été payé\u202f: il n'a pas de reçu. Choisissez un achat payé.",
  },
  till_nothing: {
    status: 409,
    message: "Rien n'a été encaissé ni rendu depuis la dernière clôture.",
  },
  till_lines: {
    status: 422,
    message: "Les articles de cet achat font plus que son montant. Recommencez l'achat.",
  },
  till_article_taken: {
    status: 409,
    message: "Un article porte déjà ce nom. Donnez-lui un autre nom, ou changez l'article.",
  },
  till_articles_full: {
    status: 409,
    message: "Votre liste a déjà {max} articles. Supprimez-en un pour en ajouter un autre.",
  },
  points_short: {
    status: 409,
    message:
      "Ces points ne sont plus disponibles. Refusez cet achat, puis recommencez-le en caisse.",
  },
} as const;
