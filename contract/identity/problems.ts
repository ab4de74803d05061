// Refusals about how a person is reached: a part of the one catalogue in errors.ts.

export const identityProblems = {
  phone_invalid: {
    status: 422,
    message: "Ce numéro de téléphone n'existe pas. Vérifiez-le et recommencez.",
  },
  phone_not_mobile: {
    status: 422,
    message: "Ce numéro ne reçoit pas de SMS. Donnez celui d'un téléphone mobile.",
  },
} as const;
