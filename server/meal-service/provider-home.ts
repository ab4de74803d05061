// The canteen part of a provider's home: the services of a day, what waits for an answer, the last scans of
// the counter.
import { sql } from "kysely";
import { type Deadline, deadlineOf } from "#contract/kitchen/deadlines.ts";
import type { OwnCanteen } from "#contract/kitchen/own.ts";
import { companyCan, type RolePredicate } from "#contract/companies/roles.ts";
import { addDays, instantOfParis, todayInParis } from "#contract/days.ts";
import type {
  FirstStep,
  HomeScan,
  HomeService,
  ProfessionalToDo,
} from "#contract/portal/professional-home.ts";
import { type Db, prepared, opaqueParameter } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import {
  type CompanyHome,
  companyHomeLimits,
  type CompanyHomePart,
} from "#server/portal/portal.ts";
import {
  nextServiceDay,
  ownCalendars,
  readOwnCanteens,
  type ServiceCalendar,
} from "#server/kitchen/kitchen.ts";
import { isOpenConflict } from "./conflicts.ts";

/** Menus and orders are checked for so many days, today included. */
const daysAhead = 8;
/** Meals served without the counter are searched for so many days back. */
const recentDays = 14;

/**
 * The parts of the home page that the caller's roles open for their company's canteens; nothing for a company
 * that runs none.
 */
export async function canteenHome({
  call,
  db,
  companyId,
  roles,
  at: now,
}: CompanyHome): Promise<CompanyHomePart> {
  const today = todayInParis(now);
  const [{ items: canteens }, calendars] = await Promise.all([
    readOwnCanteens(call),
    ownCalendars(db, companyId, today),
  ]);
  if (canteens.length === 0) return {};
  const ids = canteens.map(({ id }) => id);
  const day = nextServiceDay(canteens, calendars, now);
  const cooks = companyCan.cook(roles);
  const after = nextServiceDay(canteens, calendars, instantOfParis(addDays(day, 1), "00:00"));
  const [services, next, waiting, menus, undeclared, last] = await Promise.all([
    servicesOn(db, canteens, { day, calendars }),
    cooks ? servicesOn(db, canteens, { day: after, calendars }) : null,
    waitingAt(db, ids, today),
    cooks ? missingMenus(db, canteens, { today, calendars }) : [],
    cooks ? undeclaredDishes(db, ids, today) : [],
    companyCan.followMeals(roles)
      ? lastScans(db, ids, { today, max: companyHomeLimits.scans })
      : [],
  ]);
  const nameOf = new Map(canteens.map(({ id, name }) => [id, name]));
  const toDos = waiting
    .filter(({ kind }) => mayAnswer[kind](roles))
    .map((one) => ({ ...one, what: nameOf.get(one.id) ?? null }));
  return {
    canteen: { day, services, next: next && { day: after, services: next } },
    toDos: [...toDos, ...menus, ...undeclared],
    scans: last,
  };
}

type Waiting = "scan_conflicts" | "registrations" | "certificates" | "meals_to_validate";

/** Who is shown each kind of open item: those who may answer it. */
const mayAnswer: Readonly<Record<Waiting, RolePredicate>> = {
  scan_conflicts: companyCan.serveMeals,
  registrations: companyCan.answerFamilies,
  certificates: companyCan.answerFamilies,
  meals_to_validate: companyCan.followMeals,
};

interface DayRow extends Pick<HomeService, "ordered" | "served" | "walkIns" | "toValidate"> {
  canteen: string;
  orderDeadline: Deadline;
}

