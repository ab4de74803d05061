// The meals of the demo's school around today: past ones served, missed or cancelled, today's and later ones
// on hold. Their cost moves through the ledger's own functions.
import { sql } from "kysely";
import { addDays, dayMs, instantOfParis, todayInParis, weekdayOf } from "#contract/days.ts";
import { formatDate } from "#contract/french.ts";
import { publicHolidays, workingDaysBefore } from "#contract/working-days.ts";
import { type MealPrice, pricesFor } from "../kitchen/kitchen.ts";
import { mealKey } from "../meals/meals.ts";
import type { Tx } from "../db/db.ts";
import { holdAll, post } from "../ledger/ledger.ts";
import { schemeAccount } from "../wallet/wallet.ts";
import { chance, uuidOf } from "./random.ts";
import { isSchoolDay } from "./menus.ts";
import { joinedDaysAgo, maxJoinedDaysAgo, type Pupil } from "./school.ts";

const daysBefore = maxJoinedDaysAgo;
const daysAfter = 14;
/** Meals that one statement writes. */
const batch = 2000;

type State = "reserved" | "served" | "absent" | "cancelled";
interface Meal {
  id: string;
  pupil: Pupil;
  day: string;
  state: State;
  priceCents: number;
  priceReason: string;
  orderedAt: Date;
  /** Until 10:00 of the working day before. */
  cancelUntil: Date;
  servedAt: Date | null;
  endedAt: Date | null;
  /** Null while it is open. */
  chargedCents: number | null;
  walkIn: "hold" | "cash" | null;
}

/**
 * From before a day, since the first pupils joined, to two weeks after: the days of school, and those without
 * it.
 */
export function daysAround(
  today: string,
  weekdays: readonly number[],
): { school: string[]; free: string[] } {
  const days = Array.from({ length: daysBefore + daysAfter + 1 }, (_, index) =>
    addDays(today, index - daysBefore),
  );
  const served = (day: string) => weekdays.includes(weekdayOf(day)) && isSchoolDay({ day });
  return {
    school: days.filter(served),
    free: days.filter((day) => !served(day) && !publicHolidays(Number(day.slice(0, 4))).has(day)),
  };
}

/** Whether a child eats on a weekday: most do each day, some on two, a few only now and then. */
function comes({ name, personId }: Pupil, day: string): boolean {
  const habit = chance(`habit ${name} ${personId}`);
  if (habit < 0.62) return chance(`ill ${name} ${day}`) > 0.03;
  if (habit < 0.88) return weekdayOf(day) % 3 === (habit < 0.75 ? 0 : 1);
  return chance(`now and then ${name} ${day}`) < 0.1;
}

function planMeal(pupil: Pupil, day: string, price: MealPrice, now: Date): Meal | null {
  const past = day < todayInParis(now);
  if (past && day < addDays(todayInParis(now), -joinedDaysAgo(pupil))) return null;
  const words = `${pupil.name} ${pupil.registration} ${day}`;
  const before = workingDaysBefore(day, 1);
  const meal = {
    id: uuidOf(`meal ${words}`),
    pupil,
    day,
    priceCents: price.priceCents,
    priceReason: price.reason,
    orderedAt: orderedFor(day, now),
    cancelUntil: instantOfParis(before, "10:00"),
    servedAt: null,
    endedAt: null,
    chargedCents: null,
    walkIn: null,
  };
  const ordered = comes(pupil, day);
  const drawn = chance(`outcome ${words}`);
  if (!ordered) {
    if (!past || drawn > 0.012) return null;
    // A meal without an order: from the wallet, or in cash.
    const walkIn = drawn < 0.009 ? "hold" : "cash";
    const servedAt = servedOn(day, words);
    const priceReason = walkIn === "cash" ? "Payé en espèces" : price.reason;
    const chargedCents = walkIn === "cash" ? 0 : price.priceCents;
    return {
      ...meal,
      state: "served",
      walkIn,
      servedAt,
      orderedAt: servedAt,
      priceReason,
      chargedCents,
    };
  }
  if (drawn > 0.985) {
    const endedAt = instantOfParis(addDays(before, -1), "18:20");
    if (endedAt < now) return { ...meal, state: "cancelled", endedAt, chargedCents: 0 };
  }
  if (!past) return { ...meal, state: "reserved" };
  if (drawn > 0.975) {
    const endedAt = instantOfParis(day, "08:05");
    return { ...meal, state: "cancelled", endedAt, chargedCents: price.priceCents };
  }
  if (drawn > 0.95) {
    const endedAt = instantOfParis(addDays(day, 1), "02:25");
    return { ...meal, state: "absent", endedAt, chargedCents: price.priceCents };
  }
  return {
    ...meal,
    state: "served",
    servedAt: servedOn(day, words),
    chargedCents: price.priceCents,
  };
}

