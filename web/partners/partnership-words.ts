// The words of partnerships.
import type { PartnershipLine } from "#contract/partners/partnerships.ts";
import type { PartnershipState } from "#contract/partners/partnership-states.ts";
import type { Tone } from "#web/ui/banner.tsx";

export const stateWords: Readonly<
  Record<PartnershipState, { says: string; tone: Tone | "neutral" }>
> = {
  invited: { says: "En attente", tone: "warning" },
  active: { says: "En cours", tone: "success" },
  refused: { says: "Refusée", tone: "neutral" },
  withdrawn: { says: "Retirée", tone: "neutral" },
  expired: { says: "Sans réponse", tone: "neutral" },
  ended: { says: "Terminé", tone: "neutral" },
};

/** The other company, or the number that was typed as long as nobody has said whose it is. */
export const nameOf = ({ name, invited }: Pick<PartnershipLine, "name" | "invited">): string =>
  name ?? `Invitation au ${invited ?? ""}`;

/** A discount as a word: « 10 % », or that there is none. */
export const percentOf = (percent: number): string =>
  percent === 0 ? "Aucune remise" : `${percent}\u00a0%`;
