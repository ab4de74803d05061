// A card number as people read it aloud, and nothing else: the login page loads this file alone.

/** « 1000 000 016 », of at most ten characters of which some may still be missing. */
export const groupDigits = (digits: string): string =>
  [digits.slice(0, 4), digits.slice(4, 7), digits.slice(7, 10)].filter(Boolean).join(" ");
