// Two meals of one person at the same time: at canteens whose hours of service overlap, which most families
// do not intend.
import { sql } from "kysely";
import type { Db } from "#server/db/db.ts";

/** A registration on a day (ISO date). */
interface Meal {
  registrationId: string;
  day: string;
}

/**
 * « registration day » → the canteen where the person has another meal then, ordered or chosen in a request.
 */
export async function sameTimeMeals(
  db: Db,
  meals: readonly Meal[],
  requestId: string,
): Promise<Map<string, string>> {
  const { rows } = await sql<Meal & { canteen: string }>`
    select w.registration_id, to_char(w.on_day, 'YYYY-MM-DD') as day,
      min(k.name) as canteen
    from unnest(${meals.map(({ registrationId }) => registrationId)}::uuid[],
      ${meals.map(({ day }) => day)}::date[]) as w (registration_id, on_day)
    join canteen_registration r on r.id = w.registration_id join canteen c on c.id = r.canteen_id
    cross join lateral (
      select o.canteen_id from meal_order o
      where o.person_id = r.person_id and o.on_day = w.on_day
        and o.state in ('reserved', 'validated', 'served')
      union all
      select s.canteen_id from meal_request_line l
      join canteen_registration s on s.id = l.registration_id
      where l.request_id = ${requestId} and l.on_day = w.on_day and s.person_id = r.person_id) other
    join canteen k on k.id = other.canteen_id
    where k.id <> c.id and k.serves_from < c.serves_until and c.serves_from < k.serves_until
    group by 1, 2`.execute(db);
  return new Map(
    rows.map(({ registrationId, day, canteen }) => [`${registrationId} ${day}`, canteen]),
  );
}

/** The hours of service of a canteen, « 11:45 ». */
interface Hours {
  canteenId: string;
  servesFrom: string;
  servesUntil: string;
}

/** Whether two canteens serve at the same time. */
export const overlap = (one: Hours, other: Hours): boolean =>
  one.canteenId !== other.canteenId &&
  one.servesFrom < other.servesUntil &&
  other.servesFrom < one.servesUntil;
