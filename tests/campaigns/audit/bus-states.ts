// The bus screen past its opening: what a search finds, a line, a stop, a timetable.
import type { Page } from "playwright-core";
import { heading, inOrder, press } from "./acts.ts";
import type { Visit } from "./visit.ts";

const follow = (name: RegExp) => (page: Page) => page.getByRole("link", { name }).first().click();
const line = inOrder(follow(/^Ligne 1 /), heading("Tracé"));
const departures = (page: Page) => page.getByRole("list", { name: "Prochains départs" }).waitFor();

export function busStates(): Visit[] {
  const path = "/Abonnement/ligne";
  const bus = { caller: "holder", as: "guardian", route: path, address: path } as const;
  return [
    { ...bus, state: "arrêt cherché", address: `${path}?q=hopital`, act: heading("Arrêts") },
    { ...bus, state: "rien trouvé", address: `${path}?q=xylophone` },
    { ...bus, state: "une ligne", act: line },
    { ...bus, state: "un arrêt", act: inOrder(line, follow(/Vieux Port/), departures) },
    {
      ...bus,
      state: "les horaires d’un autre jour",
      act: inOrder(
        line,
        follow(/Hôtel de Ville/),
        departures,
        press("Jour suivant"),
        (page: Page) => page.locator("summary").first().click(),
      ),
    },
  ];
}
