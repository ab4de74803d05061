// The price of a meal for who eats it: the cheapest of the canteen whose conditions are all met.
import { type RawBuilder, sql } from "kysely";
import { type PriceTerms, priceReason } from "#contract/canteen/prices.ts";
import { Problem } from "#contract/errors.ts";
import type { Db } from "#server/db/db.ts";
import { quotientValue } from "#server/entitlements/entitlements.ts";

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
  const day = sql.ref("d.on_day");
  const { rows } = await sql<PriceRow & { id: string; day: string }>`
    select r.id, to_char(d.on_day, 'YYYY-MM-DD') as day, cheapest.*
    from canteen_registration r
    join canteen c on c.id = r.canteen_id
    cross join unnest(${[...new Set(days)]}::date[]) d (on_day)
    cross join lateral (${cheapest({
      canteen: sql`r.canteen_id`,
      audience: sql`r.audience`,
      quotient: quotientValue(sql.ref("r.person_id"), day),
      children: childrenAt(day),
      town: sql`r.town`,
      class: sql`r.class`,
    })}) cheapest
    where r.id = any (${registrationIds}::uuid[])`.execute(db);
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

// Children of the household of the registration `r` that eat at canteens of the provider of `c` on a
// day; with two guardians, of the one who has more of them.
const childrenAt = (onDay: RawBuilder<unknown>) => sql`coalesce((
  select max(counted.children) from (
    select count(distinct other.person_id) as children
    from family_tie tie
    join canteen_registration other on other.person_id = tie.member_id
    join canteen place on place.id = other.canteen_id
    where tie.role = 'child' and place.provider_id = c.provider_id
      and other.state = 'accepted' and other.audience = 'pupil'
      and (other.until_on is null or other.until_on >= ${onDay}::date)
      and tie.guardian_id in (
        select guardian_id from family_tie where member_id = r.person_id and role = 'child'
        union all select r.person_id)
    group by tie.guardian_id) counted), 1)`;
