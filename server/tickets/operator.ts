// Operator commands of e-tickets: events, sales, admission by hand, cancellation of an event.
import { readFile } from "node:fs/promises";
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { formatDateTime, formatMoney, ofName, plural } from "#contract/french.ts";
import { type EventKind, eventKindNames, ticketStateNames } from "#contract/tickets/states.ts";
import { idStart } from "#contract/reference.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { refundCancelledEvent } from "./cancellation.ts";
import { admitTicket } from "./admission.ts";
import { parseEvent } from "./event-import.ts";
import { createEvent } from "./tickets.ts";
import { ticketsWhere } from "./ticket-views.ts";
import { dropOrder, orderColumns, type Order } from "./orders.ts";
import { endEntries, lockCounts, releaseSeats } from "./seats.ts";

import {
  commandResult,
  type CommandResult,
  numberArgument,
  type OperatorCommand,
  type OperatorDeps,
} from "#server/process/room.ts";

/** A command of `npm run operator -- tickets …`. */
export const ticketCommands: readonly OperatorCommand[] = [
  {
    name: "tickets list",
    arguments: [],
    says: "montre les événements, leurs places et leurs ventes",
    run: ({ db }) => listEvents(db),
  },
  {
    name: "tickets import",
    arguments: ["<fichier.json>"],
    says: "crée un événement décrit par un fichier JSON",
    run: (deps, [file = ""]) => commandResult(() => importEvent(deps, file)),
  },
  {
    name: "tickets sales",
    arguments: ["<AAAA-MM-JJ>"],
    says: "montre les ventes d'un jour et ce qui a été rendu",
    run: ({ db }, [day = ""]) => commandResult(() => salesOf(db, day)),
  },
  {
    name: "tickets show",
    arguments: ["<référence>"],
    says: "montre les billets qui portent une référence, leur état et leur titulaire",
    run: ({ db }, [reference = ""]) => commandResult(() => showTickets(db, reference)),
  },
  {
    name: "tickets use",
    arguments: ["<code>"],
    says: "laisse entrer un billet, une seule fois",
    run: (deps, [token = ""]) =>
      commandResult(async () => {
        const ticket = await inTx(deps.db, (tx) =>
          admitTicket(tx, { token, at: deps.now(), by: null }),
        );
        return [
          `${ticket.title}  ${ticket.category}  ${ticket.holder}  ${ticket.reference}  entré`,
        ];
      }),
  },
  {
    name: "tickets cancel",
    arguments: ["<événement>", "[<billets à rendre>]"],
    says: "dit ce qu'annuler un événement rendrait ; avec ce nombre de billets, l'annule : plus aucune vente, chaque billet rendu, même entré, chacun prévenu",
    run: (deps, [eventNumber = "", confirmed]) =>
      commandResult(() =>
        confirmed === undefined
          ? previewCancellation(deps, eventNumber)
          : cancelEvent(deps, eventNumber, numberArgument(confirmed)),
      ),
  },
];

async function listEvents(db: OperatorDeps["db"]): Promise<CommandResult> {
  const { rows } = await sql<{
    number: number;
    title: string;
    kind: EventKind;
    cancelled: boolean;
    first: Date;
    sessions: number;
    seats: number;
    taken: number;
    waiting: number;
  }>`
    select o.number, o.title, o.kind, o.cancelled_at is not null as cancelled, min(s.starts_at) as first,
      count(*)::int as sessions, sum(q.seats)::int as seats, sum(q.taken)::int as taken,
      (select count(*)::int from ticket_wait w join ticket_session ws on ws.id = w.session_id
        where ws.event_id = o.id and w.state = 'waiting') as waiting
    from ticket_event o join ticket_session s on s.event_id = o.id
    join ticket_quota q on q.session_id = s.id and q.category_id is null
    group by o.id order by first desc limit 200`.execute(db);
  const lines = rows.map(
    (one) =>
      `${one.number}  ${formatDateTime(one.first)}  ${eventKindNames[one.kind]}  ${one.title}  ` +
      `${plural(one.sessions, "séance")}, ${one.taken}/${one.seats} places prises, ` +
      `${one.waiting} en attente${one.cancelled ? "  ANNULÉ" : ""}`,
  );
  return { ok: true, lines: lines.length > 0 ? lines : ["Aucun événement."] };
}

