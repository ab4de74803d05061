// States of invoices that an address or an act brings about.
import { inTx } from "#server/db/db.ts";
import { invoiceCompanies } from "#server/demo/invoices.ts";
import type { Deps } from "#server/process/deps.ts";
import { cast, type CastName } from "#tests/cast.ts";
import { inOrder } from "./page-actions.ts";
import type { Visit } from "./visit.ts";

/** The companies of the cast with the invoices of the demo. */
export async function furnishInvoices(deps: Deps): Promise<void> {
  await inTx(deps.db, async (tx) => {
    const people = {} as Record<CastName, number>;
    for (const name of Object.keys(cast) as CastName[]) {
      const { personId } = await tx
        .selectFrom("card")
        .select("personId")
        .where("number", "=", cast[name].cardnumber)
        .executeTakeFirstOrThrow();
      people[name] = personId;
    }
    await invoiceCompanies(tx, deps, { people, now: deps.now() });
  });
}

export function invoiceStates(): Visit[] {
  const route = "/professional/invoice";
  const list = { route, address: route, caller: "professional", as: "canteenProvider" } as const;
  const opens = (name: RegExp): NonNullable<Visit["act"]> =>
    inOrder(
      (page) => page.getByRole("link", { name }).first().click(),
      (page) => page.getByRole("heading", { name: "TVA par taux" }).waitFor(),
    );
  return [
    { ...list, state: "factures payées, dues et en partie" },
    { ...list, state: "sans facture", as: "employer", address: `${route}?etat=credit_notes` },
    {
      ...list,
      state: "sans résultat",
      address: `${route}?annee=2001`,
      act: (page) => page.getByText("Aucun document ne correspond").waitFor(),
    },
    {
      ...list,
      state: "une facture à payer",
      address: `${route}?etat=open`,
      act: inOrder(opens(/^Facture F/), (page) =>
        page.getByRole("heading", { name: "Payer maintenant" }).waitFor(),
      ),
    },
    {
      ...list,
      state: "un avoir",
      as: "partnerShop",
      address: `${route}?etat=credit_notes`,
      act: opens(/^Avoir A/),
    },
  ];
}
