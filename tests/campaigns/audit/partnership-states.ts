// States of the partnerships of a company that an address or an act brings about.
import type { FurnishedPortal } from "./furnished-portal.ts";
import { inOrder, press } from "./page-actions.ts";
import type { Visit } from "./visit.ts";

export function partnershipStates({ partnership }: FurnishedPortal): Visit[] {
  const route = "/professional/partenaire";
  const list = { route, address: route, caller: "professional", as: "partnerShop" } as const;
  const one = { ...list, route: "/partenaire/:id", address: `/partenaire/${partnership}` };
  return [
    {
      ...list,
      state: "invitations",
      address: `${route}?etat=waiting`,
      act: (page) => page.getByText("À vous de répondre").waitFor(),
    },
    {
      ...list,
      state: "inviter, numéro manquant",
      act: inOrder(press("Inviter une entreprise"), press("Envoyer l’invitation"), (page) =>
        page.getByText("Donnez un SIRET de 14 chiffres").waitFor(),
      ),
    },
    {
      ...one,
      state: "conditions proposées",
      act: (page) => page.getByText("attendent un accord").waitFor(),
    },
    {
      ...one,
      state: "mettre fin",
      act: inOrder(press("Mettre fin au partenariat"), (page) =>
        page.getByLabel("Motif").waitFor(),
      ),
    },
  ];
}
