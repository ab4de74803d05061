// What the demo's holders bought at the till of the bookshop, each day of sales closed in the evening.
import { sql } from "kysely";
import { parisDay } from "#contract/days.ts";
import { writeTerms } from "#server/partners/partners.ts";
import { type AskedCounter, closeCounter, takePayment, writeSale } from "#server/till/till.ts";
import type { Tx } from "../db/db.ts";
import { cast, type CastName } from "./cast.ts";
import { uuidOf } from "./chance.ts";

const reference = "librairie-des-embruns";
const discountPercent = 5;
const commissionBasisPoints = 150;
const termsDays = 60;
const dayMs = 86_400_000;

export interface DemoTill {
  /** Sells at a moment of the past, in order of time; the day before is closed first. */
  sell(sale: { key: string; who: CastName; amountCents: number; at: Date }): Promise<void>;
}

/** The till of the bookshop, with terms of two months; the partner is in the directory already. */
export async function openTill(
  tx: Tx,
  people: Record<CastName, number>,
  now: Date,
): Promise<DemoTill> {
  const termsFrom = new Date(now.getTime() - termsDays * dayMs);
  const terms = { reference, discountPercent, commissionBasisPoints };
  await writeTerms(tx, { ...terms, operator: "démonstration", at: termsFrom });
  const by = people.partnerShop;
  const { rows } = await sql<Omit<AskedCounter, "discountPercent">>`
    select p.id, p.name, p.street || ', ' || p.town as place, m.company_id as "companyId",
      k.name as cashier
    from partner p join company_member m on m.company_id = p.company_id
    join person k on k.id = m.person_id
    where p.reference = ${reference} and k.id = ${by}`.execute(tx);
  const [counter] = rows;
  if (!counter) throw new Error(`no partner ${reference}`);
  const partner = counter.id;
  let last: Date | null = null;
  const closeDay = async (day: Date) => {
    const evening = new Date(day.getTime() + 3 * 3_600_000);
    await closeCounter(tx, { partner, by, at: () => evening });
  };
  return {
    async sell({ key, who, amountCents, at }) {
      if (last && parisDay(last) !== parisDay(at)) await closeDay(last);
      last = at;
      const { cardnumber, name } = cast[who];
      const sale = await writeSale(tx, {
        id: uuidOf(key),
        amountCents,
        counter: { ...counter, discountPercent: at < termsFrom ? 0 : discountPercent },
        card: { cardnumber, personId: people[who], holder: name, from: null },
        by,
        at,
      });
      await takePayment(tx, sale, at);
    },
  };
}
