// The provider's list of meals of some days, on the screen, as CSV and on paper.
import { type RawBuilder, sql } from "kysely";
import type { FollowedMeal } from "#contract/meal-service/follow-up.ts";
import { dietNames } from "#contract/kitchen/states.ts";
import { mealOrderStateNames, type MealOrderState } from "#contract/meals/states.ts";
import { daysBetween } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { formatCount, formatDate, formatMoney, formatTime } from "#contract/french.ts";
import { canteen as limits, lists } from "#contract/limits.ts";
import type { Db } from "#server/db/db.ts";
import { csvOf, decimal, plain } from "#server/http/csv.ts";
import { csv, pdf } from "#server/http/document.ts";
import { paper } from "#server/http/paper.ts";
import { byClass, type CanteenCall } from "#server/kitchen/kitchen.ts";
import { isUndoable } from "./meal-service.ts";

interface Filters {
  canteen: string;
  from: string;
  to: string;
  state?: MealOrderState | undefined;
  className?: string | undefined;
  name?: string | undefined;
}

function requireSpan({ from, to }: Filters): void {
  const days = daysBetween(from, to) + 1;
  if (days < 1 || days > limits.followedDays) {
    throw new Problem("meal_span", { max: String(limits.followedDays) });
  }
}

/** SQL condition on an order `o`, its person `p` and its registration `r`; `state` is left to the caller. */
function ordersFilter({ canteen, from, to, className, name }: Filters): RawBuilder<boolean> {
  const words = (name ?? "").trim().replaceAll(/[\\%_]/g, String.raw`\$&`);
  return sql<boolean>`o.canteen_id = ${canteen} and o.on_day between ${from}::date and ${to}::date
    and (${className ?? null}::text is null or r.class = ${className ?? null}::text)
    and unaccent(p.name) ilike unaccent(${`%${words}%`})`;
}

type FollowedRow = Omit<FollowedMeal, "servedAt" | "undoUntil"> & {
  servedAt: Date | null;
  undoable: boolean;
};

/** Order of a list that is read as a whole: by day, then class by class. */
const wholeList = sql`o.on_day, ${byClass}, o.number`;

/** Position in the list: the meals ordered before or just after the one with a number. */
interface Position {
  before?: number | undefined;
  after?: number | undefined;
}

interface ListOptions extends Position {
  at: Date;
  limit?: number | null;
  /** Newest first by default. */
  order?: RawBuilder<unknown>;
}

async function mealsIn(
  db: Db,
  filters: Filters,
  { at, before, after, limit = null, order }: ListOptions,
): Promise<FollowedMeal[]> {
  const { state = null } = filters;
  const { rows } = await sql<FollowedRow>`
    select o.id, o.number, p.name, r.class as class_name, r.diet, r.pai,
      to_char(o.on_day, 'YYYY-MM-DD') as day, o.state, o.price_cents,
      o.charged_cents, o.served_at, o.end_reason,
      o.state = 'served' and o.ended_at is null and not ${walkedIn} as undoable
    from meal_order o join person p on p.id = o.person_id
    join canteen_registration r on r.id = o.registration_id join canteen c on c.id = o.canteen_id
    where ${ordersFilter(filters)} and (${state}::text is null or o.state = ${state}::text)
      and (${before ?? null}::bigint is null or o.number < ${before ?? null}::bigint)
      and (${after ?? null}::bigint is null or o.number > ${after ?? null}::bigint)
    order by ${order ?? (after === undefined ? sql`o.number desc` : sql`o.number`)}
    limit ${limit}::bigint`.execute(db);
  const newestFirst = after === undefined ? rows : rows.toReversed();
  return newestFirst.map(({ servedAt, undoable, ...row }) => ({
    ...row,
    servedAt: servedAt?.toISOString() ?? null,
    undoUntil:
      undoable && servedAt && isUndoable(servedAt, at)
        ? new Date(servedAt.getTime() + limits.undoSeconds * 1000).toISOString()
        : null,
  }));
}

/**
 * A page of the list. A position without meals any more, because their state changed, falls back to the
 * nearest page.
 */
async function pageOf(
  db: Db,
  filters: Filters,
  { at, before, after, limit }: { at: Date; limit: number } & Position,
): Promise<FollowedMeal[]> {
  const found = await mealsIn(db, filters, { at, before, after, limit });
  if (after !== undefined && found.length < limit) return await mealsIn(db, filters, { at, limit });
  if (before !== undefined && found.length === 0) {
    return await mealsIn(db, filters, { at, after: 0, limit });
  }
  return found;
}

