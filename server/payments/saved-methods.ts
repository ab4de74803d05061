// Payment methods saved at the provider for a person. The portal stores only the provider's id and the label
// by which a person recognises it.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { payments } from "#contract/limits.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { Deps } from "#server/process/deps.ts";
import type { Charge, Provider, ProviderName } from "./provider.ts";

/** The job that charges a saved payment method. */
export const chargeTask = "charge_payment_method";

/**
 * Enqueues the charge of a top-up to its saved payment method, made once after the transaction has committed.
 */
export const enqueueCharge = async (
  tx: Tx,
  { enqueue }: Pick<Deps, "enqueue">,
  topUpId: string,
): Promise<void> => enqueue(tx, chargeTask, { topUp: topUpId }, { key: `charge:${topUpId}` });

/**
 * The charge of a top-up on a saved payment method: made, or found where an answer was lost. A repeated call
 * finds the same charge, by its key for as long as the provider remembers that, then in the provider's
 * records; null when those have none. Throws when the provider is out of reach.
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
  savedAt: Date;
}

/** The payment methods saved for a person, the newest first. */
export async function paymentMethodsOf(db: Db, personId: number): Promise<PaymentMethod[]> {
  return await db
    .selectFrom("paymentMethod")
    .select(["id", "label", "savedAt"])
    .where("personId", "=", personId)
    .where("forgottenAt", "is", null)
    .orderBy("savedAt", "desc")
    .orderBy("id")
    .execute();
}

/**
 * Deletes a payment method of one's own, in the caller's transaction, then at the provider; `not_found` for
 * another's. Of two calls the second finds nothing.
 */
export async function forgetPaymentMethod(tx: Tx, personId: number, id: string, at: Date) {
  const found = await query(tx).maybeOne(sql<{ provider: ProviderName; ref: string }>`
    update payment_method set forgotten_at = ${at}
     where id = ${id} and person_id = ${personId} and forgotten_at is null
    returning provider, ref`);
  if (!found) throw new Problem("not_found");
  return found;
}
