// Payment methods that the provider keeps for a person. Ours is only the provider's name of one and the
// words by which a person knows it.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import type { Db, Tx } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import type { ProviderName } from "./provider.ts";

/** The job that charges a kept payment method. */
export const chargeTask = "charge_payment_method";

/** Has a top-up charged to its kept payment method once the transaction has committed, once. */
export const enqueueCharge = async (
  tx: Tx,
  { enqueue }: Pick<Deps, "enqueue">,
  topUpId: string,
): Promise<void> => enqueue(tx, chargeTask, { topUp: topUpId }, { key: `charge:${topUpId}` });

interface PaymentMethod {
  id: string;
  label: string;
  keptAt: Date;
}

/** What a person keeps at the provider, the newest first. */
export async function paymentMethodsOf(db: Db, personId: number): Promise<PaymentMethod[]> {
  return await db
    .selectFrom("payment_method")
    .select(["id", "label", "kept_at as keptAt"])
    .where("person_id", "=", personId)
    .where("forgotten_at", "is", null)
    .orderBy("kept_at", "desc")
    .orderBy("id")
    .execute();
}

/**
 * Forgets a payment method of one's own, in the caller's transaction, then at the provider;
 * `not_found` for another's. The second call of two finds nothing.
 */
export async function forgetPaymentMethod(tx: Tx, personId: number, id: string, at: Date) {
  const { rows: found } = await sql<{ provider: ProviderName; ref: string }>`
    update payment_method set forgotten_at = ${at}
     where id = ${id} and person_id = ${personId} and forgotten_at is null
    returning provider, ref`.execute(tx);
  if (!found[0]) throw new Problem("not_found");
  return found[0];
}
