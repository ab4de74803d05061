// Review of the proofs of a paid application: accepted, the subscription begins; refused, the whole price is
// refunded to the wallets that paid.
import { sql } from "kysely";
import { parisDay } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { ofName } from "#contract/french.ts";
import { periodWords } from "#contract/subscriptions/period-words.ts";
import { subscriptionCan } from "#contract/subscriptions/states.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { profileOf, recordQuotient } from "#server/entitlements/entitlements.ts";
import { auditOperator } from "#server/identity/identity.ts";
import { asSentence } from "#server/notifications/notifications.ts";
import { startAfter } from "./applications.ts";
import { formulaAt } from "./formulas.ts";
import { conditionsOf, spanFrom } from "./price.ts";
import { syncMembershipDates, lastDayOf, lockSubscription, type SubscriptionRow } from "./rows.ts";
import { announceSubscription } from "./announcements.ts";
import type { OperatorDeps } from "#server/process/room.ts";
import { endAndRefund } from "./cancellation.ts";

async function lockForReview(tx: Tx, number: number): Promise<SubscriptionRow> {
  const found = await query(tx).maybeOne(sql<{ id: string }>`
    select id from subscription where number = ${number}`);
  const row = found ? await lockSubscription(tx, found.id) : null;
  if (!row) throw new Problem("not_found");
  if (!subscriptionCan.review(row)) throw new Problem("subscription_closed");
  return row;
}

/**
 * Accepts the proofs of a paid application: the subscription begins, today or after the current one. The
 * `quotient` on its attestation becomes the household's (server/subscriptions/README.md#files-and-documents).
 * Refuses `not_found`, `subscription_closed`, `proof_incomplete` for an attestation without a quotient,
 * `subscription_conditions` for one above the formula's, `invalid_input` without an attestation. `operator`
 * is the name recorded in the audit trail.
 */
export function approveProofs(
  deps: OperatorDeps,
  number: number,
  { operator, quotient }: { operator: string; quotient: number | null },
): Promise<SubscriptionRow> {
  return inTx(deps.db, async (tx) => {
    const at = deps.now();
    const row = await lockForReview(tx, number);
    const formula = await formulaAt(tx, row.formula, row.formulaVersion);
    const lastDay = await lastDayOf(tx, row.personId);
    const { startsOn, endsOn } = spanFrom(formula, startAfter(lastDay, parisDay(at)));
    await recordHouseholdQuotient(tx, row, { quotient, operator, at });
    const profile = await profileOf(tx, row.personId, startsOn);
    if (
      conditionsOf(formula, profile).some(({ kind, met }) => kind === "quotient" && met === "no")
    ) {
      throw new Problem("subscription_conditions");
    }
    await sql`update subscription set state = 'active', starts_on = ${startsOn},
      ends_on = ${endsOn}, changed_at = ${at} where id = ${row.id}`.execute(tx);
    await syncMembershipDates(tx, row.id);
    await auditOperator(tx, operator, "subscription.approved", { personId: row.personId, at });
    await announceSubscription(tx, deps, row, {
      title: "Justificatifs acceptés",
      body: `L’abonnement ${formula.name} ${ofName(row.holder)} ${periodWords({ startsOn, endsOn }, at)}.`,
      at,
    });
    return row;
  });
}

/** Gives the quotient of the attestation to the entitlements room, which owns it. */
async function recordHouseholdQuotient(
  tx: Tx,
  { id, personId, buyerId }: SubscriptionRow,
  { quotient, operator, at }: { quotient: number | null; operator: string; at: Date },
): Promise<void> {
  const found = await query(tx).maybeOne(sql<{ sentAt: Date }>`
    select sent_at from subscription_proof
    where subscription_id = ${id} and kind = 'quotient'`);
  const sentAt = found?.sentAt;
  if (!sentAt) {
    if (quotient !== null) throw new Problem("invalid_input", { what: "quotient" });
    return;
  }
  if (quotient === null) throw new Problem("proof_incomplete", { what: "le quotient" });
  await recordQuotient(tx, { personId, sentBy: buyerId, quotient, sentAt, operator, at });
}

/** Refuses the proofs: the price is refunded and the buyer reads why. Refuses as `approveProofs`. */
export function refuseProofs(
  deps: OperatorDeps,
  number: number,
  { reason, operator }: { reason: string; operator: string },
): Promise<SubscriptionRow> {
  return inTx(deps.db, async (tx) => {
    const at = deps.now();
    const row = await lockForReview(tx, number);
    const back = await endAndRefund(tx, row, { state: "refused", reason, at });
    await auditOperator(tx, operator, "subscription.refused", { personId: row.personId, at });
    await announceSubscription(tx, deps, row, {
      title: "Abonnement refusé",
      body: `L’abonnement ${ofName(row.holder)} est refusé : ${asSentence(reason)}`,
      paid: { more: back },
      at,
    });
    return row;
  });
}
