// Constants of companies.

/** Cards that a company may have in all, those that nobody carries yet included. */
export const companyCards = { most: 500 } as const;
