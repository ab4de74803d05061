/** Where a document is shown. */
export const invoicePath = (id: string): string => `/professional/invoice?facture=${id}`;
