// An ordered meal as whatever changes it needs it: locked with its service and the accounts of its holds, under
// the key of its transfers; and the open screens that a change refreshes.
import { type RawBuilder, sql } from "kysely";
import { formatDayInWords } from "#contract/french.ts";
import type { MealOrderState } from "#contract/meals/states.ts";
import type { Tx } from "#server/db/db.ts";
import { withGuardians } from "#server/family/family.ts";
import { lockAccounts } from "#server/ledger/ledger.ts";
import { publishChange } from "#server/notifications/notifications.ts";
import { lockServicesOfMeals } from "./services.ts";

/** An ordered meal as its transitions need it, locked. */
export interface MealOrder {
  id: string;
  number: number;
  canteenId: string;
  canteen: string;
  registrationId: string;
  personId: number;
  person: string;
  orderedBy: number;
  onDay: string;
  state: MealOrderState;
  priceCents: number;
  walletId: number | null;
  holdIds: number[];
  cancelUntil: Date | null;
  lateCancelPercent: number;
  absencePercent: number;
  validatedAt: Date | null;
  servedAt: Date | null;
  endedAt: Date | null;
  chargedCents: number | null;
}

/**
 * Locks those of the meals `o` that exist and meet a condition until the transaction ends, in the order of
 * their numbers, then the accounts of their holds. Whoever releases their seats locks the services first:
 * `lockMealsWithSeats`.
 */
export async function lockMeals(
  tx: Tx,
  ids: readonly string[],
  condition: RawBuilder<boolean> = sql<boolean>`true`,
): Promise<MealOrder[]> {
  const { rows } = await sql<MealOrder>`
    select o.id, o.number, o.canteen_id, c.name as canteen,
      o.registration_id, o.person_id, p.name as person,
      o.ordered_by, o.on_day, o.state, o.price_cents,
      o.wallet_id, to_json(o.hold_ids) as hold_ids, o.cancel_until,
      o.late_cancel_percent, o.absence_percent,
      o.validated_at, o.served_at, o.ended_at,
      o.charged_cents
    from meal_order o join canteen c on c.id = o.canteen_id join person p on p.id = o.person_id
    where o.id = any (${ids}::uuid[]) and ${condition} order by o.number for update of o`.execute(
    tx,
  );
  await lockAccountsOf(
    tx,
    rows.flatMap(({ holdIds }) => holdIds),
  );
  return rows;
}

/** The same, once the services of the meals are locked. */
export async function lockMealsWithSeats(
  tx: Tx,
  ids: readonly string[],
  condition: RawBuilder<boolean> = sql<boolean>`true`,
): Promise<MealOrder[]> {
  await lockServicesOfMeals(tx, ids, condition);
  return await lockMeals(tx, ids, condition);
}

// The wallets' accounts before the scheme's, as paying a meal locks them.
async function lockAccountsOf(tx: Tx, holdIds: readonly number[]): Promise<void> {
  if (holdIds.length === 0) return;
  const { rows } = await sql<{ id: number }>`select distinct debit_account as id from hold
    where id = any (${holdIds}::bigint[])`.execute(tx);
  await lockAccounts(
    tx,
    rows.map(({ id }) => id),
  );
}

/**
 * Key of a transfer that a meal causes. All of them name the order second, so that the statement of a
 * provider can be read from the ledger alone (server/meal-service/statement.ts).
 */
export const mealKey = (
  act: "served" | "unserved" | "rest" | "absent" | "cancelled" | "walk-in" | "walk-in-undone",
  orderId: string,
  holdId?: number,
): string => `meal-${act}:${orderId}${holdId === undefined ? "" : `:${holdId}`}`;

export const mealMemo = ({ person, canteen, onDay }: MealNamed) => ({
  label: `Repas du ${formatDayInWords(onDay)}, ${person}, ${canteen}`,
});
type MealNamed = Pick<MealOrder, "person" | "canteen" | "onDay">;

type ReadersOfMeal = Pick<MealOrder, "personId" | "orderedBy" | "canteenId">;

/** Refreshes the open screens of the family and the provider of a meal. */
export const pushMealChange = (tx: Tx, order: ReadersOfMeal): Promise<void> =>
  pushMealChanges(tx, [order]);

/**
 * The same for several meals: of each the person, the guardians of a child, whoever ordered it, and whoever
 * runs the canteen.
 */
export async function pushMealChanges(tx: Tx, orders: readonly ReadersOfMeal[]): Promise<void> {
  if (orders.length === 0) return;
  const eaters = await withGuardians(
    tx,
    orders.map(({ personId }) => personId),
  );
  const readers = new Set([...eaters, ...orders.map(({ orderedBy }) => orderedBy)]);
  await publishChange(tx, [...readers], "meals", "wallets");
  await pushProviderChanges(tx, orders);
}

/** Refreshes the open screens of whoever runs a canteen. */
export const pushProviderChange = (tx: Tx, order: Pick<MealOrder, "canteenId">): Promise<void> =>
  pushProviderChanges(tx, [order]);

async function pushProviderChanges(
  tx: Tx,
  orders: readonly Pick<MealOrder, "canteenId">[],
): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select distinct m.person_id as id from canteen c
    join canteen_provider provider on provider.id = c.provider_id
    join partner on partner.id = provider.partner_id
    join company_member m on m.company_id = partner.company_id
    where c.id = any (${orders.map(({ canteenId }) => canteenId)}::uuid[])`.execute(tx);
  await publishChange(
    tx,
    rows.map(({ id }) => id),
    "meals",
    "service",
  );
}
