// Sales that a card pays at once.

/**
 * Below `cents` a sale by QR code is paid without a confirmation, whatever left the wallets before, at most `perDay`
 * times in a day.
 */
export const smallSale = { cents: 2000, perDay: 5 } as const;
