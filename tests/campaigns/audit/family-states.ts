// States of the family: who is added, with whom a child is, which papers are sent.
import { cast } from "#tests/cast.ts";
import { dialog, heading, inOrder, press } from "./page-actions.ts";
import type { Visit } from "./visit.ts";

const holder = { caller: "holder", as: "guardian" } as const;

export function familyStates(): Visit[] {
  const family = { ...holder, route: "/family", address: "/family" };
  const child = {
    ...holder,
    route: "/family/:cardnumber",
    address: `/family/${cast.child.cardnumber}`,
  };
  const tab = (name: string) => `${child.address}?onglet=${name}`;
  const rights = { ...holder, route: "/family/droits", address: "/family/droits" };
  const add = inOrder(press("Ajouter un membre"), dialog);
  const propose = inOrder(heading("Garde"), press(/^Proposer/), dialog);
  const declare = inOrder(press(/^Déclarer/), dialog);
  return [
    { ...family, state: "ajouter un membre", act: add },
    { ...family, state: "ajout incomplet", act: inOrder(add, press("Envoyer l’invitation")) },
    { ...family, state: "enfant", as: "child" },
    { ...family, state: "personne", as: "stranger" },
    { ...child, state: "transport", address: tab("transport") },
    { ...child, state: "billets", address: tab("billets") },
    { ...child, state: "droits", address: tab("droits") },
    { ...child, state: "garde à proposer", address: tab("garde"), act: propose },
    {
      ...child,
      address: tab("garde"),
      state: "garde incomplète",
      act: inOrder(
        propose,
        (page) => page.getByRole("radio", { name: /Des vacances par moitié/ }).check(),
        press("Envoyer la proposition"),
      ),
    },
    { ...child, state: "plafonds", act: inOrder(press(/^Modifier/), dialog) },
    { ...child, state: "seul responsable", address: `/family/${cast.secondChild.cardnumber}` },
    { ...child, state: "proche", address: `/family/${cast.coGuardian.cardnumber}` },
    { ...child, state: "introuvable", address: `/family/${cast.stranger.cardnumber}` },
    { ...rights, state: "rien d’envoyé", as: "stranger" },
    { ...rights, state: "enfant", as: "child" },
    { ...rights, state: "quotient à déclarer", act: declare },
    {
      ...rights,
      state: "quotient incomplet",
      act: inOrder(declare, (page) =>
        page.getByRole("dialog").getByRole("button", { name: "Envoyer", exact: true }).click(),
      ),
    },
    {
      ...rights,
      state: "justificatif à envoyer",
      act: inOrder(press("Envoyer un justificatif"), dialog),
    },
  ];
}
