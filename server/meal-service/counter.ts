// Data for the counter: everybody who eats at a canteen on a day, as the device keeps them, and whose card
// was read.
import { sql } from "kysely";
import type { CounterPerson } from "#contract/meal-service/counter.ts";
import { warningOf } from "#contract/kitchen/dish-allergens.ts";
import { dishesServed } from "#contract/kitchen/served-dishes.ts";
import type { DayList } from "#contract/meal-service/service.ts";
import { unknownNumbers } from "#contract/meal-service/limits.ts";
import { signedCodes as limits } from "#contract/limits.ts";
import { parisDay } from "#contract/days.ts";
import type { Output } from "#contract/endpoint.ts";
import type { api } from "#contract/api.ts";
import { atOnce, type Db, customPlan } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { allergensOf } from "#server/allergies/allergies.ts";
import { readAvatarAmong } from "#server/documents/documents.ts";
import type { CompanyCall } from "#server/http/caller.ts";
import type { Document } from "#server/http/document.ts";
import { codeKinds } from "#contract/signed-codes/kinds.ts";
import { publicKeys, verifyCode } from "#server/signed-codes/signed-codes.ts";
import { requirePersonRateLimit } from "#server/identity/identity.ts";
import {
  type CanteenCall,
  countsOn,
  dishesAt,
  ownCalendars,
  pricesFor,
  readOwnCanteen,
  serviceCalendars,
  serviceDaysFrom,
} from "#server/kitchen/kitchen.ts";

/** A person of the counter with the ids that only the server uses. */
export interface KnownPerson extends CounterPerson {
  personId: number;
}
interface Row extends Omit<KnownPerson, "allergens" | "warning" | "walkInCents"> {
  allergensConsent: boolean;
  /** Whether the operator has frozen the provider, which sells nothing. */
  frozen: boolean;
}

/**
 * Who eats at a canteen on a day (ISO date), by name: the accepted registrations and whoever has an order;
 * only those of `registrations` where these are given.
 */
export async function peopleOf(
  db: Db,
  canteenId: string,
  { day, registrations = null }: { day: string; registrations?: readonly string[] | null },
): Promise<KnownPerson[]> {
  const filter = registrations ? sql`and r.id = any (${registrations}::uuid[])` : sql``;
  const { rows } = await sql<Row>`${customPlan}
    with meal as materialized (
      select o.registration_id, o.id, o.number, o.state, o.served_at, o.on_day
      from canteen_registration r join meal_order o on o.registration_id = r.id
        and o.on_day between ${day}::date - 7 and ${day}::date + 7
        and o.state in ('reserved', 'validated', 'served', 'absent')
      where r.canteen_id = ${canteenId} ${filter}),
    other as (
      select distinct on (registration_id) registration_id, on_day from meal
      where on_day <> ${day}::date and state in ('reserved', 'validated')
      order by registration_id, abs(on_day - ${day}::date), on_day)
    select r.id as registration, p.id as person_id, p.name, r.class, r.diet, r.pai,
      case when r.photo_consent_at is not null then
        replace(p.avatar, '/api/avatars/', '/api/canteen/' || r.canteen_id || '/photos/') end as photo,
      r.allergens_consent_at is not null as allergens_consent, coalesce(k.cards, '[]') as cards,
      case when o.id is not null then json_build_object('id', o.id, 'number', o.number,
        'state', o.state, 'servedAt', o.served_at) end as "order",
      n.on_day as other_day, s.frozen_at is not null as frozen
    from canteen_registration r join person p on p.id = r.person_id
    join canteen c on c.id = r.canteen_id join canteen_provider v on v.id = c.provider_id
    join partner s on s.id = v.partner_id
    left join meal o on o.registration_id = r.id and o.on_day = ${day}::date
    left join other n on n.registration_id = r.id
    left join lateral (
      select json_agg(json_build_object('id', k.object_id, 'number', k.number, 'state', k.state)
        order by k.number) as cards from card k where k.person_id = p.id) k on true
    where r.canteen_id = ${canteenId} ${filter}
      and (${countsOn("r", sql`${day}::date`)} or o.id is not null)
    order by p.name collate "fr-x-icu", r.id`.execute(db);
  const consenting = rows.filter(({ allergensConsent }) => allergensConsent);
  const [allergens, prices, dishes] = await atOnce(db, [
    () =>
      allergensOf(
        db,
        consenting.map(({ personId }) => personId),
      ),
    () =>
      pricesFor(
        db,
        rows.map(({ registration }) => registration),
        day,
      ),
    () => dishesAt(db, canteenId, day),
  ]);
  return rows.map(({ allergensConsent, frozen, ...row }) => {
    const declared = allergensConsent ? (allergens.get(row.personId) ?? []) : [];
    return {
      ...row,
      allergens: declared,
      warning: warningOf(dishesServed(dishes, row.diet), declared),
      walkInCents: (frozen ? null : prices.get(row.registration)?.priceCents) ?? null,
    };
  });
}

/** The fields of a person that leave the server. */
export function toCounterPerson(known: KnownPerson): CounterPerson {
  const { personId: _, ...person } = known;
  return person;
}

