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
    (page) => page.locator("summary").filter({ hasText: "Hors ligne" }).click(),
    (page) => page.getByText(/Il reste/).waitFor(),
  );
  const expected = failedAnswer;
  const press = (name: string | RegExp) => (page: Page) =>
    page.getByRole("button", { name }).first().click();
  // A wide window shows them beside the keypad, and has no chip for them: an article is touched there.
  const articleKeys = (page: Page) =>
    page
      .getByRole("button", { name: "Articles", exact: true })
      .or(page.getByRole("button", { name: /^Café/ }))
      .first()
      .click();
  return [
    {
      ...till,
      state: "articles touchés",
      act: inOrder(articleKeys, press(/^Café/), press(/^Cahier/)),
    },
    {
      ...till,
      state: "articles de l’achat",
      act: inOrder(articleKeys, press(/^Café/), press(/^\d articles?/)),
    },
    {
      ...till,
      state: "liste des prix",
      act: inOrder(articleKeys, press("Modifier les articles"), (page) =>
        page.getByRole("button", { name: "Monter Café" }).waitFor(),
      ),
    },
    { ...till, state: "numéro à saisir", act: press("Saisir le numéro") },
    { ...till, state: "objet et points", act: press(/^Sans objet/) },
    { ...till, address: `${route}?mode=caisse`, state: "mode caisse" },
    { ...till, state: "hors ligne", expected, act: cut },
    {
      ...till,
      state: "hors ligne, trop élevé",
      expected,
      act: inOrder(
        cut,
        type("Montant", "31"),
        (page) => page.getByRole("button", { name: /^Encaisser/ }).click(),
        (page) => page.getByText(/un achat ne dépasse pas/).waitFor(),
      ),
    },
  ];
}
