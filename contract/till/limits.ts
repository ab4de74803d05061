// Constants of the till; amounts in cents.
import { loyalty } from "../loyalty/limits.ts";

export const till = {
  minCents: 10,
  maxCents: 100_000,
  /** How long a sale by number waits for the holder. */
  answerSeconds: 300,
  /** How long a sale may be cancelled (spec.md 21). */
  cancelMinutes: 15,
} as const;

/** How many of so many points may pay: they leave what the till charges at least. */
export const pointsTakenOff = (points: number, priceCents: number): number =>
  Math.max(0, Math.min(points, Math.floor((priceCents - till.minCents) / loyalty.pointCents)));

/** What a discount takes off an amount, in whole cents: never more than the terms give. */
export const discountOf = (amountCents: number, percent: number): number =>
  Math.floor((amountCents * percent) / 100);
