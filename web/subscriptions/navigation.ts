// Steps of the subscription page, and navigation between them.
import { useNavigate } from "@tanstack/react-router";
import { linkTo, wireSearch } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import type { SearchOf } from "#contract/searches.ts";
import type { SubscriptionApplication } from "#contract/subscriptions/rows.ts";
import { ofName } from "#contract/french.ts";

/** Goes to another place of this page, with an entry in the history: Back goes back one step. */
export function useGo() {
  const navigate = useNavigate();
  return (search: SearchOf<"subscription">) =>
    void navigate({ to: ".", search: wireSearch<"subscription">(search), resetScroll: false });
}

/** Back to what runs on the card. */
export const backTo = (cardnumber: number | undefined) => ({
  href: linkTo(paths.subscription, {}, { card: cardnumber || undefined }),
  label: "Abonnement",
});

/** Whose card: what stands under the title. */
export const leadOf = ({ own, name }: { own: boolean; name: string }): string =>
  own ? "Votre carte" : `Carte ${ofName(name)}`;

/** Steps of a subscription; who joins no document is not asked to look at a step of it. */
export const stepsFor = (hasProofs: boolean): readonly string[] => [
  "Formule",
  ...(hasProofs ? ["Documents"] : []),
  "Prix",
  "Paiement",
  "Terminé",
];
export const stepsLabel = "Étapes de l’abonnement";

/** A step of an open application, as the address names it. */
export type StepName = Exclude<SearchOf<"subscription">["step"], "paiement" | undefined>;

type Stepped = Pick<SubscriptionApplication, "step" | "proofs">;

/** Which step to show: the one of the address if the application has reached it, else its own. */
export function stepOf({ step, proofs }: Stepped, param: string | undefined): StepName {
  const hasProofs = proofs.length > 0;
  const own = hasProofs && step === "holder" ? "titulaire" : "prix";
  if (param === "formule") return param;
  return param === "titulaire" && hasProofs ? param : own;
}
