// Withdraws an illness: its meals are ordered again, each at its price and under the terms that it had.
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { formatDate } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import type { AuditedCall } from "#server/http/caller.ts";
import { auditAct } from "#server/identity/identity.ts";
import { voidHolds } from "#server/ledger/ledger.ts";
import { reserve, schemeAccount } from "#server/wallet/wallet.ts";
import { announceMeal, announceProvider } from "./announcements.ts";
import { illnessDaysInWords, lockOwnIllness, requireIllnessCan } from "./illness.ts";
import { withdrawProblem } from "./illness-views.ts";
import { lockMealsWithSeats, type MealOrder, pushMealChanges } from "./ordered-meals.ts";
import { useOffers } from "./seat-offers.ts";

/** Withdraws an illness. Refuses as its row lists; the illness then stays unchanged. */
export function withdrawIllness({
  deps,
  caller,
  input,
  origin,
}: AuditedCall<{ illness: string }>): Promise<{ message: string }> {
  return inTx(deps.db, async (tx) => {
    const at = deps.now();
    const illness = await lockOwnIllness(tx, caller.personId, input.illness);
    requireIllnessCan(illness, "withdraw");
    const { rows } = await sql<{ id: string }>`
      select order_id as id from meal_illness_meal where illness_id = ${illness.id}`.execute(tx);
    const orders = await lockMealsWithSeats(
      tx,
      rows.map(({ id }) => id),
    );
    const meals = orders.map(({ onDay }) => ({ day: onDay }));
    const { registrationId, declaredAt: announcedAt } = illness;
    const problem = await withdrawProblem(tx, { registrationId, meals, announcedAt }, at);
    if (problem) throw problem;
    await voidHolds(
      tx,
      orders.flatMap(({ holdIds }) => holdIds),
      at,
    );
    for (const [walletId, some] of Map.groupBy(orders, (order) => order.walletId)) {
      await orderAgain(tx, walletId, some, at);
    }
    await sql`update meal_illness set state = 'withdrawn', answered_at = ${at}
      where id = ${illness.id}`.execute(tx);
    await pushMealChanges(tx, orders);
    const body = `${illness.name} mange de nouveau à la cantine ${illnessDaysInWords(illness)} (${illness.canteen}).`;
    const news = { title: "Absence annulée", body, at };
    await announceMeal(tx, deps, [illness.personId], news);
    const path = linkTo(paths.canteenDesk, {}, { tab: "absences" });
    await announceProvider(tx, deps, illness.providerId, { ...news, path });
    await auditAct(tx, { caller, origin }, "meal.illness_withdraw", {
      personId: illness.personId,
      details: { from: illness.from, to: illness.to },
      at,
    });
    return { message: "L’absence est annulée, les repas sont de nouveau commandés." };
  });
}

/** Writes the meals of one wallet again as new orders, and releases the holds of the former ones. */
async function orderAgain(
  tx: Tx,
  walletId: number | null,
  orders: readonly MealOrder[],
  at: Date,
): Promise<void> {
  const ids = orders.map(() => randomUUID());
  const holds =
    walletId === null
      ? orders.map(() => [])
      : await reserve(tx, {
          walletId,
          items: orders.map(({ priceCents, person, onDay }, index) => ({
            key: `meal:${ids[index]}`,
            amountCents: priceCents,
            memo: { label: `Repas, ${person}, le ${formatDate(onDay)}`, on: onDay },
          })),
          to: await schemeAccount(tx, "meals"),
          kind: "meal",
          at,
        });
  for (const [index, { id, canteenId, onDay, registrationId }] of orders.entries()) {
    await sql`update meal_order set charged_cents = 0 where id = ${id}`.execute(tx);
    const offered = await useOffers(tx, [{ registrationId, day: onDay }], at);
    await sql`update canteen_day set taken = taken + ${offered.get(`${canteenId} ${onDay}`) ? 0 : 1}
      where canteen_id = ${canteenId} and on_day = ${onDay}`.execute(tx);
    await sql`insert into meal_order (id, request_id, canteen_id, registration_id, person_id, ordered_by,
        on_day, state, price_cents, price_reason, cancel_until, late_cancel_percent, absence_percent,
        wallet_id, hold_ids, ordered_at, validated_at, allergens_confirmed_by)
      select ${ids[index]}, request_id, canteen_id, registration_id, person_id, ordered_by, on_day,
        case when validated_at is null then 'reserved' else 'validated' end, price_cents, price_reason,
        cancel_until, late_cancel_percent, absence_percent, wallet_id, ${holds[index] ?? []}::bigint[],
        ${at}, validated_at, allergens_confirmed_by
      from meal_order where id = ${id}`.execute(tx);
  }
}
