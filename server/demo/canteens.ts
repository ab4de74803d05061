// The demo's canteens: three schools of the port and its holiday centre, served by Les Tables du Lagon.
import { sql } from "kysely";
import type { Tx } from "../db/db.ts";
import {
  type CanteenDescription,
  createCanteen,
  openProvider,
  priceKey,
  pricesOn,
  registerAt,
} from "../kitchen/kitchen.ts";
import { instantOfParis, todayInParis } from "#contract/days.ts";
import { formatCount } from "#contract/french.ts";
import { workingDaysBefore } from "#contract/working-days.ts";
import { query } from "../db/query.ts";
import type { CastName } from "./cast.ts";
import { schoolWeekdays } from "./missing-meal.ts";
import { towns } from "./place.ts";
import { pupilPrices } from "./quotient.ts";
import { openSchool, registerAlso, schoolClasses } from "./school.ts";
import { daysAround, feedSchool } from "./school-meals.ts";

const classes = ["CP", "CE1", "CE2", "CM1", "CM2"];
const pupils = 400;
const { lat, lon, postcode } = towns["Port-Lagune"];

const common = {
  kind: "school",
  postcode,
  town: "Port-Lagune",
  zone: "B",
  weekdays: schoolWeekdays,
  servesFrom: "11:45",
  servesUntil: "13:30",
  orderDeadline: { kind: "days_before", days: 1, workingDays: true, at: "10:00" },
  cancelDeadline: { kind: "days_before", days: 1, workingDays: true, at: "10:00" },
  prices: [
    { name: "Plein tarif", audience: "pupil", priceCents: pupilPrices.fullCents },
    { name: "Trois enfants et plus", audience: "pupil", childrenMin: 3, priceCents: 290 },
    ...pupilPrices.upTo.map((price) => ({
      ...price,
      name: `Quotient jusqu’à ${formatCount(price.quotientMax)}`,
      audience: "pupil" as const,
    })),
    { name: "Personnel", audience: "staff", priceCents: 480 },
    { name: "Invité", audience: "guest", priceCents: 620 },
  ],
} as const satisfies Partial<CanteenDescription>;

const schools: readonly CanteenDescription[] = [
  {
    ...common,
    name: "École des Embruns",
    street: "3 rue de l’École",
    lat: lat + 0.0012,
    lon: lon - 0.0021,
    seats: 420,
    classes: schoolClasses,
  },
  {
    ...common,
    name: "École Jean-Charcot",
    street: "18 avenue des Terre-Neuvas",
    lat: lat + 0.0061,
    lon: lon + 0.0054,
    seats: 140,
    classes,
    orderDeadline: { kind: "weekday_before", weeks: 1, weekday: 3, at: "12:00" },
    needsValidation: true,
  },
  {
    ...common,
    name: "Maternelle de la Rade",
    street: "1 impasse de la Rade",
    lat: lat - 0.0044,
    lon: lon + 0.0033,
    seats: 90,
    classes: ["PS", "MS", "GS"],
    sickCertificate: true,
  },
  // Open when the schools are not, so that a service is full on any day of the demo.
  {
    ...common,
    name: "Maison des enfants",
    kind: "staff",
    street: "9 quai des Mousses",
    lat: lat + 0.0008,
    lon: lon + 0.0012,
    weekdays: [0, 1, 2, 3, 4, 5, 6],
    seats: 160,
    classes: ["6-8 ans", "9-11 ans"],
  },
];

/** Opens the canteens and registers the children of the cast at the first; returns the ids. */
export async function openCanteens(
  tx: Tx,
  people: Record<CastName, number>,
  { groupId, at }: { groupId: number; at: Date },
): Promise<{
  providerId: number;
  canteens: string[];
  registrations: Partial<Record<CastName, string>>;
}> {
  const providerId = await openProvider(tx, { partnerReference: "les-tables-du-lagon", groupId });
  const canteens = [];
  for (const school of schools) canteens.push(await createCanteen(tx, providerId, school));
  const [embruns = "", , , centre = ""] = canteens;
  const register = (name: CastName, more: { class: string; allergensConsent?: boolean }) =>
    registerAt(tx, embruns, {
      personId: people[name],
      audience: "pupil",
      town: "Port-Lagune",
      by: people.guardian,
      at,
      ...more,
    });
  const registrations = {
    child: await register("child", { class: "CM1 A", allergensConsent: true }),
    secondChild: await register("secondChild", { class: "CE1 B" }),
  };
  // Meals count as usual where they were ordered.
  const { id: requestId } = await query(tx).one(sql<{ id: string }>`
    insert into meal_request (person_id, provider_id, state, opened_at, paid_at)
    values (${people.guardian}, ${providerId}, 'paid', ${at}, ${at}) returning id`);
  for (const registration of Object.values(registrations)) {
    await recordMeals(tx, registration, { orderedBy: people.guardian, requestId });
  }
  const days = daysAround(todayInParis(at), common.weekdays);
  const school = await openSchool(tx, {
    canteenId: embruns,
    groupId,
    town: "Port-Lagune",
    count: pupils,
    at,
  });
  const servedBy = people.canteenProvider;
  await feedSchool(tx, school, { canteenId: embruns, days: days.school, servedBy, at });
  const guests = await registerAlso(
    tx,
    school.filter((_, index) => index % 3 === 0),
    { canteenId: centre, className: "6-8 ans", town: "Port-Lagune" },
  );
  await feedSchool(tx, guests, { canteenId: centre, days: days.free, servedBy, at });
  await sql`insert into canteen_purchase_share (provider_id, year, sustainable, organic, written_at)
    values (${providerId}, ${Number(todayInParis(at).slice(0, 4)) - 1}, 54, 22, ${at})`.execute(tx);
  return { providerId, canteens, registrations };
}

