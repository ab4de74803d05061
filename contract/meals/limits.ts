// Constants of meals; those that other rooms share are in contract/limits.ts.

/** Limits, in days, of an illness and of its certificate. */
export const illness = {
  /** Days that one announcement covers at most. */
  max: 31,
  /** Days after the illness in which its certificate may be sent. */
  toProve: 7,
  /** Days in which a refused certificate may be replaced, at least. */
  toProveAgain: 3,
  /** Days after which an unanswered certificate counts as accepted. */
  toAnswer: 30,
  /** Days for which its file is kept once it is answered. */
  retention: 30,
} as const;

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
  /** The last services of a weekday, within `weeks`, that a reminder of the evening before looks at. */
  services: 4,
  /** On how many of them a meal must have been ordered. */
  orderedServices: 3,
} as const;

/** The hours of clocks in Paris (HH:mm) between which the reminder of the evening before a deadline is sent. */
export const reminderEvening = { from: "18:00", until: "21:00" } as const;

/** Meals that one cancellation takes at most. */
export const maxMealsAtOnce = 100;

/** Days from today in which the first week that can be ordered is searched: the summer holidays and more. */
export const orderSearchDays = 70;

/** Reminders to register for the next school year. */
export const renewal = {
  /** From when (MM-DD) a family that has not asked for it is reminded a second time. */
  lastReminderFrom: "08-17",
} as const;
