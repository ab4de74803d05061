// The states of a partnership and what each permits to either side.
export const partnershipStates = [
  "invited",
  "active",
  "refused",
  "withdrawn",
  "expired",
  "ended",
] as const;
export type PartnershipState = (typeof partnershipStates)[number];

interface PartnershipSides {
  state: PartnershipState;
  /** Whether the caller's company sent the invitation. */
  isInviter: boolean;
}

export const partnershipCan = {
  answer: ({ state, isInviter }: PartnershipSides) => state === "invited" && !isInviter,
  withdraw: ({ state, isInviter }: PartnershipSides) => state === "invited" && isInviter,
  propose: ({ state }: Pick<PartnershipSides, "state">) => state === "active",
  write: ({ state }: Pick<PartnershipSides, "state">) => state === "active",
  end: ({ state }: Pick<PartnershipSides, "state">) => state === "active",
} as const;
