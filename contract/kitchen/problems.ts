// The refusals of the kitchen: a part of the one catalogue in errors.ts.

export const kitchenProblems = {
  purchase_share_year: {
    status: 422,
    message: "Cette année n'a pas commencé. Choisissez l'année en cours ou une année passée.",
  },
  purchase_share_organic: {
    status: 422,
    message:
      "Le bio fait partie des produits durables et de qualité : sa part ne peut pas dépasser la leur.",
  },
  menu_undeclared: {
    status: 409,
    message:
      "Des allergènes ne sont pas renseignés\u202f: {dishes}. Renseignez-les, ou confirmez pour publier ainsi : les familles qui ont déclaré un allergène seront averties.",
  },
  meal_price_missing: {
    status: 409,
    message:
      "Aucun tarif de cette cantine ne correspond à cette inscription. Demandez à la cantine de compléter ses tarifs, puis recommencez.",
  },
  menu_past: {
    status: 409,
    message:
      "Ce jour est passé\u202f: son menu reste tel qu’il a été servi. Choisissez un jour à venir.",
  },
  menu_changed: {
    status: 409,
    message:
      "Un collègue a modifié ce menu entre-temps\u202f: rien n’a été enregistré. Relisez le menu, ou gardez votre saisie, puis enregistrez de nouveau.",
  },
  menu_none: {
    status: 409,
    message: "Cette semaine n’a aucun menu. Écrivez-en un, ou choisissez une autre semaine.",
  },
  canteen_message_nobody: {
    status: 409,
    message: "Personne ne recevrait ce message. Choisissez un autre jour ou une autre classe.",
  },
  canteen_message_readers: {
    status: 409,
    message:
      "Entre-temps, le nombre de destinataires a changé\u202f: {readers}. Rien n’est parti. Relisez, puis confirmez de nouveau.",
  },
  canteen_message_twin: {
    status: 409,
    message:
      "Ce message est déjà parti aux mêmes familles depuis moins d’un jour. Changez-le pour en envoyer un autre.",
  },
  canteen_message_max: {
    status: 409,
    message:
      "Cette cantine a déjà envoyé {max} messages aujourd’hui. Envoyez celui-ci demain, ou réunissez vos nouvelles.",
  },
  menu_file_type: {
    status: 415,
    message:
      "Ce fichier est {kind}, pas un CSV. Ouvrez-le dans votre tableur, enregistrez-le en «\u00a0CSV UTF-8\u00a0», puis choisissez ce nouveau fichier.",
  },
  menu_file_unreadable: {
    status: 422,
    message: "Ce fichier n’a pas pu être lu\u202f: {why}.",
  },
  menu_file_columns: {
    status: 422,
    message:
      "Les titres de la ligne {line} ne conviennent pas\u202f: {what}. Corrigez cette ligne, puis choisissez le fichier à nouveau.",
  },
  menu_file_faults: {
    status: 422,
    message:
      "Ce fichier a des erreurs ({count})\u202f: rien n’a été écrit. Corrigez-les et choisissez le fichier à nouveau.",
  },
  menu_preview_changed: {
    status: 409,
    message:
      "Ce qui serait écrit ou remplacé a changé depuis l’aperçu\u202f: rien n’a été écrit. Relisez le nouvel aperçu, puis confirmez.",
  },
  menu_templates_full: {
    status: 409,
    message: "Vous gardez déjà {max} semaines types. Supprimez-en une pour en garder une autre.",
  },
  meal_price_twin: {
    status: 409,
    message:
      "Un tarif a déjà les mêmes conditions\u202f: {name}. Terminez-le d’abord, ou changez les conditions.",
  },
  meal_prices_date: {
    status: 422,
    message:
      "Les nouveaux prix commencent aujourd’hui ou plus tard, dans un an au plus. Choisissez une autre date.",
  },
  meal_prices_planned: {
    status: 409,
    message:
      "À {canteen}, le tarif «\u00a0{name}\u00a0» change déjà le {from}. Annulez d’abord ce changement dans la liste des tarifs, ou choisissez une date après lui.",
  },
  meal_prices_same: {
    status: 409,
    message:
      "Aucun prix ne change dans ces cantines à cette date. Indiquez un nouveau prix pour un de leurs tarifs.",
  },
  meal_prices_changed: {
    status: 409,
    message:
      "Les tarifs de ces cantines ont changé depuis l’aperçu\u202f: rien n’a été enregistré. Relisez le nouvel aperçu, puis confirmez.",
  },
} as const;
