// States of wallets and of what keeps them filled: unfolded rows, the forms of a rule and of a link, a link that is
// over.
import { dialog, failedAnswer, heading, inOrder, press } from "./page-actions.ts";
import type { FurnishedPortal } from "./furnished-portal.ts";
import type { Visit } from "./visit.ts";

export function fundingStates(furnished: FurnishedPortal): Visit[] {
  const [, , objectID] = furnished.topUpPath.split("/");
  const screen = {
    caller: "holder",
    as: "guardian",
    route: "/cagnottes/:objectID/automatismes",
    address: `/cagnottes/${objectID}/automatismes`,
  } as const;
  const program = inOrder(
    heading("Recharge automatique"),
    press("Programmer une recharge"),
    dialog,
  );
  const link = inOrder(heading("Recharge par un proche"), press("Créer un lien"), dialog);
  const gift = { caller: "guest", as: null, route: "/recharge/proche" } as const;
  const wallets = { caller: "holder", as: "guardian", route: "/services/cagnottes" } as const;
  return [
    { ...wallets, address: wallets.route, state: "dépliée", act: press(/^Léo/) },
    {
      ...wallets,
      address: wallets.route,
      state: "repliée, bloquée",
      act: inOrder(press(/^Ma carte/), (page) => page.getByText("Cagnotte bloquée").waitFor()),
    },
    { ...screen, state: "recharge à programmer", act: program },
    {
      ...screen,
      state: "recharge mal remplie",
      act: inOrder(program, press("Continuer vers le paiement")),
    },
    { ...screen, state: "lien à créer", act: link },
    {
      ...gift,
      state: "lien ouvert",
      address: furnished.giftPaths.link,
      act: heading(/^Recharger la carte de/),
    },
    {
      ...gift,
      state: "merci",
      address: furnished.giftPaths.arrived,
      act: heading(/ pour Camille$/),
    },
    {
      ...gift,
      address: `/recharge/proche#${"x".repeat(43)}`,
      state: "lien inconnu",
      act: heading("Ce lien ne sert plus"),
      expected: failedAnswer,
    },
  ];
}
