// Constants of the service of meals; those that other rooms share are in contract/limits.ts.

/**
 * Rate of typed numbers that belong to nobody who eats there, by one person at a counter: each is a guess.
 */
export const unknownNumbers = { max: 30, seconds: 600 } as const;

/** Days of service over which meals without an order are averaged, for the margin of a kitchen. */
export const marginServices = 20;

/** For how many days a conflict of a counter waits to be dealt with. */
export const conflictDays = 30;

/** For how many seconds the counter shows a verdict that asks for nothing, unless another takes its place. */
export const verdictSeconds = 20;
