// The refusals of the bus network, a part of the catalogue of errors.ts.

export const transitProblems = {
  favourite_stops_full: {
    status: 409,
    message: "Vous avez déjà {max} arrêts favoris. Retirez-en un pour ajouter celui-ci.",
  },
} as const;
