// States of a company's own page that an act brings about.
import { inOrder, press, type } from "./page-actions.ts";
import type { Visit } from "./visit.ts";

export function companyStates(): Visit[] {
  const route = "/professional/entreprise";
  const company = { route, address: route, caller: "professional", as: "employer" } as const;
  return [
    { ...company, state: "une équipe" },
    {
      ...company,
      state: "choisir un rôle",
      act: inOrder(press("Donner un rôle à Louis Tanguy"), (page) =>
        page.getByLabel("Comptable").waitFor(),
      ),
    },
    {
      ...company,
      state: "donner un compte, IBAN faux",
      act: inOrder(
        press("Donner un compte"),
        type("IBAN", "FR76 1234"),
        press("Demander ce changement"),
        (page) => page.getByText("Saisissez l’IBAN entier").waitFor(),
      ),
    },
  ];
}
