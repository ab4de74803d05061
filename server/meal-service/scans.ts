// Scans of the counter. The device has already given its verdict and handed out the meal: the server carries
// each scan out or records in what it differs, once however often it is sent, and loses none.
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import {
  type CounterMatch,
  type Scan,
  type ScanConflict,
  type ScanView,
  type Verdict,
  verdictOf,
} from "#contract/meal-service/counter.ts";
import { mealOrderCan } from "#contract/meals/states.ts";
import { isServedTooLate } from "#contract/kitchen/service-day.ts";
import { parisDay } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { formatDayInWords, formatMoney } from "#contract/french.ts";
import { holdRolesAndInsert } from "#server/companies/companies.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { Deps } from "#server/process/deps.ts";
import { lockAccounts, postedUnder, reverseGroup } from "#server/ledger/ledger.ts";
import { schemeAccount, spend } from "#server/wallet/wallet.ts";
import {
  announceMeal,
  freeSeat,
  lockMeals,
  lockMealsWithSeats,
  mealKey,
  mealMemo,
  type MealOrder,
  pushMealChange,
  pushProviderChange,
  takeHandedSeat,
} from "#server/meals/meals.ts";
import {
  type CanteenCall,
  pricesFor,
  requirePrice,
  serviceCalendars,
} from "#server/kitchen/kitchen.ts";
import { type KnownPerson, peopleOf, toCounterPerson } from "./counter.ts";
import { isUndoable, serveMeal, unserveMeal, validateMeal } from "./meal-service.ts";

interface Counter extends Pick<CanteenCall<unknown>, "caller" | "company" | "canteen"> {
  deps: Pick<Deps, "send" | "config">;
  now: Date;
}

interface Outcome {
  verdict: Verdict;
  conflict: ScanConflict | null;
  orderId: string | null;
  personId: number | null;
  walkIn: Scan["walkIn"] | null;
}

/** Carries out scans in the order in which they were made, each in a transaction of its own. */
export async function recordScans(
  call: CanteenCall<{ scans: readonly Scan[] }>,
): Promise<{ items: ScanView[] }> {
  const { deps, input } = call;
  const counter = { ...call, now: deps.now() };
  const items: ScanView[] = [];
  for (const scan of input.scans) {
    items.push(await inTx(deps.db, (tx) => recordScan(tx, counter, scan)).catch(unpaid));
    async function unpaid(problem: unknown): Promise<ScanView> {
      // A meal that the order can no longer pay was eaten all the same: the line is kept, with its conflict.
      if (!(problem instanceof Problem) || problem.code === "not_found") throw problem;
      return await inTx(deps.db, (tx) => recordScan(tx, counter, scan, "unpaid"));
    }
  }
  return { items };
}

/** The instant of a scan by the clock of a device that may be wrong: never later than now. */
const instantOf = (text: string, now: Date): Date =>
  new Date(Math.min(new Date(text).getTime(), now.getTime()));

/** Carries out one scan in a transaction, once however often it is sent; holds the caller's roles first. */
export async function recordScan(
  tx: Tx,
  counter: Counter,
  scan: Scan,
  refused: ScanConflict | null = null,
): Promise<ScanView> {
  const { caller, company, canteen, now } = counter;
  const at = instantOf(scan.at, now);
  const undoneAt = scan.undoneAt ? instantOf(scan.undoneAt, now) : null;
  const inserted = await holdRolesAndInsert(
    tx,
    { caller, right: company.right },
    sql`insert into meal_scan (id, canteen_id, on_day, verdict, walk_in, scanned_by, scanned_at,
        received_at, undone_at)
      select ${scan.id}, ${canteen.id}, ${scan.day}, ${scan.verdict}, ${scan.walkIn ?? null},
        ${caller.personId}, ${at}, ${now}, ${undoneAt} from held
      on conflict (id) do nothing returning id`,
  );
  if (inserted.length === 0) {
    if (undoneAt) await undo(tx, counter, scan.id, { at: undoneAt, refused });
    return await readScanView(tx, counter, scan);
  }
  const outcome = await applyScan(tx, counter, scan, { at, refused, undone: undoneAt !== null });
  await sql`update meal_scan set verdict = ${outcome.verdict}, conflict = ${outcome.conflict},
    order_id = ${outcome.orderId}, walk_in = ${outcome.walkIn}, person_id = ${outcome.personId} where id = ${scan.id}`.execute(
    tx,
  );
  // It is shown on every screen of the provider until it is settled.
  if (outcome.conflict) await pushProviderChange(tx, { canteenId: canteen.id });
  return await readScanView(tx, counter, scan);
}

