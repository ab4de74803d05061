// States of a membership request and what each permits; its steps and the documents it may ask for.

export const membershipStates = [
  "draft",
  "submitted",
  "review",
  "clarification",
  "approved",
  "rejected",
] as const;
export type MembershipState = (typeof membershipStates)[number];

/**
 * The one table of transitions (server/memberships/README.md#states-of-a-request). A request whose
 * question stays without an answer may be rejected; it is never approved before it is back under review.
 */
export const membershipTransitions: Readonly<Record<MembershipState, readonly MembershipState[]>> =
  {
    draft: ["submitted"],
    submitted: ["review"],
    review: ["clarification", "approved", "rejected"],
    clarification: ["review", "rejected"],
    approved: [],
    rejected: [],
  };

interface HasState {
  state: MembershipState;
}
const leads = (one: HasState, to: MembershipState) => membershipTransitions[one.state].includes(to);

export const membershipCan = {
  submit: (one: HasState) => leads(one, "submitted"),
  discard: (one: HasState) => one.state === "draft",
  takeUp: (one: HasState) => one.state === "submitted" && leads(one, "review"),
  ask: (one: HasState) => leads(one, "clarification"),
  answer: (one: HasState) => one.state === "clarification" && leads(one, "review"),
  approve: (one: HasState) => leads(one, "approved"),
  reject: (one: HasState) => leads(one, "rejected"),
  /** Another request may be opened beside it. */
  beginAgain: (one: HasState) => one.state === "rejected",
};

/** Parts of a request that a person writes, in their order; an operator may ask for one again. */
export const membershipParts = ["company", "representative", "documents"] as const;
export type MembershipPart = (typeof membershipParts)[number];

/** Whether a part may be written: all of them in a draft, afterwards those that the operator asked for. */
export const canWritePart = (
  one: HasState & { requestedParts: readonly MembershipPart[] },
  part: MembershipPart,
): boolean =>
  one.state === "draft" || (one.state === "clarification" && one.requestedParts.includes(part));

/** Steps of the form, in their order. */
export const membershipSteps = [...membershipParts, "code", "summary"] as const;
export type MembershipStep = (typeof membershipSteps)[number];

export const membershipDocumentKinds = ["registration", "identity", "mandate"] as const;
export type MembershipDocumentKind = (typeof membershipDocumentKinds)[number];

export const legalForms = [
  "micro",
  "ei",
  "eurl",
  "sarl",
  "sas",
  "sasu",
  "sa",
  "snc",
  "cooperative",
  "association",
  "public",
  "other",
] as const;
export type LegalForm = (typeof legalForms)[number];
