// States of the money that a company grants, which an address or an act brings about.
import type { Page } from "playwright-core";
import { failedAnswer, inOrder, press } from "./page-actions.ts";
import type { Visit } from "./visit.ts";

const seeText = (text: string) => (page: Page) => page.getByText(text).first().waitFor();

export function grantStates(): Visit[] {
  const route = "/professional/dotations";
  const owner = { route, address: route, caller: "professional", as: "employer" } as const;
  const begun = { ...owner, address: `${route}?nouvelle=1` };
  return [
    { ...owner, state: "aucune dotation", act: seeText("Aucune dotation") },
    {
      ...begun,
      state: "nouvelle dotation, champs vides",
      act: inOrder(press("Continuer"), seeText("Choisissez au moins une carte.")),
    },
    {
      ...begun,
      state: "importer des montants",
      act: inOrder(press("Importer un fichier"), seeText("Télécharger un modèle")),
    },
    {
      ...owner,
      address: `${route}?dotation=0d8e2b1c-0000-4000-8000-000000000001`,
      state: "dotation introuvable",
      expected: failedAnswer,
      act: seeText("Cette dotation n’existe pas"),
    },
  ];
}
