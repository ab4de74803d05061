// Cancelling: by the policy frozen at purchase, or because the event does not take place. The money
// goes back where it came from.
import { sql } from "kysely";
import type { Output } from "#contract/endpoint.ts";
import { Problem } from "#contract/errors.ts";
import { formatMoney } from "#contract/french.ts";
import { refundPercent, ticketCan } from "#contract/ticket-states.ts";
import type { tickets } from "#contract/tickets.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import { audit } from "#server/identity/identity.ts";
import { post, postedUnder } from "#server/ledger/ledger.ts";
import { schemeAccount } from "#server/wallet/wallet.ts";
import type { Act } from "./cart.ts";
import { type LockedTicket, lockedTicket, lockTicket } from "./lock.ts";
import { paidUnder } from "./pay.ts";
import { freeSeats } from "./seats.ts";
import { type Desk, tell } from "./tell.ts";

type Preview = Output<typeof tickets.refund>;

interface Part {
  lot: number;
  amountCents: number;
  expired: boolean;
}

/**
 * How an amount of an order goes back: to the lots that paid, the person's own money first, never
 * more than each gave. Aid whose last day is past does not come back to life.
 */
async function partsOf(tx: Tx, orderId: string, cents: number, at: Date): Promise<Part[]> {
  const paid = await postedUnder(tx, paidUnder(orderId));
  const { rows: lots } = await sql<{ lot: number; expired: boolean }>`
    select account_id as lot, expires_on is not null
      and expires_on < (${at}::timestamptz at time zone 'Europe/Paris')::date as expired
    from wallet_lot where account_id = any (${paid.map((part) => part.debit)}::bigint[])
    order by kind <> 'purchased', expires_on desc, account_id`.execute(tx);
  const { rows: before } = await sql<{ lot: number; cents: number }>`
    select (memo ->> 'lot')::bigint as lot, sum(amount)::bigint as cents from transfer
    where key in (select 'ticket-refund:' || id from ticket where order_id = ${orderId})
    group by 1`.execute(tx);
  let missing = cents;
  return lots.flatMap(({ lot, expired }) => {
    const gave = paid.filter((part) => part.debit === lot);
    const back = before.find((one) => one.lot === lot)?.cents ?? 0;
    const room = gave.reduce((sum, part) => sum + part.amountCents, 0) - back;
    const amountCents = Math.min(missing, room);
    missing -= amountCents;
    return amountCents > 0 ? [{ lot, amountCents, expired }] : [];
  });
}

const sumOf = (parts: readonly Part[]) => parts.reduce((sum, part) => sum + part.amountCents, 0);
const comingBack = (parts: readonly Part[]) => sumOf(parts.filter(({ expired }) => !expired));

function refuse(ticket: LockedTicket): void {
  if (!ticketCan.cancel(ticket)) throw new Problem("ticket_state");
  if (ticket.given) throw new Problem("ticket_given");
}

const share = ({ priceCents }: LockedTicket, percent: number): number =>
  Math.floor((priceCents * percent) / 100);

/** What a cancellation now would give back, amounts in cents. Refuses `ticket_state`, `ticket_given`. */
export function refundPreview({ deps, caller, input }: Act<{ ticket: string }>): Promise<Preview> {
  return inTx(deps.db, async (tx) => {
    const at = deps.now();
    const ticket = await lockTicket(tx, caller.personId, input.ticket);
    refuse(ticket);
    const percent = refundPercent(ticket.policy, ticket.startsAt, at);
    const parts = await partsOf(tx, ticket.orderId, share(ticket, percent), at);
    const { rows } = await sql<{ to: string }>`
      select w.name || ', ' || p.name as to from wallet w join person p on p.id = w.person_id
      where w.id = ${ticket.walletId}`.execute(tx);
    const refundCents = comingBack(parts);
    return {
      refundCents,
      lostCents: sumOf(parts) - refundCents,
      percent,
      to: rows[0]?.to ?? "",
      policy: ticket.policy,
    };
  });
}

/**
 * Cancels a ticket; `refundCents` is what the preview said. Refuses `ticket_state`, `ticket_given`,
 * `ticket_late` once the session began, `ticket_refund_changed` when another rule holds by now.
 */
export function cancelTicket(
  act: Act<{ ticket: string; refundCents: number }>,
): Promise<{ message: string }> {
  const { deps, caller, input } = act;
  return inTx(deps.db, async (tx) => {
    const at = deps.now();
    const ticket = await lockTicket(tx, caller.personId, input.ticket);
    refuse(ticket);
    if (ticket.startsAt <= at) throw new Problem("ticket_late");
    const percent = refundPercent(ticket.policy, ticket.startsAt, at);
    const parts = await partsOf(tx, ticket.orderId, share(ticket, percent), at);
    const refundCents = comingBack(parts);
    if (refundCents !== input.refundCents) throw new Problem("ticket_refund_changed");
    await giveBack(tx, ticket, parts, at);
    const { sessionId, categoryId } = ticket;
    await freeSeats(tx, deps, [{ sessionId, categoryId, count: 1 }], at);
    const message =
      refundCents > 0
        ? `Le billet est annulé, ${formatMoney(refundCents)} recrédités.`
        : "Le billet est annulé.";
    await tell(tx, deps, [ticket.ownerId, ticket.buyerId], {
      title: "Billet annulé",
      body: `«\u202f${ticket.title}\u202f». ${message}`,
      at,
    });
    const line = { personId: caller.personId, actor: "person", address: act.origin.address };
    await audit(tx, { ...line, action: "ticket.cancel", details: { refundCents }, at });
    return { message };
  });
}

async function giveBack(
  tx: Tx,
  ticket: LockedTicket,
  parts: readonly Part[],
  at: Date,
): Promise<void> {
  const from = await schemeAccount(tx, "tickets");
  const over = await schemeAccount(tx, "expired");
  await post(
    tx,
    parts.map(({ lot, amountCents, expired }) => ({
      key: `ticket-refund:${ticket.id}`,
      debit: from,
      credit: expired ? over : lot,
      amountCents,
      kind: "refund",
      memo: { label: `Billet annulé, ${ticket.title}`, lot },
      at,
    })),
  );
  await sql`update ticket set state = 'cancelled', ended_at = ${at}
    where id = ${ticket.id}`.execute(tx);
  await sql`update ticket_transfer set state = 'withdrawn', answered_at = ${at}
    where ticket_id = ${ticket.id} and state = 'open'`.execute(tx);
}

/** A ticket of an event that does not take place: its whole price goes back. */
export function refundWhole(desk: Desk, id: string): Promise<number> {
  return inTx(desk.db, async (tx) => {
    const at = desk.now();
    const ticket = await lockedTicket(tx, id);
    if (!ticket || !ticketCan.cancel(ticket)) return 0;
    const parts = await partsOf(tx, ticket.orderId, ticket.priceCents, at);
    await giveBack(tx, ticket, parts, at);
    const cents = comingBack(parts);
    await tell(tx, desk, [ticket.ownerId, ticket.buyerId], {
      title: "Événement annulé",
      body:
        `«\u202f${ticket.title}\u202f» n'aura pas lieu. ` +
        (cents > 0 ? `${formatMoney(cents)} sont recrédités.` : "Votre billet était gratuit."),
      at,
      outside: true,
    });
    return cents;
  });
}
