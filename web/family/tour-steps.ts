// The steps of the tour that make sense for a person, and what of them is done already.
import type { Output } from "#contract/endpoint.ts";
import type { Card } from "#contract/cards/rows.ts";
import type { family } from "#contract/family/rows.ts";
import { firstName, formatMoney, listInWords, plural } from "#contract/french.ts";
import type { CanteenProvider } from "#contract/meals/registrations.ts";
import type { SearchOf } from "#contract/searches.ts";
import type { Wallet } from "#contract/wallet/rows.ts";

export type TourStep = Exclude<SearchOf<"tour">["step"], undefined>;

/** Names of the steps, for the stepper. */
export const tourStepNames: Readonly<Record<TourStep, string>> = {
  carte: "Carte",
  enfant: "Enfant",
  recharge: "Recharge",
  cantine: "Cantine",
};

export interface TourFacts {
  /** The person's own; null where it cannot be read. */
  card: Card | null;
  family: Output<typeof family.list> | null;
  /** The main wallet. */
  wallet: Wallet | null;
  /** Whether wallets are topped up online here. */
  takesMoney: boolean;
  providers: readonly CanteenProvider[];
}

/** A provider where somebody of the family eats. */
export const ownProvider = ({ providers }: Pick<TourFacts, "providers">): CanteenProvider | null =>
  providers.find(({ people }) => people.length > 0) ?? null;

/**
 * The steps in their order. A minor takes nobody in charge and registers nobody; without a canteen, or a way to pay,
 * nobody is led there.
 */
export function tourSteps(facts: TourFacts): TourStep[] {
  const { family: own, wallet, takesMoney, providers } = facts;
  const isAdult = own?.minor === false;
  const isDrawn: Readonly<Record<TourStep, boolean>> = {
    carte: facts.card !== null,
    enfant: isAdult,
    recharge: wallet !== null && !wallet.frozen && takesMoney,
    cantine: ownProvider(facts) !== null || (isAdult && providers.some(({ frozen }) => !frozen)),
  };
  return (Object.keys(isDrawn) as TourStep[]).filter((step) => isDrawn[step]);
}

const namesOf = (people: readonly string[]) => listInWords(people.map((name) => firstName(name)));

/** What was done before, as a sentence; null where the step is still to do. */
export const tourDone: Readonly<Record<TourStep, (facts: TourFacts) => string | null>> = {
  carte: () => null,
  enfant: ({ family: own }) => {
    const names = (own?.members ?? []).flatMap(({ relation, name }) =>
      relation === "child" ? [name] : [],
    );
    if (names.length === 0) return null;
    return `${plural(names.length, "enfant rattaché", "enfants rattachés")}\u202f: ${namesOf(names)}.`;
  },
  recharge: ({ wallet }) =>
    wallet && wallet.balanceCents > 0
      ? `Votre cagnotte contient ${formatMoney(wallet.balanceCents)}.`
      : null,
  cantine: (facts) => {
    const people = ownProvider(facts)?.people ?? [];
    if (people.length === 0) return null;
    return `Déjà à la cantine\u202f: ${namesOf(people)}.`;
  },
};
