// Card orders of the demo's employer: one that arrives these days, one at the printer.
import { sql } from "kysely";
import { query } from "#server/db/query.ts";
import { priceOf } from "#contract/card-orders/price.ts";
import { dayMs } from "#contract/days.ts";
import {
  cardPrices,
  lockCardOrder,
  makeOrderedCards,
  placeOrder,
} from "../card-orders/card-orders.ts";
import { companyOf } from "../companies/companies.ts";
import type { Tx } from "../db/db.ts";
import type { Deps } from "../process/deps.ts";

interface DemoOrder {
  daysAgo: number;
  persons: readonly (readonly [firstName: string, lastName: string])[];
  blank: number;
  ink: "lagoon" | "dusk";
  /** How many days ago it left; null while it is at the printer. */
  shippedDaysAgo: number | null;
}

const orders: readonly DemoOrder[] = [
  {
    daysAgo: 16,
    persons: [
      ["Nolwenn", "Guéguen"],
      ["Karim", "Benali"],
      ["Maëlle", "Stéphan"],
      ["Thomas", "Ollivier"],
    ],
    blank: 1,
    ink: "lagoon",
    shippedDaysAgo: 2,
  },
  {
    daysAgo: 4,
    persons: [
      ["Gaëtan", "Riou"],
      ["Fatou", "Ndiaye"],
      ["Lucie", "Morvan"],
    ],
    blank: 0,
    ink: "dusk",
    shippedDaysAgo: null,
  },
];

/** The dates on which the employer orders cards. */
export const orderedCards = (now: Date): { order: DemoOrder; at: Date }[] =>
  orders.map((order) => ({ order, at: new Date(now.getTime() - order.daysAgo * dayMs) }));

/** Orders cards for the employer, against an invoice. */
export async function orderCards(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  { order, employer, now }: { order: DemoOrder; employer: number; now: Date },
): Promise<void> {
  const company = await companyOf(tx, employer);
  if (!company) throw new Error("the demo's employer has no company");
  // A demo without an issuer orders nothing: it could not issue the invoice.
  if (!deps.config.issuer) return;
  await orderOne(tx, deps, { order, buyerId: employer, company, now });
}

async function orderOne(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  input: {
    order: DemoOrder;
    buyerId: number;
    company: { companyId: string; name: string };
    now: Date;
  },
): Promise<void> {
  const { order, buyerId, company, now } = input;
  const { persons, blank, ink, daysAgo, shippedDaysAgo } = order;
  const at = (days: number) => new Date(now.getTime() - days * dayMs);
  const { id } = await query(tx).one(sql<{ id: string }>`
    insert into card_order (company_id, person_id, state, blank, label, ink, prints_names, deliver_to,
      recipient, street, postcode, town, created_at, changed_at)
    select id, ${buyerId}, 'draft', ${blank}, left(name, 26), ${ink}, true, 'company', 'Accueil',
      street, postcode, town, ${at(daysAgo)}, ${at(daysAgo)}
    from company where id = ${company.companyId} returning id`);
  await sql`insert into card_order_person (order_id, place, first_name, last_name)
    select ${id}::uuid, place, first_name, last_name
    from unnest(${persons.map(([first]) => first)}::text[], ${persons.map(([, last]) => last)}::text[])
      with ordinality as t (first_name, last_name, place)`.execute(tx);
  const row = await lockCardOrder(tx, id);
  const price = priceOf(persons.length + blank, await cardPrices(tx));
  const quote = { totalCents: price.totalCents, label: "", groupId: null, price };
  const ordered = { paidBy: "invoice", buyerId, walletId: null, at: at(daysAgo) } as const;
  await placeOrder(tx, deps, row, { quote, ...ordered });
  await makeOrderedCards(tx, row.number, at(daysAgo));
  const shipped = shippedDaysAgo === null ? null : at(shippedDaysAgo);
  const state = shipped ? "shipped" : "in_production";
  await sql`update card_order set state = ${state}, produced_at = ${at(daysAgo - 1)},
      acknowledged_at = ${at(daysAgo - 1.2)}, printer_reference = 'IMP-' || number,
      carrier = case when ${shipped !== null} then 'Colissimo' end,
      tracking = case when ${shipped !== null} then '6A12345678901' end,
      shipped_at = ${shipped}
    where id = ${id}`.execute(tx);
  await sql`update card c set state = ${state} from pro_card k
    where k.person_id = c.person_id and k.order_id = ${id}`.execute(tx);
}
