// Transitions of an ordered meal: validated, served, its serving undone, refused. Money, state, seat and
// announcement change in one transaction; the counter, the follow-up and the end of the day call the same
// functions.
import { sql } from "kysely";
import { firstName, formatDayInWords, formatMoney, ofName } from "#contract/french.ts";
import { mealOrderCan } from "#contract/meals/states.ts";
import { Problem } from "#contract/errors.ts";
import { canteen as limits } from "#contract/limits.ts";
import type { Tx } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import { hold, postHold, postedUnder, reverseGroup, voidHolds } from "#server/ledger/ledger.ts";
import { asSentence } from "#server/notifications/notifications.ts";
import { schemeAccount, spend } from "#server/wallet/wallet.ts";
import {
  announceMeal,
  freeSeat,
  mealKey,
  mealMemo,
  type MealOrder,
  pushMealChange,
  pushProviderChange,
} from "#server/meals/meals.ts";

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
