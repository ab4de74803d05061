// Constants of employers' transport.
export const commuting = {
  /** Enrolments of a company on one offer that wait or run, at most. */
  mostEnrolments: 500,
  /** How long an enrolment waits for the holder. */
  answerDays: 30,
  /** Days that an employer has to pay an invoice. */
  dueDays: 30,
  /** Lines of a payroll file at most. */
  mostPayrollLines: 5000,
} as const;
