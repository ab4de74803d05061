// Refusals of points.
export const loyaltyProblems = {
  points_short: {
    status: 409,
    message:
      "Ces points ne sont plus disponibles. Refusez cet achat, puis recommencez-le en caisse.",
  },
} as const;
