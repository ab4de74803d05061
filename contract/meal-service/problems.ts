// The refusals of the service of meals: a part of the one catalogue in errors.ts.

export const mealServiceProblems = {
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
      "Le dernier jour vient le premier jour ou après, {max} jours au plus en tout. Corrigez les dates.",
  },
  meal_list_long: {
    status: 409,
    message:
      "Cette liste dépasse les {max} repas d’un PDF. Choisissez moins de jours, une classe, ou l’export CSV.",
  },
} as const;
