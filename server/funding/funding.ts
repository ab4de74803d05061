// Funding owns what keeps a wallet filled: alerts on a low balance, automatic top-ups, relatives'
// links. It refuses rules that could charge twice for one crossing, charges nobody without a consent
// and a kept means, and shows a stranger a first name and nothing else.
import { sql } from "kysely";
import type { Automations } from "#contract/funding.ts";
import type { Tx } from "#server/db/db.ts";
import type { Deps } from "#server/deps.ts";
import { guardiansOf } from "#server/family/family.ts";
import { contactsOf } from "#server/identity/identity.ts";
import { keepMeans, meansOf, type RestNews } from "#server/payments/payments.ts";
import { parisDay, walletOf } from "#server/wallet/wallet.ts";
import { alertOf, spendableSql, watchBalances } from "./alerts.ts";
import { creditedGift, forgetPayers } from "./gifts.ts";
import { linksOf } from "./links.ts";
import { rulesOf } from "./rules.ts";
import { creditedRule, declinedRule, runRules } from "./run.ts";

/** All that is automatic about a wallet that the caller reaches, as they see it. */
export async function automationsOf(
  deps: Deps,
  personId: number,
  objectID: string,
): Promise<Automations> {
  const { db, config } = deps;
  const { id: walletId } = await walletOf(deps, personId, objectID);
  const { email, phonenumber } = await contactsOf(db, personId);
  const means = await meansOf(db, personId);
  return {
    alert: await alertOf(db, walletId, personId),
    email: email && email.replace(/^(.).*(@.*)$/, "$1\u2026$2"),
    sms: phonenumber && `\u2026${phonenumber.slice(-2)}`,
    rules: await rulesOf(db, { walletId, personId, now: deps.now() }),
    means: means.map((one) => ({ ...one, keptAt: one.keptAt.toISOString() })),
    links: await linksOf(deps, db, walletId),
    mayAutomate: (await guardiansOf(db, personId)).length === 0,
    open: config.payments !== "none",
    sandbox: config.payments === "sandbox",
  };
}

type NewsNeeds = Pick<Deps, "send" | "config" | "enqueue">;

/** `onTopUpRest` of rules: charges are told here, first payments by their own room. */
export async function heardOfRule(tx: Tx, deps: NewsNeeds, news: RestNews): Promise<boolean> {
  if (news.automatic) {
    if (news.state === "credited") await creditedRule(tx, deps, news);
    else await declinedRule(tx, deps, news);
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

/** `onTopUpRest` of links: a refusal concerns nobody but who tried. */
export async function heardOfLink(tx: Tx, deps: NewsNeeds, news: RestNews): Promise<boolean> {
  if (news.state === "credited") await creditedGift(tx, deps, news);
  return true;
}

const keepTask = "keep_rule_means";

/**
 * The first payment of a rule came through: the provider says what it was allowed to keep. Without
 * that the rule goes on waiting. What was just paid stands for the crossing at hand.
 */
async function keepRuleMeans(deps: Deps, topUpId: string, ruleId: string): Promise<void> {
  const meansId = await keepMeans(deps, topUpId);
  if (meansId === null) return;
  const cents = spendableSql(sql.ref("r.wallet_id"), parisDay(deps.now()));
  await sql`update top_up_rule r set means_id = ${meansId}, state = 'active', paused_why = null,
      armed = r.trigger = 'day' or ${cents} >= r.threshold_cents, tries = 0, next_at = null
    where r.id = ${ruleId} and (state = 'waiting' or paused_why = 'means')`.execute(deps.db);
}

/** The jobs of this room. */
export function fundingTasks(deps: Deps) {
  return {
    watch_balances: () => watchBalances(deps),
    run_rules: () => runRules(deps),
    forget_payers: () => forgetPayers(deps),
    [keepTask]: (payload: Record<string, unknown>) =>
      keepRuleMeans(deps, String(payload["topUp"]), String(payload["rule"])),
  };
}

/** When they run by themselves (UTC). */
export const fundingRoutines = [
  { task: "watch_balances", cron: "* * * * *" },
  { task: "run_rules", cron: "* * * * *" },
  { task: "forget_payers", cron: "41 2 * * *" },
] as const;
