// Constants of the canteen that only its families and desk meet; those that other rooms share stand in
// contract/limits.ts.

/** Days of an illness and of its certificate. */
export const illness = {
  /** That one announcement covers at most. */
  most: 31,
  /** In which its certificate may be sent once it is over. */
  toProve: 7,
  /** In which a certificate that was refused may be replaced, at least. */
  toProveAgain: 3,
  /** After which a certificate that nobody answered counts as accepted. */
  toAnswer: 30,
  /** For which its file is kept once it is answered. */
  retention: 30,
} as const;
/** Of one file of menus. */
export const menuFile = {
  bytes: 2 * 1024 ** 2,
  lines: 20_000,
} as const;

/** Typed numbers of nobody who eats there, by one person at a counter: each is a guess. */
export const unknownNumbers = { most: 30, seconds: 600 } as const;

/** Days of service over which meals without an order are averaged, for the margin of a kitchen. */
export const marginServices = 20;

/** The calendar of meals behind a secret address. */
export const mealCalendar = {
  /** Readings from one address in a minute. */
  perMinute: 60,
  /** Past days that it keeps. */
  pastDays: 60,
} as const;

/** What a family usually orders, and being reminded of it. */
export const habit = {
  /** Weeks in which it is looked for. */
  weeks: 6,
  /** How often a weekday was ordered in them to be one. */
  times: 2,
  /** How long before a deadline a family is reminded of meals that it would miss. */
  remindHours: 72,
} as const;

/** Messages of a canteen to families. */
export const messages = {
  /** That one canteen sends in a day. */
  perDay: 5,
  titleLength: 80,
  bodyLength: 1000,
  /** How long the same words to the same families are refused. */
  twinHours: 24,
} as const;

/** Being reminded of the next school year. */
export const renewal = {
  /** From when (MM-DD) a family that has not asked for it is reminded a second time. */
  lastReminderFrom: "08-17",
} as const;

/** A change of prices: how many canteens and lines at once, and how many days ahead. */
export const priceChanges = { canteens: 100, lines: 100, days: 366 } as const;

/** For how many days a conflict of a counter waits to be dealt with. */
export const conflictDays = 30;
