// Constants of partnerships.
export const partnerships = {
  /** How long an invitation waits for its answer. */
  invitationDays: 30,
  /** Invitations of a company that wait at once. */
  openInvitations: 50,
  /** New terms that one side proposes in 24 h: each time the other is written to. */
  proposalsPerDay: 5,
  /** Versions of the terms that are read, beside those in force. */
  versionsShown: 30,
  /** Largest discount of one side for the cards of the other. */
  maxPercent: 90,
} as const;
