// States of the canteen's screens that an action brings about.
import { addDays, startOfWeek, todayInParis } from "#contract/days.ts";
import { dialog, failedAnswer, heading, inOrder, press, type, until } from "./page-actions.ts";
import type { FurnishedPortal } from "./furnished-portal.ts";
import type { Visit } from "./visit.ts";

export function canteenStates({ canteenGroup }: FurnishedPortal): Visit[] {
  const desk = {
    route: "/pro/cantine",
    address: "/pro/cantine",
    caller: "professional",
    as: "canteenProvider",
  } as const;
  const family = {
    route: "/commande/cantine/:name/:idgroup",
    address: `/commande/cantine/restauration/${canteenGroup}`,
    caller: "holder",
    as: "guardian",
  } as const;
  const editor = {
    ...desk,
    route: "/pro/menu",
    address: `/pro/menu?jour=${addDays(startOfWeek(todayInParis()), 7)}`,
  } as const;
  const followUp = {
    ...desk,
    route: "/partenaire/Suivi_cantine",
    // Of the day that has the meals: without days it opens on the next service.
    address: `/partenaire/Suivi_cantine?du=${todayInParis()}`,
  };
  const counter = {
    ...desk,
    route: "/partenaire/validation",
    address: "/partenaire/validation",
  } as const;
  return [
    { ...counter, state: "liste du jour", act: heading("Liste du jour") },
    { ...counter, address: `${counter.address}?mode=guichet`, state: "mode guichet" },
    { ...counter, state: "numéro à saisir", act: press("Numéro") },
    {
      ...counter,
      state: "code inconnu",
      act: inOrder(
        press("Numéro"),
        type("Numéro de carte, ou code d’un lecteur", "MC1.faux"),
        (page) => page.getByRole("button", { name: "Servir", exact: true }).click(),
        (page) => page.locator(".verdict[data-tone]").waitFor(),
      ),
    },
    {
      ...counter,
      state: "hors ligne",
      expected: failedAnswer,
      act: inOrder(
        heading("Liste du jour"),
        until("localStorage.getItem('ma-carte.counter') !== null"),
        (page) => page.context().setOffline(true),
        (page) => page.locator("summary").filter({ hasText: "Hors ligne" }).click(),
      ),
    },
    { ...family, state: "par semaines", act: inOrder(press("Commander par semaines"), dialog) },
    {
      ...family,
      state: "repas choisis",
      act: async (page) => {
        const all = page.getByRole("checkbox", { name: "Tout cocher" });
        if (!(await all.isChecked())) await all.click();
        await page.getByRole("button", { name: "Commander", exact: true }).waitFor();
        // The bar in its place at the end: half over a cell, as any scrolled page has it, the cell looks too small.
        await page.evaluate("scrollTo(0, document.body.scrollHeight)");
      },
    },
    { ...family, state: "inscription en cours", act: inOrder(press("Inscrire"), dialog) },
    {
      ...followUp,
      state: "repas sélectionnés",
      act: (page) => page.getByRole("checkbox", { name: "Tout sélectionner" }).check(),
    },
    { ...followUp, address: `${followUp.address}&etat=refused`, state: "rien sous ce filtre" },
    {
      ...followUp,
      state: "motif du refus",
      act: inOrder(
        (page) => page.getByRole("checkbox", { name: "Tout sélectionner" }).check(),
        press("Autres actions"),
        (page) => page.getByRole("menuitem", { name: "Refuser…" }).click(),
        dialog,
      ),
    },
    { ...desk, state: "menus de la semaine" },
    { ...desk, address: "/pro/cantine?onglet=inscriptions", state: "inscriptions" },
    {
      ...desk,
      state: "semaine suivante",
      act: press("Semaine suivante"),
    },
    {
      ...editor,
      state: "menu en écriture",
      act: (page) => page.getByRole("combobox", { name: "Nom du plat 1" }).waitFor(),
    },
    {
      ...editor,
      state: "allergènes d’un plat",
      act: async (page) => {
        await page.getByRole("combobox", { name: "Nom du plat 1" }).fill("Soupe");
        await page.getByRole("button", { name: /^Allergènes du plat 1/ }).click();
        await page.getByRole("button", { name: "Non renseigné", exact: true }).waitFor();
      },
    },
    {
      ...desk,
      address: "/pro/cantine?onglet=regles",
      state: "règles avec leur aperçu",
      act: (page) => page.getByRole("heading", { name: "Exemple : le prix d’un repas" }).waitFor(),
    },
    {
      ...desk,
      address: "/pro/cantine?onglet=regles",
      state: "tarif en écriture",
      act: inOrder(press("Ajouter un tarif"), dialog),
    },
    {
      ...desk,
      address: "/pro/cantine?onglet=regles",
      state: "nouveaux prix en écriture",
      act: inOrder(press("Changer les prix"), dialog),
    },
    {
      ...desk,
      state: "semaine à copier",
      act: inOrder(
        press("Copier ou importer"),
        (page) => page.getByRole("menuitem", { name: "Copier cette semaine…" }).click(),
        dialog,
      ),
    },
    { ...desk, address: "/pro/cantine?onglet=fermetures", state: "fermetures" },
  ];
}
