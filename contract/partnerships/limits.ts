// Constants of partnerships.
export const partnerships = {
  /** How long an invitation waits for its answer. */
  invitationDays: 30,
  /** Invitations of a company that wait at once. */
  openInvitations: 50,
  /** What one side may take off for the cards of the other. */
  mostPercent: 90,
} as const;
