// Menus of a provider by day: read by families and the desk, written at the desk. Past days stay as they were
// served.
import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Dish, MenuView, MenuWeek } from "#contract/kitchen/menus.ts";
import { addDays, startOfWeek, todayInParis, weekDays } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { formatDayInWords, theOthers } from "#contract/french.ts";
import { inCompanyTx } from "#server/companies/companies.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { requirePrinted } from "#server/http/printed-letters.ts";
import type { ProviderCall } from "./canteens.ts";
import { withAddedAllergens } from "./menu-allergens.ts";
import { calendarsWhere, type ServiceCalendar } from "./service-days.ts";

/** The menu of a day: its dishes and a note. */
export interface MenuDay {
  day: string;
  note: string;
  dishes: readonly Dish[];
}

/** Confirms that families are shown dishes whose allergens are not declared. */
interface UndeclaredConfirmation {
  undeclared?: boolean | undefined;
}

/** The menu that the caller has read and replaces: its fingerprint, null for none; undefined: whichever is there. */
interface ReadMenu {
  fingerprint?: string | null | undefined;
}

/**
 * The menus of a provider from one day to another (both included), the earliest first, with their dishes in
 * the order of the meal; with `published`, only the published ones.
 */
export async function menusOf(
  db: Db,
  providerId: number,
  from: string,
  to: string,
  { published }: { published: boolean },
): Promise<MenuView[]> {
  const { rows } = await sql<MenuView>`
    select m.on_day as day, m.published_at is not null as published, m.note,
      coalesce((select json_agg(json_build_object('course', d.course, 'name', d.name,
        'labels', d.labels, 'allergens', d.allergens, 'diets', d.diets, 'priceCents', d.price_cents)
        order by d.place)
        from canteen_dish d where d.menu_id = m.id), '[]') as dishes
    from canteen_menu m
    where m.provider_id = ${providerId} and m.on_day between ${from}::date and ${to}::date
      and (m.published_at is not null or not ${published}::boolean)
    order by m.on_day`.execute(db);
  return rows;
}

/** The dishes that a canteen serves on a day (ISO date), published or not. */
export async function dishesAt(db: Db, canteenId: string, day: string): Promise<Dish[]> {
  const { rows } = await sql<Dish>`
    select d.course, d.name, d.labels, d.allergens, d.diets, d.price_cents
    from canteen c join canteen_menu m on m.provider_id = c.provider_id and m.on_day = ${day}::date
    join canteen_dish d on d.menu_id = m.id
    where c.id = ${canteenId}::uuid order by d.place`.execute(db);
  return rows;
}

/** The caller's menus of the week of a day. */
export async function readMenuWeek({
  deps,
  provider,
  input,
}: ProviderCall<{ day: string }>): Promise<MenuWeek> {
  return await menuWeekOf(deps.db, provider.id, input.day);
}

/** A provider's menus of the week of a day, published or not. */
export async function menuWeekOf(db: Db, providerId: number, day: string): Promise<MenuWeek> {
  const monday = startOfWeek(day);
  const items = await menusOf(db, providerId, monday, addDays(monday, 6), { published: false });
  const calendars = await calendarsWhere(db, sql<boolean>`c.provider_id = ${providerId}`, monday);
  return {
    monday,
    items: items.map((menu) => ({ ...menu, fingerprint: fingerprintOf(menu) })),
    closed: closedDays(monday, [...calendars.values()]),
  };
}

/** Of what a save of the day replaces. */
const fingerprintOf = ({ note, dishes }: Omit<MenuDay, "day">): string =>
  createHash("sha256")
    .update(
      JSON.stringify([
        note.trim(),
        dishes.map(({ course, name, labels, allergens, diets, priceCents }) => [
          course,
          name.trim(),
          labels,
          allergens,
          diets,
          priceCents,
        ]),
      ]),
    )
    .digest("hex");

/** The days of a week on which no canteen serves, with the reason of the first. */
const closedDays = (monday: string, calendars: readonly ServiceCalendar[]): MenuWeek["closed"] =>
  weekDays(monday).flatMap((day) => {
    const reasons = calendars.map((calendar) => calendar.closedWhy(day));
    const [why = null] = reasons;
    return why === null || reasons.includes(null) ? [] : [{ day, why }];
  });

/** The menus of a provider stay as they are until the transaction ends, unless it changes them. */
export async function lockMenus(tx: Tx, providerId: number): Promise<void> {
  await sql`select from canteen_provider where id = ${providerId} for no key update`.execute(tx);
}

/**
 * Writes the menu of a day from today on; without dishes the menu is deleted. Refuses `menu_changed` when the
 * day has another menu than the one whose fingerprint is sent. A published menu is refused (`menu_undeclared`)
 * where allergens of a dish are not declared, unless this is confirmed.
 */
export function writeMenu(
  call: ProviderCall<MenuDay & UndeclaredConfirmation & ReadMenu>,
): Promise<MenuWeek> {
  const {
    deps,
    provider: { id },
    input,
  } = call;
  return inCompanyTx(call, async (tx) => {
    if (input.day < todayInParis(deps.now())) throw new Problem("menu_past");
    for (const { name } of input.dishes) requirePrinted(name, "le nom du plat");
    await lockMenus(tx, id);
    if (input.fingerprint !== undefined) await requireUnchanged(tx, id, input, input.fingerprint);
    const days = { providerId: id, from: input.day, to: input.day, at: deps.now() };
    await withAddedAllergens(tx, deps, days, () => writeMenuDays(tx, id, [input]));
    const week = await menuWeekOf(tx, id, input.day);
    const written = week.items.filter(({ day, published }) => day === input.day && published);
    if (!input.undeclared) requireDeclared(written);
    return week;
  });
}

