// Constants of invoices.
export const invoices = {
  maxLines: 500,
  /** Characters of the words of a line. */
  longestLabel: 500,
  maxQuantity: 1_000_000,
  /** Lines of the CSV at most. */
  maxCsvLines: 5_000,
  /** Days that a company has to pay, where nothing else is agreed (article L441-10). */
  paymentDays: 30,
} as const;
