// Where one is on the page of subscriptions, and how one goes elsewhere on it.
import { useNavigate } from "@tanstack/react-router";
import { subscriptionPath } from "#contract/subscriptions.ts";

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
