// States of the till that the network brings about.
import type { Page } from "playwright-core";
import { failedAnswer, inOrder, type, until } from "./page-actions.ts";
import type { Visit } from "./visit.ts";

export function tillStates(): Visit[] {
  const route = "/partenaire/caisse";
  const till = { route, address: route, caller: "professional", as: "partnerShop" } as const;
  const cut = inOrder(
    (page: Page) => page.getByLabel("Montant").waitFor(),
    until("localStorage.getItem('ma-carte.till') !== null"),
    (page) => page.context().setOffline(true),
    (page) => page.getByText(/Il reste/).waitFor(),
  );
  const expected = failedAnswer;
  return [
    { ...till, state: "hors ligne", expected, act: cut },
    {
      ...till,
      state: "hors ligne, trop élevé",
      expected,
      act: inOrder(
        cut,
        type("Montant", "31"),
        (page) => page.getByLabel("Code de la carte, ou son numéro").fill("MC1.faux"),
        (page) => page.getByRole("button", { name: "Encaisser" }).click(),
        (page) => page.getByText(/un achat ne dépasse pas/).waitFor(),
      ),
    },
  ];
}
