// Refusals about how a person is reached: a part of the one catalogue in errors.ts.

export const identityProblems = {
  code_addresses_exhausted: {
    // No 429, as `code_sends_exhausted`: what was refused waits for hours.
    status: 403,
    message:
      "Vous avez demandé des codes pour trop d'adresses ou de numéros différents. Utilisez l'un d'eux, ou réessayez dans {wait}.",
  },
  phone_invalid: {
    status: 422,
    message: "Ce numéro de téléphone n'existe pas. Vérifiez-le et recommencez.",
  },
  phone_not_mobile: {
    status: 422,
    message: "Ce numéro ne reçoit pas de SMS. Donnez celui d'un téléphone mobile.",
  },
} as const;
