// The price of a meal: the cheapest of the canteen's prices whose conditions are all met.
import { type RawBuilder, sql } from "kysely";
import { type PriceTerms, priceReason } from "#contract/kitchen/prices.ts";
import type { CanteenPrice } from "#contract/kitchen/rules.ts";
import { Problem } from "#contract/errors.ts";
import { type Db, customPlan } from "#server/db/db.ts";
import { quotientsOf } from "#server/entitlements/entitlements.ts";
import { countsOn } from "./registration-days.ts";

export interface MealPrice {
  priceCents: number;
  /** In French, as part of a sentence: « Quotient jusqu’à 700 ». */
  reason: string;
}

/**
 * The prices of meals of a day (ISO date), by registration: the cheapest of the audience whose quotient,
 * number of children, commune and class fit. A registration that no price fits is left out.
 */
export async function pricesFor(
  db: Db,
  registrationIds: readonly string[],
  onDay: string,
): Promise<Map<string, MealPrice>> {
  const prices = await pricesOn(db, registrationIds, [onDay]);
  return new Map(
    registrationIds.flatMap((id) => {
      const price = prices.get(priceKey(id, onDay));
      return price ? [[id, price]] : [];
    }),
  );
}

/** Key of the price of a registration on a day. */
export const priceKey = (registrationId: string, day: string): string => `${registrationId} ${day}`;

/** A new amount of a price. */
export interface AmendedPrice {
  id: string;
  priceCents: number;
}

/**
 * The same over several days, each at its own price, by `priceKey`; with `amended`, as if these prices were
 * changed.
 */
export async function pricesOn(
  db: Db,
  registrationIds: readonly string[],
  days: readonly string[],
  amended: readonly AmendedPrice[] = [],
): Promise<Map<string, MealPrice>> {
  if (registrationIds.length === 0 || days.length === 0) return new Map();
  const eaterQuery = sql`(
    select r.id, r.person_id, r.canteen_id, r.audience, r.town, r.class, c.provider_id, d.on_day
    from canteen_registration r join canteen c on c.id = r.canteen_id
    cross join unnest(${[...new Set(days)]}::date[]) d (on_day)
    where r.id = any (${registrationIds}::uuid[]))`;
  const { rows } = await sql<PriceRow & { id: string; day: string }>`${customPlan}
    with eater as materialized ${eaterQuery},
    quotient as materialized ${quotientsOf(sql`eater`)},
    children as materialized ${childrenOf}
    select e.id, to_char(e.on_day, 'YYYY-MM-DD') as day, cheapest.price_cents, cheapest.audience,
      cheapest.quotient_max, cheapest.children_min, cheapest.town, cheapest.class
    from eater e
    left join quotient q on q.person_id = e.person_id and q.on_day = e.on_day
    left join children k on k.person_id = e.person_id and k.provider_id = e.provider_id
      and k.on_day = e.on_day
    cross join lateral (${cheapest(
      {
        canteen: sql`e.canteen_id`,
        audience: sql`e.audience`,
        quotient: sql`q.value`,
        children: sql`coalesce(k.children, 1)`,
        town: sql`e.town`,
        class: sql`e.class`,
        day: sql`e.on_day`,
      },
      pricesWith(amended),
    )}) cheapest`.execute(db);
  return new Map(rows.map(({ id, day: on, ...row }) => [priceKey(id, on), toMealPrice(row)]));
}

/**
 * The price of a pupil of the canteen's commune, the only child of the household there, on a day by quotient:
 * up to each band that a price has, then beyond them all (null).
 */
export async function pricesByQuotient(
  db: Db,
  canteenId: string,
  day: string,
): Promise<{ quotientMax: number | null; price: MealPrice | null }[]> {
  const { rows } = await sql<Nullable<PriceRow> & { band: number | null }>`
    select bands.band, cheapest.*
    from canteen c
    cross join lateral (
      select distinct p.quotient_max as band from canteen_price p
      where p.canteen_id = c.id and ${isOffered(sql`${day}::date`)} and p.audience = 'pupil'
        and p.quotient_max is not null
      union all select null) bands
    left join lateral (${cheapest({
      canteen: sql`c.id`,
      audience: sql`'pupil'`,
      quotient: sql`bands.band`,
      children: sql`1`,
      town: sql`c.town`,
      class: sql`''`,
      day: sql`${day}::date`,
    })}) cheapest on true
    where c.id = ${canteenId} order by bands.band nulls last`.execute(db);
  return rows.map(({ band, audience, priceCents, ...conditions }) => ({
    quotientMax: band,
    price:
      audience === null || priceCents === null
        ? null
        : toMealPrice({ audience, priceCents, ...conditions }),
  }));
}

/**
 * The prices that canteens offer on a day and later, by canteen, for pupils first; a price is followed by its
 * successor.
 */
