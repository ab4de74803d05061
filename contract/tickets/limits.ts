// Constants of e-tickets: carts, waiting lists, transfers, doors.

export const tickets = {
  /** How long a cart holds its seats. */
  cartSeconds: 25 * 60,
  /** From so long before a cart ends, its person is warned and may prolong it. */
  cartWarningSeconds: 5 * 60,
  cartSeats: 12,
  /** Who starts to pay has at least this long; paying and prolonging stay within `longestCartSeconds`. */
  payingSeconds: 15 * 60,
  longestCartSeconds: 60 * 60,
  /** While the bank has the payment, the seats are held on in such steps, to a limit. */
  bankStepSeconds: 5 * 60,
  longestBankSeconds: 2 * 3600,
  /** A cart that ended is shown for this long, to try again. */
  endedShownSeconds: 24 * 3600,
  /** How long free seats are offered to the first on the waiting list. */
  offeredSeconds: 30 * 60,
  /**
   * Until so long before a session or the end of its sale, seats are gathered until they are as many as
   * asked.
   */
  gatheringEndsHours: 48,
  openWaits: 5,
  transferHours: 48,
  openTransfers: 10,
  /** A QR is good from so long before a session to so long after its end. */
  doorsHours: 3,
  graceHours: 2,
} as const;