/** Twelve days before the meal; meals to come a few days ago at the latest. */
function orderedFor(day: string, now: Date): Date {
  const target = instantOfParis(addDays(day, -12), "19:40");
  const latest = new Date(now.getTime() - 4 * dayMs);
  return target < latest ? target : latest;
}

/** Between 11:46 and 13:06. */
const servedOn = (day: string, words: string): Date =>
  new Date(instantOfParis(day, "11:46").getTime() + Math.floor(chance(`at ${words}`) * 4_800_000));

/** Writes the meals of the pupils of a canteen around today; returns how many. */
export async function feedSchool(
  tx: Tx,
  pupils: readonly Pupil[],
  input: { canteenId: string; days: readonly string[]; servedBy: number; at: Date },
): Promise<number> {
  const { canteenId, days, servedBy, at } = input;
  const today = todayInParis(at);
  const prices = await pricesFor(
    tx,
    pupils.map(({ registration }) => registration),
    today,
  );
  const meals = days.flatMap((day) =>
    pupils.flatMap((pupil) => {
      const price = prices.get(pupil.registration);
      const meal = price && planMeal(pupil, day, price, at);
      return meal ? [meal] : [];
    }),
  );
  await payIn(tx, meals, at);
  await chargePast(tx, meals);
  const holds = await holdPrices(tx, meals);
  for (let from = 0; from < meals.length; from += batch) {
    await writeOrders(tx, canteenId, meals.slice(from, from + batch), holds);
  }
  await writeScans(tx, { canteenId, servedBy }, meals);
  await sql`insert into canteen_day (canteen_id, on_day, seats, taken)
    select o.canteen_id, o.on_day, c.seats, count(*) from meal_order o
    join canteen c on c.id = o.canteen_id
    where c.id = ${canteenId} and o.state in ('reserved', 'validated', 'served', 'absent')
    group by 1, 2, 3
    on conflict (canteen_id, on_day) do update set taken = excluded.taken`.execute(tx);
  return meals.length;
}

const costOf = ({ chargedCents, priceCents }: Meal): number => chargedCents ?? priceCents;

/** Pays into each wallet the cost of its meals, and ten euros or more. */
async function payIn(tx: Tx, meals: readonly Meal[], at: Date): Promise<void> {
  const topUps = [...Map.groupBy(meals, ({ pupil }) => pupil)].map(([pupil, some]) => {
    const cents = some.reduce((sum, meal) => sum + costOf(meal), 0);
    return {
      id: uuidOf(`top-up ${pupil.registration}`),
      charge: uuidOf(`charge ${pupil.registration}`),
      wallet_id: pupil.walletId,
      account_id: pupil.accountId,
      person_id: pupil.guardianId,
      amount_cents: Math.ceil(cents / 1000) * 1000 + 1000,
      // Before the first order, which is twelve days before its meal.
      at: new Date(at.getTime() - (joinedDaysAgo(pupil) + 14) * dayMs),
    };
  });
  await sql`insert into top_up (id, wallet_id, person_id, amount_cents, state, provider, provider_ref,
      created_at, updated_at, credited_at)
    select id, wallet_id, person_id, amount_cents, 'credited', 'sandbox', charge, at, at, at
    from jsonb_to_recordset(${JSON.stringify(topUps)}::jsonb) as t (id uuid, charge text,
      wallet_id bigint, person_id bigint, amount_cents bigint, at timestamptz)`.execute(tx);
  const sandbox = await schemeAccount(tx, "payments:sandbox");
  await post(
    tx,
    topUps.map(({ charge, account_id, amount_cents, at: paidAt }) => ({
      key: `charge:sandbox:${charge}`,
      debitAccount: sandbox,
      creditAccount: account_id,
      amountCents: amount_cents,
      kind: "top_up",
      memo: { label: "Recharge par carte bancaire" },
      at: paidAt,
    })),
  );
}

const label = ({ pupil, day }: Meal) => `Repas, ${pupil.name}, le ${formatDate(day)}`;