export async function offeredPrices(
  db: Db,
  canteens: readonly string[],
  day: string,
): Promise<{ canteen: string; price: CanteenPrice }[]> {
  const { rows } = await sql<CanteenPrice & { canteen: string }>`
    select p.canteen_id as canteen, p.id, p.name, p.audience, p.quotient_max,
      p.children_min, p.town, p.class, p.price_cents,
      to_char(p.from_on, 'YYYY-MM-DD') as from_on, to_char(p.until_on, 'YYYY-MM-DD') as until_on
    from canteen_price p
    where p.canteen_id = any (${canteens}::uuid[]) and ${isOfferedFrom(day)}
    window line as (partition by p.canteen_id, p.audience, p.quotient_max, p.children_min,
      lower(btrim(p.town)), p.class order by p.from_on nulls first, p.id)
    order by p.canteen_id, array_position(array['pupil', 'staff', 'guest'], p.audience),
      first_value(p.price_cents) over line desc, first_value(p.name) over line,
      first_value(p.id) over line, p.from_on nulls first, p.id`.execute(db);
  return rows.map(({ canteen, ...price }) => ({ canteen, price }));
}

type PriceRow = PriceTerms & { priceCents: number };
type Nullable<Row> = { [Name in keyof Row]: Row[Name] | null };

const toMealPrice = ({ priceCents, ...terms }: PriceRow): MealPrice => ({
  priceCents,
  reason: priceReason(terms),
});

/** Values that the conditions of a price are compared with, as SQL. */
type Eater = Record<
  "canteen" | "audience" | "quotient" | "children" | "town" | "class" | "day",
  RawBuilder<unknown>
>;

/** SQL condition: the price `p` is offered for meals of a day. */
export const isOffered = (day: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`(
  p.ended_at is null and (p.from_on is null or p.from_on <= ${day})
  and (p.until_on is null or p.until_on >= ${day}))`;

/** SQL condition: the price is or will be offered from a day on. */
export const isOfferedFrom = (day: string): RawBuilder<boolean> => sql<boolean>`(
  p.ended_at is null and (p.until_on is null or p.until_on >= ${day}::date))`;

const pricesWith = (amended: readonly AmendedPrice[]): RawBuilder<unknown> =>
  amended.length === 0
    ? sql`canteen_price`
    : sql`(select p.id, p.canteen_id, p.audience, p.quotient_max, p.children_min, p.town, p.class, p.from_on,
        p.until_on, p.ended_at, coalesce(n."priceCents", p.price_cents) as price_cents
      from canteen_price p
      left join jsonb_to_recordset(${JSON.stringify(amended)}::jsonb) as n(id uuid, "priceCents" int)
        on n.id = p.id)`;

// The cheapest price that somebody meets; of two that cost the same, the one with fewer conditions.
const cheapest = (eater: Eater, prices: RawBuilder<unknown> = sql`canteen_price`) => sql`
  select p.price_cents, p.audience, p.quotient_max,
    p.children_min, p.town, p.class
  from ${prices} p
  where p.canteen_id = ${eater.canteen} and ${isOffered(eater.day)}
    and p.audience = ${eater.audience}
    and (p.quotient_max is null or ${eater.quotient} <= p.quotient_max)
    and (p.children_min is null or ${eater.children} >= p.children_min)
    and (p.town is null or lower(btrim(p.town)) = lower(btrim(${eater.town})))
    and (p.class is null or p.class = ${eater.class})
  order by p.price_cents, num_nonnulls(p.quotient_max, p.children_min, p.town, p.class), p.id
  limit 1`;

/** The price of a registration among those read; `meal_price_missing` when none fits. */
export function requirePrice(
  prices: ReadonlyMap<string, MealPrice>,
  registrationId: string,
): MealPrice {
  const price = prices.get(registrationId);
  if (!price) throw new Problem("meal_price_missing");
  return price;
}

// Children of the household of each `eater` that eat at canteens of the provider on the day; with two
// guardians, of the one who has more of them.
const childrenOf = sql`(
  with household as (
    select a.person_id, t.guardian_id as id from (select distinct person_id from eater) a
      join current_ties() t on t.member_id = a.person_id and t.role = 'child'
    union select person_id, person_id from eater),
  counted as (
    select tie.guardian_id, d.provider_id, d.on_day, count(distinct other.person_id) as children
    from (select distinct id from household) h
    join current_ties() tie on tie.guardian_id = h.id and tie.role = 'child'
    join canteen_registration other on other.person_id = tie.member_id
      and other.audience = 'pupil'
    join canteen place on place.id = other.canteen_id
    join (select distinct provider_id, on_day from eater) d on d.provider_id = place.provider_id
      and ${countsOn("other", sql.ref("d.on_day"))}
    group by tie.guardian_id, d.provider_id, d.on_day)
  select h.person_id, c.provider_id, c.on_day, max(c.children) as children
  from household h join counted c on c.guardian_id = h.id
  group by h.person_id, c.provider_id, c.on_day)`;
