// Constants of the till; amounts in cents.
export const till = {
  minCents: 10,
  maxCents: 100_000,
  /** How long a sale by number waits for the holder. */
  answerSeconds: 300,
  /** How long a sale may be cancelled (spec.md 21). */
  cancelMinutes: 15,
} as const;

/** What a discount takes off an amount, in whole cents: never more than the terms give. */
export const discountOf = (amountCents: number, percent: number): number =>
  Math.floor((amountCents * percent) / 100);
