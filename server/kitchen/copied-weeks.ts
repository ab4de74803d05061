// Copies dishes onto another week, from a week or a template: previewed day by day, then written as
// previewed. A day that has a menu is replaced only where it is named; published days stay published.
import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Dish, LaidDay, LaidWeek, MenuView, MenuWeek } from "#contract/kitchen/menus.ts";
import { weekDays, weekdayOf } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { inCompanyTx } from "#server/companies/companies.ts";
import type { Db, Tx } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import type { ProviderCall } from "./canteens.ts";
import { withAddedAllergens } from "./menu-allergens.ts";
import {
  daysToCome,
  lockMenus,
  menusOf,
  menuWeekOf,
  requireDeclared,
  writeMenuDays,
} from "./menus.ts";

/** Dishes by weekday (Monday first), and a day of the week that they are copied onto. */
interface WeekCopy {
  days: readonly (readonly Dish[])[];
  to: string;
}

/** The preview that the caller was shown, and which of its days are replaced. */
export interface ConfirmedWeekCopy {
  replace: readonly string[];
  fingerprint: string;
  undeclared?: boolean | undefined;
}

/** The dishes of a week by weekday; `menu_none` for one without. */
async function dishesOfWeek(db: Db, providerId: number, day: string): Promise<WeekCopy["days"]> {
  const { items } = await menuWeekOf(db, providerId, day);
  if (items.length === 0) throw new Problem("menu_none");
  return weekDays(day).map((one) => items.find((item) => item.day === one)?.dishes ?? []);
}

/** Previews what copying a week's menus onto another would write and replace. Writes nothing. */
export async function previewCopy({
  deps,
  provider: { id },
  input,
}: ProviderCall<{ from: string; to: string }>): Promise<LaidWeek> {
  const days = await dishesOfWeek(deps.db, id, input.from);
  return await previewLaying(deps.db, id, { days, to: input.to, now: deps.now() });
}

/** Copies a week's menus onto another, weekday by weekday, as it was previewed. */
export async function copyMenus(
  call: ProviderCall<{ from: string; to: string } & ConfirmedWeekCopy>,
): Promise<MenuWeek> {
  const {
    deps,
    provider: { id },
    input,
  } = call;
  return await inCompanyTx(call, async (tx) => {
    const days = await dishesOfWeek(tx, id, input.from);
    return await copyWeek(tx, deps, id, { ...input, days });
  });
}

/** The days to come of a week that dishes would be copied onto, beside the menu that each has now. */
export async function previewLaying(
  db: Db,
  providerId: number,
  { days, to, now }: WeekCopy & { now: Date },
): Promise<LaidWeek> {
  const [from, until] = daysToCome(to, now);
  const there = await menusOf(db, providerId, from, until, { published: false });
  const laid = weekDays(to)
    .map((day) => ({ day, dishes: days[weekdayOf(day)] ?? [] }))
    .filter(({ day, dishes }) => day >= from && dishes.length > 0);
  const ordered = await mealsOrderedOn(
    db,
    providerId,
    laid.map(({ day }) => day),
  );
  const menuOf = new Map(there.map((menu) => [menu.day, menu]));
  const fingerprint = createHash("sha256")
    .update(JSON.stringify(laid.map((one) => [one, menuOf.get(one.day)])))
    .digest("hex");
  return {
    days: laid.map(({ day, dishes }) => ({
      ...changesOf(menuOf.get(day), dishes),
      day,
      dishes: [...dishes],
      ordered: ordered.get(day) ?? 0,
    })),
    fingerprint,
  };
}

/** The changes to the menu of a day whose dishes are replaced. */
function changesOf(
  menu: MenuView | undefined,
  dishes: readonly Dish[],
): Pick<LaidDay, "there" | "note" | "leaving" | "coming" | "newAllergens"> {
  const before = menu?.dishes ?? [];
  const held = (from: readonly Dish[]) => new Set(from.flatMap(({ allergens }) => allergens ?? []));
  const [was, becomes] = [held(before), held(dishes)];
  return {
    there: menu ? (menu.published ? "published" : "draft") : "nothing",
    note: menu?.note ?? "",
    leaving: namesOnlyIn(before, dishes),
    coming: namesOnlyIn(dishes, before),
    newAllergens: [...becomes].filter((one) => !was.has(one)),
  };
}

const namesOnlyIn = (some: readonly Dish[], others: readonly Dish[]): string[] =>
  some.filter(({ name }) => others.every((one) => one.name !== name)).map(({ name }) => name);

/** Meals ordered at the canteens of a provider on some days, by day. */
async function mealsOrderedOn(
  db: Db,
  providerId: number,
  days: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ day: string; count: number }>`
    select to_char(o.on_day, 'YYYY-MM-DD') as day, count(*)::int as count
    from meal_order o join canteen c on c.id = o.canteen_id
    where c.provider_id = ${providerId} and o.on_day = any (${days}::date[])
      and o.state in ('reserved', 'validated') group by o.on_day`.execute(db);
  return new Map(rows.map(({ day, count }) => [day, count]));
}

/**
 * Copies dishes onto the days to come of a week as previewed: days without a menu, and days to be replaced,
 * which stay published. Whoever ordered a meal that gets an allergen is told. Refuses `menu_preview_changed`
 * once the preview would be another, and `menu_undeclared`.
 */
export async function copyWeek(
  tx: Tx,
  deps: Pick<Deps, "now" | "send" | "config">,
  providerId: number,
  { days, to, replace, fingerprint, undeclared }: WeekCopy & ConfirmedWeekCopy,
): Promise<MenuWeek> {
  const now = deps.now();
  const [from, until] = daysToCome(to, now);
  await lockMenus(tx, providerId);
  const preview = await previewLaying(tx, providerId, { days, to, now });
  if (preview.fingerprint !== fingerprint) throw new Problem("menu_preview_changed");
  const written = preview.days
    .filter(({ there, day }) => there === "nothing" || replace.includes(day))
    .map(({ day, dishes }) => ({ day, note: "", dishes }));
  await withAddedAllergens(tx, deps, { providerId, from, to: until, at: now }, () =>
    writeMenuDays(tx, providerId, written),
  );
  const week = await menuWeekOf(tx, providerId, to);
  const visibleDays = week.items.filter(
    ({ day, published }) => published && written.some((one) => one.day === day),
  );
  if (!undeclared) requireDeclared(visibleDays);
  return week;
}
