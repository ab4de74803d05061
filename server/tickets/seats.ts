// Seats of sessions, taken and released all or none within the quotas. Released seats are kept for the
// waiting list first.
import { type RawBuilder, sql } from "kysely";
import { formatDateTime, formatTime, plural } from "#contract/french.ts";
import { Problem } from "#contract/errors.ts";
import { atPlace } from "#contract/places.ts";
import { tickets as limits } from "#contract/tickets/limits.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { announceTicket, ownTicketsPath, type TicketDeps } from "./announcements.ts";

export interface Seats {
  sessionId: string;
  categoryId: string;
  count: number;
}

/** Takes seats (a negative count releases): -1 when done, else how many remain where there are too few. */
export async function tryTakeSeats(tx: Tx, seats: readonly Seats[]): Promise<number> {
  if (seats.length === 0) return -1;
  const { left } = await query(tx).one(sql<{ left: number }>`select ticket_take(
    ${seats.map((one) => one.sessionId)}::uuid[], ${seats.map((one) => one.categoryId)}::uuid[],
    ${seats.map((one) => one.count)}::int[]) as left`);
  return left;
}

/** Takes seats or refuses with `tickets_sold_out` {left}. */
export async function takeSeats(tx: Tx, seats: readonly Seats[]): Promise<void> {
  const left = await tryTakeSeats(tx, seats);
  if (left >= 0) throw new Problem("tickets_sold_out", { left });
}

/** Releases seats, then keeps them for the waiting lists of their sessions. */
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

/**
 * Locks the seat counts of sessions: before the entries of their waiting lists, in the same order as
 * releases.
 */
export async function lockCounts(tx: Tx, sessionIds: readonly string[]): Promise<void> {
  await sql`select from ticket_quota where session_id = any (${sessionIds}::uuid[])
    order by id for update`.execute(tx);
}

/** SQL of an entry `w`, its session `s` and its event `o`: until when its seats are gathered. */
export const gatheredUntil = sql<Date>`least(s.starts_at, o.sale_until)
  - make_interval(hours => ${limits.gatheringEndsHours})`;

/** SQL of the same: its list advances now, with free seats, or with gathered ones whose time is over. */
export const canGoOn = (at: Date) => sql<boolean>`(w.state = 'waiting' and s.starts_at > ${at}
  and o.sale_until > ${at} and o.cancelled_at is null and not company_frozen(o.company_id)
  and (w.held > 0 and ${gatheredUntil} <= ${at} or 0 < (
    select min(q.seats - q.taken) from ticket_quota q where q.session_id = w.session_id
      and (q.category_id is null or q.category_id = w.category_id))))`;

interface WaitingEntry {
  id: string;
  personId: number;
  sessionId: string;
  categoryId: string;
  quantity: number;
  held: number;
  title: string;
  startsAt: Date;
  gatheredUntil: Date;
}

/**
 * Keeps free seats for the waiting lists in their order. An entry with as many as it requested is offered
 * them for 30 minutes, with a notice; fewer wait for more, and are offered once there is no time for that.
 */
export async function offerToWaitingList(
  tx: Tx,
  deps: TicketDeps,
  sessionIds: readonly string[],
  at: Date,
): Promise<void> {
  await lockCounts(tx, sessionIds);
  const { rows } = await sql<WaitingEntry>`
    select w.id, w.person_id, w.session_id,
      w.category_id, w.quantity, w.held, o.title, s.starts_at,
      ${gatheredUntil} as gathered_until
    from ticket_wait w join ticket_session s on s.id = w.session_id
    join ticket_event o on o.id = s.event_id
    where w.session_id = any (${sessionIds}::uuid[]) and ${canGoOn(at)}
    order by w.session_id, w.number limit 100 for update of w`.execute(tx);
  for (const wait of rows) await keepForEntry(tx, deps, wait, at);
}

async function keepForEntry(tx: Tx, deps: TicketDeps, wait: WaitingEntry, at: Date): Promise<void> {
  const { id, sessionId, categoryId, quantity } = wait;
  const count = Math.min(await remainingSeats(tx, wait), quantity - wait.held);
  if (count > 0) await takeSeats(tx, [{ sessionId, categoryId, count }]);
  const held = wait.held + count;
  const isOffer = held > 0 && (held === quantity || wait.gatheredUntil <= at);
  if (count === 0 && !isOffer) return;
  const until = isOffer ? new Date(at.getTime() + limits.offeredSeconds * 1000) : null;
  await sql`update ticket_wait set held = ${held}, offered_until = ${until},
    state = ${isOffer ? "offered" : "waiting"} where id = ${id}`.execute(tx);
  await announceTicket(tx, deps, [wait.personId], {
    title: "Des places se libèrent",
    body: offerBody({ ...wait, held }, until),
    path: atPlace(ownTicketsPath, "ticketWait", id),
    at,
    alsoOutside: true,
  });
}

function offerBody({ title, startsAt, quantity, held }: WaitingEntry, until: Date | null): string {
  const of = held < quantity ? ` sur les ${quantity} que vous attendez` : "";
  const what =
    `${plural(held, "place")}${of} pour «\u00a0${title}\u00a0», le ${formatDateTime(startsAt)}, ` +
    `vous ${held > 1 ? "sont gardées" : "est gardée"}`;
  if (until) return `${what} jusqu'à ${formatTime(until)}.`;
  const them = held > 1 ? "les" : "la";
  return `${what}. Attendez la suite, nous vous prévenons\u202f; ou prenez-${them} dès maintenant.`;
}

/** Ends the entries `w` that match a condition; answers the seats that were kept for them, to be released. */
export async function endEntries(
  tx: Tx,
  condition: RawBuilder<unknown>,
  state: "left" | "expired",
): Promise<Seats[]> {
  const { rows } = await sql<Seats>`
    with due as (select w.id, w.session_id, w.category_id, w.held from ticket_wait w
        where w.state in ('waiting', 'offered') and ${condition} order by w.number for update),
      ended as (update ticket_wait w set state = ${state}, held = 0 from due where w.id = due.id)
    select session_id, category_id, sum(held)::int as count
    from due where held > 0 group by 1, 2 order by 1, 2`.execute(tx);
  return rows;
}

/** Seats that remain of a session at a price. */
export async function remainingSeats(
  db: Db,
  { sessionId, categoryId }: Pick<Seats, "sessionId" | "categoryId">,
): Promise<number> {
  const { spare } = await query(db).one(sql<{ spare: number | null }>`
    select min(seats - taken)::int as spare from ticket_quota
    where session_id = ${sessionId} and (category_id is null or category_id = ${categoryId})`);
  return spare ?? 0;
}
