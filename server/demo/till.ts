// What the demo's holders bought at the till of the bookshop, each day of sales closed in the evening.
import { sql } from "kysely";
import { parisDay } from "#contract/days.ts";
import { writeTerms } from "#server/partners/partners.ts";
import { closeCounter, takePayment, writeSale } from "#server/till/till.ts";
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
  const { rows } = await sql<{ id: string }>`
    select id from partner where reference = ${reference}`.execute(tx);
  const partner = rows[0]?.id ?? "";
  const by = people.partnerShop;
  let last: Date | null = null;
  const closeDay = async (day: Date) => {
    const evening = new Date(day.getTime() + 3 * 3_600_000);
    await closeCounter(tx, { partner, by, at: () => evening });
  };
  return {
    async sell({ key, who, amountCents, at }) {
      if (last && parisDay(last) !== parisDay(at)) await closeDay(last);
      last = at;
      const sale = await writeSale(tx, {
        id: uuidOf(key),
        amountCents,
        counter: { id: partner, discountPercent: at < termsFrom ? 0 : discountPercent },
        card: { cardnumber: cast[who].cardnumber, personId: people[who], from: null },
        by,
        at,
      });
      await takePayment(tx, sale, at);
    },
  };
}
