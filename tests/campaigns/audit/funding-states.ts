// States of wallets and of what keeps them filled: unfolded rows, the forms of a rule and of a link, a link that is
// over.
import type { Page } from "playwright-core";
import { cast } from "#tests/cast.ts";
import { dialog, failedAnswer, heading, inOrder, press, see } from "./page-actions.ts";
import type { FurnishedPortal } from "./furnished-portal.ts";
import type { Visit } from "./visit.ts";

const seeText = (text: string) => (page: Page) => page.getByText(text).waitFor();

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
  const request = {
    caller: "holder",
    route: "/cagnottes/demander",
    address: "/cagnottes/demander",
  } as const;
  const child = {
    caller: "holder",
    as: "guardian",
    route: "/family/:cardnumber",
    address: `/family/${cast.child.cardnumber}`,
  } as const;
  const requested = heading(/demande 10,00/);
  const { pool } = furnished.portal.server.deps;
  /** The child's request is taken back, until the visit is over. */
  const withoutRequest = async () => {
    const { rows } = await pool.query<{ id: string }>(
      `update money_request set state = 'withdrawn', ended_at = now() where state = 'open' returning id`,
    );
    return async () => {
      const ids = rows.map(({ id }) => id);
      await pool.query(
        "update money_request set state = 'open', ended_at = null where id = any ($1)",
        [ids],
      );
    };
  };
  return [
    { ...wallets, address: wallets.route, state: "dépliée", act: press(/^Léo/) },
    {
      ...wallets,
      address: wallets.route,
      state: "repliée, bloquée",
      act: inOrder(press(/^Ma carte/), seeText("Cagnotte bloquée")),
    },
    { ...request, as: "child", state: "demande en attente", act: heading("Demande en attente") },
    { ...request, as: "secondChild", state: "bloquée", act: seeText("Votre cagnotte est bloquée") },
    {
      ...request,
      as: "child",
      state: "demande à faire",
      before: withoutRequest,
      act: see("textbox", "Quelques mots"),
    },
    {
      ...request,
      as: "child",
      state: "demande mal remplie",
      before: withoutRequest,
      act: inOrder(see("textbox", "Quelques mots"), press("Demander")),
    },
    { ...child, state: "demande d’argent", act: requested },
    {
      ...child,
      state: "autre montant",
      act: inOrder(requested, press(/^Autre montant/), dialog),
    },
    { ...child, state: "demande à refuser", act: inOrder(requested, press(/^Refuser/), dialog) },
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
