// What the ids of the contract name. A row says for each of its fields which of these it is (`of`, endpoint.ts):
// what is another's answers like what does not exist, and the generated access test tries each of them
// (tests/access.test.ts).

/** What somebody has, of which the row reaches the caller's alone. Holders reach what their children have too. */
export type OwnedResource =
  // ---- of a person, or of a child of theirs
  | "avatar"
  | "card"
  | "document"
  | "illness"
  | "meal"
  | "mealRequest"
  | "mealWait"
  | "notification"
  | "pass"
  | "passOrder"
  | "passkey"
  | "alert"
  | "session"
  | "paymentMethod"
  | "proof"
  | "purchase"
  | "purchaseAtTill"
  | "registration"
  | "subscription"
  | "thread"
  | "ticket"
  | "ticketOrder"
  | "ticketWait"
  | "ticketSent"
  | "ticketReceived"
  | "topUp"
  | "topUpRule"
  | "giftLink"
  | "transferSent"
  | "wallet"
  | "export"
  | "cardRequest"
  | "enrolment"
  | "saleRequest"
  // ---- of a family
  /** The card of somebody to whom one may send money. */
  | "kin"
  /** The card of a member whom one is tied to. */
  | "tie"
  | "invitationSent"
  | "invitationReceived"
  | "custodyProposed"
  | "custodyReceived"
  // ---- of a company
  | "activeGrant"
  | "bankChange"
  | "cardOrder"
  /** The card of somebody who carries one of the company. */
  | "colleague"
  | "employeeEnrolment"
  | "grant"
  | "invoice"
  | "offlineCharge"
  | "partnership"
  | "proCard"
  | "sale"
  | "sheet"
  // ---- of the canteen service that a company runs
  | "canteen"
  | "closing"
  | "illnessAt"
  | "mealAt"
  | "menuTemplate"
  | "photo"
  | "price"
  | "registrationAt"
  | "scanAt";

/**
 * What an id is when it is nobody's: `anyone`, of what all may see; `secret`, whose knowledge is the right; `new`,
 * which the caller makes up so that a repeated call is one act; `number` of a card that need not be one's own.
 */
export type PublicResource = "anyone" | "secret" | "new" | "number";

export type ResourceKind = OwnedResource | PublicResource;