async function showTickets(db: OperatorDeps["db"], reference: string): Promise<string[]> {
  const start = idStart(reference);
  if (start === null) throw new Problem("not_found");
  const rows = await ticketsWhere(db, sql`t.id::text like ${`${start}%`}`, new Date());
  if (rows.length === 0) throw new Problem("not_found");
  return rows.map(
    (one) =>
      `${one.reference}  ${ticketStateNames[one.state]}  ${one.title}  ` +
      `${formatDateTime(one.startsAt)}  ${one.category}  ${one.holder}` +
      (one.from ? `  reçu ${ofName(one.from)}` : ""),
  );
}

async function importEvent(deps: OperatorDeps, file: string): Promise<string[]> {
  const text = await readFile(file, "utf8").catch(() => {
    throw new Problem("invalid_input", { what: `le fichier ${file} ne se lit pas` });
  });
  const event = parseEvent(text);
  if ("wrong" in event) throw new Problem("invalid_input", { what: event.wrong });
  const { number } = await inTx(deps.db, (tx) => createEvent(tx, event, deps.now()));
  return [`${number}  ${event.title}  ${plural(event.sessions.length, "séance")}`];
}

async function salesOf(db: OperatorDeps["db"], day: string): Promise<string[]> {
  if (!/^20\d\d-[01]\d-[0-3]\d$/.test(day) || Number.isNaN(Date.parse(day))) {
    throw new Problem("invalid_input", { what: "jour (AAAA-MM-JJ)" });
  }
  const { rows } = await sql<{ title: string; sold: number; cents: number; cancelled: number }>`
    select o.title, count(*) filter (where t.replaces is null
        and paris_day(r.paid_at) = ${day}::date)::int as sold,
      coalesce(sum(t.price_cents) filter (where t.replaces is null
        and paris_day(r.paid_at) = ${day}::date), 0)::bigint as cents,
      count(*) filter (where t.state = 'cancelled'
        and paris_day(t.ended_at) = ${day}::date)::int as cancelled
    from ticket t join ticket_order r on r.id = t.order_id
    join ticket_session s on s.id = t.session_id join ticket_event o on o.id = s.event_id
    where t.issued_at is not null and (paris_day(r.paid_at) = ${day}::date
      or paris_day(t.ended_at) = ${day}::date)
    group by o.id order by o.title`.execute(db);
  const lines = rows
    .filter(({ sold, cancelled }) => sold + cancelled > 0)
    .map(
      ({ title, sold, cents, cancelled }) =>
        `${title}  ${plural(sold, "billet")}  ${formatMoney(cents)}  ${plural(cancelled, "annulé")}`,
    );
  return lines.length > 0 ? lines : ["Aucune vente ce jour."];
}

interface CancellationPreview {
  id: string;
  number: number;
  title: string;
  tickets: number;
  cents: number;
  carts: number;
  waiting: number;
}

/**
 * SQL condition on a ticket `t`, its session `s` and its event `o`: a cancellation refunds it. An admitted
 * ticket is refunded too, unless its session was over when it was cancelled.
 */
const isRefundable = (at: Date) => sql<boolean>`(t.state = 'issued'
  or t.state = 'used' and s.ends_at > coalesce(o.cancelled_at, ${at}::timestamptz))`;

/**
 * An event, locked until the end of the transaction, with the tickets that its cancellation refunds and ends.
 */
