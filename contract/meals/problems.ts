// The refusals of meals: a part of the one catalogue in errors.ts.

/** Codes of the problems that keep a meal from being ordered. */
export const mealProblems = [
  "meal_not_registered",
  "meal_registration_later",
  "meal_registration_over",
  "meal_provider_frozen",
  "meal_closed",
  "meal_too_late",
  "meal_order_off",
  "meal_already_ordered",
  "meal_week_max",
  "meal_allergens",
  "meal_allergens_undeclared",
  "meal_price_missing",
  "meals_full",
] as const;

export const mealRefusals = {
  meals_full: {
    status: 409,
    message: "Ce service est complet. Choisissez un autre jour.",
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
    message: "Vous attendez déjà {max} repas. Quittez une attente pour en ajouter une autre.",
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
  meal_week_max: {
    status: 409,
    message: "Cette cantine sert au plus {max} repas par personne et par semaine. Retirez-en un.",
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
  meals_same_time: {
    status: 409,
    message:
      "Le {day}, {name} a déjà un repas à la même heure, à {canteen} ; {count} des repas choisis sont dans ce cas. Confirmez pour les commander aussi.",
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
    message: "Vous pouvez commander au plus {max} repas à la fois. Payez d'abord ceux-ci.",
  },
  meal_request_over: {
    status: 410,
    message: "Ces repas ne sont plus à payer. Rechargez la page pour voir ceux qui sont commandés.",
  },
  meal_period: {
    status: 409,
    message: "Choisissez une période qui commence aujourd'hui ou plus tard, d'une année au plus.",
  },
  meal_state: {
    status: 409,
    message: "L’état de cette commande ne le permet plus. Actualisez la page.",
  },
  illness_dates: {
    status: 422,
    message:
      "Choisissez des jours à partir d’aujourd’hui, {max} au plus, le dernier après le premier. Corrigez les dates.",
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
