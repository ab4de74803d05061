// States of the bus passes: what is sold to a child, a purchase on its way, what is not for sale.
import { cast } from "#tests/cast.ts";
import { dialog, failedAnswer, heading, inOrder, press } from "./page-actions.ts";
import type { FurnishedPortal } from "./furnished-portal.ts";
import type { Visit } from "./visit.ts";

export function passStates(furnished: FurnishedPortal): Visit[] {
  const holder = { caller: "holder", as: "guardian" } as const;
  const group = "/Abonnement/ligne/:group";
  const fares = `/Abonnement/ligne/${furnished.fareGroup}`;
  const buy = "/Abonnement/ligne/purchase/abonnement";
  const bought = (product: string) => `${buy}?produit=${product}&carte=${cast.guardian.cardnumber}`;
  const check = press("Vérifier l’achat");
  const paid = inOrder(
    heading("Ticket à l’unité"),
    check,
    heading("Vérifiez avant de payer"),
    press(/^Payer/),
    heading("Le titre est prêt"),
  );
  return [
    {
      ...holder,
      route: group,
      address: `${fares}?carte=${cast.child.cardnumber}`,
      state: "pour un enfant",
    },
    {
      ...holder,
      route: group,
      address: "/Abonnement/ligne/999999",
      state: "rien en vente",
      expected: failedAnswer,
    },
    { ...holder, route: buy, address: bought("lagon-mois"), state: "achat commencé" },
    {
      ...holder,
      route: buy,
      address: bought("lagon-mois"),
      state: "début manquant",
      act: inOrder(heading("Mensuel"), check),
    },
    { ...holder, route: buy, address: bought("lagon-ticket"), state: "titre prêt", act: paid },
    {
      ...holder,
      route: group,
      address: bought("lagon-ticket"),
      state: "QR code du titre",
      act: inOrder(
        paid,
        (page) => page.getByRole("link", { name: "Afficher le QR code" }).click(),
        dialog,
      ),
    },
  ];
}
