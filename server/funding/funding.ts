// Funding owns alerts on a low balance, automatic top-up rules, gift links and children's requests for
// money. A rule charges once for a crossing, with the payer's consent and a stored payment method; a gift
// link shows a first name and no balance.
import { sql } from "kysely";
import { parisDay } from "#contract/days.ts";
import type { Automations } from "#contract/funding/rows.ts";
import type { Tx } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import { guardiansOf } from "#server/family/family.ts";
import { contactsOf } from "#server/identity/identity.ts";
import {
  keepPaymentMethod,
  paymentMethodsOf,
  type SettledTopUp,
} from "#server/payments/payments.ts";
import { walletOf } from "#server/wallet/wallet.ts";
import { alertOf, spendableSql, watchBalances } from "./alerts.ts";
import { onGiftCredited, forgetPayers } from "./gifts.ts";
import { linksOf } from "./links.ts";
import { endRequests } from "./money-requests.ts";
import { rulesOf } from "./rules.ts";
import { onRuleCharged, onRuleDeclined, runRules } from "./automatic-top-ups.ts";

/** Alert, rules, payment methods and gift links of a wallet that the caller may act for, as they see them. */
export async function automationsOf(
  deps: Deps,
  personId: number,
  objectID: string,
): Promise<Automations> {
  const { db, config } = deps;
  const { id: walletId } = await walletOf(deps, personId, objectID);
  const { email, phonenumber } = await contactsOf(db, personId);
  const paymentMethods = await paymentMethodsOf(db, personId);
  return {
    alert: await alertOf(db, walletId, personId),
    email: email && email.replace(/^(.).*(@.*)$/, "$1\u2026$2"),
    sms: phonenumber && `\u2026${phonenumber.slice(-2)}`,
    rules: await rulesOf(db, { walletId, personId, now: deps.now() }),
    paymentMethods: paymentMethods.map((one) => ({ ...one, savedAt: one.savedAt.toISOString() })),
    links: await linksOf(deps, db, walletId),
    mayAutomate: (await guardiansOf(db, personId)).length === 0,
    open: config.payments !== "none",
    sandbox: config.payments === "sandbox",
  };
}

type MessageDeps = Pick<Deps, "send" | "config" | "enqueue">;

/** `onTopUpSettled` of rules: charges are announced here, first payments by the payments room. */
export async function onRuleTopUpSettled(
  tx: Tx,
  deps: MessageDeps,
  news: SettledTopUp,
): Promise<boolean> {
  if (news.automatic) {
    if (news.state === "credited") await onRuleCharged(tx, deps, news);
    else await onRuleDeclined(tx, deps, news);
    return true;
  }
  if (news.state === "credited") {
    const { topUpId, originId } = news;
    await deps.enqueue(
      tx,
      keepTask,
      { topUp: topUpId, rule: originId },
      { key: `keep:${topUpId}` },
    );
  }
  return false;
}

/** `onTopUpSettled` of gift links: a declined gift is announced to nobody. */
export async function onGiftTopUpSettled(
  tx: Tx,
  deps: MessageDeps,
  news: SettledTopUp,
): Promise<boolean> {
  if (news.state === "credited") await onGiftCredited(tx, deps, news);
  return true;
}

const keepTask = "keep_rule_payment_method";

/**
 * On the credited first payment of a rule: the payment method that the provider stored becomes the rule's.
 * Without one the rule keeps waiting. The payment counts as the charge of the present crossing.
 */
async function keepRulePaymentMethod(deps: Deps, topUpId: string, ruleId: string): Promise<void> {
  const paymentMethodId = await keepPaymentMethod(deps, topUpId);
  if (paymentMethodId === null) return;
  const cents = spendableSql(sql.ref("r.wallet_id"), parisDay(deps.now()));
  await sql`update top_up_rule r set payment_method_id = ${paymentMethodId}, state = 'active', paused_why = null,
      armed = r.trigger = 'day' or ${cents} >= r.threshold_cents, tries = 0, next_at = null
    where r.id = ${ruleId} and (state = 'waiting' or paused_why = 'payment_method')`.execute(
    deps.db,
  );
}

/** The jobs of this room. */
export function fundingTasks(deps: Deps) {
  return {
    watch_balances: () => watchBalances(deps),
    run_rules: () => runRules(deps),
    forget_payers: () => forgetPayers(deps),
    end_money_requests: () => endRequests(deps),
    [keepTask]: (payload: Record<string, unknown>) =>
      keepRulePaymentMethod(deps, String(payload["topUp"]), String(payload["rule"])),
  };
}

/** Schedule (UTC). */
export const fundingRoutines = [
  { task: "watch_balances", cron: "* * * * *" },
  { task: "run_rules", cron: "* * * * *" },
  { task: "forget_payers", cron: "41 2 * * *" },
  { task: "end_money_requests", cron: "23 * * * *" },
] as const;
