// Constants of the canteen that only its families and desk meet; those that other rooms share are in
// contract/limits.ts.

/** Limits, in days, of an illness and of its certificate. */
export const illness = {
  /** Days that one announcement covers at most. */
  most: 31,
  /** Days after the illness in which its certificate may be sent. */
  toProve: 7,
  /** Days in which a refused certificate may be replaced, at least. */
  toProveAgain: 3,
  /** Days after which an unanswered certificate counts as accepted. */
  toAnswer: 30,
  /** Days for which its file is kept once it is answered. */
  retention: 30,
} as const;
/** Limits of one file of menus. */
export const menuFile = {
  bytes: 2 * 1024 ** 2,
  lines: 20_000,
} as const;

/**
 * Rate of typed numbers that belong to nobody who eats there, by one person at a counter: each is a guess.
 */
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

/** A family's usual order, and its reminder. */
export const habit = {
  /** Weeks that are searched for a habit. */
  weeks: 6,
  /** How often a weekday must have been ordered in these weeks. */
  times: 2,
  /** How long before a deadline a family is reminded of meals that it would miss. */
  remindHours: 72,
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

/** Reminders to register for the next school year. */
export const renewal = {
  /** From when (MM-DD) a family that has not asked for it is reminded a second time. */
  lastReminderFrom: "08-17",
} as const;

/** A change of prices: how many canteens and lines at once, and how many days ahead. */
export const priceChanges = { canteens: 100, lines: 100, days: 366 } as const;

/** For how many days a conflict of a counter waits to be dealt with. */
export const conflictDays = 30;
