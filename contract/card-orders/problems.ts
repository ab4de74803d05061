// Refusals of the order of pro cards.
export const cardOrderProblems = {
  card_order_changed: {
    status: 409,
    message:
      "Cette commande a été modifiée entre-temps, sur un autre écran. Vérifiez-la, puis continuez.",
  },
  card_order_closed: {
    status: 409,
    message:
      "Cette commande n'est plus un brouillon. Suivez-la depuis «\u00a0Commande de cartes\u00a0».",
  },
  card_order_empty: {
    status: 422,
    message: "Cette commande n'a aucune carte. Ajoutez des personnes, ou des cartes sans porteur.",
  },
  card_order_max: {
    status: 422,
    message: "Une commande compte {max} cartes au plus. Retirez-en, ou faites-en deux.",
  },
  card_order_incomplete: {
    status: 422,
    message: "Il manque {what}. Complétez cette étape, puis revenez au prix.",
  },
  card_order_label: {
    status: 422,
    message: "Le texte imprimé ne peut pas être imprimé. Gardez lettres, chiffres et ponctuation.",
  },
  card_order_name: {
    status: 422,
    message:
      "Le nom de la personne {place} ne convient pas : un prénom, un nom ou les deux, de 1 à 60 lettres latines, espaces, tirets ou apostrophes.",
  },
  card_order_day: {
    // No 429, which the portal's client tries again for seconds: this waits for hours.
    status: 409,
    message:
      "Votre entreprise a commandé des cartes {max} fois en 24 heures, commandes annulées comprises. Attendez demain pour commander celles-ci.",
  },
  card_order_unpaid: {
    status: 409,
    message:
      "Votre entreprise a {max} commandes de cartes dont la facture reste à régler. Réglez-en une, ou payez celle-ci tout de suite.",
  },
  card_order_state: {
    status: 409,
    message: "Cette commande n'est plus dans l'état qui le permet. Actualisez la page.",
  },
  card_order_unacknowledged: {
    status: 409,
    message: "L'imprimeur n'a pas encore accusé réception : notez-le d'abord (acknowledge).",
  },
  card_order_arrived: {
    status: 409,
    message:
      "Une carte de cette commande a déjà servi : son colis n'est pas perdu. Notez qu'il est arrivé (deliver), puis remplacez les cartes qui manquent une par une.",
  },
  card_order_file_type: {
    status: 422,
    message:
      "Ce fichier n'est pas un CSV. Dans votre tableur, choisissez «\u00a0Enregistrer sous\u00a0», puis CSV.",
  },
  card_order_file_unreadable: {
    status: 422,
    message: "Ce fichier ne se lit pas. {why} Corrigez-le, puis choisissez-le à nouveau.",
  },
  card_order_file_columns: {
    status: 422,
    message: "Ligne de titres : {wrong}. Colonnes : prenom, nom ; facultatives : email, telephone.",
  },
} as const;
