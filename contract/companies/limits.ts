// Constants of companies.

/** Cards that a company may have in all, those that nobody carries yet included. */
export const companyCards = { max: 500 } as const;

/** How often one person is given a role in a day: each time, they and the owners get a message. */
export const rolesPerDay = 5;

/** A change of bank account. */
export const bankChange = {
  /** How long payouts are suspended, and how long it may be undone (spec.md 25). */
  freezeHours: 48,
  /** How long a second owner may confirm it; unanswered, the former account stays in force. */
  answerDays: 7,
  /** After how long an owner counts as a second one, as a channel does for a step-up (spec.md 29). */
  ownerStandsHours: 72,
} as const;
