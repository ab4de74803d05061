// What the mutation run takes for an access check: functions by name, columns of ownership, and comparisons of persons.

/** How a check vanishes. */
export type Vanishing =
  /** A condition of SQL that holds for everybody. */
  | "true"
  /** A refusal that never comes. */
  | "nothing"
  /** It answers as always, and the conditions of ownership within it hold for everybody. */
  | "unchecked"
  /** The membership that it was given to check. */
  | "membership";

/** Every function that decides whose something is or who may, with what it asks. */
export const checkFunctions: Readonly<Record<string, Vanishing>> = {
  // Family: whoever a person acts for, or sees.
  mayActFor: "true",
  isFamilyOf: "true",
  mayManageCardOf: "true",
  holderFor: "unchecked",
  holderWithChildren: "unchecked",
  // A child leaves to its guardians what reaches its money, its contacts and its account.
  requireNotMinor: "nothing",
  requireOwnContacts: "nothing",
  requireOwnOrNotMinor: "nothing",
  requireAdult: "nothing",
  // Company: the right of a row, and the owner of a resource that it names.
  requireRight: "membership",
  holdRoles: "membership",
  canteenOf: "unchecked",
  canteensOf: "unchecked",
  providerOf: "unchecked",
  requireCounter: "nothing",
  requireInvoice: "unchecked",
  requirePartnership: "unchecked",
};

/** Functions that give many rows their check: it is taken away from one row at a time. */
export const rowWrappers: readonly string[] = ["ofCanteen", "ofProvider"];

/** Columns that say whose a row of a table is. */
export const ownerColumns: readonly string[] = [
  "requested_by",
  "buyer_id",
  "canteen_id",
  "cashier_id",
  "company_id",
  "from_id",
  "guardian_id",
  "holder_id",
  "invited_id",
  "invitee_id",
  "inviter_id",
  "member_id",
  "ordered_by",
  "owner_id",
  "partner_id",
  "person_id",
  "proposed_by",
  "proposed_to",
  "provider_id",
  "to_id",
  "wallet_id",
];

/** Names that hold a person or a company: `row.personId !== caller.personId`. */
export const ownerNames =
  /(?:^|\.)(?:personId|companyId|me|actor|callerId|cashierId|inviterId|invitedId|inviteeId|holderId|ownerId|guardianId|buyerId)$/;