async function lockToCancel(tx: Tx, eventNumber: string, at: Date): Promise<CancellationPreview> {
  const found = await query(tx).maybeOne(sql<CancellationPreview>`
    select o.id, o.number, o.title, t.tickets, t.cents, t.carts,
      (select count(*)::int from ticket_wait w join ticket_session s on s.id = w.session_id
        where s.event_id = o.id and w.state in ('waiting', 'offered')) as waiting
    from ticket_event o cross join lateral (
      select count(*) filter (where ${isRefundable(at)})::int as tickets,
        coalesce(sum(t.price_cents) filter (where ${isRefundable(at)}), 0)::bigint as cents,
        count(distinct t.order_id) filter (where t.state = 'held')::int as carts
      from ticket t join ticket_session s on s.id = t.session_id where s.event_id = o.id) t
    where o.number = ${/^\d{1,9}$/.test(eventNumber) ? Number(eventNumber) : 0} for update of o`);
  if (!found) throw new Problem("not_found");
  return found;
}

function previewCancellation({ db, now }: OperatorDeps, eventNumber: string): Promise<string[]> {
  return inTx(db, async (tx) => {
    const { number, title, tickets, cents, carts, waiting } = await lockToCancel(
      tx,
      eventNumber,
      now(),
    );
    return [
      `${title}  ${plural(tickets, "billet à rendre", "billets à rendre")}  ${formatMoney(cents)}`,
      `${plural(carts, "panier vidé", "paniers vidés")}, ${plural(waiting, "attente terminée", "attentes terminées")}.`,
      `Rien n'est annulé. Pour l'annuler : tickets cancel ${number} ${tickets}`,
    ];
  });
}

/**
 * Cancels an event if the number of tickets to refund is the one that the operator confirmed; after an
 * interruption a second run continues with the remaining ones.
 */
async function cancelEvent(
  deps: OperatorDeps,
  eventNumber: string,
  confirmed: number,
): Promise<string[]> {
  const at = deps.now();
  const event = await inTx(deps.db, async (tx) => {
    const found = await lockToCancel(tx, eventNumber, at);
    if (found.tickets !== confirmed) {
      const what = `${plural(found.tickets, "billet")} à rendre, pas ${confirmed} : rien n'est annulé`;
      throw new Problem("invalid_input", { what });
    }
    await sql`update ticket_event set cancelled_at = coalesce(cancelled_at, ${at})
      where id = ${found.id}`.execute(tx);
    return found;
  });
  const ofOffer = sql`session_id in (select id from ticket_session where event_id = ${event.id})`;
  await inTx(deps.db, async (tx) => {
    const { rows: sessions } = await sql<{ id: string }>`select id from ticket_session
      where event_id = ${event.id}`.execute(tx);
    const ids = sessions.map(({ id }) => id);
    await lockCounts(tx, ids);
    const freed = await endEntries(tx, sql`w.session_id = any (${ids}::uuid[])`, "left");
    await releaseSeats(tx, deps, freed, at);
  });
  const { rows: carts } = await sql<{ id: string }>`select distinct order_id as id from ticket
    where ${ofOffer} and state = 'held' order by 1`.execute(deps.db);
  for (const { id } of carts) await dropCartOf(deps, id);
  const { rows: sold } = await sql<{ id: string }>`select t.id from ticket t
    join ticket_session s on s.id = t.session_id join ticket_event o on o.id = s.event_id
    where o.id = ${event.id} and ${isRefundable(at)} order by t.order_id, t.id`.execute(deps.db);
  let cents = 0;
  for (const { id } of sold) cents += await refundCancelledEvent(deps, id);
  return [
    `${event.title}  ${plural(sold.length, "billet rendu", "billets rendus")}  ${formatMoney(cents)}`,
  ];
}

function dropCartOf(deps: OperatorDeps, id: string): Promise<void> {
  return inTx(deps.db, async (tx) => {
    const found = await query(tx).maybeOne(sql<Order>`select ${orderColumns} from ticket_order
      where id = ${id} and state = 'cart' for update`);
    if (found) await dropOrder(tx, deps, found, deps.now());
  });
}
