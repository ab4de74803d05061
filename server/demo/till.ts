// Sales of the demo's bookshop to holders at its till, each day of sales closed in the evening.
import { sql } from "kysely";
import { query } from "#server/db/query.ts";
import { dayMs, parisDay } from "#contract/days.ts";
import { till as limits } from "#contract/till/limits.ts";
import {
  type ChargeCounter,
  closeCounter,
  earnPoints,
  settleSale,
  takePayment,
  writeSale,
} from "#server/till/till.ts";
import { writeTerms } from "#server/partners/partners.ts";
import type { Tx } from "../db/db.ts";
import { cast, type CastName } from "./cast.ts";
import { uuidOf } from "./random.ts";

const reference = "librairie-des-embruns";
const discountPercent = 5;
const commissionBasisPoints = 150;
const pointsPerEuro = 2;
const termsDays = 60;

export interface DemoTill {
  /** Sells at a past instant, in order of time; closes the day before first. */
  sell(sale: { key: string; who: CastName; amountCents: number; at: Date }): Promise<void>;
}

/** Points earned before the months of the demo: they expire one after the other. */
const earlier = [
  { who: "guardian", daysAgo: 350, points: 84 },
  { who: "guardian", daysAgo: 290, points: 46 },
  { who: "child", daysAgo: 260, points: 32 },
  { who: "guardian", daysAgo: 200, points: 118 },
  { who: "secondChild", daysAgo: 190, points: 24 },
] as const;

/** The price list of the bookshop, in the order of its keys. */
const priceList = [
  ["Livre de poche", 890, "Livres"],
  ["Album jeunesse", 1350, "Livres"],
  ["Roman", 2100, "Livres"],
  ["Bande dessinée", 1590, "Livres"],
  ["Cahier", 240, "Papeterie"],
  ["Stylo", 180, "Papeterie"],
  ["Agenda", 1290, "Papeterie"],
  ["Carte postale", 100, "Papeterie"],
  ["Café", 180, "Comptoir"],
  ["Thé", 250, "Comptoir"],
  ["Part de gâteau", 320, "Comptoir"],
] as const;

async function writePriceList(tx: Tx, companyId: string): Promise<void> {
  for (const [place, [name, priceCents, shelf]] of priceList.entries()) {
    await sql`insert into till_article (id, company_id, name, price_cents, shelf, position)
      values (${uuidOf(`article ${name}`)}, ${companyId}, ${name}, ${priceCents}, ${shelf},
        ${place + 1})`.execute(tx);
  }
}

/** The dearest article that the amount pays for; what is left was typed. */
const linesOf = (amountCents: number) =>
  priceList
    .filter(([, priceCents]) => priceCents <= amountCents)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 1)
    .map(([name, priceCents]) => ({ name, priceCents, count: 1 }));

/** Gives the earlier points, each in its place among the sales: a list of points follows the journal. */
function earnedBefore(
  tx: Tx,
  people: Record<CastName, number>,
  { companyId, name, now }: Pick<ChargeCounter, "companyId" | "name"> & { now: Date },
): (until: Date) => Promise<void> {
  const rest = earlier.map((one) => ({
    ...one,
    at: new Date(now.getTime() - one.daysAgo * dayMs),
  }));
  return async (until) => {
    for (let next = rest[0]; next && next.at < until; next = rest[0]) {
      rest.shift();
      const { who, daysAgo, points, at } = next;
      const key = `points:earned:${uuidOf(`${who} ${daysAgo}`)}`;
      await earnPoints(tx, { personId: people[who], companyId, points, key, label: name, at });
    }
  };
}

/** The till of the bookshop, with terms of two months; its partner exists in the directory already. */
export async function openTill(
  tx: Tx,
  people: Record<CastName, number>,
  now: Date,
): Promise<DemoTill> {
  const termsFrom = new Date(now.getTime() - termsDays * dayMs);
  const terms = { reference, discountPercent, commissionBasisPoints };
  const byOperator = { operator: "démonstration" };
  const longAgo = new Date(now.getTime() - 400 * dayMs);
  await writeTerms(tx, { ...terms, ...byOperator, discountPercent: 0, pointsPerEuro, at: longAgo });
  await writeTerms(tx, { ...terms, ...byOperator, at: termsFrom });
  const by = people.partnerShop;
  const counter = await query(tx).maybeOne(sql<
    Omit<ChargeCounter, "discountPercent" | "pointsPerEuro">
  >`
    select p.id, p.name, p.street || ', ' || p.town as place, m.company_id
    from partner p join company_member m on m.company_id = p.company_id
    where p.reference = ${reference} and m.person_id = ${by}`);
  if (!counter) throw new Error(`no partner ${reference}`);
  const { id: partner, companyId } = counter;
  await writePriceList(tx, companyId);
  const earnUntil = earnedBefore(tx, people, { ...counter, now });
  let last: Date | null = null;
  const closeDay = async (day: Date) => {
    const evening = new Date(day.getTime() + 3 * 3_600_000);
    await closeCounter(tx, { partner, companyId, by, at: () => evening });
  };
  return {
    async sell({ key, who, amountCents, at }) {
      if (last && parisDay(last) !== parisDay(at)) await closeDay(last);
      last = at;
      await earnUntil(at);
      const { cardnumber, name } = cast[who];
      const sale = await writeSale(tx, {
        id: uuidOf(key),
        amountCents,
        lines: linesOf(amountCents),
        counter: {
          ...counter,
          discountPercent: at < termsFrom ? 0 : discountPercent,
          pointsPerEuro,
        },
        card: { cardnumber, personId: people[who], holder: name, from: null },
        cashier: { personId: by, name: cast.partnerShop.name },
        at,
      });
      const paid = await takePayment(tx, sale, at);
      const settledAt = new Date(at.getTime() + limits.cancelMinutes * 60_000);
      if (settledAt < now) await settleSale(tx, paid, settledAt);
    },
  };
}
