// Cancellation of tickets, by their holder under the policy frozen at purchase, or because the event is
// cancelled. The money is refunded to the wallets that paid.
import { sql } from "kysely";
import type { Output } from "#contract/endpoint.ts";
import { Problem } from "#contract/errors.ts";
import { refundPercent, ticketCan } from "#contract/tickets/states.ts";
import type { tickets } from "#contract/tickets/rows.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import { auditAct } from "#server/identity/identity.ts";
import { previewRefund, refund, refundedTo, type RefundView } from "#server/checkout/checkout.ts";
import type { AuditedCall } from "#server/http/caller.ts";
import { revokeTicket } from "./admission.ts";
import { type LockedTicket, lockAnyTicket, lockTicket } from "./orders.ts";
import { ticketSale } from "./sale.ts";
import { releaseSeats } from "./seats.ts";
import { type TicketDeps, announceTicket } from "./announcements.ts";

type Preview = Output<typeof tickets.refund>;

function requireCancellable(ticket: LockedTicket): void {
  if (!ticketCan.cancel(ticket)) throw new Problem("ticket_state");
  if (ticket.received) throw new Problem("ticket_transferred");
}

const refundShareCents = ({ priceCents }: LockedTicket, percent: number): number =>
  Math.floor((priceCents * percent) / 100);

/** The refund of a cancellation now, amounts in cents. Refuses `ticket_state`, `ticket_transferred`. */
export function previewTicketRefund({
  deps,
  caller,
  input,
}: AuditedCall<{ ticket: string }>): Promise<Preview> {
  return inTx(deps.db, async (tx) => {
    const at = deps.now();
    const ticket = await lockTicket(tx, caller.personId, input.ticket);
    requireCancellable(ticket);
    const percent = refundPercent(ticket.policy, ticket.startsAt, at);
    const amountCents = refundShareCents(ticket, percent);
    const { orderId, policy } = ticket;
    const back = await previewRefund(tx, ticketSale, { orderId, amountCents, at });
    return { ...back, percent, policy };
  });
}

/**
 * Cancels a ticket; `refundCents` is the amount of the preview. Refuses `ticket_state`, `ticket_transferred`,
 * `ticket_late` once the session began, `ticket_refund_changed` when another rule applies by now.
 */
export function cancelTicket(
  act: AuditedCall<{ ticket: string; refundCents: number }>,
): Promise<{ message: string }> {
  const { deps, caller, input } = act;
  return inTx(deps.db, async (tx) => {
    const at = deps.now();
    const ticket = await lockTicket(tx, caller.personId, input.ticket);
    requireCancellable(ticket);
    if (ticket.startsAt <= at) throw new Problem("ticket_late");
    const percent = refundPercent(ticket.policy, ticket.startsAt, at);
    const back = await cancelAndRefund(tx, ticket, refundShareCents(ticket, percent), at);
    const { refundCents } = back;
    if (refundCents !== input.refundCents) throw new Problem("ticket_refund_changed");
    const { sessionId, categoryId } = ticket;
    await releaseSeats(tx, deps, [{ sessionId, categoryId, count: 1 }], at);
    const message =
      refundCents > 0
        ? `Le billet est annulé\u202f: ${refundedTo(back)}.`
        : "Le billet est annulé.";
    await announceTicket(tx, deps, [ticket.ownerId], {
      title: "Billet annulé",
      body: `«\u00a0${ticket.title}\u00a0». Le billet est annulé.`,
      payer: {
        id: ticket.buyerId,
        ...(refundCents > 0 && { more: `Remboursé\u202f: ${refundedTo(back)}.` }),
      },
      at,
    });
    await auditAct(tx, act, "ticket.cancel", { details: { refundCents }, at });
    return { message };
  });
}

async function cancelAndRefund(
  tx: Tx,
  ticket: LockedTicket,
  amountCents: number,
  at: Date,
): Promise<RefundView> {
  const label = `Billet annulé, ${ticket.title}`;
  const { orderId } = ticket;
  const back = await refund(tx, ticketSale, { orderId, amountCents, label, at });
  // The part that is not refunded is owed to the organiser of the event.
  await sql`update ticket set state = 'cancelled', used_at = null, ended_at = ${at},
      refund_cents = ${amountCents}
    where id = ${ticket.id}`.execute(tx);
  await revokeTicket(tx, ticket.id);
  await sql`update ticket_transfer set state = 'withdrawn', answered_at = ${at}
    where ticket_id = ${ticket.id} and state = 'open'`.execute(tx);
  return back;
}

/** Cancels a ticket of a cancelled event and refunds its whole price; gives the refund in cents. */
export function refundCancelledEvent(deps: TicketDeps, id: string): Promise<number> {
  return inTx(deps.db, async (tx) => {
    const at = deps.now();
    const ticket = await lockAnyTicket(tx, id);
    if (!ticket || !ticketCan.giveBack(ticket)) return 0;
    const back = await cancelAndRefund(tx, ticket, ticket.priceCents, at);
    const cents = back.refundCents;
    await announceTicket(tx, deps, [ticket.ownerId], {
      title: "Événement annulé",
      body: `«\u00a0${ticket.title}\u00a0» n'aura pas lieu.`,
      payer: {
        id: ticket.buyerId,
        more:
          cents > 0
            ? `Vous êtes remboursé\u202f: ${refundedTo(back)}.`
            : "Votre billet était gratuit.",
      },
      at,
      alsoOutside: true,
    });
    return cents;
  });
}