/** Writes the meals that demo events paid for or hold money for, as orders of a registration. */
async function recordMeals(
  tx: Tx,
  registration: string,
  { orderedBy, requestId }: { orderedBy: number; requestId: string },
): Promise<void> {
  await sql`
    insert into meal_order (id, request_id, canteen_id, registration_id, person_id, ordered_by, on_day, state,
      price_cents, price_reason, cancel_until, late_cancel_percent, absence_percent, wallet_id,
      hold_ids, ordered_at, served_at, charged_cents)
    select meal.id::uuid, ${requestId}::uuid, r.canteen_id, r.id, r.person_id, ${orderedBy}, meal.on_day, meal.state, meal.cents,
      '', null,
      100, 100, w.id, meal.hold_ids, meal.at - interval '6 days', meal.served_at, meal.charged
    from canteen_registration r join canteen c on c.id = r.canteen_id
    join canteen_provider v on v.id = c.provider_id
    join wallet w on w.person_id = r.person_id and w.group_id = v.group_id
    cross join lateral (
      select split_part(t.key, ':', 2) as id, paris_day(min(t.at)) as on_day, 'served' as state, sum(t.amount)::int as cents,
        '{}'::bigint[] as hold_ids, min(t.at) as at, min(t.at) as served_at,
        sum(t.amount)::int as charged
      from transfer t join wallet_lot l on l.account_id = t.debit_account
      where l.wallet_id = w.id and t.kind = 'meal' group by t.key
      union all
      select split_part(h.key, ':', 2), (h.memo ->> 'on')::date, 'reserved', h.amount, array[h.id], h.at, null, null
      from hold h join wallet_lot l on l.account_id = h.debit_account
      where l.wallet_id = w.id and h.kind = 'meal' and h.state = 'pending') meal
    where r.id = ${registration}
    on conflict do nothing`.execute(tx);
  await nameTariffs(tx, registration);
  const { rows } = await sql<{ day: string }>`select to_char(on_day, 'YYYY-MM-DD') as day
    from meal_order where registration_id = ${registration} and state = 'reserved'`.execute(tx);
  const untils = rows.map(({ day }) => instantOfParis(workingDaysBefore(day, 1), "10:00"));
  await sql`update meal_order o set cancel_until = deadline.until
    from unnest(${rows.map(({ day }) => day)}::date[], ${untils}::timestamptz[]) as deadline (day, until)
    where o.registration_id = ${registration} and o.on_day = deadline.day
      and o.state = 'reserved'`.execute(tx);
  await sql`insert into canteen_day (canteen_id, on_day, seats, taken)
    select o.canteen_id, o.on_day, c.seats, count(*) from meal_order o
    join canteen c on c.id = o.canteen_id where o.registration_id = ${registration}
    group by 1, 2, 3
    on conflict (canteen_id, on_day) do update set taken = canteen_day.taken + excluded.taken`.execute(
    tx,
  );
}

/** Sets on each meal the tariff of the canteen's rules on its day; the money has moved already. */
async function nameTariffs(tx: Tx, registration: string): Promise<void> {
  const { rows } = await sql<{ day: string; cents: number }>`
    select to_char(on_day, 'YYYY-MM-DD') as day, price_cents as cents
    from meal_order where registration_id = ${registration}`.execute(tx);
  const days = rows.map(({ day }) => day);
  const prices = await pricesOn(tx, [registration], days);
  const reasons = rows.map(({ day, cents }) => {
    const price = prices.get(priceKey(registration, day));
    if (price?.priceCents !== cents) throw new Error(`the demo paid another price on ${day}`);
    return price.reason;
  });
  await sql`update meal_order o set price_reason = named.reason
    from unnest(${days}::date[], ${reasons}::text[]) as named (day, reason)
    where o.registration_id = ${registration} and o.on_day = named.day`.execute(tx);
}
