// Constants of invoices.
export const invoices = {
  mostLines: 500,
  /** Characters of the words of a line. */
  longestLabel: 500,
  mostQuantity: 1_000_000,
  /** Lines of the CSV at most. */
  mostInFile: 5_000,
  /** Days that a company has to pay, where nothing else is agreed (article L441-10). */
  paymentDays: 30,
} as const;
