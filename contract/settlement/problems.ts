// Refusals of the settlement: most of them answer the operator's commands.
export const settlementProblems = {
  settlement_running: {
    status: 409,
    message:
      "Le mois {month} n'est pas terminé\u202f: il se clôt à partir du premier jour du mois suivant.",
  },
  settlement_order: {
    status: 409,
    message:
      "Le mois {month} est déjà clos\u202f: un mois plus ancien ne se clôt plus. Ce qui manque entre dans la prochaine clôture.",
  },
  payout_identity: {
    status: 409,
    message: "Le compte qui paie n'est pas réglé. Renseignez {what}, puis recommencez.",
  },
  payout_file: {
    status: 422,
    message: "Ce fichier n'est pas une réponse pain.002 lisible\u202f: {why}. Rien n'a changé.",
  },
  payout_unknown: {
    status: 404,
    message:
      "Cette réponse ne parle d'aucun lot que nous connaissons\u202f: {what}. Rien n'a changé.",
  },
} as const;
