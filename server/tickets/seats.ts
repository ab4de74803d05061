// Seats of sessions, taken and released all or none within the quotas. Released seats are offered to
// the waiting list first.
import { sql } from "kysely";
import { formatDateTime, formatTime, plural } from "#contract/french.ts";
import { Problem } from "#contract/errors.ts";
import { tickets as limits } from "#contract/limits.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { announceTicket, type TicketDeps } from "./announcements.ts";

export interface Seats {
  sessionId: string;
  categoryId: string;
  count: number;
}

/** Takes seats (a negative count releases): -1 when done, else how many remain where they lack. */
export async function tryTakeSeats(tx: Tx, seats: readonly Seats[]): Promise<number> {
  if (seats.length === 0) return -1;
  const { rows } = await sql<{ left: number }>`select ticket_take(
    ${seats.map((one) => one.sessionId)}::uuid[], ${seats.map((one) => one.categoryId)}::uuid[],
    ${seats.map((one) => one.count)}::int[]) as left`.execute(tx);
  return rows[0]?.left ?? 0;
}

/** Takes seats or refuses with `tickets_sold_out` {left}. */
export async function takeSeats(tx: Tx, seats: readonly Seats[]): Promise<void> {
  const left = await tryTakeSeats(tx, seats);
  if (left >= 0) throw new Problem("tickets_sold_out", { left });
}

/** Releases seats, then offers them to the waiting lists of their sessions. */
export async function releaseSeats(
  tx: Tx,
  deps: TicketDeps,
  seats: readonly Seats[],
  at: Date,
): Promise<void> {
  if (seats.length === 0) return;
  const left = await tryTakeSeats(
    tx,
    seats.map((one) => ({ ...one, count: -one.count })),
  );
  if (left >= 0) throw new Error("seats given back twice");
  await offerToWaitingList(
    tx,
    deps,
    [...new Set(seats.map((one) => one.sessionId))].toSorted(),
    at,
  );
}

interface WaitingEntry {
  id: string;
  personId: number;
  sessionId: string;
  categoryId: string;
  quantity: number;
  title: string;
  startsAt: Date;
}

/** Offers free seats to the waiting lists in their order, for 30 minutes, with a notice. */
export async function offerToWaitingList(
  tx: Tx,
  deps: TicketDeps,
  sessionIds: readonly string[],
  at: Date,
): Promise<void> {
  const { rows } = await sql<WaitingEntry>`
    select w.id, w.person_id as "personId", w.session_id as "sessionId",
      w.category_id as "categoryId", w.quantity, o.title, s.starts_at as "startsAt"
    from ticket_wait w join ticket_session s on s.id = w.session_id
    join ticket_event o on o.id = s.event_id
    where w.session_id = any (${sessionIds}::uuid[]) and w.state = 'waiting'
      and s.starts_at > ${at} and o.cancelled_at is null and not company_frozen(o.company_id)
      and o.sale_until > ${at}
    order by w.session_id, w.number limit 100 for update of w`.execute(tx);
  const until = new Date(at.getTime() + limits.offeredSeconds * 1000);
  for (const wait of rows) {
    const { sessionId, categoryId, quantity: count } = wait;
    if ((await tryTakeSeats(tx, [{ sessionId, categoryId, count }])) >= 0) continue;
    await sql`update ticket_wait set state = 'offered', offered_until = ${until}
      where id = ${wait.id}`.execute(tx);
    await announceTicket(tx, deps, [wait.personId], {
      title: "Des places se libèrent",
      body:
        `${plural(count, "place")} pour «\u00a0${wait.title}\u00a0», le ${formatDateTime(wait.startsAt)}, ` +
        `vous ${count > 1 ? "sont gardées" : "est gardée"} jusqu'à ${formatTime(until)}.`,
      at,
      alsoOutside: true,
    });
  }
}

/** Seats that remain of a session at a price. */
export async function remainingSeats(
  db: Db,
  { sessionId, categoryId }: Pick<Seats, "sessionId" | "categoryId">,
): Promise<number> {
  const { rows } = await sql<{ spare: number | null }>`
    select min(seats - taken)::int as spare from ticket_quota
    where session_id = ${sessionId} and (category_id is null or category_id = ${categoryId})`.execute(
    db,
  );
  return rows[0]?.spare ?? 0;
}
