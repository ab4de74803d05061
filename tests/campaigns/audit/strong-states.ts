// States of strong sign-in and of a new card.
import { sql } from "kysely";
import type { Page } from "playwright-core";
import { moneyProof } from "#contract/identity/limits.ts";
import { cast, castPassword } from "#tests/cast.ts";
import { failedAnswer, heading, inOrder, press, see, type } from "./page-actions.ts";
import type { FurnishedPortal } from "./furnished-portal.ts";
import type { Visit } from "./visit.ts";

/** Of somebody whose codes nobody else's visit reads. */
export function strongStates(furnished: FurnishedPortal): Visit[] {
  const as = "canteenProvider";
  const person = { caller: "professional", as } as const;
  const signIn = { ...person, route: "/profil/connexion", address: "/profil/connexion" };
  const home = { ...person, route: "/dashboard", address: "/dashboard" };
  const seeCodeField = see("textbox", "Code reçu");
  const codes = press(/^(Créer des|Remplacer les) codes/);
  const typeCode = (change: (code: string) => string) => async (page: Page) => {
    await page.getByLabel("Votre mot de passe").fill(castPassword);
    await page.getByRole("textbox", { name: "Code reçu" }).click();
    await page.keyboard.type(change(furnished.portal.server.lastCode(cast[as].email)));
  };
  const refused = { expected: failedAnswer };
  const { deps } = furnished.portal.server;
  const byPasskey = /^Utiliser une clé d’accès$/;
  const holder = { caller: "holder", as: "guardian" } as const;
  const transfer = inOrder(
    furnished.forgetLimits,
    type("Montant", "61"),
    press("Vérifier le virement"),
    heading("Vérifiez"),
    press(/^Envoyer 61/),
  );
  const codeInstead = inOrder(press("Recevoir un code par e-mail"), seeCodeField);
  return [
    {
      ...holder,
      ...refused,
      route: "/cagnottes/virement",
      address: `/cagnottes/virement?vers=${cast.child.cardnumber}`,
      state: "clé d’accès d’abord",
      before: () => addPasskey(deps),
      act: inOrder(transfer, (page) => page.getByRole("button", { name: byPasskey }).waitFor()),
    },
    {
      ...holder,
      ...refused,
      route: "/cagnottes/virement",
      address: `/cagnottes/virement?vers=${cast.child.cardnumber}`,
      state: "code à la place d’une clé d’accès",
      before: () => addPasskey(deps),
      act: inOrder(transfer, codeInstead),
    },
    {
      ...holder,
      route: "/profil/appareils",
      address: "/profil/appareils",
      state: "paiements sans confirmation",
      before: () => openMoneyProofs(deps),
      act: (page) =>
        page
          .getByText(/^Paiements sans nouvelle confirmation/)
          .first()
          .waitFor(),
    },
    {
      ...signIn,
      ...refused,
      state: "clé d’accès : code",
      act: inOrder(furnished.forgetLimits, press("Ajouter une clé d’accès"), seeCodeField),
    },
    {
      ...signIn,
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
      ...signIn,
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
      ...person,
      route: "/profil/appareils",
      address: "/profil/appareils",
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

type Server = FurnishedPortal["portal"]["server"]["deps"];

/** Gives the guardian a passkey that no device holds. */
async function addPasskey({ db, now }: Server): Promise<() => Promise<void>> {
  const { rows } = await sql<{ id: string }>`
    insert into passkey (id, person_id, credential_id, public_key, counter, transports, synced, name,
      created_at)
    select gen_random_uuid(), person_id, uuid_send(gen_random_uuid()), '', 0, '{internal}', true, 'Téléphone',
      ${now()}
    from card where number = ${cast.guardian.cardnumber} returning id`.execute(db);
  return async () => {
    await sql`delete from passkey where id = ${rows[0]?.id}`.execute(db);
  };
}

/** Opens what a proof opens in every session of the guardian. */
async function openMoneyProofs({ db, now }: Server): Promise<() => Promise<void>> {
  const until = new Date(now().getTime() + moneyProof.minutes * 60_000);
  const set = async (at: Date | null, cents: number) => {
    await sql`update session set money_until = ${at}, money_cents = ${cents} where person_id =
      (select person_id from card where number = ${cast.guardian.cardnumber})`.execute(db);
  };
  await set(until, moneyProof.cents);
  return () => set(null, 0);
}