/** The day's list. */
export async function readDayList(call: CanteenCall<unknown>): Promise<DayList> {
  const {
    deps,
    canteen: { id },
  } = call;
  const [now, day] = [deps.now(), parisDay(deps.now())];
  const [canteen, people, { keys }, dishes, calendars, { left: seatsLeft }] = await Promise.all([
    readOwnCanteen(call),
    peopleOf(deps.db, id, { day }),
    publicKeys(deps.db),
    dishesAt(deps.db, id, day),
    serviceCalendars(deps.db, [id], day),
    query(deps.db).one(sql<{ left: number }>`
      select greatest(0, coalesce(d.seats - d.taken, c.seats)) as left from canteen c
      left join canteen_day d on d.canteen_id = c.id and d.on_day = ${day}
      where c.id = ${id}`),
  ]);
  const calendar = calendars.get(id);
  return {
    canteen,
    day,
    at: now.toISOString(),
    closedWhy: calendar?.closedWhy(day) ?? null,
    seatsLeft,
    keys,
    people: people.map(toCounterPerson),
    dishes: dishes.map(({ course, name, diets }) => ({ course, name, diets })),
    serviceDays: calendar ? serviceDaysFrom(day, calendar, shownServices) : [],
  };
}

/** Of so many services a counter knows the days: the one of today, and the one after it. */
const shownServices = 2;

/** The days on which each canteen of the caller's company serves next. */
export async function readNextServices({
  deps,
  company,
}: CompanyCall<unknown>): Promise<Output<typeof api.canteen.nextServices>> {
  const today = parisDay(deps.now());
  const calendars = await ownCalendars(deps.db, company.companyId, today);
  return {
    items: [...calendars].map(([canteen, calendar]) => ({
      canteen,
      serviceDays: serviceDaysFrom(today, calendar, shownServices),
    })),
  };
}

type FoundPerson = Output<typeof api.canteen.findAtCounter>;
const nobody = (found: FoundPerson["found"], card: string | null = null): FoundPerson => ({
  found,
  card,
  order: null,
  person: null,
});

/**
 * Finds a person by the number or QR code of a card, or by the QR code of an order. A card's code is valid
 * for its minute and the clock skew. Refuses `too_many_requests` after many numbers of nobody who eats there.
 */
export async function findAtCounter({
  deps,
  caller,
  canteen: { id },
  input,
}: CanteenCall<{ number?: number | undefined; token?: string | undefined }>): Promise<FoundPerson> {
  const now = deps.now();
  const day = parisDay(now);
  if (input.token?.startsWith(codeKinds.meal)) {
    return await findByOrder(deps.db, id, { token: input.token, day });
  }
  const code = input.token ? await verifyCode(deps.db, "card", input.token) : null;
  if (input.token && !code) return nobody("forged");
  const skewMs = limits.clockSkewSeconds * 1000;
  if (code && code.until.getTime() + skewMs < now.getTime()) return nobody("late_code", code.id);
  const found = await query(deps.db).maybeOne(sql<{ card: string; registration: string | null }>`
    select k.object_id as card, (select r.id from canteen_registration r
      where r.person_id = k.person_id and r.canteen_id = ${id}
      order by ${countsOn("r", sql`${day}::date`)} desc, r.state = 'accepted' desc,
        r.requested_at desc limit 1) as registration
    from card k where k.object_id = ${code?.id ?? null}::uuid
      or k.number = ${code ? null : (input.number ?? null)}::bigint`);
  if (code && !found) return nobody("forged");
  const [person] = found?.registration
    ? await peopleOf(deps.db, id, {
        day,
        registrations: [found.registration],
      })
    : [];
  if (found && person)
    return { found: "person", card: found.card, order: null, person: toCounterPerson(person) };
  if (code) return nobody("unregistered", code.id);
  // A typed number is a guess: the answer never says whether a card has it.
  await requirePersonRateLimit(deps, {
    act: "canteen.number",
    personId: caller.personId,
    ...unknownNumbers,
  });
  return nobody("unregistered");
}

/** The person whose order a code is for; `unregistered` where it was ordered elsewhere. */
async function findByOrder(
  db: Db,
  canteen: string,
  { token, day }: { token: string; day: string },
): Promise<FoundPerson> {
  const code = await verifyCode(db, "meal", token);
  if (!code) return nobody("forged");
  const { rows } = await sql<{ registration: string }>`
    select registration_id as registration from meal_order
    where id = ${code.id} and canteen_id = ${canteen}`.execute(db);
  const registrations = rows.map(({ registration }) => registration);
  const [person] =
    registrations.length > 0 ? await peopleOf(db, canteen, { day, registrations }) : [];
  if (!person) return nobody("unregistered");
  return { found: "person", card: null, order: code.id, person: toCounterPerson(person) };
}

/** The photo of somebody who eats at a canteen of the caller and consented; else `not_found`. */
export async function readCounterPhoto({
  deps,
  canteen,
  input,
}: CanteenCall<{ photo: string }>): Promise<Document> {
  const { rows } = await sql<{ id: number }>`
    select person_id as id from canteen_registration
    where canteen_id = ${canteen.id} and photo_consent_at is not null
      and state = 'accepted'`.execute(deps.db);
  return await readAvatarAmong(
    deps.db,
    rows.map(({ id }) => id),
    input.photo,
  );
}
