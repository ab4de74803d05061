// States of the till that the network brings about.
import type { Page } from "playwright-core";
import { firstOfMonth, todayInParis } from "#contract/days.ts";
import { failedAnswer, inOrder, type, until } from "./page-actions.ts";
import type { Visit } from "./visit.ts";

export function tillStates(): Visit[] {
  const route = "/partenaire/caisse";
  const lastMonth = firstOfMonth(todayInParis(), -1).slice(0, 7);
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
  const sales = (page: Page) => page.getByRole("table", { name: "Ventes" }).waitFor();
  const openSale = inOrder(
    sales,
    (page) => page.getByRole("table", { name: "Ventes" }).getByRole("button").first().click(),
    (page) => page.getByRole("button", { name: "Envoyer le reçu" }).waitFor(),
  );
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
    { ...till, address: `${route}?onglet=ventes`, state: "ventes par jour", act: sales },
    { ...till, address: `${route}?onglet=ventes`, state: "une vente ouverte", act: openSale },
    {
      ...till,
      address: `${route}?onglet=ventes`,
      state: "une vente à rembourser",
      act: inOrder(openSale, press(/^Rembourser/), (page) =>
        page.getByLabel("Montant à rendre").waitFor(),
      ),
    },
    {
      ...till,
      address: `${route}?onglet=ventes&vente=6f1d5f0e-8f53-4a86-9d2c-0f0a4f6c1a2b`,
      state: "une vente d’ailleurs",
      expected,
      act: (page) => page.getByText("Cette vente n’est pas de votre caisse").waitFor(),
    },
    {
      ...till,
      address: `${route}?onglet=journee&mois=${lastMonth}`,
      state: "jours du mois",
      act: (page) => page.getByRole("link", { name: /, voir ses ventes$/ }).waitFor(),
    },
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
