// Constants of the till; amounts in cents.
import { loyalty } from "./point-limits.ts";

export const till = {
  minCents: 10,
  maxCents: 100_000,
  /** Characters of why a charge that was not sent is taken off the device. */
  withdrawnLength: 120,
  /** How long a sale by number waits for the holder. */
  answerSeconds: 300,
  /**
   * Requests by number that a holder did not pay, of one company in `requestMinutes`: they may be a stranger.
   */
  maxRequests: 2,
  requestMinutes: 10,
  /** Numbers that one person charges in `requestMinutes`, known or not: each is a guess. */
  maxNumbers: 30,
  /** How long a sale may be cancelled (spec.md 21). */
  cancelMinutes: 15,
  /** How often the receipts of one holder are sent again by one company in 24 hours. */
  receiptsPerDay: 3,
} as const;

/** The price list of a company's tills, and the lines of a sale. */
export const articles = {
  /** Of one company. */
  max: 120,
  /** Characters. */
  nameLength: 40,
  shelfLength: 30,
  /** Of one sale. */
  lines: 40,
  /** Of one article in a sale. */
  count: 99,
} as const;

/**
 * Charging without network (spec.md 21): what a company may lose of a cut at most, since a charge that the
 * holder's wallet cannot pay later is its own affair, and what a holder may lose by codes that others show.
 */
export const offlineTill = {
  /** Of one charge, before the discount. */
  chargeCents: 3_000,
  /** Of all charges of one cashier at one counter that the server does not know yet. */
  tillCents: 30_000,
  /** Of all charges of one holder in a day in Paris, at whatever tills. */
  holderDayCents: 6_000,
  /** One received so soon after its sale, or while its code is still good, is judged like one made online. */
  onlineSeconds: 20,
  /** How long after its sale a charge is still taken from a wallet. */
  days: 7,
  /** Charges in one call. */
  atOnce: 50,
} as const;

/** How many of so many points may pay: they leave what the till charges at least. */
export const pointsTakenOff = (points: number, priceCents: number): number =>
  Math.max(0, Math.min(points, Math.floor((priceCents - till.minCents) / loyalty.pointCents)));

/** The discount on an amount, in whole cents: never more than the terms give. */
export const discountOf = (amountCents: number, percent: number): number =>
  Math.floor((amountCents * percent) / 100);
