// States of the settlement that an address or an act brings about, and the closed month behind them.
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Page } from "playwright-core";
import { firstOfMonth, instantOfParis, todayInParis } from "#contract/days.ts";
import { writeBankAccount } from "#server/companies/companies.ts";
import { inTx } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import {
  acknowledge,
  closeMonth,
  makePayouts,
  messageIdOf,
} from "#server/settlement/settlement.ts";
import { takePayment, writeSale } from "#server/till/till.ts";
import { cast } from "#tests/cast.ts";
import { failedAnswer, inOrder, press } from "./page-actions.ts";
import type { Visit } from "./visit.ts";

const seeText = (text: string) => (page: Page) => page.getByText(text).first().waitFor();
const month = () => firstOfMonth(todayInParis(), -1).slice(0, 7);

/**
 * The bookshop sold last month; what it is owed was refused by the bank, and waits for the next batch. Answers the
 * id of the sale.
 */
export async function furnishSettlement(deps: Deps, partner: string): Promise<string> {
  const at = instantOfParis(`${month()}-20`, "10:00");
  const { rows } = await sql<{ shop: number; companyId: string; holder: number }>`
    select m.person_id as shop, m.company_id,
      (select person_id from card where number = ${cast.guardian.cardnumber}) as holder
    from card join company_member m on m.person_id = card.person_id
    where number = ${cast.partnerShop.cardnumber}`.execute(deps.db);
  const { shop, companyId, holder } = rows[0] as (typeof rows)[number];
  const id = randomUUID();
  await inTx(deps.db, async (tx) => {
    const { cardnumber, name } = cast.guardian;
    const sale = await writeSale(tx, {
      id,
      amountCents: 1250,
      label: "Un roman",
      counter: {
        id: partner,
        name: "Librairie des Embruns",
        place: "14 rue du Phare",
        companyId,
        discountPercent: 0,
        pointsPerEuro: 0,
      },
      card: { cardnumber, personId: holder, holder: name, from: null },
      cashier: { personId: shop, name: cast.partnerShop.name },
      at,
    });
    await takePayment(tx, sale, at);
    await writeBankAccount(tx, {
      companyId,
      iban: "FR7699999010350005060708181",
      bic: null,
      holderName: "Librairie des Embruns",
      by: shop,
      second: false,
      at,
    });
  });
  await closeMonth(deps, { month: month(), operator: "audit" });
  const { number } = await makePayouts(deps, { executeOn: todayInParis(), operator: "audit" });
  await acknowledge(
    deps,
    `<Document><CstmrPmtStsRpt><OrgnlGrpInfAndSts><OrgnlMsgId>${messageIdOf(number ?? 0)}</OrgnlMsgId>
      <GrpSts>RJCT</GrpSts><StsRsnInf><Rsn><Cd>AC04</Cd></Rsn></StsRsnInf>
      </OrgnlGrpInfAndSts></CstmrPmtStsRpt></Document>`,
  );
  return id;
}

export function settlementStates(): Visit[] {
  const route = "/professional/reglements";
  const shop = { route, address: route, caller: "professional", as: "partnerShop" } as const;
  return [
    { ...shop, state: "avec un mois clos", act: seeText("1 mois affiché") },
    {
      ...shop,
      state: "relevé, versement refusé, lignes",
      address: `${route}?mois=${month()}`,
      act: inOrder(press("Voir les lignes"), seeText("1 sur 1"), seeText("Refusé par la banque")),
    },
    {
      ...shop,
      state: "mois sans relevé",
      expected: failedAnswer,
      address: `${route}?mois=2020-01`,
      act: seeText("Aucun relevé pour janvier 2020"),
    },
  ];
}
