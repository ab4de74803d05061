// The seats of services. Whatever changes seats locks its services before any meal, hold or account, always
// in the same order, so that no deadlock arises. Only an order takes its seats last (sale.ts): it may
// deadlock with a change of a meal of the same wallet, which PostgreSQL ends and `inTx` repeats.
import { type RawBuilder, sql } from "kysely";
import { parisDay } from "#contract/days.ts";
import type { Tx } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import { offerSeats, offerSeatsOf } from "./seat-offers.ts";
import type { Service } from "#server/kitchen/kitchen.ts";

/** Locks the services of a canteen from a day on, until a last one if given (ISO dates). */
export async function lockServicesOf(
  tx: Tx,
  canteenId: string,
  { from, to = null }: { from: string; to?: string | null },
): Promise<void> {
  await sql`select from canteen_day where canteen_id = ${canteenId} and on_day >= ${from}::date
    and (${to}::date is null or on_day <= ${to}::date)
    order by canteen_id, on_day for update`.execute(tx);
}

/**
 * Locks the services of meals `o` under a condition; then the meals may be locked, in the order of their
 * numbers.
 */
export async function lockServicesOfMeals(
  tx: Tx,
  mealIds: readonly string[],
  condition: RawBuilder<boolean>,
): Promise<void> {
  await sql`select from canteen_day
    where (canteen_id, on_day) in (
      select o.canteen_id, o.on_day from meal_order o
      where o.id = any (${mealIds}::uuid[]) and ${condition})
    order by canteen_id, on_day for update`.execute(tx);
}

/** Locks the services of registrations and days, those that have an order or a wait. */
export async function lockServicesOfRegistrations(
  tx: Tx,
  meals: readonly { registrationId: string; day: string }[],
): Promise<void> {
  await sql`select from canteen_day where (canteen_id, on_day) in (
      select r.canteen_id, m.on_day from unnest(
        ${meals.map(({ registrationId }) => registrationId)}::uuid[],
        ${meals.map(({ day }) => day)}::date[]) as m (registration_id, on_day)
      join canteen_registration r on r.id = m.registration_id)
    order by canteen_id, on_day for update`.execute(tx);
}

/** Locks the services that a registration `r` at a canteen `c` under a condition waits for a seat of. */
export async function lockServicesOfWaits(
  tx: Tx,
  registrationId: string,
  condition: RawBuilder<boolean>,
): Promise<void> {
  await sql`select from canteen_day where (canteen_id, on_day) in (
      select r.canteen_id, w.on_day from meal_wait w
      join canteen_registration r on r.id = w.registration_id join canteen c on c.id = r.canteen_id
      where r.id = ${registrationId} and ${condition} and w.state in ('waiting', 'offered'))
    order by canteen_id, on_day for update`.execute(tx);
}

/** Locks one service, whose row is written first if nobody has ordered a meal of it yet. */
export async function lockService(tx: Tx, { canteenId, onDay }: Service): Promise<void> {
  await sql`insert into canteen_day (canteen_id, on_day, seats)
    select id, ${onDay}, seats from canteen where id = ${canteenId}
    on conflict (canteen_id, on_day) do nothing`.execute(tx);
  await lockServicesOf(tx, canteenId, { from: onDay, to: onDay });
}

/**
 * Releases the seat of a meal to its service, which the caller has locked before the meal, and offers it to
 * the waiting list.
 */
export const freeSeat = (
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  meal: Service,
  at: Date,
): Promise<void> => freeSeats(tx, deps, [meal], at);

/** The same for the seats of several meals. */
export async function freeSeats(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  meals: readonly Service[],
  at: Date,
): Promise<void> {
  const { rows: services } = await sql<Service>`
    with freed as (
      select canteen_id, on_day, count(*)::int as seats from unnest(
        ${meals.map(({ canteenId }) => canteenId)}::uuid[], ${meals.map(({ onDay }) => onDay)}::date[])
        as meal (canteen_id, on_day) group by canteen_id, on_day),
    released as (
      update canteen_day d set taken = greatest(0, d.taken - f.seats),
        extra = greatest(0, d.taken - f.seats - d.seats)
      from freed f where d.canteen_id = f.canteen_id and d.on_day = f.on_day and d.taken > 0)
    select f.canteen_id, f.on_day from freed f
    where exists (select from meal_wait w join canteen_registration r on r.id = w.registration_id
      where r.canteen_id = f.canteen_id and w.on_day = f.on_day and w.state = 'waiting')
    order by f.canteen_id, f.on_day`.execute(tx);
  for (const service of services) await offerSeats(tx, deps, service, at);
}

/**
 * Services to come of a canteen get its new number of seats, or as many as are taken; free ones are offered.
 */
export async function fitSeats(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  { canteenId, seats, at }: { canteenId: string; seats: number; at: Date },
): Promise<void> {
  const today = parisDay(at);
  await lockServicesOf(tx, canteenId, { from: today });
  await sql`update canteen_day set seats = greatest(taken - extra, ${seats}::int),
      extra = greatest(0, taken - greatest(taken - extra, ${seats}::int))
    where canteen_id = ${canteenId} and on_day >= ${today}::date`.execute(tx);
  await offerSeatsOf(tx, deps, canteenId, at);
}

/** Takes a seat for a meal that is already handed out, an extra seat of that day if none is left. */
export async function takeHandedSeat(tx: Tx, { canteenId, onDay }: Service): Promise<void> {
  await sql`insert into canteen_day (canteen_id, on_day, seats, taken)
    select id, ${onDay}, seats, 1 from canteen where id = ${canteenId}
    on conflict (canteen_id, on_day) do update set taken = canteen_day.taken + 1,
      extra = greatest(0, canteen_day.taken + 1 - canteen_day.seats)`.execute(tx);
}
