// The week of a provider as a family sees it: menus, each person's days with deadlines and prices, and
// what is chosen.
import type { Output } from "#contract/endpoint.ts";
import type { canteenOrders, MealCell } from "#contract/meals/orders.ts";
import { mealOrderCan } from "#contract/meals/states.ts";
import {
  addDays,
  instantOfParis,
  startOfWeek,
  todayInParis,
  weekDays,
  weekdayOf,
} from "#contract/days.ts";
import { orderSearchDays } from "#contract/meals/limits.ts";
import type { Db } from "#server/db/db.ts";
import { custodiansOver } from "#server/family/family.ts";
import type { PersonCall } from "#server/http/caller.ts";
import {
  type MealTerms,
  readTerms,
  type RegistrationRules,
  requireOrderable,
  type TermsBook,
} from "./meal-terms.ts";
import { hasItsDay, type MealPrice, menusOf } from "#server/kitchen/kitchen.ts";
import { usualMeals } from "./periods.ts";
import {
  type EvaluatedMeal,
  problemOf,
  readRequest,
  registrationsOf,
  requireProviderOf,
} from "./requests.ts";

type Week = Output<typeof canteenOrders.week>;

/**
 * The week of a day, without one that of the first meal that can still be ordered. Prices in cents, instants in
 * ISO 8601.
 */
export async function readWeek({
  deps,
  caller,
  input,
}: PersonCall<{ idgroup: number; day?: string | undefined }>): Promise<Week> {
  const { db } = deps;
  const at = deps.now();
  const providerId = await requireProviderOf(db, input.idgroup);
  const [ids, request] = await Promise.all([
    registrationsOf(db, caller.personId, providerId),
    readRequest(db, caller.personId, providerId, at),
  ]);
  const days = weekDays(
    input.day ?? (await firstOrderableDay(db, ids, { reader: caller.personId, at })),
  );
  const [from = "", to = ""] = [days[0], days.at(-1)];
  const [menus, book, usual] = await Promise.all([
    menusOf(db, providerId, from, to, { published: true }),
    readTerms(db, ids, { from, to }),
    request ? [] : usualMeals(db, { personId: caller.personId, providerId, day: from, at }),
  ]);
  const chosen = new Set(request?.lines.map(({ registration, day }) => `${registration} ${day}`));
  const registrations = [...book.registrations.values()];
  const isOfDay = hasItsDay(registrations);
  const visible = registrations.filter((row) => days.some((day) => isOfDay(row, day)));
  const children = visible.map(({ personId }) => personId);
  const custodians = await custodiansOver(db, children, { from, to });
  const people = visible.map((row) => ({
    registration: row.id,
    cardnumber: row.cardnumber,
    name: row.name,
    canteen: row.canteen,
    className: row.className,
    diet: row.diet,
    mealsLeft:
      row.maxPerWeek === null
        ? null
        : Math.max(0, row.maxPerWeek - book.orderedInWeek(row.id, from)),
    cells: days.map((day): MealCell => {
      const terms = book.on(row.id, day);
      const problem = problemOf(() =>
        requireOrderable(row, day, terms, { at, allergensConfirmed: true }),
      );
      const custodian = custodians.get(`${row.personId} ${day}`);
      return {
        ...toCellView(day, terms, { reader: caller.personId, servesFrom: row.servesFrom, at }),
        custody: custodian ? { name: custodian.name, own: custodian.id === caller.personId } : null,
        isElsewhere: !isOfDay(row, day),
        chosen: chosen.has(`${row.id} ${day}`),
        problem: problem?.message ?? null,
        wait: terms.wait && {
          id: terms.wait.id,
          state: terms.wait.state,
          place: terms.wait.place,
          offeredUntil: terms.wait.offeredUntil?.toISOString() ?? null,
        },
        canWait: problem?.code === "meals_full" && terms.wait === null,
      };
    }),
  }));
  return {
    now: at.toISOString(),
    monday: startOfWeek(from),
    menus,
    people,
    request,
    usual: totalOf(usual),
  };
}

/**
 * The first day on which one of these registrations has a meal to order, ISO date, a child's days with another
 * guardian than the reader only where there are no others; the next working day where none has within
 * `orderSearchDays`.
 */
async function firstOrderableDay(
  db: Db,
  ids: readonly string[],
  { reader, at }: { reader: number; at: Date },
): Promise<string> {
  const today = todayInParis(at);
  const days = Array.from({ length: orderSearchDays + 1 }, (_, count) => addDays(today, count));
  const period = { from: today, to: addDays(today, orderSearchDays) };
  const book = await readTerms(db, ids, { ...period, priced: [], warned: false });
  const registrations = [...book.registrations.values()];
  const children = registrations.map(({ personId }) => personId);
  const custodians = await custodiansOver(db, children, period);
  const isOwnDay = ({ personId }: RegistrationRules, day: string) =>
    (custodians.get(`${personId} ${day}`)?.id ?? reader) === reader;
  const firstOf = (counts: typeof isOwnDay) =>
    days.find((day) =>
      registrations.some((row) => counts(row, day) && isOrderable(row, day, book, at)),
    );
  const nextWorkday = weekdayOf(today) > 4 ? addDays(today, 2) : today;
  return firstOf(isOwnDay) ?? firstOf(() => true) ?? nextWorkday;
}

function isOrderable(row: RegistrationRules, day: string, book: TermsBook, at: Date): boolean {
  const { maxPerWeek } = row;
  if (maxPerWeek !== null && book.orderedInWeek(row.id, day) >= maxPerWeek) return false;
  const terms = { ...book.on(row.id, day), price: unreadPrice };
  return !problemOf(() => requireOrderable(row, day, terms, { at, allergensConfirmed: true }));
}

/** Prices take longest to read, and a day that lacks one is shown as such. */
const unreadPrice: MealPrice = { priceCents: 0, reason: "" };

const totalOf = (meals: readonly EvaluatedMeal[]) =>
  meals.length === 0
    ? null
    : {
        count: meals.length,
        totalCents: meals.reduce((sum, { terms }) => sum + (terms.price?.priceCents ?? 0), 0),
      };

const toCellView = (
  day: string,
  terms: MealTerms,
  { reader, servesFrom, at }: { reader: number; servesFrom: string; at: Date },
) => ({
  day,
  closedWhy: terms.closedWhy,
  orderUntil: terms.orderUntil?.toISOString() ?? null,
  cancelUntil: terms.cancelUntil?.toISOString() ?? null,
  priceCents: terms.price?.priceCents ?? null,
  priceReason: terms.price?.reason ?? "",
  seatsLeft: terms.seatsLeft,
  warning: terms.warning,
  order: terms.order && {
    id: terms.order.id,
    state: terms.order.state,
    priceCents: terms.order.priceCents,
    orderedBy: terms.order.orderedById === reader ? null : terms.order.orderedBy,
    canCancel: mealOrderCan.cancel(terms.order) && at < instantOfParis(day, servesFrom),
  },
});
