// The passes of the demo scheme: fares on sale, and the passes that the family bought over the months.
import { sql } from "kysely";
import { dayMs, firstOfMonth, parisDay } from "#contract/days.ts";
import type { Tx } from "../db/db.ts";
import { putOnSale, sellPass } from "../passes/passes.ts";
import type { CastName } from "./cast.ts";
import { demoFares } from "./fares.ts";

interface Buyer {
  walletId: number;
  topUp: (cents: number, at: Date) => Promise<void>;
}

interface Sale {
  at: Date;
  /** Camille by default. */
  buyer?: CastName;
  holder: CastName;
  product: string;
  startOn: string;
  /** Runs on the pass once it is sold. */
  after?: (tx: Tx, made: { orderId: string; passId: string }) => Promise<void>;
}

/** Puts the fares on sale; `until` then makes the sales up to an instant, in their order. */
export async function demoRides(
  tx: Tx,
  people: Record<CastName, number>,
  now: Date,
  buyerOf: (name: CastName) => Buyer,
): Promise<{ until: (at: Date) => Promise<void> }> {
  await putOnSale(tx, demoFares);
  const sales = salesOf(now);
  return {
    async until(moment) {
      while (sales[0] && sales[0].at <= moment) {
        const { at, buyer = "guardian", ...sold } = sales.shift() as Sale;
        const { holder, product, startOn, after } = sold;
        const { walletId, topUp } = buyerOf(buyer);
        const made = await sellPass(tx, {
          personId: people[buyer],
          holderId: people[holder],
          product,
          startOn,
          walletId,
          at,
          fund: (cents) => topUp(cents, new Date(at.getTime() - 60_000)),
        });
        await after?.(tx, made);
      }
    },
  };
}

/** In the order of time: a year for Camille, the school buses, months and tickets. */
function salesOf(now: Date): Sale[] {
  const ago = (days: number, hours = 0) =>
    new Date(now.getTime() - days * dayMs - hours * 3_600_000);
  const year = ago(130);
  const school = schoolStart(now);
  const late = new Date(Math.min(school.getTime() + 12 * dayMs, ago(2).getTime()));
  const month = `${parisDay(now).slice(0, 8)}01`;
  const bought = new Date(Math.min(Date.parse(`${month}T06:40:00Z`), ago(0, 3).getTime()));
  const sales: Sale[] = [
    { at: year, holder: "guardian", product: "lagon-an", startOn: parisDay(year) },
    { at: ago(9), holder: "secondChild", product: "lagon-ticket", startOn: parisDay(ago(9)) },
    { at: bought, holder: "child", product: "lagon-mois", startOn: month },
    ...sharedMonths(month, bought),
    {
      at: late,
      holder: "secondChild",
      product: "scolaire-an",
      startOn: parisDay(school),
      after: askToBeLetOff,
    },
  ];
  return sales.toSorted((a, b) => a.at.getTime() - b.at.getTime());
}

/** Hugo's months, shared by his employer (server/demo/commuting.ts): the last one and this one. */
const sharedMonths = (month: string, bought: Date): Sale[] => {
  const last = firstOfMonth(month, -1);
  const sale = { buyer: "stranger", holder: "stranger", product: "lagon-mois" } as const;
  return [
    { ...sale, at: new Date(`${last}T06:50:00Z`), startOn: last },
    { ...sale, at: bought, startOn: month },
  ];
};

/** The last 1 September. */
function schoolStart(now: Date): Date {
  const start = (year: number) => new Date(`${year}-09-01T05:30:00Z`);
  const year = Number(parisDay(now).slice(0, 4));
  return start(year) <= new Date(now.getTime() - 3 * dayMs) ? start(year) : start(year - 1);
}

const askToBeLetOff = async (tx: Tx, { orderId }: { orderId: string }): Promise<void> =>
  void (await sql`update pass_order set exemption = 'requested', exemption_requested_at = paid_at,
    exemption_reason = 'Nous avons emménagé fin août : voici notre nouveau bail.'
    where id = ${orderId}`.execute(tx));
