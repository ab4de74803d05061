// The refusals of families: ties, limits, custody and papers, a part of the catalogue of errors.ts.

export const familyErrors = {
  family_oneself: { status: 422, message: "C'est votre propre carte. Indiquez celle d'un autre." },
  family_already: { status: 409, message: "Cette carte est déjà dans votre famille." },
  family_invited: {
    status: 409,
    message: "Une invitation attend déjà la réponse de cette carte. Annulez-la pour recommencer.",
  },
  family_full: {
    status: 409,
    message: "Déjà {max} invitations attendent une réponse. Annulez-en une pour continuer.",
  },
  family_minor: {
    status: 409,
    message: "Votre carte a un responsable : c'est à lui de faire cette démarche.",
  },
  family_child_missing: {
    status: 422,
    message: "Choisissez l'enfant dont cette personne sera responsable.",
  },
  family_last_guardian: {
    status: 409,
    message: "Vous êtes le seul responsable de cette carte. Invitez d'abord un autre responsable.",
  },
  invitation_over: {
    status: 410,
    message: "Cette invitation n'attend plus de réponse. Actualisez la page.",
  },
  invitation_unfit: {
    status: 409,
    message:
      "Cette invitation n'est pas pour vous. Demandez à qui l'a envoyée d'en faire une autre.",
  },
  join_refused: {
    status: 422,
    message: "Ce numéro et ce code ne vont pas ensemble, ou le code a déjà servi. Vérifiez-les.",
  },
  join_locked: {
    status: 409,
    message:
      "Trop d'essais aujourd'hui. Réessayez demain, ou demandez un nouveau code au service clients.",
  },
  join_adult: {
    status: 409,
    message:
      "Cette personne a 18 ans ou plus : personne n'agit pour sa carte. Invitez-la comme proche.",
  },
  join_reachable: {
    status: 409,
    message: "Cette personne peut répondre elle-même. Envoyez-lui une invitation.",
  },
  join_guarded: {
    status: 409,
    message: "Cette carte a déjà un responsable. Demandez-lui de vous inviter.",
  },
  first_card_age: {
    status: 422,
    message: "Une première carte se demande ici pour un enfant de moins de 18 ans.",
  },
  first_card_requested: {
    status: 409,
    message: "Vous avez déjà demandé une carte pour cet enfant. Elle attend notre réponse.",
  },
  first_card_full: {
    status: 409,
    message: "Déjà {max} demandes attendent notre réponse. Retirez-en une pour continuer.",
  },
  first_card_answered: {
    status: 409,
    message: "Cette demande a déjà sa réponse. Actualisez la page.",
  },
  first_password_chosen: {
    status: 409,
    message:
      "Cette personne a déjà choisi son mot de passe. «\u00a0Mot de passe oublié\u202f?\u00a0» lui en donne un autre.",
  },
  secret_needs_identity: {
    status: 409,
    message:
      "Cette personne a déjà choisi son mot de passe, et ni e-mail ni téléphone ne lui en donne un autre. Vérifiez son identité, puis recommencez avec un motif qui dit ce que vous avez vu.",
  },
  batch_changed: {
    status: 409,
    message: "Une de ces cartes a changé entre-temps. Rien n'est imprimé ; recommencez.",
  },
  batch_files: {
    status: 409,
    message: "Le fichier {path} n'a pas été écrit : {why}. Aucune carte n'a changé d'état.",
  },
  custody_guardians: {
    status: 409,
    message:
      "La garde se décide ici entre deux responsables. Invitez l'autre responsable pour la partager.",
  },
  custody_dates: {
    status: 422,
    message:
      "Ces dates ne vont pas : à partir d'aujourd'hui, dans les {ahead} jours, {longest} jours au plus.",
  },
  custody_waiting: {
    status: 409,
    message: "Une proposition attend déjà une réponse pour ces jours. Répondez-y ou retirez-la.",
  },
  custody_full: {
    status: 409,
    message: "Déjà {max} propositions attendent une réponse. Retirez-en une pour continuer.",
  },
  custody_over: {
    status: 410,
    message: "Cette proposition n'attend plus de réponse. Actualisez la page.",
  },
  proof_household: {
    status: 422,
    message: "Ce justificatif concerne votre foyer. Envoyez-le en votre nom.",
  },
  proof_incomplete: {
    status: 422,
    message: "Il manque une information\u202f: {what}. Ajoutez-la et recommencez.",
  },
  proof_date: {
    status: 422,
    message: "Une date n'est pas possible\u202f: {what}. Vérifiez-la sur le document.",
  },
  proof_old: {
    status: 422,
    message: "Ce document doit dater de moins de trois mois. Demandez-en un plus récent.",
  },
  proof_waiting: {
    status: 409,
    message: "Un justificatif de ce genre attend déjà notre réponse. Retirez-le pour le remplacer.",
  },
  proof_answered: {
    status: 409,
    message: "Ce justificatif a déjà sa réponse. Actualisez la page.",
  },
  limit_day: {
    status: 409,
    message: "C'est plus que ce que cette carte peut dépenser par jour. Un responsable en décide.",
  },
  limit_week: {
    status: 409,
    message:
      "C'est plus que ce que cette carte peut dépenser par semaine. Un responsable en décide.",
  },
  limit_place: {
    status: 409,
    message: "Cette carte ne peut pas servir ici. Un responsable a choisi où elle paie.",
  },
  limit_order: {
    status: 422,
    message: "Le plafond du jour ne peut pas dépasser celui de la semaine.",
  },
  limit_unknown_place: {
    status: 422,
    message: "Un des lieux choisis n'existe plus. Actualisez la page.",
  },
} as const;
