// Constants of the kitchen; those that other rooms share are in contract/limits.ts.

/** Limits of one file of menus. */
export const menuFile = {
  bytes: 2 * 1024 ** 2,
  lines: 20_000,
} as const;

/** Messages of a canteen to families. */
export const messages = {
  /** Messages that one canteen sends in a day, at most. */
  perDay: 5,
  titleLength: 80,
  bodyLength: 1000,
  /** How long the same words to the same families are refused. */
  twinHours: 24,
} as const;

/** A change of prices: how many canteens and lines at once, and how many days ahead. */
export const priceChanges = { canteens: 100, lines: 100, days: 366 } as const;

/** The library of dishes: how many menus back it reads, what one answer has at most, declarations of one dish. */
export const dishLibrary = { menus: 400, items: 200, declarations: 3 } as const;
