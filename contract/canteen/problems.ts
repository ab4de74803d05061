// The refusals of the canteen: a part of the one catalogue in errors.ts.

export const canteenProblems = {
  meals_full: {
    status: 409,
    message: "Ce service est complet. Choisissez un autre jour.",
  },
  purchase_share_year: {
    status: 422,
    message: "Cette année n'a pas commencé. Choisissez l'année en cours ou une année passée.",
  },
  purchase_share_organic: {
    status: 422,
    message:
      "Le bio fait partie des produits durables et de qualité : sa part ne peut pas dépasser la leur.",
  },
  meal_wait_needless: {
    status: 409,
    message: "Une place est libre le {day}\u202f: commandez ce repas sans attendre.",
  },
  meal_wait_twice: {
    status: 409,
    message: "Une place est déjà attendue pour cette personne le {day}. Actualisez la page.",
  },
  meal_wait_over: {
    status: 410,
    message: "Cette attente est terminée. Actualisez la page pour voir si une place est libre.",
  },
  meal_waits_full: {
    status: 409,
    message: "Vous attendez déjà {most} repas. Quittez une attente pour en ajouter une autre.",
  },
  meal_registered: {
    status: 409,
    message: "Cette carte est déjà inscrite dans cette cantine, ou sa demande attend une réponse.",
  },
  meal_not_pupil: {
    status: 422,
    message:
      "Cette cantine inscrit des élèves, jusqu'à {oldest} ans. Choisissez une autre personne.",
  },
  meal_class_unknown: {
    status: 409,
    message: "Cette classe n'existe pas dans cet établissement. Choisissez-la dans la liste.",
  },
  meal_registration_state: {
    status: 409,
    message: "Cette inscription est déjà terminée. Rechargez la page.",
  },
  meal_registration_answered: {
    status: 409,
    message: "Cette demande a déjà sa réponse. Actualisez la page.",
  },
  meal_registration_reason: {
    status: 422,
    message: "Il manque la raison du refus\u202f: la famille la lira. Écrivez-la et recommencez.",
  },
  meal_registration_orders: {
    status: 409,
    message:
      "Des repas sont encore commandés. Annulez-les d'abord, puis mettez fin à l'inscription.",
  },
  meal_not_registered: {
    status: 409,
    message:
      "L'inscription à la cantine n'est pas acceptée pour ce jour. Demandez-la, ou attendez la réponse.",
  },
  meal_registration_later: {
    status: 409,
    message:
      "L’inscription {whose} ne commence que le {from}. Choisissez un jour à partir de cette date.",
  },
  meal_registration_over: {
    status: 409,
    message:
      "L’inscription {whose} s’arrête le {until}. Demandez la suivante pour commander après ce jour.",
  },
  meal_provider_frozen: {
    status: 409,
    message:
      "Cette cantine ne prend plus de commandes pour l'instant\u202f: le réseau les a suspendues. Les repas déjà commandés restent.",
  },
  meal_closed: {
    status: 409,
    message: "Pas de repas le {day}\u202f: {why}. Choisissez un autre jour.",
  },
  meal_too_late: {
    status: 409,
    message: "Les commandes pour le {day} sont closes depuis le {until}. Choisissez un autre jour.",
  },
  meal_order_off: {
    status: 409,
    message: "Cette cantine ne prend pas de commande en ligne. Adressez-vous à elle.",
  },
  meal_already_ordered: {
    status: 409,
    message: "Le repas du {day} est déjà commandé pour cette personne. Choisissez un autre jour.",
  },
  meal_week_most: {
    status: 409,
    message: "Cette cantine sert au plus {most} repas par personne et par semaine. Retirez-en un.",
  },
  meal_allergens: {
    status: 409,
    message:
      "Le menu du {day} contient {allergens}, déclaré pour {name}. Confirmez pour commander ce repas.",
  },
  meal_same_time: {
    status: 409,
    message:
      "Le {day}, {name} a déjà un repas à la même heure, à {canteen}. Confirmez pour commander aussi celui-ci.",
  },
  menu_undeclared: {
    status: 409,
    message:
      "Des allergènes ne sont pas renseignés\u202f: {dishes}. Renseignez-les, ou confirmez pour publier ainsi : les familles qui ont déclaré un allergène seront averties.",
  },
  meal_allergens_undeclared: {
    status: 409,
    message:
      "Au menu du {day}, les allergènes d'un plat ne sont pas renseignés, et vous en avez déclaré pour {name}. Demandez à la cantine, ou confirmez pour commander ce repas.",
  },
  meal_card_suspended: {
    status: 409,
    message:
      "La carte est suspendue\u202f: ce code ne s’affiche pas. Le repas est gardé\u202f: au comptoir, donnez le nom.",
  },
  meal_card_opposed: {
    status: 409,
    message:
      "La carte est en opposition\u202f: ce code ne s’affiche pas. Le repas est gardé\u202f: au comptoir, donnez le nom.",
  },
  meal_request_full: {
    status: 409,
    message: "Vous pouvez commander au plus {most} repas à la fois. Payez d'abord ceux-ci.",
  },
  meal_request_over: {
    status: 410,
    message: "Ces repas ne sont plus à payer. Rechargez la page pour voir ceux qui sont commandés.",
  },
  meal_period: {
    status: 409,
    message: "Choisissez une période qui commence aujourd'hui ou plus tard, d'une année au plus.",
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
  canteen_message_most: {
    status: 409,
    message:
      "Cette cantine a déjà envoyé {most} messages aujourd’hui. Envoyez celui-ci demain, ou réunissez vos nouvelles.",
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
    message: "Vous gardez déjà {most} semaines types. Supprimez-en une pour en garder une autre.",
  },
  meal_state: {
    status: 409,
    message: "L’état de cette commande ne le permet plus. Actualisez la page.",
  },
  meal_state_now: {
    status: 409,
    message:
      "L’état de ce repas est maintenant «\u00a0{state}\u00a0»\u202f: il ne le permet plus. Retirez-le de la sélection.",
  },
  scan_conflict_settled: {
    status: 409,
    message: "Ce passage est déjà réglé, ici ou sur un autre appareil. Il n’y a plus rien à faire.",
  },
  scan_conflict_stays: {
    status: 409,
    message:
      "Ce repas ne peut pas être compté ainsi\u202f: son état a changé entre-temps. Relisez ce passage, puis choisissez de nouveau.",
  },
  meal_undo_late: {
    status: 409,
    message:
      "Plus de 5 minutes ont passé : ce passage ne s’annule plus. Écrivez-nous depuis Contact.",
  },
  meal_undo_walk_in: {
    status: 409,
    message:
      "Ce repas a été remis au guichet sans commande. Annulez-le au guichet, où il a été servi.",
  },
  meal_not_yet: {
    status: 409,
    message:
      "Le repas du {day} n’est pas encore à servir. Retirez-le de la sélection, ou attendez ce jour.",
  },
  meal_past: {
    status: 409,
    message:
      "Le repas du {day} ne se sert plus\u202f: {days} jours ont passé. Retirez-le de la sélection, ou écrivez-nous depuis Contact.",
  },
  meal_refusal_reason: {
    status: 422,
    message: "Il manque le motif du refus\u202f: la famille le lira. Écrivez-le et recommencez.",
  },
  meal_span: {
    status: 422,
    message:
      "Le dernier jour vient le premier jour ou après, {most} jours au plus en tout. Corrigez les dates.",
  },
  meal_list_long: {
    status: 409,
    message:
      "Cette liste dépasse les {most} repas d’un PDF. Choisissez moins de jours, une classe, ou l’export CSV.",
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
  illness_dates: {
    status: 422,
    message:
      "Choisissez des jours à partir d’aujourd’hui, {most} au plus, le dernier après le premier. Corrigez les dates.",
  },
  illness_no_meals: {
    status: 409,
    message:
      "Aucun repas n’est commandé ces jours-là pour cette personne : il n’y a rien à signaler. Vérifiez les dates.",
  },
  illness_state: {
    status: 409,
    message: "L’état de cette absence ne le permet plus. Actualisez la page.",
  },
  illness_withdraw_late: {
    status: 409,
    message:
      "Cette absence ne s’annule plus : le repas du {day} ne peut plus être commandé. Adressez-vous à la cantine.",
  },
  illness_seat_gone: {
    status: 409,
    message:
      "La place du {day} a été donnée entre-temps : l’absence reste. Commandez de nouveau les autres jours.",
  },
  illness_reason: {
    status: 422,
    message: "Il manque la raison du refus : la famille la lira. Écrivez-la et recommencez.",
  },
  closing_dates: {
    status: 422,
    message:
      "Ces dates ne vont pas ensemble\u202f: la fin vient le jour du début ou après, au plus un an plus tard. Corrigez-les.",
  },
  closing_past: {
    status: 409,
    message:
      "Le service de ce jour a déjà commencé ou est passé. Choisissez une fermeture à partir du prochain jour de service.",
  },
  closing_overlaps: {
    status: 409,
    message:
      "Une fermeture couvre déjà certains de ces jours\u202f: {reason}. Choisissez d’autres dates, ou supprimez-la d’abord.",
  },
  closing_orders_changed: {
    status: 409,
    message:
      "Entre-temps, le nombre de commandes de ces jours a changé\u202f: cette fermeture en annulerait {orders}. Vérifiez, puis confirmez de nouveau.",
  },
} as const;
