// Constants of employers' transport.
export const commuting = {
  /** Enrolments of a company on one offer that wait or run, at most. */
  maxEnrolments: 500,
  /** How long an enrolment waits for the holder. */
  answerDays: 30,
  /**
   * How often a company enrols one number in `againDays`: it may be a stranger's. Only the first one sends a
   * message outside the portal.
   */
  maxPerNumber: 3,
  againDays: 30,
  /**
   * How often an enrolment resumes in a day, and a person sets the share: each time employees are written to.
   */
  resumesPerDay: 3,
  sharesPerDay: 5,
  /** Days that an employer has to pay an invoice. */
  dueDays: 30,
  /** Lines of a payroll file at most. */
  maxPayrollLines: 5000,
} as const;
