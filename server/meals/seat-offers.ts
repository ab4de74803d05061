// Seats of a full service offered to its waiting list, first come first served. An offer keeps its seat: it
// counts among those taken. Whoever changes a wait has locked its service before (services.ts).
import { type RawBuilder, sql } from "kysely";
import { type Deadline, deadlineOf } from "#contract/kitchen/deadlines.ts";
import { parisDay, startOfWeek } from "#contract/days.ts";
import {
  firstName,
  formatDateTime,
  formatDayInWords,
  formatTime,
  ofName,
} from "#contract/french.ts";
import { canteen as limits } from "#contract/limits.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { atPlace } from "#contract/places.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { mayActFor, withGuardians } from "#server/family/family.ts";
import { publishChange } from "#server/notifications/notifications.ts";
import type { Deps } from "#server/process/deps.ts";
import { announceMeal } from "./announcements.ts";
import { countsOn, type Service, serviceCalendars } from "#server/kitchen/kitchen.ts";

/** An open wait. */
export interface OpenWait {
  id: string;
  state: "waiting" | "offered";
  /** Place among those who wait, from 1. */
  place: number;
  offeredUntil: Date | null;
}

/** Open waits of registrations over some days, by « registration day ». */
export async function openWaitsOf(
  db: Db,
  registrationIds: readonly string[],
  { from, to }: { from: string; to: string },
): Promise<Map<string, OpenWait>> {
  const { rows } = await sql<OpenWait & { registrationId: string; day: string }>`
    select w.id, w.registration_id, to_char(w.on_day, 'YYYY-MM-DD') as day, w.state,
      w.offered_until,
      1 + (select count(*) from meal_wait b join canteen_registration s on s.id = b.registration_id
        where b.on_day = w.on_day and b.state = 'waiting' and b.number < w.number
          and s.canteen_id = r.canteen_id)::int as place
    from meal_wait w join canteen_registration r on r.id = w.registration_id
    where w.registration_id = any (${[...registrationIds]}::uuid[])
      and w.on_day between ${from}::date and ${to}::date and w.state in ('waiting', 'offered')`.execute(
    db,
  );
  return new Map(
    rows.map(({ registrationId, day, ...wait }) => [`${registrationId} ${day}`, wait]),
  );
}

/** Whether a seat is kept for a wait. `late`: the money of its order arrived in time. */
export const hasOffer = (
  wait: OpenWait | null,
  { at, late = false }: { at: Date; late?: boolean },
): boolean =>
  wait?.state === "offered" && wait.offeredUntil !== null && (late || wait.offeredUntil > at);

/** By canteen, how many wait for a seat on a day, those with an offer included. */
export async function waitingOn(
  db: Db,
  canteenIds: readonly string[],
  day: string,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ canteenId: string; count: number }>`
    select r.canteen_id, count(*)::int as count
    from meal_wait w join canteen_registration r on r.id = w.registration_id
    where w.on_day = ${day}::date and w.state in ('waiting', 'offered')
      and r.canteen_id = any (${canteenIds}::uuid[]) group by 1`.execute(db);
  return new Map(rows.map(({ canteenId, count }) => [canteenId, count]));
}

/** SQL condition: whoever asked for the wait `w` of the registration `r` may still act for its person. */
export const askerMayAct = (): RawBuilder<boolean> =>
  mayActFor(sql.ref("w.requested_by"), sql.ref("r.person_id"));

interface FirstInLine {
  id: string;
  personId: number;
  person: string;
  requestedBy: number;
}

type OfferDeps = Pick<Deps, "send" | "config">;

/**
 * Offers the free seats of a service to its waiting list, in order: for two hours, until the deadline of
 * orders at most, with a notice. Nobody is offered a seat with less than ten minutes left, nor while the
 * operator has frozen the provider, which takes no order.
 */
export async function offerSeats(
  tx: Tx,
  deps: OfferDeps,
  service: Service,
  at: Date,
): Promise<void> {
  const { canteenId, onDay } = service;
  const { rows } = await sql<FirstInLine>`
    select w.id, r.person_id, p.name as person, w.requested_by
    from meal_wait w join canteen_registration r on r.id = w.registration_id
    join person p on p.id = r.person_id join canteen c on c.id = r.canteen_id
    join canteen_provider v on v.id = c.provider_id join partner s on s.id = v.partner_id
    where r.canteen_id = ${canteenId} and w.on_day = ${onDay}::date and w.state = 'waiting'
      and s.frozen_at is null and ${askerMayAct()} and ${countsOn("r", sql.ref("w.on_day"))}
    order by w.number limit (select greatest(0, seats - taken) from canteen_day
      where canteen_id = ${canteenId} and on_day = ${onDay}::date)`.execute(tx);
  if (rows.length === 0) return;
  const about = await orderingOf(tx, service);
  const max = at.getTime() + limits.offeredSeconds * 1000;
  const until = new Date(Math.min(max, about.orderUntil?.getTime() ?? 0));
  if (until.getTime() - at.getTime() < limits.leastOfferedSeconds * 1000) return;
  await sql`update meal_wait set state = 'offered', offered_until = ${until}
    where id = any (${rows.map(({ id }) => id)}::uuid[])`.execute(tx);
  await sql`update canteen_day set taken = taken + ${rows.length}
    where canteen_id = ${canteenId} and on_day = ${onDay}::date`.execute(tx);
  const clock =
    parisDay(until) === parisDay(at) ? formatTime(until) : `au ${formatDateTime(until)}`;
  for (const { id, personId, person, requestedBy } of rows) {
    await announceMeal(tx, deps, [personId, requestedBy], {
      title: "Une place se libère à la cantine",
      body:
        `La place ${ofName(firstName(person))}, ${formatDayInWords(onDay)} (${about.canteen}), est gardée ` +
        `jusqu’${clock.startsWith("au") ? clock : `à ${clock}`}. Commandez le repas avant, sinon elle ira au suivant.`,
      path: atPlace(about.path, "mealWait", id),
      at,
      alsoOutside: true,
    });
  }
}