/** SQL condition: the counter served the meal `o` without an order. */
export const walkedIn = sql<boolean>`exists (select from meal_scan s
  where s.order_id = o.id and s.walk_in is not null)`;

/** A page of the meals under the filters, its place in the list, and how many there are in each state. */
export async function readFollowUp({
  deps,
  input,
}: CanteenCall<Filters & Position & { limit?: number | undefined }>) {
  requireSpan(input);
  const { limit = lists.defaultLimit, state, before, after } = input;
  const items = await pageOf(deps.db, input, { at: deps.now(), before, after, limit });
  const newest = items[0]?.number ?? null;
  const { rows } = await sql<{ state: MealOrderState; count: number; newer: number }>`
    select o.state, count(*)::int as count,
      count(*) filter (where o.number > ${newest}::bigint)::int as newer
    from meal_order o join person p on p.id = o.person_id
    join canteen_registration r on r.id = o.registration_id
    where ${ordersFilter(input)} group by o.state order by o.state`.execute(deps.db);
  const listed = rows.filter((one) => state === undefined || one.state === state);
  return {
    items,
    total: listed.reduce((sum, { count }) => sum + count, 0),
    skipped: listed.reduce((sum, { newer }) => sum + newer, 0),
    counts: rows.map(({ newer: _newer, ...one }) => one),
  };
}

async function listedOf({ deps, input }: CanteenCall<Filters>, limit: number | null) {
  requireSpan(input);
  return await mealsIn(deps.db, input, { at: deps.now(), limit, order: wholeList });
}

const fileName = ({ from, to }: Filters, kind: string): string =>
  `cantine-repas-${from === to ? from : `${from}-${to}`}.${kind}`;

/** The meals under the filters as CSV. */
export async function followUpCsv(call: CanteenCall<Filters>) {
  const meals = await listedOf(call, null);
  const head = [
    "Commande",
    "Jour",
    "Nom",
    "Classe",
    "Régime",
    "PAI",
    "État",
    "Prix",
    "Dépensé",
    "Servi à",
    "Motif",
  ];
  const lines = meals.map((meal) => [
    meal.number,
    formatDate(meal.day),
    plain(meal.name),
    plain(meal.className),
    dietNames[meal.diet],
    meal.pai ? "PAI" : "",
    mealOrderStateNames[meal.state],
    decimal(meal.priceCents),
    meal.chargedCents === null ? "" : decimal(meal.chargedCents),
    meal.servedAt ? formatTime(meal.servedAt) : "",
    plain(meal.endReason ?? ""),
  ]);
  return csv(csvOf([head, ...lines]), fileName(call.input, "csv"));
}

/** The same list on paper. */
export async function followUpPdf(call: CanteenCall<Filters>) {
  const { input, caller, deps, canteen } = call;
  const meals = await listedOf(call, limits.mealsOnPaper + 1);
  if (meals.length > limits.mealsOnPaper) {
    throw new Problem("meal_list_long", { max: formatCount(limits.mealsOnPaper) });
  }
  const { cardnumber } = caller;
  const head = { title: `Repas, ${canteen.name}`, cardnumber, madeAt: deps.now() };
  const file = await paper(head, async (page) => {
    page.facts([
      ["Du", formatDate(input.from)],
      ["Au", formatDate(input.to)],
      ["Classe", input.className ?? "toutes"],
      ["État", input.state ? mealOrderStateNames[input.state] : "tous"],
      ["Repas", formatCount(meals.length)],
    ]);
    await page.table(
      [
        { title: "Jour", width: 65 },
        { title: "Nom", width: 148 },
        { title: "Classe", width: 50 },
        { title: "Régime", width: 110 },
        { title: "État", width: 60 },
        { title: "Prix", width: 50, right: true },
      ],
      meals.map((meal) => [
        formatDate(meal.day),
        meal.name,
        meal.className,
        meal.pai ? `${dietNames[meal.diet]}, PAI` : dietNames[meal.diet],
        mealOrderStateNames[meal.state],
        formatMoney(meal.chargedCents ?? meal.priceCents),
      ]),
    );
  });
  return pdf(file, fileName(input, "pdf"));
}
