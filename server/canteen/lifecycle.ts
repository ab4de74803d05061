// Transitions of an ordered meal: validated, served, its serving undone, refused. Money, state, seat and
// announcement change in one transaction; the counter, the follow-up and the end of the day call the same
// functions.
import { type RawBuilder, sql } from "kysely";
import { firstName, formatDayInWords, formatMoney, ofName } from "#contract/french.ts";
import { mealOrderCan, type MealOrderState } from "#contract/canteen/states.ts";
import { Problem } from "#contract/errors.ts";
import { canteen as limits } from "#contract/limits.ts";
import type { Tx } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import { withGuardians } from "#server/family/family.ts";
import {
  hold,
  lockAccounts,
  postHold,
  postedUnder,
  reverseGroup,
  voidHolds,
} from "#server/ledger/ledger.ts";
import { asSentence, publishChange } from "#server/notifications/notifications.ts";
import { schemeAccount, spend } from "#server/wallet/wallet.ts";
import { announceMeal } from "./announcements.ts";
import { freeSeat, lockServicesOfMeals } from "./services.ts";

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

/** The provider accepts an order; refuses `meal_state`. */
export async function validateMeal(tx: Tx, order: MealOrder, { at }: { at: Date }): Promise<void> {
  if (!mealOrderCan.validate(order)) throw new Problem("meal_state");
  await sql`update meal_order set state = 'validated', validated_at = ${at}
    where id = ${order.id}`.execute(tx);
  await pushMealChange(tx, order);
}

/**
 * Serves the meal: its hold is spent; of a meal already closed as absent, the part that the absence did not
 * cost, and the family is told. Refuses `meal_state`, and what `spend` refuses.
 */
export async function serveMeal(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  order: MealOrder,
  { at }: { at: Date },
): Promise<void> {
  if (!mealOrderCan.serve(order)) throw new Problem("meal_state");
  if (mealOrderCan.hold(order)) {
    for (const holdId of order.holdIds) {
      await postHold(tx, holdId, { key: mealKey("served", order.id, holdId), at });
    }
  } else {
    const restCents = await chargeRemainder(tx, order, at);
    await tellServedLate(tx, deps, order, { restCents, at });
  }
  await sql`update meal_order set state = 'served', served_at = ${at},
    charged_cents = ${order.priceCents} where id = ${order.id}`.execute(tx);
  await pushMealChange(tx, order);
}

/**
 * Key of a transfer that a meal causes. All of them name the order second, so that the statement of a
 * provider can be read from the ledger alone (statement.ts).
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

/** Spends what an absence did not cost; returns how many cents. */
async function chargeRemainder(tx: Tx, order: MealOrder, at: Date): Promise<number> {
  const amountCents = order.priceCents - (order.chargedCents ?? 0);
  if (amountCents <= 0 || order.walletId === null) return 0;
  await spend(tx, {
    walletId: order.walletId,
    amountCents,
    to: await schemeAccount(tx, "meals"),
    kind: "meal",
    key: mealKey("rest", order.id),
    memo: mealMemo(order),
    at,
  });
  return amountCents;
}

/** Tells the family that a meal announced as an absence was served after all. */
async function tellServedLate(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  { onDay, person, personId, canteen }: MealOrder,
  { restCents, at }: { restCents: number; at: Date },
): Promise<void> {
  const spent =
    restCents > 0
      ? `${formatMoney(restCents)} de plus sont dépensés`
      : "Rien de plus n’est dépensé";
  await announceMeal(tx, deps, [personId], {
    title: "Repas servi, et non absence",
    body: `${canteen} a corrigé l’absence ${ofName(firstName(person))}, ${formatDayInWords(onDay)}\u202f: le repas a été servi. ${spent}. Une erreur\u202f? Écrivez-nous depuis Contact.`,
    at,
  });
}

/**
 * Undoes a serving: the money returns to the lots it came from and is held again. Refuses `meal_undo_late`
 * once five minutes have passed, `meal_state` for a meal that is not served or that the end of the day had
 * closed.
 */
export async function unserveMeal(tx: Tx, order: MealOrder, { at }: { at: Date }): Promise<void> {
  if (order.state !== "served" || order.servedAt === null || order.endedAt !== null) {
    throw new Problem("meal_state");
  }
  if (!isUndoable(order.servedAt, at)) throw new Problem("meal_undo_late");
  const holdIds = [];
  for (const holdId of order.holdIds) holdIds.push(await holdAgain(tx, order, { holdId, at }));
  const state = order.validatedAt ? "validated" : "reserved";
  await sql`update meal_order set state = ${state}, served_at = null, charged_cents = null,
    hold_ids = ${holdIds}::bigint[] where id = ${order.id}`.execute(tx);
  await pushMealChange(tx, order);
}

/** Whether an action of the counter can still be undone. */
export const isUndoable = (done: Date, at: Date): boolean =>
  at.getTime() - done.getTime() <= limits.undoSeconds * 1000;

async function holdAgain(
  tx: Tx,
  order: MealOrder,
  { holdId, at }: { holdId: number; at: Date },
): Promise<number> {
  const servedKey = mealKey("served", order.id, holdId);
  const spent = (await postedUnder(tx, servedKey))[0];
  if (!spent) throw new Problem("meal_state");
  const reason = "Passage annulé au comptoir";
  await reverseGroup(tx, servedKey, {
    key: mealKey("unserved", order.id, holdId),
    kind: "refund",
    reason,
    at,
  });
  const held = await hold(tx, {
    key: `meal-again:${holdId}`,
    debitAccount: spent.debitAccount,
    creditAccount: spent.creditAccount,
    amountCents: spent.amountCents,
    kind: "meal",
    memo: mealMemo(order),
    at,
  });
  return held.id;
}

/**
 * The provider refuses an order: its hold and its seat are released, and the family is told why. Refuses
 * `meal_state`.
 */
export async function refuseMeal(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  order: MealOrder,
  { reason, at }: { reason: string; at: Date },
): Promise<void> {
  if (!mealOrderCan.refuse(order)) throw new Problem("meal_state");
  await voidHolds(tx, order.holdIds, at);
  await sql`update meal_order set state = 'refused', ended_at = ${at}, end_reason = ${reason},
    charged_cents = 0 where id = ${order.id}`.execute(tx);
  await freeSeat(tx, deps, order, at);
  const day = formatDayInWords(order.onDay);
  const whose = `${ofName(firstName(order.person))}, ${day},`;
  await announceMeal(tx, deps, [order.personId, order.orderedBy], {
    title: "Repas refusé",
    body: `${order.canteen} refuse le repas ${whose} pour ce motif\u202f: ${asSentence(reason)} Rien n’est dépensé.`,
    at,
    alsoOutside: true,
  });
  await pushProviderChange(tx, order);
}

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
