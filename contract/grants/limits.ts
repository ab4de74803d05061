// Constants of the money that companies grant on their pro cards; amounts in cents.

export const grants = {
  /** Cards of one grant. */
  max: 200,
  /** Smallest amount for one card. */
  minCents: 100,
  maxCents: 100_000,
  /** Characters of what the bearer reads of it. */
  labelLength: 40,
  /** How far ahead its last day may be. */
  monthsAhead: 24,
  /** Days before its last day on which the bearer and the company are warned, once. */
  soonDays: 14,
  /** Days that a company has to pay what it was granted on credit. */
  transferDays: 30,
  /** Hours in which what is not spent of it can be taken back. */
  takeBackHours: 72,
  /** Largest size of the file of cards and amounts. */
  fileBytes: 512 * 1024,
  /** A draft that nobody paid for so long is erased. */
  draftDays: 30,
  /** Lines of the file that a company downloads. */
  maxLines: 20_000,
} as const;
