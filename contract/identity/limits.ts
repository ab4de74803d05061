// Limits per person on what everybody shares: hashes of passwords, and messages about logins.

export const ofOnePerson = {
  /** Calls under way at once that hash. Before a login as many of one card, or of one browser that it knows,
   * as its ladder lets through. */
  hashing: 3,
  /** Passwords chosen from one session in an hour, whatever becomes of them. */
  choicesPerHour: 20,
  /** Logins that succeed, from browsers that are not known, or from one that is. */
  loginsPerHour: 100,
  /** Logins of unknown browsers send one message within so long, the others a notice alone. */
  alertMessageEverySeconds: 600,
  /** New addresses and numbers, of anybody, to which codes are sent in a day for one account. */
  newAddressesPerDay: 5,
  /** Step-ups that a passkey may answer, asked for without a code within `codes.sendWindowSeconds`. */
  heldCodes: 60,
} as const;

export const ofOneAddress = {
  /** Sent for what is done from there, whoever asks, within `codes.sendWindowSeconds`. */
  codesSent: 60,
} as const;

/** Payments that one proof (a passkey, or the password and a code) allows afterwards in its session. */
export const moneyProof = {
  minutes: 15,
  /** Sum of all of them. */
  cents: 30_000,
} as const;