async function applyScan(
  tx: Tx,
  counter: Counter,
  scan: Scan,
  { at, refused, undone }: { at: Date; refused: ScanConflict | null; undone: boolean },
): Promise<Outcome> {
  const [person] = scan.registration ? await personOf(tx, counter, scan) : [];
  const emptyOutcome = { conflict: null, orderId: null, walkIn: scan.walkIn ?? null };
  if (!person) {
    const gone = scan.registration !== undefined && handed(scan);
    const isWalkIn = scan.walkIn !== undefined && !gone && !undone;
    const isClosed = isWalkIn && (await isClosedOn(tx, counter, scan.day));
    // A meal paid in cash by a person who is not registered: it was eaten, so it counts too.
    if (isWalkIn && !isClosed) {
      await takeHandedSeat(tx, { canteenId: counter.canteen.id, onDay: scan.day });
    }
    return {
      ...emptyOutcome,
      verdict: scan.verdict,
      conflict: gone ? "cancelled_since" : isClosed ? "closed_day" : null,
      personId: scan.card ? await holderOf(tx, scan.card) : null,
    };
  }
  const verdict = verdictOf(person, foundBy(scan), counter.canteen);
  const known = { ...emptyOutcome, verdict, personId: person.personId };
  const [order] = person.order ? await lockMeals(tx, [person.order.id]) : [];
  if (undone || !handed(scan)) return { ...known, orderId: order?.id ?? null };
  const act = { ...known, orderId: order?.id ?? null };
  if (refused) return { ...act, conflict: refused };
  if (scan.day > parisDay(counter.now)) return { ...act, conflict: "cancelled_since" };
  if (order?.state === "served") return { ...act, conflict: "served_elsewhere" };
  if (["opposed", "suspended", "out_of_use"].includes(verdict)) {
    return { ...act, conflict: "opposed_since" };
  }
  // No wallet pays for a day that is too long past.
  if (isServedTooLate(scan.day, parisDay(counter.now))) return { ...act, conflict: "unpaid" };
  if (order && mealOrderCan.serve(order)) {
    if (scan.validated && mealOrderCan.validate(order)) await validateMeal(tx, order, { at });
    await serveMeal(tx, counter.deps, order, { at });
    // Ordered since then: no longer a walk-in.
    return { ...act, verdict: "served", walkIn: null };
  }
  if (!scan.walkIn) return { ...act, conflict: "cancelled_since" };
  if (await isClosedOn(tx, counter, scan.day)) return { ...act, conflict: "closed_day" };
  return { ...act, orderId: await serveWalkIn(tx, counter.deps, person, { scan, at }) };
}

/** Whether the canteen does not serve on a day (ISO date). */
async function isClosedOn(tx: Tx, { canteen }: Counter, day: string): Promise<boolean> {
  const calendars = await serviceCalendars(tx, [canteen.id], day);
  return calendars.get(canteen.id)?.closedWhy(day) !== null;
}

const foundBy = ({ card, order }: Scan): CounterMatch => {
  if (card) return { how: "card", cardId: card };
  return order ? { how: "order", orderId: order } : { how: "list" };
};

/** Whether the device handed out a meal. */
const handed = ({ verdict, walkIn, validated }: Scan): boolean =>
  verdict === "served" || walkIn !== undefined || validated === true;

const personOf = (tx: Tx, { canteen }: Counter, { registration, day }: Scan) =>
  peopleOf(tx, canteen.id, { day, registrations: registration ? [registration] : [] });

async function holderOf(tx: Tx, card: string): Promise<number | null> {
  const row = await tx
    .selectFrom("card")
    .select("personId")
    .where("objectId", "=", card)
    .executeTakeFirst();
  return row?.personId ?? null;
}

/** An order that is served at once: spent from the person's wallet, or paid in cash at the counter. */
async function serveWalkIn(
  tx: Tx,
  deps: Counter["deps"],
  person: KnownPerson,
  { scan, at }: { scan: Scan; at: Date },
): Promise<string> {
  const id = randomUUID();
  const { registration, personId } = person;
  const price = requirePrice(await pricesFor(tx, [registration], scan.day), registration);
  const cash = scan.walkIn === "cash";
  const found = await query(tx).maybeOne(sql<{
    walletId: number;
    canteenId: string;
    canteen: string;
    frozen: boolean;
  }>`
    select w.id as wallet_id, c.id as canteen_id, c.name as canteen,
      s.frozen_at is not null as frozen
    from canteen_registration r join canteen c on c.id = r.canteen_id
    join canteen_provider provider on provider.id = c.provider_id
    join partner s on s.id = provider.partner_id
    join wallet w on w.person_id = r.person_id and w.group_id in (provider.group_id, 1)
    where r.id = ${registration} order by w.group_id = 1 limit 1`);
  if (!found) throw new Problem("insufficient_funds");
  const { walletId, canteenId, canteen, frozen } = found;
  if (frozen && !cash) throw new Problem("meal_provider_frozen");
  const chargedCents = cash ? 0 : price.priceCents;
  // The meal is already handed out: it counts, whatever seats are left.
  await takeHandedSeat(tx, { canteenId, onDay: scan.day });
  await sql`insert into meal_order (id, canteen_id, registration_id, person_id, ordered_by, on_day,
      state, price_cents, price_reason, late_cancel_percent, absence_percent, wallet_id, ordered_at,
      served_at, charged_cents)
    values (${id}, ${canteenId}, ${registration}, ${personId}, ${personId}, ${scan.day}, 'served',
      ${price.priceCents}, ${cash ? "Payé en espèces" : price.reason}, 0, 0,
      ${cash ? null : walletId}, ${at}, ${at}, ${chargedCents})`.execute(tx);
  if (chargedCents > 0) {
    await spend(tx, {
      walletId,
      amountCents: chargedCents,
      to: await schemeAccount(tx, "meals"),
      kind: "meal",
      key: mealKey("walk-in", id),
      memo: mealMemo({ person: person.name, canteen, onDay: scan.day }),
      at,
    });
    await announceMeal(tx, deps, [personId], {
      title: "Repas sans commande",
      body: `${person.name} a pris un repas sans commande, ${formatDayInWords(scan.day)} (${canteen}). ${formatMoney(chargedCents)} sont dépensés.`,
      at,
    });
  }
  await pushMealChange(tx, { personId, orderedBy: personId, canteenId });
  return id;
}

