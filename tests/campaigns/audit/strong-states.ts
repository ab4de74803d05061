// States of strong sign-in and of a new card.
import type { Page } from "playwright-core";
import { cast, castPassword } from "#tests/cast.ts";
import { failedAnswer, inOrder, press, see } from "./page-actions.ts";
import type { FurnishedPortal } from "./furnished-portal.ts";
import type { Visit } from "./visit.ts";

/** Of somebody whose codes nobody else's visit reads. */
export function strongStates(furnished: FurnishedPortal): Visit[] {
  const as = "canteenProvider";
  const profile = { route: "/profil", address: "/profil", caller: "professional", as } as const;
  const home = { ...profile, route: "/dashboard", address: "/dashboard" };
  const seeCodeField = see("textbox", "Code reçu");
  const codes = press(/^(Créer des|Remplacer les) codes/);
  const typeCode = (change: (code: string) => string) => async (page: Page) => {
    await page.getByLabel("Votre mot de passe").fill(castPassword);
    await page.getByRole("textbox", { name: "Code reçu" }).click();
    await page.keyboard.type(change(furnished.portal.server.lastCode(cast[as].email)));
  };
  const refused = { expected: failedAnswer };
  return [
    {
      ...profile,
      ...refused,
      state: "clé d’accès : code",
      act: inOrder(furnished.forgetLimits, press("Ajouter une clé d’accès"), seeCodeField),
    },
    {
      ...profile,
      ...refused,
      state: "code faux",
      act: inOrder(
        furnished.forgetLimits,
        codes,
        seeCodeField,
        typeCode((code) => (code === "000000" ? "111111" : "000000")),
        (page) => page.getByText("Ce code n'est pas le bon").waitFor(),
      ),
    },
    {
      ...profile,
      ...refused,
      state: "codes de secours",
      act: inOrder(
        furnished.forgetLimits,
        codes,
        seeCodeField,
        typeCode((code) => code),
        see("list", "Codes de secours"),
      ),
    },
    {
      ...profile,
      state: "déconnecter partout",
      act: inOrder(press("Déconnecter partout"), see("alertdialog", "Déconnecter partout ?")),
    },
    { ...home, state: "nouvelle carte envoyée" },
    {
      ...home,
      state: "activation",
      act: inOrder(press("Activer la carte"), (page) => page.getByRole("alertdialog").waitFor()),
    },
  ];
}
