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

interface Seen {
  state: PartnershipState;
  /** Whether the caller's company sent the invitation. */
  isInviter: boolean;
}

export const partnershipCan = {
  answer: ({ state, isInviter }: Seen) => state === "invited" && !isInviter,
  withdraw: ({ state, isInviter }: Seen) => state === "invited" && isInviter,
  propose: ({ state }: Pick<Seen, "state">) => state === "active",
  write: ({ state }: Pick<Seen, "state">) => state === "active",
  end: ({ state }: Pick<Seen, "state">) => state === "active",
} as const;
