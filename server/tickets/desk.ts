// The operator's side of e-tickets: events, what was sold, a control by hand, an event that is cancelled.
import { readFile } from "node:fs/promises";
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { formatDateTime, formatMoney, plural } from "#contract/french.ts";
import { type EventKind, eventKindNames, ticketStateNames } from "#contract/ticket-states.ts";
import { inTx } from "#server/db/db.ts";
import { refundWhole } from "./cancel.ts";
import { useTicket } from "./gate.ts";
import { createEvent, readEvent } from "./import.ts";
import { ticketsWhere } from "./list.ts";
import { dropOrder, orderColumns, type Order } from "./orders.ts";
import type { Desk } from "./tell.ts";

interface Answer {
  ok: boolean;
  lines: string[];
}

/** A command of `npm run operator -- tickets …`. */
interface TicketCommand {
  name: string;
  arguments: readonly string[];
  says: string;
  run(desk: Desk, given: readonly string[]): Promise<Answer>;
}

export const ticketCommands: readonly TicketCommand[] = [
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
    run: (desk, [file = ""]) => told(() => importEvent(desk, file)),
  },
  {
    name: "tickets sales",
    arguments: ["<AAAA-MM-JJ>"],
    says: "montre les ventes d'un jour et ce qui a été rendu",
    run: ({ db }, [day = ""]) => told(() => salesOf(db, day)),
  },
  {
    name: "tickets show",
    arguments: ["<référence>"],
    says: "montre les billets qui portent une référence, leur état et leur titulaire",
    run: ({ db }, [given = ""]) => told(() => showTickets(db, given)),
  },
  {
    name: "tickets use",
    arguments: ["<code>"],
    says: "laisse entrer un billet, une seule fois",
    run: (desk, [token = ""]) =>
      told(async () => {
        const shown = await inTx(desk.db, (tx) =>
          useTicket(tx, { token, at: desk.now(), by: null }),
        );
        return [`${shown.title}  ${shown.category}  ${shown.holder}  ${shown.reference}  entré`];
      }),
  },
  {
    name: "tickets cancel",
    arguments: ["<événement>"],
    says: "annule un événement : plus aucune vente, chaque billet est rendu, chacun est prévenu",
    run: (desk, [given = ""]) => told(() => cancelEvent(desk, given)),
  },
];

async function told(say: () => Promise<string[]>): Promise<Answer> {
  try {
    return { ok: true, lines: await say() };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { ok: false, lines: [error.message] };
  }
}

async function listEvents(db: Desk["db"]): Promise<Answer> {
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
        where ws.offer_id = o.id and w.state = 'waiting') as waiting
    from ticket_offer o join ticket_session s on s.offer_id = o.id
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

async function showTickets(db: Desk["db"], reference: string): Promise<string[]> {
  const start = reference.replace("-", "").toLowerCase();
  if (!/^[0-9a-f]{8}$/.test(start)) throw new Problem("not_found");
  const rows = await ticketsWhere(db, sql`t.id::text like ${`${start}%`}`, new Date());
  if (rows.length === 0) throw new Problem("not_found");
  return rows.map(
    (one) =>
      `${one.reference}  ${ticketStateNames[one.state]}  ${one.title}  ` +
      `${formatDateTime(one.startsAt)}  ${one.category}  ${one.holder}` +
      (one.from ? `  reçu de ${one.from}` : ""),
  );
}

async function importEvent(desk: Desk, file: string): Promise<string[]> {
  const text = await readFile(file, "utf8").catch(() => "");
  const event = readEvent(text);
  if ("wrong" in event) throw new Problem("invalid_input", { what: event.wrong });
  const { number } = await inTx(desk.db, (tx) => createEvent(tx, event, desk.now()));
  return [`${number}  ${event.title}  ${plural(event.sessions.length, "séance")}`];
}

async function salesOf(db: Desk["db"], day: string): Promise<string[]> {
  if (!/^20\d\d-[01]\d-[0-3]\d$/.test(day) || Number.isNaN(Date.parse(day))) {
    throw new Problem("invalid_input", { what: "jour (AAAA-MM-JJ)" });
  }
  const { rows } = await sql<{ title: string; sold: number; cents: number; cancelled: number }>`
    select o.title, count(*) filter (where t.replaces is null
        and (r.paid_at at time zone 'Europe/Paris')::date = ${day}::date)::int as sold,
      coalesce(sum(t.price_cents) filter (where t.replaces is null
        and (r.paid_at at time zone 'Europe/Paris')::date = ${day}::date), 0)::bigint as cents,
      count(*) filter (where t.state = 'cancelled'
        and (t.ended_at at time zone 'Europe/Paris')::date = ${day}::date)::int as cancelled
    from ticket t join ticket_order r on r.id = t.order_id
    join ticket_session s on s.id = t.session_id join ticket_offer o on o.id = s.offer_id
    where t.issued_at is not null and ((r.paid_at at time zone 'Europe/Paris')::date = ${day}::date
      or (t.ended_at at time zone 'Europe/Paris')::date = ${day}::date)
    group by o.id order by o.title`.execute(db);
  const lines = rows
    .filter(({ sold, cancelled }) => sold + cancelled > 0)
    .map(
      ({ title, sold, cents, cancelled }) =>
        `${title}  ${plural(sold, "billet")}  ${formatMoney(cents)}  ${plural(cancelled, "annulé")}`,
    );
  return lines.length > 0 ? lines : ["Aucune vente ce jour."];
}

/** Resumable: run again, it goes on with what is left. */
async function cancelEvent(desk: Desk, given: string): Promise<string[]> {
  const { rows } = await sql<{ id: string; title: string }>`
    update ticket_offer set cancelled_at = coalesce(cancelled_at, ${desk.now()})
    where number = ${/^\d{1,9}$/.test(given) ? Number(given) : 0} returning id, title`.execute(
    desk.db,
  );
  const offer = rows[0];
  if (!offer) throw new Problem("not_found");
  const ofOffer = sql`session_id in (select id from ticket_session where offer_id = ${offer.id})`;
  await sql`update ticket_wait set state = 'left'
    where ${ofOffer} and state in ('waiting', 'offered')`.execute(desk.db);
  const { rows: carts } = await sql<{ id: string }>`select distinct order_id as id from ticket
    where ${ofOffer} and state = 'held' order by 1`.execute(desk.db);
  for (const { id } of carts) await dropCartOf(desk, id);
  const { rows: sold } = await sql<{ id: string }>`select id from ticket
    where ${ofOffer} and state = 'issued' order by order_id, id`.execute(desk.db);
  let cents = 0;
  for (const { id } of sold) cents += await refundWhole(desk, id);
  return [
    `${offer.title}  ${plural(sold.length, "billet rendu", "billets rendus")}  ${formatMoney(cents)}`,
  ];
}

function dropCartOf(desk: Desk, id: string): Promise<void> {
  return inTx(desk.db, async (tx) => {
    const { rows } = await sql<Order>`select ${orderColumns} from ticket_order
      where id = ${id} and state = 'cart' for update`.execute(tx);
    if (rows[0]) await dropOrder(tx, desk, rows[0], desk.now());
  });
}
