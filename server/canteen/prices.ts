// The price of a meal for who eats it: the cheapest of the canteen whose conditions are all met.
import { type RawBuilder, sql } from "kysely";
import { type PriceTerms, priceReason } from "#contract/canteen/prices.ts";
import { Problem } from "#contract/errors.ts";
import { type Db, plannedAnew } from "#server/db/db.ts";
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

/** The same over several days, each at its own price, by `priceKey`. */
export async function pricesOn(
  db: Db,
  registrationIds: readonly string[],
  days: readonly string[],
): Promise<Map<string, MealPrice>> {
  const asked = sql`(
    select r.id, r.person_id, r.canteen_id, r.audience, r.town, r.class, c.provider_id, d.on_day
    from canteen_registration r join canteen c on c.id = r.canteen_id
    cross join unnest(${[...new Set(days)]}::date[]) d (on_day)
    where r.id = any (${registrationIds}::uuid[]))`;
  const { rows } = await sql<PriceRow & { id: string; day: string }>`${plannedAnew}
    with eater as materialized ${asked},
    quotient as materialized ${quotientsOf(sql`eater`)},
    children as materialized ${childrenOf}
    select e.id, to_char(e.on_day, 'YYYY-MM-DD') as day, cheapest."priceCents", cheapest.audience,
      cheapest."quotientMax", cheapest."childrenMin", cheapest.town, cheapest.class
    from eater e
    left join quotient q on q.person_id = e.person_id and q.on_day = e.on_day
    left join children k on k.person_id = e.person_id and k.provider_id = e.provider_id
      and k.on_day = e.on_day
    cross join lateral (${cheapest({
      canteen: sql`e.canteen_id`,
      audience: sql`e.audience`,
      quotient: sql`q.value`,
      children: sql`coalesce(k.children, 1)`,
      town: sql`e.town`,
      class: sql`e.class`,
    })}) cheapest`.execute(db);
  return new Map(rows.map(({ id, day: on, ...row }) => [priceKey(id, on), toMealPrice(row)]));
}

/**
 * What a pupil of the canteen's commune, the only one of the household there, pays by its quotient: up to
 * each band that a price has, then beyond them all (null).
 */
export async function pricesByQuotient(
  db: Db,
  canteenId: string,
): Promise<{ quotientMax: number | null; price: MealPrice | null }[]> {
  const { rows } = await sql<Nullable<PriceRow> & { band: number | null }>`
    select bands.band, cheapest.*
    from canteen c
    cross join lateral (
      select distinct p.quotient_max as band from canteen_price p
      where p.canteen_id = c.id and p.ended_at is null and p.audience = 'pupil'
        and p.quotient_max is not null
      union all select null) bands
    left join lateral (${cheapest({
      canteen: sql`c.id`,
      audience: sql`'pupil'`,
      quotient: sql`bands.band`,
      children: sql`1`,
      town: sql`c.town`,
      class: sql`''`,
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

type PriceRow = PriceTerms & { priceCents: number };
type Nullable<Row> = { [Name in keyof Row]: Row[Name] | null };

const toMealPrice = ({ priceCents, ...terms }: PriceRow): MealPrice => ({
  priceCents,
  reason: priceReason(terms),
});

/** What the conditions of a price are held to, as SQL. */
type Eater = Record<
  "canteen" | "audience" | "quotient" | "children" | "town" | "class",
  RawBuilder<unknown>
>;

// The cheapest price that somebody meets; of two that cost the same, the one that asks less.
const cheapest = (eater: Eater) => sql`
  select p.price_cents as "priceCents", p.audience, p.quotient_max as "quotientMax",
    p.children_min as "childrenMin", p.town, p.class
  from canteen_price p
  where p.canteen_id = ${eater.canteen} and p.ended_at is null and p.audience = ${eater.audience}
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
