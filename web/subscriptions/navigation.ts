// Steps of the subscription page, and navigation between them.
import { useNavigate } from "@tanstack/react-router";
import { subscriptionPath, type SubscriptionApplication } from "#contract/subscriptions/rows.ts";

/** Goes to another place of this page, with an entry in the history: Back goes back one step. */
export function useGo() {
  const navigate = useNavigate();
  return (search: Record<string, string | undefined>) =>
    void navigate({ to: ".", search, resetScroll: false });
}

/** Back to what runs on the card. */
export const backTo = (cardnumber: number | undefined) => ({
  href: cardnumber ? `${subscriptionPath}?carte=${cardnumber}` : subscriptionPath,
  label: "Abonnement",
});

/** Whose card: what stands under the title. */
export const leadOf = ({ own, name }: { own: boolean; name: string }): string =>
  own ? "Votre carte" : `Carte de ${name}`;

export const steps = ["Formule", "Titulaire", "Options", "Prix", "Paiement", "Terminé"] as const;
export const stepsLabel = "Étapes de l’abonnement";

/** The steps of an open application, as the address names them. */
const names = ["formule", "titulaire", "options", "prix"] as const;
export type StepName = (typeof names)[number];

const reached = { holder: 1, options: 2, price: 3 } as const;

/** Which step to show: the one of the address if the application has reached it, else its own. */
export function stepOf(
  application: Pick<SubscriptionApplication, "step">,
  asked: string | undefined,
): number {
  const most = reached[application.step];
  const place = names.indexOf(asked as StepName);
  return place === -1 ? most : Math.min(place, most);
}

export const nameOf = (step: number): StepName => names[step] ?? "formule";
