// States of e-tickets: an event, one that is sold out, a ticket opened, the cart, what was bought.
import type { Page } from "playwright-core";
import { dialog, heading, inOrder, press } from "./page-actions.ts";
import type { FurnishedPortal } from "./furnished-portal.ts";
import type { Visit } from "./visit.ts";

export function ticketStates(furnished: FurnishedPortal): Visit[] {
  const route = "/services/E-Billet";
  const seen = { caller: "holder", as: "guardian", route } as const;
  const event = (title: string) => `${route}?offre=${furnished.events.get(title) ?? ""}`;
  const add = inOrder(heading("Handball, quart de finale"), (page: Page) =>
    page.getByRole("checkbox", { name: /^Moi/ }).check(),
  );
  const toCart = inOrder(
    add,
    (page: Page) => page.getByRole("link", { name: "Continuer vers le paiement" }).click(),
    heading("Votre panier"),
    (page: Page) => page.getByRole("button", { name: /^Payer/ }).waitFor(),
  );
  const openTicket = inOrder(
    (page: Page) =>
      page
        .getByRole("button", { name: /Le Cap des vents/ })
        .first()
        .click(),
    dialog,
  );
  const mine = `${route}?onglet=billets`;
  return [
    { ...seen, address: mine, state: "mes billets" },
    { ...seen, address: event("Le Cap des vents"), state: "un événement" },
    { ...seen, address: event("Atelier de reliure"), state: "complet" },
    { ...seen, address: event("Festival des Lanternes"), state: "bientôt en vente" },
    { ...seen, address: event("Concert du port"), state: "annulé" },
    { ...seen, address: `${route}?panier=`, state: "panier vide" },
    { ...seen, address: mine, state: "billet ouvert", act: openTicket },
    {
      ...seen,
      address: mine,
      state: "code agrandi",
      act: inOrder(openTicket, press("Agrandir le code")),
    },
    {
      ...seen,
      address: mine,
      state: "transférer un billet",
      act: inOrder(openTicket, press("Transférer")),
    },
    {
      ...seen,
      address: mine,
      state: "annuler un billet",
      act: inOrder(openTicket, press("Annuler ce billet")),
    },
    { ...seen, address: event("Handball, quart de finale"), state: "panier", act: toCart },
    {
      ...seen,
      address: event("Handball, quart de finale"),
      state: "billets achetés",
      act: inOrder(toCart, press(/^Payer/), heading(/^C’est payé/)),
    },
  ];
}
