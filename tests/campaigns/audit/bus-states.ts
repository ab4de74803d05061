// The bus screen past its opening: what a search finds, a line, a stop, a timetable, a favourite.
import type { Page } from "playwright-core";
import { heading, inOrder, press } from "./page-actions.ts";
import type { FurnishedPortal } from "./furnished-portal.ts";
import type { Visit } from "./visit.ts";

const follow = (name: RegExp) => (page: Page) => page.getByRole("link", { name }).first().click();
const line = inOrder(follow(/^Ligne 1 /), heading("Tracé"));
const departures = (page: Page) => page.getByRole("list", { name: "Prochains départs" }).waitFor();

export function busStates({ portal: { server } }: FurnishedPortal): Visit[] {
  /** The town hall, where most lines of the demo meet, is a favourite stop for a while. */
  const withFavourite = async () => {
    const camille = await server.as("guardian");
    const { body } = await camille.get("/api/transit/stops?q=hotel%20de%20ville");
    const path = `/api/transit/stops/${body.items[0].id}/favourite`;
    await camille.post(path, { chosen: true });
    return async () => {
      await camille.post(path, { chosen: false });
    };
  };
  const path = "/Abonnement/ligne";
  const bus = { caller: "holder", as: "guardian", route: path, address: path } as const;
  return [
    { ...bus, state: "arrêt cherché", address: `${path}?q=hopital`, act: heading("Arrêts") },
    { ...bus, state: "rien trouvé", address: `${path}?q=xylophone` },
    { ...bus, state: "une ligne", act: line },
    { ...bus, state: "un arrêt", act: inOrder(line, follow(/Vieux Port/), departures) },
    { ...bus, state: "un arrêt favori", before: withFavourite, act: heading("Mes arrêts favoris") },
    {
      ...bus,
      state: "les horaires d’un autre jour",
      act: inOrder(
        line,
        follow(/Hôtel de Ville/),
        departures,
        (page: Page) => page.locator("summary").first().click(),
        press("Jour suivant"),
      ),
    },
  ];
}