async function undo(
  tx: Tx,
  counter: Counter,
  id: string,
  { at, refused }: { at: Date; refused: ScanConflict | null },
): Promise<void> {
  const stored = await lockScan(tx, counter, id);
  if (stored.undoneAt || stored.conflict) return;
  const lock = stored.walkIn ? lockMealsWithSeats : lockMeals;
  const [order] = stored.orderId ? await lock(tx, [stored.orderId]) : [];
  // Served after the end of its day: the cost of the absence is settled.
  const settled = order !== undefined && order.endedAt !== null;
  if (refused || settled || !isUndoable(stored.at, at)) {
    await sql`update meal_scan set conflict = 'undo_late' where id = ${id}`.execute(tx);
    return;
  }
  if (stored.walkIn && !stored.orderId) {
    const service = { canteenId: counter.canteen.id, onDay: stored.day };
    await freeSeat(tx, counter.deps, service, counter.now);
  }
  if (order?.state === "served") {
    await (stored.walkIn ? cancelWalkIn(tx, counter, order, at) : unserveMeal(tx, order, { at }));
  }
  await sql`update meal_scan set undone_at = ${at} where id = ${id}`.execute(tx);
}

/** Undoes a walk-in: its cost is refunded, its seat released, and its order cancelled. */
async function cancelWalkIn(
  tx: Tx,
  { deps, now }: Counter,
  order: MealOrder,
  at: Date,
): Promise<void> {
  const reason = "Passage annulé au comptoir";
  if (order.chargedCents) {
    const parts = await postedUnder(tx, mealKey("walk-in", order.id));
    await lockAccounts(
      tx,
      parts.map(({ debitAccount }) => debitAccount),
    );
    await reverseGroup(tx, mealKey("walk-in", order.id), {
      key: mealKey("walk-in-undone", order.id),
      kind: "refund",
      reason,
      at,
    });
  }
  await sql`update meal_order set state = 'cancelled', ended_at = ${at}, end_reason = ${reason},
    charged_cents = 0 where id = ${order.id}`.execute(tx);
  await freeSeat(tx, deps, order, now);
  await pushMealChange(tx, order);
}

interface StoredScan {
  verdict: Verdict;
  walkIn: "hold" | "cash" | null;
  conflict: ScanConflict | null;
  orderId: string | null;
  undoneAt: Date | null;
  at: Date;
  day: string;
  servedAt: Date | null;
}

/** A scan of this counter, locked; `not_found` for the id of another canteen's scan. */
async function lockScan(tx: Tx, { canteen }: Counter, id: string): Promise<StoredScan> {
  const found = await query(tx).maybeOne(sql<StoredScan>`
    select s.verdict, s.walk_in, s.conflict, s.order_id,
      s.undone_at, s.scanned_at as at, to_char(s.on_day, 'YYYY-MM-DD') as day,
      (select o.served_at from meal_order o where o.id = s.order_id) as served_at
    from meal_scan s where s.id = ${id} and s.canteen_id = ${canteen.id} for update of s`);
  if (!found) throw new Problem("not_found");
  return found;
}

async function readScanView(tx: Tx, counter: Counter, scan: Scan): Promise<ScanView> {
  const { verdict, conflict, undoneAt, servedAt } = await lockScan(tx, counter, scan.id);
  const [person] = scan.registration ? await personOf(tx, counter, scan) : [];
  return {
    id: scan.id,
    verdict,
    conflict,
    servedAt: conflict === "served_elsewhere" ? (servedAt?.toISOString() ?? null) : null,
    undone: undoneAt !== null,
    person: person ? toCounterPerson(person) : null,
  };
}
