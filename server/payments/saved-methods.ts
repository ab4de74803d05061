// Payment methods that the provider keeps for a person. Ours is only the provider's name of one and the
// words by which a person knows it.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { payments } from "#contract/limits.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { Deps } from "#server/process/deps.ts";
import type { Charge, Provider, ProviderName } from "./provider.ts";

/** The job that charges a kept payment method. */
export const chargeTask = "charge_payment_method";

/** Has a top-up charged to its kept payment method once the transaction has committed, once. */
export const enqueueCharge = async (
  tx: Tx,
  { enqueue }: Pick<Deps, "enqueue">,
  topUpId: string,
): Promise<void> => enqueue(tx, chargeTask, { topUp: topUpId }, { key: `charge:${topUpId}` });

/**
 * The charge of a top-up on a kept payment method: made, or found where an answer was lost. Asked again it is
 * the same one, by its key for as long as the provider remembers that, then in the provider's books; null
 * when those know none. Throws when the provider is out of reach.
 */
export async function chargeSavedMethod(
  { db, now }: Pick<Deps, "db" | "now">,
  provider: Provider,
  id: string,
): Promise<Charge | null> {
  const { amountCents, createdAt, ref, customer, forgotten } = await db
    .selectFrom("topUp as t")
    .innerJoin("paymentMethod as m", "m.id", "t.paymentMethodId")
    .select(["t.amountCents", "t.createdAt", "m.ref", "m.customer"])
    .select(sql<boolean>`m.forgotten_at is not null`.as("forgotten"))
    .where("t.id", "=", id)
    .executeTakeFirstOrThrow();
  const age = (now().getTime() - createdAt.getTime()) / 1000;
  if (!forgotten && age < payments.chargeKeySeconds) {
    const paymentMethod = { ref, customer };
    return await provider.charge({ reference: id, amountCents, paymentMethod });
  }
  const known = await provider.ask({ reference: id, ref: null, offSession: true });
  if (known || !forgotten) return known;
  return { ref: `forgotten:${id}`, reference: id, amountCents, state: "declined" };
}

interface PaymentMethod {
  id: string;
  label: string;
  keptAt: Date;
}

/** What a person keeps at the provider, the newest first. */
export async function paymentMethodsOf(db: Db, personId: number): Promise<PaymentMethod[]> {
  return await db
    .selectFrom("paymentMethod")
    .select(["id", "label", "keptAt"])
    .where("personId", "=", personId)
    .where("forgottenAt", "is", null)
    .orderBy("keptAt", "desc")
    .orderBy("id")
    .execute();
}

/**
 * Forgets a payment method of one's own, in the caller's transaction, then at the provider;
 * `not_found` for another's. The second call of two finds nothing.
 */
export async function forgetPaymentMethod(tx: Tx, personId: number, id: string, at: Date) {
  const found = await query(tx).maybeOne(sql<{ provider: ProviderName; ref: string }>`
    update payment_method set forgotten_at = ${at}
     where id = ${id} and person_id = ${personId} and forgotten_at is null
    returning provider, ref`);
  if (!found) throw new Problem("not_found");
  return found;
}