/** Spends the cost of past meals. */
async function chargePast(tx: Tx, meals: readonly Meal[]): Promise<void> {
  const account = await schemeAccount(tx, "meals");
  const charged = meals.filter(({ chargedCents }) => chargedCents !== null && chargedCents > 0);
  for (let from = 0; from < charged.length; from += batch) {
    await post(
      tx,
      charged.slice(from, from + batch).map((meal) => ({
        key: mealKey(actOf(meal), meal.id),
        debitAccount: meal.pupil.accountId,
        creditAccount: account,
        amountCents: costOf(meal),
        kind: "meal",
        memo: { label: label(meal) },
        at: meal.servedAt ?? meal.endedAt ?? meal.orderedAt,
      })),
    );
  }
}

function actOf({ walkIn, state }: Meal): Parameters<typeof mealKey>[0] {
  if (walkIn) return "walk-in";
  return state === "absent" || state === "cancelled" ? state : "served";
}

/** Holds the price of each meal to come; returns the ids by meal. */
async function holdPrices(tx: Tx, meals: readonly Meal[]): Promise<Map<string, number>> {
  const account = await schemeAccount(tx, "meals");
  const held = meals.filter(({ state, priceCents }) => state === "reserved" && priceCents > 0);
  const ids = new Map<string, number>();
  for (let from = 0; from < held.length; from += batch) {
    const some = held.slice(from, from + batch);
    const holds = await holdAll(
      tx,
      some.map((meal) => ({
        key: `meal:${meal.id}:0`,
        debitAccount: meal.pupil.accountId,
        creditAccount: account,
        amountCents: meal.priceCents,
        kind: "meal",
        memo: { label: label(meal), on: meal.day },
        at: meal.orderedAt,
      })),
    );
    for (const [index, { id }] of holds.entries()) ids.set((some[index] as Meal).id, id);
  }
  return ids;
}

async function writeOrders(
  tx: Tx,
  canteenId: string,
  meals: readonly Meal[],
  holds: ReadonlyMap<string, number>,
): Promise<void> {
  const rows = meals.map((meal) => ({
    id: meal.id,
    registration_id: meal.pupil.registration,
    person_id: meal.pupil.personId,
    ordered_by: meal.walkIn ? meal.pupil.personId : meal.pupil.guardianId,
    on_day: meal.day,
    state: meal.state,
    price_cents: meal.priceCents,
    price_reason: meal.priceReason,
    cancel_until: meal.walkIn ? null : meal.cancelUntil,
    percent: meal.walkIn ? 0 : 100,
    wallet_id: meal.walkIn === "cash" ? null : meal.pupil.walletId,
    hold_id: holds.get(meal.id) ?? null,
    ordered_at: meal.orderedAt,
    served_at: meal.servedAt,
    ended_at: meal.endedAt,
    charged_cents: meal.chargedCents,
  }));
  await sql`
    insert into meal_order (id, canteen_id, registration_id, person_id, ordered_by, on_day, state,
      price_cents, price_reason, cancel_until, late_cancel_percent, absence_percent, wallet_id,
      hold_ids, ordered_at, served_at, ended_at, charged_cents)
    select id, ${canteenId}, registration_id, person_id, ordered_by, on_day, state, price_cents,
      price_reason, cancel_until, percent, percent, wallet_id,
      array_remove(array[hold_id], null), ordered_at, served_at, ended_at, charged_cents
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as t (id uuid, registration_id uuid,
      person_id bigint, ordered_by bigint, on_day date, state text, price_cents int, price_reason text,
      cancel_until timestamptz, percent smallint, wallet_id bigint, hold_id bigint,
      ordered_at timestamptz, served_at timestamptz, ended_at timestamptz, charged_cents int)
    order by on_day, person_id`.execute(tx);
}

/** Writes the counter's scans of walk-ins on past days. */
async function writeScans(
  tx: Tx,
  { canteenId, servedBy }: { canteenId: string; servedBy: number },
  meals: readonly Meal[],
): Promise<void> {
  const rows = meals
    .filter(({ walkIn }) => walkIn !== null)
    .map(({ id, pupil, day, walkIn, servedAt }) => ({
      id: uuidOf(`scan ${id}`),
      on_day: day,
      person_id: pupil.personId,
      order_id: id,
      walk_in: walkIn,
      at: servedAt,
    }));
  await sql`insert into meal_scan (id, canteen_id, on_day, person_id, order_id, verdict, walk_in,
      scanned_by, scanned_at, received_at)
    select id, ${canteenId}, on_day, person_id, order_id, 'no_order', walk_in, ${servedBy}, at, at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as t (id uuid, on_day date,
      person_id bigint, order_id uuid, walk_in text, at timestamptz)`.execute(tx);
}
