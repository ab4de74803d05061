// States of the pro cards that an address or an act brings about.
import type { Page } from "playwright-core";
import { failedAnswer, inOrder, press, see } from "./page-actions.ts";
import type { FurnishedPortal } from "./furnished-portal.ts";
import type { Visit } from "./visit.ts";

const hasButton = (name: string) => (page: Page) =>
  page.getByRole("button", { name }).first().waitFor();

export function proCardStates(furnished: FurnishedPortal): Visit[] {
  const route = "/professional/card_pro";
  const list = { route, address: route, caller: "professional", as: "employer" } as const;
  const order = { route: "/card", caller: "professional", as: "employer" } as const;
  return [
    {
      ...order,
      address: "/card?etape=personnes",
      state: "personnes à ajouter",
      act: inOrder(press("Ajouter une personne"), hasButton("Ajouter")),
    },
    {
      ...order,
      address: "/card?commande=0d8e2b1c-0000-4000-8000-000000000001",
      state: "commande introuvable",
      expected: failedAnswer,
      act: (page) => page.getByText("Cette commande n’existe pas").waitFor(),
    },
    {
      ...order,
      address: furnished.cardOrderPath,
      state: "annuler une commande",
      act: inOrder(
        press("Annuler la commande"),
        see("alertdialog", "Annuler cette commande\u202f?"),
      ),
    },
    { ...list, state: "des cartes dans chaque état" },
    {
      ...list,
      state: "cartes sans porteur",
      address: `${route}?etat=a-attribuer`,
      act: hasButton("Attribuer la carte"),
    },
    {
      ...list,
      state: "sans résultat",
      address: `${route}?nom=xylophone`,
      act: (page) => page.getByText("Aucune carte ne correspond").waitFor(),
    },
    {
      ...list,
      state: "gérer une carte",
      act: inOrder(press("Gérer la carte de Louis Tanguy"), hasButton("Suspendre la carte")),
    },
    {
      ...list,
      state: "plafonds",
      act: inOrder(press("Plafonds de Louis Tanguy"), hasButton("Enregistrer les plafonds")),
    },
    {
      ...list,
      state: "attribuer, champs vides",
      address: `${route}?etat=a-attribuer`,
      act: inOrder(
        (page) =>
          page
            .getByRole("button", { name: /^Attribuer la carte \d/ })
            .first()
            .click(),
        (page) => page.getByRole("button", { name: "Attribuer la carte", exact: true }).click(),
        (page) => page.getByText("Indiquez le prénom.").waitFor(),
      ),
    },
  ];
}