/**
 * Refuses `menu_changed` where the day has another menu than the one that was read (null: none). What is already
 * there as it would be written is no change: the answer to the first save may not have arrived.
 */
async function requireUnchanged(
  tx: Tx,
  providerId: number,
  written: MenuDay,
  fingerprint: string | null,
): Promise<void> {
  const { day, dishes } = written;
  const [menu] = await menusOf(tx, providerId, day, day, { published: false });
  const there = menu ? fingerprintOf(menu) : null;
  const writes = dishes.length > 0 ? fingerprintOf(written) : null;
  if (there !== fingerprint && there !== writes) throw new Problem("menu_changed");
}

/** Replaces the menus of days; a published menu stays published, a new one is not. */
export async function writeMenuDays(
  tx: Tx,
  providerId: number,
  days: readonly MenuDay[],
): Promise<void> {
  const empty = days.filter(({ dishes }) => dishes.length === 0).map(({ day }) => day);
  const written = days.filter(({ dishes }) => dishes.length > 0);
  await sql`delete from canteen_menu
    where provider_id = ${providerId} and on_day = any (${empty}::date[])`.execute(tx);
  const menus = written.map(({ day, note }) => ({ day, note: note.trim() }));
  const { rows } = await sql<{ id: string; day: string }>`
    insert into canteen_menu (provider_id, on_day, note)
    select ${providerId}, day, note
    from jsonb_to_recordset(${JSON.stringify(menus)}::jsonb) as menu(day date, note text)
    on conflict (provider_id, on_day) do update set note = excluded.note
    returning id, on_day as day`.execute(tx);
  const idOf = new Map(rows.map(({ id, day }) => [day, id]));
  await sql`delete from canteen_dish where menu_id = any (${[...idOf.values()]}::uuid[])`.execute(
    tx,
  );
  const dishes = written.flatMap((one) =>
    one.dishes.map((dish, place) => ({
      menu_id: idOf.get(one.day),
      place,
      course: dish.course,
      name: dish.name.trim(),
      labels: dish.labels,
      allergens: dish.allergens,
      diets: dish.diets,
      price_cents: dish.priceCents,
    })),
  );
  await sql`insert into canteen_dish (menu_id, place, course, name, labels, allergens, diets,
      price_cents)
    select menu_id, place, course, name, labels, allergens, diets, price_cents
    from jsonb_to_recordset(${JSON.stringify(dishes)}::jsonb) as dish(menu_id uuid, place smallint,
      course text, name text, labels text[], allergens text[], diets text[], price_cents integer)`.execute(
    tx,
  );
}

/**
 * Publishes a week's menus or unpublishes them, from today on. Days with a dish whose allergens are not
 * declared stay unpublished and are named, unless confirmed; if no other day is left, `menu_undeclared`.
 */
export function publishMenus(
  call: ProviderCall<{ day: string; published: boolean } & UndeclaredConfirmation>,
): Promise<MenuWeek & { left: string[] }> {
  const {
    deps,
    provider: { id },
    input,
  } = call;
  return inCompanyTx(call, async (tx) => {
    const [from, to] = daysToCome(input.day, deps.now());
    const publishedAt = input.published ? deps.now() : null;
    await lockMenus(tx, id);
    const menus = await menusOf(tx, id, from, to, { published: false });
    if (menus.length === 0) throw new Problem("menu_none");
    const asks = input.published && !input.undeclared;
    const unpublished = asks ? menus.filter((menu) => !menu.published) : [];
    const undeclaredMenus = unpublished.filter((menu) => silentDishes([menu]).length > 0);
    if (undeclaredMenus.length > 0 && undeclaredMenus.length === unpublished.length)
      requireDeclared(undeclaredMenus);
    const unpublishedDays = undeclaredMenus.map(({ day }) => day);
    const days = { providerId: id, from, to, at: deps.now() };
    await withAddedAllergens(tx, deps, days, () =>
      sql`
        update canteen_menu set published_at = case when ${publishedAt}::timestamptz is null then null
          else coalesce(published_at, ${publishedAt}) end
        where provider_id = ${id} and on_day between ${from}::date and ${to}::date
          and not on_day = any (${unpublishedDays}::date[])`.execute(tx),
    );
    return { ...(await menuWeekOf(tx, id, input.day)), left: silentDishes(undeclaredMenus) };
  });
}

/** « Lieu (lundi 7 décembre) »: the dishes without declared allergens. */
const silentDishes = (days: readonly Pick<MenuDay, "day" | "dishes">[]): string[] =>
  days.flatMap(({ day, dishes }) =>
    dishes
      .filter(({ allergens }) => allergens === null)
      .map(({ name }) => `${name} (${formatDayInWords(day)})`),
  );

/** Refuses `menu_undeclared`, naming the dishes, where one has no declared allergens. */
export function requireDeclared(days: readonly Pick<MenuDay, "day" | "dishes">[]): void {
  const silent = silentDishes(days);
  if (silent.length === 0) return;
  const named = silent.slice(0, maxNamed).join(", ");
  const more = silent.length - maxNamed;
  const dishes = more > 0 ? `${named} et ${theOthers(more)}` : named;
  throw new Problem("menu_undeclared", { dishes });
}
const maxNamed = 3;

/** First and last day of the week of a day that are not past; `menu_past` when all are. */
export function daysToCome(day: string, now: Date): [string, string] {
  const monday = startOfWeek(day);
  const sunday = addDays(monday, 6);
  const today = todayInParis(now);
  if (sunday < today) throw new Problem("menu_past");
  return [monday < today ? today : monday, sunday];
}
