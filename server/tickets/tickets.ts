// Tickets: events, the seats of their sessions, carts that hold them, and every ticket until it was used.
// Refuses a seat beyond the last, a price for which the person is not eligible, a revoked code, and a refund
// larger than the policy frozen at purchase allows.
import { sql } from "kysely";
import type * as z from "zod/mini";
import { Problem } from "#contract/errors.ts";
import { collect } from "#server/checkout/checkout.ts";
import { companyOf } from "#server/companies/companies.ts";
import type { Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { Deps } from "#server/process/deps.ts";
import type { TicketDeps } from "./announcements.ts";
import { putLine } from "./cart.ts";
import type { eventDescription } from "./event-import.ts";
import { expireTickets } from "./expiry.ts";
import { addHeldTickets, openCart } from "./orders.ts";
import { quoteCart, ticketSale } from "./sale.ts";
import { readSaleTerms } from "./sale-terms.ts";
import { takeSeats } from "./seats.ts";

export { ticketsToCome } from "./to-dos.ts";
export { putLine, ticketSale };
/** An event as its JSON file describes it. */
export type EventDescription = z.input<typeof eventDescription>;

/**
 * Writes an event with its prices, sessions and quotas; gives its number and id. Refuses `ticket_partner` for
 * a partner's card without a company.
 */
export async function createEvent(
  tx: Tx,
  event: EventDescription,
  at: Date,
): Promise<{ number: number; id: string }> {
  const partner = event.partner === undefined ? null : await partnerOfCard(tx, event.partner);
  const created = await query(tx).one(sql<{ number: number; id: string }>`
    insert into ticket_event (partner_id, company_id, title, summary, kind, organiser, venue, address, sale_from,
      sale_until, max_per_person, policy, created_at)
    values (${partner?.personId ?? null}, ${partner?.companyId ?? null}, ${event.title}, ${event.summary}, ${event.kind}, ${event.organiser}, ${event.venue},
      ${event.address}, ${event.saleFrom}, ${event.saleUntil}, ${event.maxPerPerson},
      ${JSON.stringify(event.policy)}::jsonb, ${at})
    returning number, id`);
  const categories = new Map<string, string>();
  for (const [place, one] of event.categories.entries()) {
    const row = await query(tx).one(sql<{ id: string }>`
      insert into ticket_category (event_id, place, name, price_cents, age_min, age_max, student,
        quotient_max)
      values (${created.id}, ${place}, ${one.name}, ${one.priceCents}, ${one.ageMin ?? null},
        ${one.ageMax ?? null}, ${one.student ?? false}, ${one.quotientMax ?? null})
      returning id`);
    categories.set(one.name, row.id);
  }
  for (const session of event.sessions) {
    const { id } = await query(tx).one(sql<{ id: string }>`
      insert into ticket_session (event_id, starts_at, ends_at)
      values (${created.id}, ${session.startsAt}, ${session.endsAt}) returning id`);
    await sql`insert into ticket_quota (session_id, seats) values (${id}, ${session.seats})`.execute(
      tx,
    );
    for (const [name, max] of Object.entries(session.quotas ?? {})) {
      await sql`insert into ticket_quota (session_id, category_id, seats)
        values (${id}, ${categories.get(name)}, ${max})`.execute(tx);
    }
  }
  return created;
}

async function partnerOfCard(tx: Tx, cardnumber: number) {
  const found = await query(tx).maybeOne(sql<{ personId: number }>`
    select person_id from card where number = ${cardnumber}`);
  const company = found && (await companyOf(tx, found.personId));
  if (!found || !company) throw new Problem("ticket_partner", { cardnumber });
  return { personId: found.personId, companyId: company.companyId };
}

/**
 * Buys seats from a wallet inside the caller's transaction, at a given instant: for the demo scheme,
 * which simulates months of purchases. Refuses as a cart and a payment do.
 */
export async function buyTickets(
  tx: Tx,
  deps: TicketDeps,
  bought: {
    personId: number;
    ownerId: number;
    walletId: number;
    session: string;
    category: string;
    count: number;
    at: Date;
  },
): Promise<void> {
  const { personId, ownerId, walletId, count, at } = bought;
  const terms = await readSaleTerms(tx, bought, at);
  const order = await openCart(tx, deps, personId, at);
  await addHeldTickets(tx, order, terms, { ownerId, count });
  await takeSeats(tx, [{ sessionId: terms.sessionId, categoryId: terms.categoryId, count }]);
  const seats = await quoteCart(tx, order, { at, late: false });
  await collect(tx, ticketSale, order.id, { ...seats, walletId, at });
  const sold = { walletId, buyerId: personId, at };
  await ticketSale.fulfil(tx, deps, order, { quote: seats, sold, receipt: [] });
}

/** The jobs of this room. */
export function ticketTasks(deps: Deps) {
  return { expire_tickets: () => expireTickets(deps) };
}

/** Schedule of the jobs (UTC). */
export const ticketRoutines = [{ task: "expire_tickets", cron: "* * * * *" }] as const;
