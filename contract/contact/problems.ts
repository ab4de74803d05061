// The refusals of files and of messages to the customer service, a part of the catalogue of errors.ts.

export const contactErrors = {
  document_too_large: {
    status: 413,
    message: "Ce fichier est trop lourd : {max} au plus. Choisissez-en un plus léger.",
  },
  file_too_slow: {
    status: 422,
    message:
      "Ce fichier est trop long à lire : rien n'en a été repris. Partagez-le en plusieurs fichiers, puis choisissez-les l'un après l'autre.",
  },
  document_type: {
    status: 415,
    message: "Ce fichier n'est ni une photo (JPEG, PNG) ni un PDF. Choisissez-en un autre.",
  },
  document_heic: {
    status: 415,
    message:
      "Cette photo est au format HEIC d'un iPhone, que le portail ne lit pas. Ouvrez-la sur votre ordinateur, enregistrez-la en JPEG, puis choisissez cette copie.",
  },
  document_locked: {
    status: 422,
    message:
      "Ce PDF ne s'ouvre qu'avec un mot de passe. Enregistrez-en une copie sans mot de passe, puis choisissez-la.",
  },
  document_no_page: {
    status: 422,
    message: "Ce PDF n'a aucune page. Enregistrez-le à nouveau, puis choisissez cette copie.",
  },
  document_unreadable: {
    status: 422,
    message:
      "Ce fichier est vide, abîmé, incomplet ou trop grand pour être lu. Choisissez-en un autre.",
  },
  document_quota: {
    status: 409,
    message:
      "Vos fichiers occupent déjà toute la place prévue. Écrivez au service clients pour en ajouter.",
  },
  document_full: {
    status: 409,
    message: "Déjà {max} fichiers attendent d'être envoyés. Retirez-en un pour continuer.",
  },
  document_attached: {
    status: 409,
    message: "Ce fichier est déjà joint à un envoi. Ajoutez-le de nouveau pour l'utiliser ici.",
  },
  contact_full: {
    status: 409,
    message:
      "Vous avez déjà {max} demandes en cours. Terminez-en une, ou écrivez dans l'une d'elles.",
  },
  contact_long: {
    status: 409,
    message: "Cette demande a atteint sa longueur maximale. Écrivez-nous une nouvelle demande.",
  },
  contact_pace: {
    status: 429,
    message: "Vous avez envoyé beaucoup de messages en une heure. Réessayez dans {minutes} min.",
  },
} as const;