/** Until when and where a meal of the service can be ordered: the week of its day. */
async function orderingOf(
  tx: Tx,
  { canteenId, onDay }: Service,
): Promise<{ canteen: string; orderUntil: Date | null; path: string }> {
  const { canteen, servesFrom, rule, groupId, slug } = await query(tx).one(sql<{
    canteen: string;
    servesFrom: string;
    rule: Deadline;
    groupId: number;
    slug: string;
  }>`select c.name as canteen, to_char(c.serves_from, 'HH24:MI') as serves_from,
      c.order_deadline as rule, g.id as group_id, g.slug
    from canteen c join canteen_provider v on v.id = c.provider_id
    join acceptance_group g on g.id = v.group_id where c.id = ${canteenId}`);
  const calendar = (await serviceCalendars(tx, [canteenId], onDay)).get(canteenId);
  return {
    canteen,
    orderUntil: calendar ? deadlineOf(rule, { day: onDay, servesFrom }, calendar.closures) : null,
    path: linkTo(
      paths.canteenProvider,
      { name: slug, idgroup: groupId },
      { week: startOfWeek(onDay) },
    ),
  };
}

/** Offers the free seats of all services to come of a canteen, which the caller has locked. */
export async function offerSeatsOf(
  tx: Tx,
  deps: OfferDeps,
  canteenId: string,
  at: Date,
): Promise<void> {
  const { rows } = await sql<{ onDay: string }>`
    select distinct to_char(w.on_day, 'YYYY-MM-DD') as on_day from meal_wait w
    join canteen_registration r on r.id = w.registration_id
    where r.canteen_id = ${canteenId} and w.state = 'waiting' and w.on_day >= ${parisDay(at)}::date
    order by 1`.execute(tx);
  for (const { onDay } of rows) await offerSeats(tx, deps, { canteenId, onDay }, at);
}

interface EndedWait {
  personId: number;
  person: string;
  requestedBy: number;
  canteenId: string;
  onDay: string;
  wasOffered: boolean;
}

/**
 * Ends open waits `w` of registrations `r` under a condition; seats kept for them are offered to the next.
 */
export async function endWaits(
  tx: Tx,
  deps: OfferDeps,
  condition: RawBuilder<unknown>,
  { state, at }: { state: "left" | "expired"; at: Date },
): Promise<EndedWait[]> {
  const { rows } = await sql<EndedWait>`
    with gone as (select w.id, r.person_id, p.name, w.requested_by, r.canteen_id, w.on_day,
        w.state = 'offered' as was_offered
      from meal_wait w join canteen_registration r on r.id = w.registration_id
      join person p on p.id = r.person_id
      where w.state in ('waiting', 'offered') and ${condition}
      order by w.number for update of w),
    ended as (update meal_wait w set state = ${state}, ended_at = ${at} from gone where gone.id = w.id)
    select person_id, name as person, requested_by, canteen_id,
      to_char(on_day, 'YYYY-MM-DD') as on_day, was_offered from gone`.execute(tx);
  if (rows.length === 0) return [];
  const offered = rows.filter(({ wasOffered }) => wasOffered);
  const services = Map.groupBy(offered, ({ canteenId, onDay }) => `${canteenId} ${onDay}`);
  for (const [, some] of [...services].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const { canteenId, onDay } = some[0] as EndedWait;
    await sql`update canteen_day set taken = taken - ${some.length},
        extra = greatest(0, taken - ${some.length} - seats)
      where canteen_id = ${canteenId} and on_day = ${onDay}::date`.execute(tx);
    await offerSeats(tx, deps, { canteenId, onDay }, at);
  }
  const readers = await withGuardians(tx, [...new Set(rows.map(({ personId }) => personId))]);
  await publishChange(tx, readers, "meals");
  return rows;
}

/**
 * Ends the waits of meals that are being ordered. Returns by « canteen day » how many seats were kept for
 * them: these are taken already.
 */
export async function useOffers(
  tx: Tx,
  meals: readonly { registrationId: string; day: string }[],
  at: Date,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ service: string; count: number }>`
    with mine as (select w.id, w.state, r.canteen_id, w.on_day
      from meal_wait w join canteen_registration r on r.id = w.registration_id
      where w.state in ('waiting', 'offered') and (w.registration_id, w.on_day) in (
        select * from unnest(${meals.map(({ registrationId }) => registrationId)}::uuid[],
          ${meals.map(({ day }) => day)}::date[]))
      for update of w),
    used as (update meal_wait w set state = 'taken', ended_at = ${at} from mine where mine.id = w.id)
    select canteen_id || ' ' || to_char(on_day, 'YYYY-MM-DD') as service, count(*)::int as count
    from mine where state = 'offered' group by 1`.execute(tx);
  return new Map(rows.map(({ service, count }) => [service, count]));
}