/** The services of a day by the name of the canteen, closed ones left out. */
async function servicesOn(
  db: Db,
  canteens: readonly OwnCanteen[],
  { day, calendars }: { day: string; calendars: ReadonlyMap<string, ServiceCalendar> },
): Promise<HomeService[]> {
  const ids = canteens.map(({ id }) => id);
  const { rows } = await sql<DayRow>`
    select c.id as canteen, c.order_deadline,
      (count(o.id) filter (where not o.walked_in))::int as ordered,
      (count(o.id) filter (where o.state = 'served'))::int as served,
      (count(o.id) filter (where o.walked_in and o.state = 'served'))::int as walk_ins,
      (count(o.id) filter (where o.state = 'reserved' and c.needs_validation))::int as to_validate
    from canteen c left join lateral (
      select o.id, o.state, exists (select from meal_scan s
        where s.order_id = o.id and s.walk_in is not null) as walked_in
      from meal_order o where o.canteen_id = c.id and o.on_day = ${day}::date
        and o.state in ('reserved', 'validated', 'served', 'absent')) o on true
    where c.id = any (${ids}::uuid[]) group by c.id`.execute(db);
  const rowOf = new Map(rows.map((row) => [row.canteen, row]));
  return canteens.flatMap(({ id, name, servesFrom, servesUntil }) => {
    const calendar = calendars.get(id);
    const row = rowOf.get(id);
    if (!row || !calendar) return [];
    const { canteen, orderDeadline, ...counts } = row;
    if (calendar.closedWhy(day) !== null && counts.ordered === 0) return [];
    const orderUntil = deadlineOf(orderDeadline, { day, servesFrom }, calendar.closures);
    return [
      {
        canteen,
        name,
        servesFrom,
        servesUntil,
        ...counts,
        orderUntil: orderUntil?.toISOString() ?? null,
      },
    ];
  });
}

/** Open items of the desk, by canteen. */
async function waitingAt(
  db: Db,
  ids: readonly string[],
  today: string,
): Promise<(Omit<ProfessionalToDo, "what"> & { kind: Waiting })[]> {
  const { rows } = await sql<
    Omit<ProfessionalToDo, "what"> & { kind: Waiting }
  >`${prepared("canteen-waiting")}
    select 'scan_conflicts' as kind, s.canteen_id::text as id, count(*)::int as count, null as day
    from meal_scan s where s.canteen_id = any (${ids}::uuid[]) and ${isOpenConflict(today)}
    group by s.canteen_id
    union all
    select 'registrations' as kind, r.canteen_id::text as id, count(*)::int as count, null as day
    from canteen_registration r
    where r.canteen_id = any (${ids}::uuid[]) and r.state = 'requested' group by r.canteen_id
    union all
    select 'certificates', r.canteen_id::text, count(*)::int, null
    from meal_illness i join canteen_registration r on r.id = i.registration_id
    where r.canteen_id = any (${ids}::uuid[]) and i.state = 'sent' group by r.canteen_id
    union all
    select 'meals_to_validate', o.canteen_id::text, count(*)::int, to_char(min(o.on_day), 'YYYY-MM-DD')
    from (select id from canteen c
      where c.id = any (${ids}::uuid[]) and c.needs_validation offset 0) c
    join meal_order o on o.canteen_id = c.id and o.state = 'reserved'
      and o.on_day between ${today}::date and ${addDays(today, daysAhead - 1)}::date
    group by o.canteen_id`.execute(db);
  return rows;
}

/** Days of service of the coming week, from tomorrow, without a published menu. */
async function missingMenus(
  db: Db,
  canteens: readonly OwnCanteen[],
  at: { today: string; calendars: ReadonlyMap<string, ServiceCalendar> },
): Promise<ProfessionalToDo[]> {
  const days = Array.from({ length: daysAhead - 1 }, (_, index) => addDays(at.today, index + 1));
  const { rows } = await sql<{ day: string }>`
    select distinct to_char(m.on_day, 'YYYY-MM-DD') as day from canteen_menu m
    join canteen c on c.provider_id = m.provider_id
    where c.id = any (${canteens.map(({ id }) => id)}::uuid[]) and m.published_at is not null
      and m.on_day = any (${days}::date[])`.execute(db);
  const published = new Set(rows.map(({ day }) => day));
  const missing = days.filter(
    (day) =>
      !published.has(day) &&
      canteens.some(({ id }) => at.calendars.get(id)?.closedWhy(day) === null),
  );
  const [first] = missing;
  if (!first) return [];
  return [{ kind: "menus_missing", id: first, what: null, count: missing.length, day: first }];
}

