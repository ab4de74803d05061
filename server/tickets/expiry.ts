// Expiry of carts, seats offered to the waiting list, unanswered transfers and tickets of past sessions.
import { sql } from "kysely";
import { tickets as limits } from "#contract/tickets/limits.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { Deps } from "#server/process/deps.ts";
import { expireOrder, isExamined, addSeconds, orderColumns, type Order } from "./orders.ts";
import { canGoOn, endEntries, lockCounts, offerToWaitingList, releaseSeats } from "./seats.ts";
import { expireTransfers } from "./transfers.ts";

const maxPerRun = 200;

/**
 * Expires overdue carts (of one session, if given). A cart whose payment the bank is processing is prolonged
 * by a few minutes instead, up to a limit. Answers whether any seat became free.
 */
export async function expireDueCarts(deps: Deps, sessionId?: string): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    select id from ticket_order o where state = 'cart' and expires_at <= ${deps.now()}
      and (${sessionId ?? null}::uuid is null or exists (select from ticket t
        where t.order_id = o.id and t.session_id = ${sessionId ?? null}::uuid))
    order by expires_at limit ${maxPerRun}`.execute(deps.db);
  let freed = false;
  for (const { id } of rows) freed = (await expireDueCart(deps, id)) || freed;
  return freed;
}

function expireDueCart(deps: Deps, id: string): Promise<boolean> {
  return inTx(deps.db, async (tx) => {
    const at = deps.now();
    const order = await query(tx).maybeOne(sql<Order>`select ${orderColumns} from ticket_order
      where id = ${id} and state = 'cart' and expires_at <= ${at}
      for update skip locked`);
    if (!order) return false;
    const last = addSeconds(order.openedAt, limits.longestBankSeconds);
    if (at < last && (await isExamined(tx, order))) {
      await sql`update ticket_order set expires_at = ${addSeconds(at, limits.bankStepSeconds)}
        where id = ${id}`.execute(tx);
      return false;
    }
    await expireOrder(tx, deps, order, at);
    return true;
  });
}

/** Keeps seats that were not taken in time, and other free ones, for the next on the waiting lists. */
export async function advanceWaitingLists(deps: Deps): Promise<void> {
  const at = deps.now();
  const { rows } = await sql<{ id: string }>`
    select distinct w.session_id as id from ticket_wait w
    join ticket_session s on s.id = w.session_id join ticket_event o on o.id = s.event_id
    where ${isDue(at)} or ${canGoOn(at)} order by 1 limit ${maxPerRun}`.execute(deps.db);
  for (const { id } of rows) await inTx(deps.db, (tx) => advanceWaitingList(tx, deps, id));
}

/** SQL of an entry `w` and its session `s`: its offer was not taken in time, or the session has begun. */
const isDue = (at: Date) => sql<boolean>`(w.state = 'offered' and w.offered_until <= ${at}
  or w.state in ('waiting', 'offered') and s.starts_at <= ${at})`;

async function advanceWaitingList(tx: Tx, deps: Deps, sessionId: string): Promise<void> {
  const at = deps.now();
  await lockCounts(tx, [sessionId]);
  const ofSession = sql`w.session_id = ${sessionId}`;
  const late = sql`${ofSession} and w.state = 'offered' and w.offered_until <= ${at}`;
  const begun = sql`${ofSession}
    and exists (select from ticket_session s where s.id = w.session_id and s.starts_at <= ${at})`;
  const freed = [
    ...(await endEntries(tx, late, "expired")),
    ...(await endEntries(tx, begun, "left")),
  ];
  await releaseSeats(tx, deps, freed, at);
  await offerToWaitingList(tx, deps, [sessionId], at);
}

/** Expires unused tickets of past sessions. */
async function expirePastTickets(deps: Deps): Promise<void> {
  const at = deps.now();
  await sql`update ticket t set state = 'expired', ended_at = ${at} from ticket_session s
    where s.id = t.session_id and t.state = 'issued' and s.ends_at <= ${at}`.execute(deps.db);
}

/** The job of each minute. */
export async function expireTickets(deps: Deps): Promise<void> {
  await expireDueCarts(deps);
  await advanceWaitingLists(deps);
  await expireTransfers(deps);
  await expirePastTickets(deps);
}
