// The refusals of fares and passes, a part of the catalogue of errors.ts.

export const passProblems = {
  pass_off_sale: {
    status: 409,
    message: "Ce titre n'est plus en vente. Choisissez-en un autre dans la liste.",
  },
  pass_order_state: {
    status: 409,
    message: "Cet achat est déjà payé ou abandonné. Revenez à vos titres de transport.",
  },
  pass_start: {
    status: 422,
    message: "Ce titre ne peut pas commencer ce jour-là. Choisissez une autre date.",
  },
  pass_stop: {
    status: 422,
    message: "Cet arrêt n'est pas desservi par ces lignes. Choisissez un arrêt de la liste.",
  },
  pass_photo: { status: 422, message: "Ce titre demande une photo. Ajoutez-la et recommencez." },
  pass_overlap: {
    status: 409,
    message:
      "Cette carte a déjà ce titre jusqu'au {until}. Choisissez une date de début à partir du {next}.",
  },
  pass_not_entitled: {
    status: 409,
    message: "Cette carte n'a pas droit à ce titre. {why} Choisissez-en un autre.",
  },
  pass_state: {
    status: 409,
    message: "L'état de ce titre ne le permet pas. Actualisez la page.",
  },
  pass_card_suspended: {
    status: 409,
    message:
      "La carte est suspendue : ce titre ne peut pas être présenté. Il revient dès que la carte est réactivée.",
  },
  pass_card_opposed: {
    status: 409,
    message:
      "La carte est en opposition : ce titre ne peut pas être présenté. Il revient, avec un nouveau QR code, dès que la nouvelle carte est activée.",
  },
  passes_none: {
    status: 409,
    message: "Aucun titre ne peut être présenté en ce moment. Achetez-en un, puis imprimez-le.",
  },
  pass_no_suspension: {
    status: 409,
    message: "Ce titre ne peut pas être suspendu : seuls les abonnements annuels le peuvent.",
  },
  pass_suspension_spent: {
    status: 409,
    message: "Ce titre a déjà été suspendu {max} jours : il ne peut plus l'être.",
  },
  exemption_none: {
    status: 409,
    message: "Ce titre n'a pas de frais de retard. Vous n'avez rien à demander.",
  },
  exemption_requested: {
    status: 409,
    message: "Votre demande est déjà faite. Nous vous dirons notre réponse.",
  },
  pass_forged: { status: 422, message: "Ce code n'est pas un titre de transport valable." },
  pass_elsewhere: {
    status: 409,
    message: "Ce titre est celui d'un réseau que votre entreprise n'exploite pas.",
  },
  pass_early: { status: 409, message: "Ce titre sera valable à partir du {at}." },
  pass_expired: { status: 410, message: "Ce titre n'est plus valable depuis le {at}." },
  pass_suspended: {
    status: 409,
    message: "Ce titre est suspendu. Il vaudra de nouveau une fois repris par son titulaire.",
  },
  pass_replaced: {
    status: 409,
    message: "Ce titre a été remplacé par un duplicata. Demandez à voir le nouveau.",
  },
  pass_code_old: {
    status: 409,
    message: "Ce code ne vaut plus\u202f: un autre l'a remplacé. Demandez à voir le nouveau.",
  },
  pass_card: {
    status: 409,
    message:
      "La carte du titulaire n'est pas utilisable : ce titre n'est pas valable pour l'instant.",
  },
} as const;
