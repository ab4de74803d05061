// Kinds of resource that ids in the contract name. A row declares the kind of each of its id fields (`of`,
// endpoint.ts): another person's resource answers like one that does not exist, and the generated access test
// tries each of them (tests/access.test.ts).

/**
 * Resources that belong to somebody: a row reaches only the caller's own, and for holders their children's.
 */
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
  /** A request for money, of the child who made it; `moneyRequestReceived` of the guardians who answer. */
  | "moneyRequest"
  | "moneyRequestReceived"
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
  | "tillArticle"
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
 * Ids that belong to nobody: `anyone` names what all may see; knowing a `secret` gives access; `new` is made
 * by the caller so that a repeated call counts once; `number` is of a card that need not be one's own.
 */
export type PublicResource = "anyone" | "secret" | "new" | "number";

export type ResourceKind = OwnedResource | PublicResource;
