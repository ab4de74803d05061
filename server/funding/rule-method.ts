// The payment method that an automatic top-up rule charges: saved by a first payment, or saved already.
import { sql } from "kysely";
import { ruleCan } from "#contract/funding/rows.ts";
import { Problem } from "#contract/errors.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import type { Caller } from "#server/http/caller.ts";
import { audit, requireCode } from "#server/identity/identity.ts";
import type { Deps } from "#server/process/deps.ts";
import { payPlaced } from "#server/payments/payments.ts";
import {
  lockedRule,
  placeFirstPayment,
  requireSavedMethod,
  runAgain,
  type Started,
} from "./rules.ts";

/** A first payment for a rule without a payment method. */
export async function payRule(
  deps: Deps,
  { caller, ruleId, siteOrigin }: { caller: Caller; ruleId: string; siteOrigin: string },
): Promise<Started> {
  const topUp = await inTx(deps.db, async (tx) => {
    const rule = await lockedRule(tx, caller.personId, ruleId);
    if (rule.personId !== caller.personId) throw new Problem("rule_not_yours");
    if (rule.state === "deleted" || !ruleCan.pay({ ...rule, state: rule.state })) {
      throw new Problem("rule_state");
    }
    return await placeFirstPayment(tx, deps, ruleId);
  });
  const { paymentUrl } = await payPlaced(deps, topUp, siteOrigin);
  return { id: ruleId, topUp, paymentUrl };
}

/**
 * Charges another saved payment method of the payer from now on, with a code. A rule that waited for a first
 * payment, lost its payment method or was paused after refusals runs again; one that is due for a retry is
 * retried at once. Refuses `rule_not_yours`, `rule_state`, `wallet_frozen`, `payments_off`.
 */
export async function changeRuleMethod(
  deps: Deps,
  call: {
    caller: Caller;
    ruleId: string;
    paymentMethodId: string;
    proof: { challenge?: string | undefined; code?: string | undefined };
    address: string;
  },
): Promise<Started> {
  const { caller, ruleId, paymentMethodId, proof, address } = call;
  const { personId } = caller;
  const lock = async (tx: Tx) => {
    const rule = await lockedRule(tx, personId, ruleId);
    if (rule.personId !== personId) throw new Problem("rule_not_yours");
    await requireSavedMethod(tx, personId, paymentMethodId);
    if (rule.state === "deleted" || !ruleCan.changeMethod({ ...rule, state: rule.state })) {
      throw new Problem("rule_state");
    }
    if (rule.frozen) throw new Problem("wallet_frozen");
    return rule;
  };
  if (deps.config.payments === "none") throw new Problem("payments_off");
  // Refused before a code is sent; changes made meanwhile are refused again below.
  await inTx(deps.db, lock);
  const used = await requireCode(deps, caller, {
    purpose: "top_up",
    binding: ["rule_method", ruleId, paymentMethodId],
    what: "changer le moyen de paiement de vos recharges automatiques",
    ...proof,
  });
  const at = deps.now();
  await inTx(deps.db, async (tx) => {
    await used(tx);
    const rule = await lock(tx);
    await sql`update top_up_rule set payment_method_id = ${paymentMethodId}, next_at = null
      where id = ${ruleId}`.execute(tx);
    if (rule.state !== "active") await runAgain(tx, rule, at);
    await audit(tx, {
      personId,
      action: "funding.method",
      actor: "person",
      address,
      details: { rule: ruleId, paymentMethod: paymentMethodId },
      at,
    });
  });
  return { id: ruleId, topUp: null, paymentUrl: null };
}
