// Constants of requests for money.

export const moneyRequest = {
  /** Bounds of the amount in cents, and the amounts that are proposed. */
  minCents: 100,
  maxCents: 20_000,
  presetsCents: [500, 1000, 2000],
  /** How long one waits for an answer. */
  days: 7,
} as const;