/** Dishes of the coming days, today included, whose allergens nobody has declared. */
async function undeclaredDishes(
  db: Db,
  ids: readonly string[],
  today: string,
): Promise<ProfessionalToDo[]> {
  const { count, day } = await query(db).one(sql<{ count: number; day: string | null }>`
    select count(*)::int as count, to_char(min(m.on_day), 'YYYY-MM-DD') as day
    from canteen_menu m join canteen_dish d on d.menu_id = m.id
    where m.provider_id in (select provider_id from canteen where id = any (${ids}::uuid[]))
      and m.on_day between ${today}::date and ${addDays(today, daysAhead - 1)}::date
      and d.allergens is null`);
  if (day === null) return [];
  return [{ kind: "allergens_undeclared", id: day, what: null, count, day }];
}

interface ScanRow extends Omit<HomeScan, "at" | "kind"> {
  at: Date;
}

/**
 * The last scans of these canteens' counters and the meals served in the follow-up, the latest first. A card
 * without a registration at the provider bears no name: the counter reads none either.
 */
async function lastScans(
  db: Db,
  ids: readonly string[],
  { today, max }: { today: string; max: number },
): Promise<HomeScan[]> {
  const { rows } = await sql<ScanRow>`${prepared("canteen-scans")}
    select s.id, s.at, p.name, s."where", s.verdict, s.walk_in, s.undone, s.conflict
    from (
      select s.*, c.name as "where", c.provider_id from canteen c cross join lateral (
        (select number::text as id, scanned_at as at, person_id, verdict,
            walk_in is not null as walk_in, undone_at is not null as undone, conflict
          from meal_scan where canteen_id = c.id order by on_day desc, number desc limit ${sql.lit(max)})
        union all
        (select o.id::text, o.served_at, o.person_id, 'served', false, false, null
          from meal_order o where o.canteen_id = c.id and o.state = 'served'
            and o.on_day > ${opaqueParameter(addDays(today, -recentDays), "date")}
            and not exists (select from meal_scan s where s.order_id = o.id)
          order by o.on_day desc, o.served_at desc limit ${sql.lit(max)})) s
      where c.id = any (${opaqueParameter(ids, "uuid[]")}) order by s.at desc, s.id limit ${sql.lit(max)}) s
    left join lateral (select p.name from person p where p.id = s.person_id
      and exists (select from canteen_registration r join canteen own on own.id = r.canteen_id
        where r.person_id = p.id and own.provider_id = s.provider_id)) p on true
    order by s.at desc, s.id`.execute(db);
  return rows.map((row) => ({ ...row, kind: "meal", at: row.at.toISOString() }));
}

/**
 * The first steps of a company with canteens: whether they ever published a menu and registered somebody; none
 * for a company without a canteen.
 */
export async function canteenSteps({ db, companyId }: CompanyHome): Promise<FirstStep[]> {
  const { menu, registration } = await query(db).one(sql<{
    menu: boolean | null;
    registration: boolean | null;
  }>`
    select bool_or(exists (select from canteen_menu m
        where m.provider_id = v.id and m.published_at is not null)) as menu,
      bool_or(exists (select from canteen_registration r
        where r.canteen_id = c.id and r.state <> 'requested')) as registration
    from canteen c join canteen_provider v on v.id = c.provider_id
    join partner s on s.id = v.partner_id where s.company_id = ${companyId}`);
  if (menu === null || registration === null) return [];
  return [
    { kind: "menu", done: menu, id: null },
    { kind: "registration", done: registration, id: null },
  ];
}
