// Favourite stops: chosen by a person, shown first on the bus screen with the next departures. One that a
// feed no longer has stays, until it is removed or comes back with another feed.
import { sql } from "kysely";
import type { Output } from "#contract/endpoint.ts";
import { Problem } from "#contract/errors.ts";
import { transit as limits } from "#contract/limits.ts";
import type { FavouriteStop, transit } from "#contract/transit/rows.ts";
import type { HomeStop } from "#contract/portal/family-day.ts";
import { type Db, inTx, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { HolderHome } from "#server/portal/portal.ts";
import { toDepartureViews, withNextDepartures } from "./departures.ts";

/** Favourite stops in the order in which they were chosen, each with its next departures. */
export async function favouritesOf(
  db: Db,
  now: Date,
  personId: number,
): Promise<Output<typeof transit.favourites>> {
  const own = sql`select stop_id from favourite_stop where person_id = ${personId}`;
  const { rows } = await sql<FavouriteStop>`${withNextDepartures(now, own)}
    select s.id, s.name, s.feed_id is not null as is_served,
      coalesce(x.items, '[]') as items, x.more
    from favourite_stop v join transit_stop s on s.id = v.stop_id
      cross join lateral (
        select jsonb_agg(n.item order by n.first, n.place, n.direction)
            filter (where n.rank <= ${limits.directionsOfFavourite} and n.first is not null) as items,
          (count(*) - count(n.first) filter (where n.rank <= ${limits.directionsOfFavourite}))::int
            as more
        from (select f.*, row_number() over (order by f.first, f.place, f.direction) as rank
          from found f where f.stop_id = s.id) n) x
    where v.person_id = ${personId} order by v.at, s.id`.execute(db);
  const items = rows.map((stop) => ({
    ...stop,
    items: stop.items.map((one) => ({ ...one, next: toDepartureViews(one.next) })),
  }));
  return { now: now.toISOString(), items };
}

/** Directions of a stop that the home page shows. */
const directionsOnHome = 2;

/**
 * The favourite stop chosen first among those that have buses within seven days, with the two directions that leave
 * first; null without one, and while acting for a child.
 */
export async function firstFavouriteOf(
  db: Db,
  { me, holder, at }: HolderHome,
): Promise<HomeStop | null> {
  if (holder !== me) return null;
  const { items } = await favouritesOf(db, at, me);
  const stop = items.find((one) => one.items.length > 0);
  if (!stop) return null;
  const { id, name } = stop;
  return { id, name, now: at.toISOString(), items: stop.items.slice(0, directionsOnHome) };
}

/**
 * Makes a stop a favourite, or removes it. `not_found` for a stop that the network does not have,
 * `favourite_stops_full` beyond twenty; a stop that is gone can still be removed.
 */
export async function chooseFavourite(
  db: Db,
  now: Date,
  { personId, stop, chosen }: { personId: number; stop: number; chosen: boolean },
): Promise<{ message: string }> {
  if (!chosen) {
    await sql`delete from favourite_stop
      where person_id = ${personId} and stop_id = ${stop}`.execute(db);
    return { message: "Cet arrêt n'est plus dans vos favoris." };
  }
  await inTx(db, (tx) => addFavourite(tx, now, { personId, stop }));
  return { message: "Cet arrêt est dans vos favoris." };
}

/** Makes a stop a favourite, which it may be already. Refuses as `chooseFavourite` does. */
export async function addFavourite(
  tx: Tx,
  now: Date,
  { personId, stop }: { personId: number; stop: number },
): Promise<void> {
  // Two stops chosen at once are counted one after the other.
  await sql`select from person where id = ${personId} for update`.execute(tx);
  const found = await query(tx).maybeOne(sql<{ name: string; isKnown: boolean; count: number }>`
    select s.name,
      exists (select from favourite_stop
        where person_id = ${personId} and stop_id = s.id) as is_known,
      (select count(*)::int from favourite_stop where person_id = ${personId}) as count
    from transit_stop s
    where s.id = ${stop} and s.feed_id is not null and s.parent_id is null`);
  if (!found) throw new Problem("not_found");
  const { name, isKnown, count } = found;
  if (isKnown) return;
  if (count >= limits.favourites) {
    throw new Problem("favourite_stops_full", { max: limits.favourites });
  }
  await sql`insert into favourite_stop (person_id, stop_id, name, at)
    values (${personId}, ${stop}, ${name}, ${now})`.execute(tx);
}
