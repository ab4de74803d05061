// The refusals of e-tickets: a part of the one catalogue in errors.ts.

export const ticketProblems = {
  ticket_partner: {
    status: 422,
    message:
      "La carte {cardnumber} n'est celle de personne dans une entreprise. Donnez celle d'un de ses responsables.",
  },
  tickets_sold_out: {
    status: 409,
    message:
      "Il ne reste plus assez de places. Prenez-en moins, ou inscrivez-vous sur la liste d'attente.",
  },
  tickets_closed: {
    status: 409,
    message: "La vente de ces billets n'est pas ouverte. Choisissez une autre séance.",
  },
  tickets_max: {
    status: 409,
    message: "Vous pouvez prendre au plus {max} billets pour cet événement.",
  },
  tickets_profile: {
    status: 409,
    message: "Ce tarif est réservé\u202f: {condition}. Choisissez un autre tarif.",
  },
  tickets_one_each: {
    status: 409,
    message:
      "Un tarif réduit ne se prend qu'une fois par personne et par séance. Choisissez une autre personne ou un autre tarif.",
  },
  cart_full: { status: 409, message: "Un panier tient au plus {max} billets. Payez-le d'abord." },
  cart_over: {
    status: 410,
    message: "Ce panier n'est plus réservé. Demandez de nouveau vos places.",
  },
  cart_longest: {
    status: 409,
    message: "Vos places ne peuvent pas être gardées plus longtemps. Payez ce panier.",
  },
  cart_paying: {
    status: 409,
    message: "Votre banque examine un paiement de ce panier. Attendez sa réponse.",
  },
  ticket_state: {
    status: 409,
    message: "L'état de ce billet ne le permet pas. Actualisez la page.",
  },
  ticket_transferred: {
    status: 409,
    message: "Ce billet vous a été transféré\u202f: seul un autre transfert est possible.",
  },
  ticket_refund_changed: {
    status: 409,
    message: "Le montant recrédité a changé. Vérifiez-le avant d'annuler.",
  },
  ticket_transfer_open: {
    status: 409,
    message: "Un transfert de ce billet attend une réponse. Retirez-le pour en faire un autre.",
  },
  ticket_transfer_over: {
    status: 410,
    message: "Ce transfert n'attend plus de réponse. Actualisez la page.",
  },
  ticket_transfer_reserved: {
    status: 409,
    message:
      "Ce billet est réservé\u202f: {condition}. Refusez-le\u202f: qui vous l'offre pourra le proposer à une autre personne.",
  },
  ticket_transfer_self: {
    status: 422,
    message: "Ce billet est déjà celui de cette carte. Indiquez-en une autre.",
  },
  ticket_transfers_full: {
    status: 409,
    message: "Déjà {max} transferts attendent une réponse. Retirez-en un pour continuer.",
  },
  ticket_wait_twice: {
    status: 409,
    message: "Vous êtes déjà sur la liste d'attente de cette séance.",
  },
  ticket_wait_needless: {
    status: 409,
    message: "Des places sont libres\u202f: prenez-les sans attendre.",
  },
  ticket_wait_over: {
    status: 410,
    message: "Ces places ne vous sont plus gardées. Actualisez la page.",
  },
  ticket_waits_full: {
    status: 409,
    message: "Vous attendez déjà {max} séances. Quittez une liste pour en rejoindre une autre.",
  },
  ticket_forged: { status: 422, message: "Ce code n'est pas un billet valable." },
  ticket_used: { status: 409, message: "Ce billet a déjà servi le {at}." },
  ticket_revoked: {
    status: 409,
    message: "Ce code ne vaut plus\u202f: le billet a été transféré, annulé ou renouvelé.",
  },
  ticket_early: { status: 409, message: "Ce billet sera valable à partir du {at}." },
  ticket_late: { status: 410, message: "Cette séance est commencée ou passée." },
  ticket_elsewhere: { status: 409, message: "Ce billet est celui d'un autre organisateur." },
} as const;
