// The prices that a canteen offers: added, and ended so that orders made at them keep them.
import { sql } from "kysely";
import type { Parsed } from "#contract/endpoint.ts";
import { termsKey } from "#contract/kitchen/prices.ts";
import type { CanteenPrice, canteenRules } from "#contract/kitchen/rules.ts";
import { addDays, parisDay } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { inCompanyTx } from "#server/companies/companies.ts";
import type { Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { requirePrinted } from "#server/http/printed-letters.ts";
import { auditAct } from "#server/identity/identity.ts";
import type { CanteenCall } from "./canteens.ts";
import { notifyPriceChanges } from "./price-changes.ts";
import { isOfferedFrom, offeredPrices } from "./prices.ts";
import { lockCanteens } from "./rules.ts";

/** Offers a price; refuses `meal_price_twin` where an offered one has the same conditions. */
export function addPrice(
  call: CanteenCall<Parsed<typeof canteenRules.addPrice>>,
): Promise<{ message: string }> {
  const {
    deps,
    canteen: { id },
    input,
  } = call;
  return inCompanyTx(call, async (tx) => {
    const at = deps.now();
    requirePrinted(input.name, "le nom du tarif", "name");
    await lockCanteens(tx, [id]);
    const found = await query(tx).maybeOne(sql<{ name: string }>`
      select p.name from canteen_price p
      where p.canteen_id = ${id} and ${isOfferedFrom(parisDay(at))} and audience = ${input.audience}
        and quotient_max is not distinct from ${input.quotientMax}::int
        and children_min is not distinct from ${input.childrenMin}::int
        and lower(btrim(town)) is not distinct from lower(btrim(${input.town}::text))
        and class is not distinct from ${input.class}::text limit 1`);
    if (found) throw new Problem("meal_price_twin", { name: found.name });
    await sql`insert into canteen_price (canteen_id, name, audience, quotient_max, children_min, town,
        class, price_cents)
      values (${id}, btrim(${input.name}), ${input.audience}, ${input.quotientMax},
        ${input.childrenMin}, btrim(${input.town}), ${input.class}, ${input.priceCents})`.execute(
      tx,
    );
    const details = { name: input.name, priceCents: input.priceCents };
    await auditAct(tx, call, "canteen.price", { details, at });
    return { message: "Le tarif est ajouté. Il vaut pour les prochaines commandes." };
  });
}

/**
 * Ends a price and the announced change that follows it. A price that has not begun is itself such a change:
 * it alone is withdrawn, the price before it goes on, and the people who were told of it are told. Refuses
 * `not_found` for a price that the canteen does not offer.
 */
export function endPrice(call: CanteenCall<{ price: string }>): Promise<{ message: string }> {
  const {
    deps,
    canteen: { id },
    input,
  } = call;
  return inCompanyTx(call, async (tx) => {
    const at = deps.now();
    const today = parisDay(at);
    await lockCanteens(tx, [id]);
    const offered = (await offeredPrices(tx, [id], today)).map((one) => one.price);
    const price = offered.find((one) => one.id === input.price);
    if (!price) throw new Problem("not_found");
    const ended = { details: { name: price.name }, at };
    const { fromOn } = price;
    if (fromOn !== null && fromOn > today) {
      await notifyPriceChanges(tx, deps, { canteens: [id], from: fromOn, at }, () =>
        takeBack(tx, offered, price, { fromOn, at }),
      );
      await auditAct(tx, call, "canteen.price_end", ended);
      return { message: "Le changement est annulé. Le prix d’avant continue." };
    }
    const wholeLine = offered.filter((one) => termsKey(one) === termsKey(price));
    await endPrices(tx, wholeLine, at);
    await auditAct(tx, call, "canteen.price_end", ended);
    return { message: "Le tarif est terminé. Les repas déjà commandés gardent leur prix." };
  });
}

/** Ends a price that has not begun; the one before it applies as long as it would have. */
async function takeBack(
  tx: Tx,
  offered: readonly CanteenPrice[],
  price: CanteenPrice,
  { fromOn, at }: { fromOn: string; at: Date },
): Promise<void> {
  const before = offered.find(
    (one) => termsKey(one) === termsKey(price) && one.untilOn === addDays(fromOn, -1),
  );
  await endPrices(tx, [price], at);
  if (before) {
    await sql`update canteen_price set until_on = ${price.untilOn}::date
      where id = ${before.id}`.execute(tx);
  }
}

async function endPrices(tx: Tx, prices: readonly CanteenPrice[], at: Date): Promise<void> {
  await sql`update canteen_price set ended_at = ${at}
    where id = any (${prices.map(({ id }) => id)}::uuid[])`.execute(tx);
}
