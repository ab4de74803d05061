// The QR code of an order: shown at the counter in place of the card.
import { sql } from "kysely";
import { query } from "#server/db/query.ts";
import type { canteenOrders } from "#contract/meals/orders.ts";
import { type CardState } from "#contract/cards/rows.ts";
import { mealOrderCan, type MealOrderState } from "#contract/meals/states.ts";
import { addDays, parisDay, startOfDay } from "#contract/days.ts";
import type { Output } from "#contract/endpoint.ts";
import { Problem } from "#contract/errors.ts";
import { mayActFor } from "#server/family/family.ts";
import type { PersonCall } from "#server/http/caller.ts";
import { codeSigner } from "#server/signed-codes/signed-codes.ts";

/**
 * The signed token of a meal of the caller or their children, valid on its day. It names the order: once that
 * is served, cancelled or of another day, the counter says so. Refuses `not_found`, `meal_state`, and
 * `meal_card_suspended` or `meal_card_opposed`: the counter then serves by name.
 */
export async function qrOfOrder({
  deps,
  caller,
  input,
}: PersonCall<{ order: string }>): Promise<Output<typeof canteenOrders.orderQr>> {
  const order = await query(deps.db).maybeOne(sql<{
    state: MealOrderState;
    day: string;
    card: CardState | null;
  }>`
    select o.state, to_char(o.on_day, 'YYYY-MM-DD') as day,
      (select state from current_card(o.person_id)) as card
    from meal_order o
    where o.id = ${input.order} and ${mayActFor(caller.personId, sql.ref("o.person_id"))}`);
  if (!order) throw new Problem("not_found");
  if (!mealOrderCan.hold(order) || order.day < parisDay(deps.now())) {
    throw new Problem("meal_state");
  }
  if (order.card === "suspended") throw new Problem("meal_card_suspended");
  if (order.card === "opposed") throw new Problem("meal_card_opposed");
  const [from, until] = [startOfDay(order.day), startOfDay(addDays(order.day, 1))];
  const token = (await codeSigner(deps.db, "meal"))({ id: input.order, revision: 0, from, until });
  return { token, day: order.day };
}
