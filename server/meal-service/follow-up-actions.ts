// Actions of a provider on several meals at once: applied to each meal whose state permits it; the others are
// named.
import { sql } from "kysely";
import type { MealsActionResult } from "#contract/meal-service/follow-up.ts";
import { isServedTooLate } from "#contract/kitchen/service-day.ts";
import { mealOrderCan, mealOrderStateNames } from "#contract/meals/states.ts";
import { parisDay } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { formatDayInWords, plural } from "#contract/french.ts";
import { canteen as limits } from "#contract/limits.ts";
import { inCompanyTx } from "#server/companies/companies.ts";
import { inSavepoint, type Tx } from "#server/db/db.ts";
import { problemOf } from "#server/http/errors.ts";
import { auditAct } from "#server/identity/identity.ts";
import type { CanteenCall } from "#server/kitchen/kitchen.ts";
import { walkedIn } from "./follow-up.ts";
import { refuseMeal, serveMeal, unserveMeal, validateMeal } from "./meal-service.ts";
import { lockMealsWithSeats, type MealOrder } from "#server/meals/meals.ts";

type SomeMeals = CanteenCall<{ orders: readonly string[] }>;

interface MealAction {
  action: "meal.validate" | "meal.serve" | "meal.unserve" | "meal.refuse";
  /** The condition on the state of a meal. */
  may: (order: MealOrder) => boolean;
  act: (tx: Tx, order: MealOrder) => Promise<void>;
  /** « servi », « servis ». */
  words: readonly [one: string, many: string];
}

/**
 * Applies an action to each of the meals of a canteen, with a line of the audit for each. A meal that it
 * cannot be applied to stays as it was and is named with the reason; if only one meal was given, its refusal
 * is thrown.
 */
async function runMealAction(
  call: SomeMeals,
  { action, may, act, words }: MealAction,
): Promise<MealsActionResult> {
  const { deps, input, canteen } = call;
  const at = deps.now();
  return await inCompanyTx(call, async (tx) => {
    const ids = [...new Set(input.orders)];
    const atCanteen = sql<boolean>`o.canteen_id = ${canteen.id}`;
    const orders = await lockMealsWithSeats(tx, ids, atCanteen);
    if (orders.length !== ids.length) throw new Problem("not_found");
    const stopped: MealsActionResult["stopped"] = [];
    for (const order of orders) {
      const problem = await refusalOf(tx, async () => {
        if (!may(order)) {
          throw new Problem("meal_state_now", { state: mealOrderStateNames[order.state] });
        }
        await act(tx, order);
        await auditAct(tx, call, action, {
          personId: order.personId,
          as: "provider",
          details: { number: order.number },
          at,
        });
      });
      if (!problem) continue;
      if (orders.length === 1) throw problem;
      const { id: stoppedId, person, onDay } = order;
      stopped.push({ order: stoppedId, name: person, day: onDay, why: problem.message });
    }
    const done = orders.length - stopped.length;
    const [one, many] = words;
    const message =
      done === 0 ? `Aucun repas ${one}.` : `${plural(done, `repas ${one}`, `repas ${many}`)}.`;
    return { message, stopped };
  });
}

/** Runs one part of a transaction; if it is refused, that part is undone and the refusal is returned. */
async function refusalOf(tx: Tx, part: () => Promise<void>): Promise<Problem | null> {
  try {
    await inSavepoint(tx, part);
    return null;
  } catch (error) {
    const problem = problemOf(error);
    if (problem.code === "internal" || problem.code === "unavailable") throw error;
    return problem;
  }
}

/** Accepts orders. */
export async function validateMeals(call: SomeMeals) {
  const at = call.deps.now();
  return await runMealAction(call, {
    action: "meal.validate",
    may: mealOrderCan.validate,
    act: (tx, order) => validateMeal(tx, order, { at }),
    words: ["validé", "validés"],
  });
}

/** Marks meals as served, first accepting those that the canteen accepts before it serves. */
export async function serveMeals(call: SomeMeals) {
  const { deps, canteen } = call;
  const at = deps.now();
  return await runMealAction(call, {
    action: "meal.serve",
    may: mealOrderCan.serve,
    act: async (tx, order) => {
      if (order.onDay > parisDay(at)) {
        throw new Problem("meal_not_yet", { day: formatDayInWords(order.onDay) });
      }
      if (isServedTooLate(order.onDay, parisDay(at))) {
        const days = String(limits.servedLateDays);
        throw new Problem("meal_past", { day: formatDayInWords(order.onDay), days });
      }
      if (canteen.needsValidation && mealOrderCan.validate(order)) {
        await validateMeal(tx, order, { at });
      }
      await serveMeal(tx, deps, order, { at });
    },
    words: ["servi", "servis"],
  });
}

/** Undoes servings within five minutes. A meal served without an order is undone at the counter. */
export async function unserveMeals(call: SomeMeals) {
  const at = call.deps.now();
  return await runMealAction(call, {
    action: "meal.unserve",
    may: ({ state, endedAt }) => state === "served" && endedAt === null,
    act: async (tx, order) => {
      const { rows } = await sql<{ id: string }>`
        select o.id from meal_order o where o.id = ${order.id} and ${walkedIn}`.execute(tx);
      if (rows.length > 0) throw new Problem("meal_undo_walk_in");
      await unserveMeal(tx, order, { at });
    },
    words: ["remis à servir", "remis à servir"],
  });
}

/** Refuses orders; the families are told the reason. */
export async function refuseMeals(
  call: CanteenCall<{ orders: readonly string[]; reason: string }>,
) {
  const { deps, input } = call;
  const reason = input.reason.trim();
  if (reason === "") throw new Problem("meal_refusal_reason");
  const at = deps.now();
  return await runMealAction(call, {
    action: "meal.refuse",
    may: mealOrderCan.refuse,
    act: (tx, order) => refuseMeal(tx, deps, order, { reason, at }),
    words: ["refusé", "refusés"],
  });
}
