// The prices that a canteen offers: added, and ended so that orders made at them keep them.
import { companyCan } from "#contract/companies/roles.ts";
import { sql } from "kysely";
import type { Parsed } from "#contract/endpoint.ts";
import type { canteenRules } from "#contract/canteen/rules.ts";
import { Problem } from "#contract/errors.ts";
import { inTx } from "#server/db/db.ts";
import type { AuditedCall } from "#server/http/caller.ts";
import { requirePrinted } from "#server/http/printed-letters.ts";
import { audit } from "#server/identity/identity.ts";
import { requireOwnCanteen } from "./canteens.ts";
import { lockCanteen } from "./rules.ts";

/** Offers a price; refuses `meal_price_twin` where one that is offered has the same conditions. */
export function addPrice(
  act: AuditedCall<Parsed<typeof canteenRules.addPrice>>,
): Promise<{ message: string }> {
  const { deps, caller, input, origin } = act;
  return inTx(deps.db, async (tx) => {
    const at = deps.now();
    const { id } = await requireOwnCanteen(tx, caller.personId, input.canteen, companyCan.decide);
    requirePrinted(input.name, "le nom du tarif", "name");
    await lockCanteen(tx, id);
    const { rows } = await sql<{ name: string }>`
      select name from canteen_price
      where canteen_id = ${id} and ended_at is null and audience = ${input.audience}
        and quotient_max is not distinct from ${input.quotientMax}::int
        and children_min is not distinct from ${input.childrenMin}::int
        and lower(btrim(town)) is not distinct from lower(btrim(${input.town}::text))
        and class is not distinct from ${input.class}::text limit 1`.execute(tx);
    if (rows[0]) throw new Problem("meal_price_twin", { name: rows[0].name });
    await sql`insert into canteen_price (canteen_id, name, audience, quotient_max, children_min, town,
        class, price_cents)
      values (${id}, btrim(${input.name}), ${input.audience}, ${input.quotientMax},
        ${input.childrenMin}, btrim(${input.town}), ${input.class}, ${input.priceCents})`.execute(
      tx,
    );
    const line = { personId: caller.personId, actor: "person", address: origin.address };
    const details = { name: input.name, priceCents: input.priceCents };
    await audit(tx, { ...line, action: "canteen.price", details, at });
    return { message: "Le tarif est ajouté. Il vaut pour les prochaines commandes." };
  });
}

/** Ends a price; `not_found` for one that is not offered by the canteen, or no longer. */
export function endPrice(
  act: AuditedCall<{ canteen: string; price: string }>,
): Promise<{ message: string }> {
  const { deps, caller, input, origin } = act;
  return inTx(deps.db, async (tx) => {
    const at = deps.now();
    const { id } = await requireOwnCanteen(tx, caller.personId, input.canteen, companyCan.decide);
    const { rows } = await sql<{ name: string }>`
      update canteen_price set ended_at = ${at}
      where id = ${input.price} and canteen_id = ${id} and ended_at is null returning name`.execute(
      tx,
    );
    if (!rows[0]) throw new Problem("not_found");
    const line = { personId: caller.personId, actor: "person", address: origin.address };
    await audit(tx, { ...line, action: "canteen.price_end", details: rows[0], at });
    return { message: "Le tarif est terminé. Les repas déjà commandés gardent leur prix." };
  });
}
