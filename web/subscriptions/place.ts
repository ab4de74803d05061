// Where one is on the page of subscriptions, and how one goes elsewhere on it.
import { useNavigate } from "@tanstack/react-router";

/** Goes to another place of this page, with an entry in the history: Back goes back one step. */
export function useGo() {
  const navigate = useNavigate();
  return (search: Record<string, string | undefined>) =>
    void navigate({ to: ".", search, resetScroll: false });
}

/** Whose card: what stands under the title. */
export const leadOf = ({ own, name }: { own: boolean; name: string }): string =>
  own ? "Votre carte" : `Carte de ${name}`;
