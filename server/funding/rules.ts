// Rules of automatic top-ups: create, list, pause, resume, delete, pay the first time. The job that
// charges them is in automatic-top-ups.ts.
import { sql } from "kysely";
import { parisDay } from "#contract/days.ts";
import { type PauseReason, type Rule, ruleCan, type RuleState } from "#contract/funding/rows.ts";
import { Problem } from "#contract/errors.ts";
import { formatMoney } from "#contract/french.ts";
import { type Db, inTx, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { Deps } from "#server/process/deps.ts";
import { guardiansOf, lockTieForShare, mayActFor, requireNotMinor } from "#server/family/family.ts";
import type { Caller } from "#server/http/caller.ts";
import { audit, requireCode } from "#server/identity/identity.ts";
import {
  forgetPaymentMethod as forgetAtProvider,
  lockWallet,
  paymentMethodsOf,
  payPlaced,
  placePayment,
  requireWithinCap,
} from "#server/payments/payments.ts";
import { walletOf } from "#server/wallet/wallet.ts";
import { spendableSql } from "./alerts.ts";
import { automationsPath } from "./announcements.ts";

type RuleTrigger = Rule["when"];

export interface NewRule {
  objectID: string;
  when: RuleTrigger;
  mode: "amount" | "target";
  amountCents: number;
  monthlyCents: number;
  paymentMethodId: string | null;
  challenge?: string | undefined;
  code?: string | undefined;
}

export interface Started {
  id: string;
  topUp: string | null;
  paymentUrl: string | null;
}

/** SQL: amount that a rule `r` has paid in this month in Paris, payments under way included, in cents. */
export const spentSql = (today: string) => sql<number>`(
  select coalesce(sum(t.amount_cents - t.refunded_cents), 0)::bigint from top_up t
   where t.origin_id = r.id and t.state in ('initiated', 'authorized', 'credited')
     and t.created_at >= start_of_paris_day(date_trunc('month', ${today}::date)::date))`;

interface RuleRow {
  id: string;
  trigger: "threshold" | "day";
  thresholdCents: number | null;
  day: number | null;
  mode: "amount" | "target";
  amountCents: number;
  monthlyCents: number;
  spentCents: number;
  state: RuleState;
  pausedWhy: PauseReason | null;
  paymentMethod: string | null;
  paymentMethodId: string | null;
  paidByMe: boolean;
  payerName: string;
  firstPayment: string | null;
  nextAt: Date | null;
  nextOn: string | null;
}

/** The rules of a wallet as the caller sees them, in the order in which they were made. */
export async function rulesOf(
  db: Db,
  { walletId, personId, now }: { walletId: number; personId: number; now: Date },
): Promise<Rule[]> {
  const { rows } = await sql<RuleRow>`
    select r.id, r.trigger, r.threshold_cents, r.day_of_month as day, r.mode,
      r.amount_cents, r.monthly_cents, r.state,
      r.paused_why, m.label as payment_method, m.id as payment_method_id,
      r.person_id = ${personId} as paid_by_me,
      p.name as payer_name, r.next_at, r.next_on,
      (select t.id from top_up t where t.origin_id = r.id and t.keep_payment_method
        order by t.created_at desc limit 1) as first_payment,
      ${spentSql(parisDay(now))} as spent_cents
    from top_up_rule r join person p on p.id = r.person_id
    left join payment_method m on m.id = r.payment_method_id and m.forgotten_at is null
    where r.wallet_id = ${walletId} and r.state <> 'deleted' order by r.created_at`.execute(db);
  return rows.map(({ trigger, thresholdCents, day, nextAt, nextOn, ...one }) => ({
    ...one,
    when:
      trigger === "day"
        ? { trigger, day: day ?? 1 }
        : { trigger, thresholdCents: thresholdCents ?? 0 },
    nextTryAt: one.state === "active" && nextAt && nextAt > now ? nextAt.toISOString() : null,
    nextOn: one.state === "active" ? nextOn : null,
  }));
}

/**
 * Allows automatic top-ups of a wallet, amounts in cents, with a code (spec.md 14). With a saved payment
 * method they run at once; without, a first payment of the rule's amount saves one. Refuses `rule_exists`,
 * `rule_amount`, `rule_ceiling`, `amount_too_small`, `amount_too_large`, `wallet_cap`, `top_ups_started`,
 * `wallet_frozen`, `family_minor`, `payments_off`.
 */
export async function createRule(
  deps: Deps,
  call: { caller: Caller; input: NewRule; address: string; siteOrigin: string },
): Promise<Started> {
  const { caller, input, address, siteOrigin } = call;
  const wallet = await walletOf(deps, caller.personId, input.objectID);
  await requireAllowedRule(deps, caller.personId, input);
  if (wallet.frozen) throw new Problem("wallet_frozen");
  if (deps.config.payments === "none") throw new Problem("payments_off");
  const { objectID, when, mode, amountCents, monthlyCents, paymentMethodId } = input;
  await requireNoRule(deps.db, wallet.id, when.trigger);
  const used = await requireCode(deps, caller, {
    purpose: "top_up",
    binding: ["rule", objectID, when, mode, amountCents, monthlyCents, paymentMethodId],
    what: `autoriser des recharges automatiques, ${formatMoney(monthlyCents)} au plus par mois`,
    amountCents: monthlyCents,
    challenge: input.challenge,
    code: input.code,
  });
  const at = deps.now();
  const made = await inTx(deps.db, async (tx) => {
    await lockTieForShare(tx, { actor: caller.personId, owner: wallet.personId });
    await used(tx);
    const { id } = await query(tx).one(sql<{ id: string }>`
      insert into top_up_rule (wallet_id, person_id, trigger, threshold_cents, day_of_month, mode,
        amount_cents, monthly_cents, payment_method_id, state, next_on, consent_at, created_at)
      values (${wallet.id}, ${caller.personId}, ${when.trigger},
        ${when.trigger === "threshold" ? when.thresholdCents : null},
        ${when.trigger === "day" ? when.day : null}, ${mode}, ${amountCents}, ${monthlyCents},
        ${paymentMethodId}, ${paymentMethodId === null ? "waiting" : "active"},
        ${when.trigger === "day" ? nextDay(when.day, parisDay(at)) : null}, ${at}, ${at})
      returning id`);
    await audit(tx, {
      personId: caller.personId,
      action: "funding.allow",
      actor: "person",
      address,
      details: { rule: id, monthlyCents, consent: consentVersion },
      at,
    });
    const topUp = paymentMethodId === null ? await placeFirstPayment(tx, deps, id) : null;
    return { id, topUp };
  });
  if (made.topUp === null) return { ...made, paymentUrl: null };
  const { paymentUrl } = await payPlaced(deps, made.topUp, siteOrigin);
  return { ...made, paymentUrl };
}

/** Version of the consent text that the screen shows: stored with the consent. */
const consentVersion = "2026-11";

async function requireAllowedRule(deps: Deps, personId: number, input: NewRule): Promise<void> {
  const { config, db } = deps;
  if ((await guardiansOf(db, personId)).length > 0) throw new Problem("family_minor");
  const { when, mode, amountCents, monthlyCents, paymentMethodId } = input;
  const { topUpMinCents: min, topUpMaxCents: max } = config;
  if (mode === "amount" && amountCents < min) {
    throw new Problem("amount_too_small", { min: formatMoney(min) });
  }
  const highest = mode === "amount" ? max : Math.min(max, config.walletCapCents);
  if (amountCents > highest) throw new Problem("amount_too_large", { max: formatMoney(highest) });
  // One payment must bring the balance above the threshold: the next crossing is then a new one.
  const lowest = when.trigger === "threshold" ? when.thresholdCents : min;
  if (amountCents < lowest) throw new Problem("rule_amount", { min: formatMoney(lowest) });
  if (monthlyCents < amountCents) throw new Problem("rule_ceiling");
  if (paymentMethodId !== null) await requireSavedMethod(db, personId, paymentMethodId);
}

/** Refuses `not_found` for a payment method that the person has not saved, or has deleted. */
export async function requireSavedMethod(
  db: Db,
  personId: number,
  paymentMethodId: string,
): Promise<void> {
  const methods = await paymentMethodsOf(db, personId);
  if (!methods.some(({ id }) => id === paymentMethodId)) throw new Problem("not_found");
}

/** Refuses before a code is sent; a unique index refuses again for two calls at once. */
async function requireNoRule(db: Db, walletId: number, trigger: string): Promise<void> {
  const { rows } = await sql`select from top_up_rule
    where wallet_id = ${walletId} and trigger = ${trigger} and state <> 'deleted'`.execute(db);
  if (rows.length > 0) throw new Problem("rule_exists");
}

/** The next day of the month that is `day`, after today. */
export function nextDay(day: number, today: string): string {
  const [year = 0, month = 0, date = 0] = today.split("-").map(Number);
  const next = new Date(Date.UTC(year, month - 1 + (date >= day ? 1 : 0), day));
  return next.toISOString().slice(0, 10);
}

interface LockedRule {
  id: string;
  walletId: number;
  personId: number;
  objectID: string;
  state: RuleState | "deleted";
  pausedWhy: PauseReason | null;
  day: number | null;
  frozen: boolean;
}

/** A rule of a wallet that the caller acts for, locked; else `not_found`. */
export async function lockedRule(tx: Tx, personId: number, id: string): Promise<LockedRule> {
  const found = await query(tx).maybeOne(sql<LockedRule>`
    select r.id, r.wallet_id, r.person_id, w.object_id as "objectID",
      r.state, r.paused_why, r.day_of_month as day, w.frozen_at is not null as frozen
    from top_up_rule r join wallet w on w.id = r.wallet_id
    where r.id = ${id} and r.state <> 'deleted' and ${mayActFor(personId, sql.ref("w.person_id"))}
    for update of r`);
  if (!found) throw new Problem("not_found");
  return found;
}

/** The first payment of a rule without a payment method: one that waits is resumed. */
export async function placeFirstPayment(tx: Tx, deps: Deps, ruleId: string): Promise<string> {
  const open = await query(tx).maybeOne(sql<{ id: string }>`select id from top_up
    where origin_id = ${ruleId} and keep_payment_method and state = 'initiated'
    order by created_at desc limit 1`);
  if (open) return open.id;
  const at = deps.now();
  const rule = await query(tx).one(sql<{
    walletId: number;
    personId: number;
    objectID: string;
    mode: string;
    amountCents: number;
    cents: number;
    frozen: boolean;
  }>`
    select r.wallet_id, r.person_id, w.object_id as "objectID", r.mode,
      r.amount_cents, w.frozen_at is not null as frozen,
      ${spendableSql(sql.ref("r.wallet_id"), parisDay(at))} as cents
    from top_up_rule r join wallet w on w.id = r.wallet_id where r.id = ${ruleId}`);
  if (rule.frozen) throw new Problem("wallet_frozen");
  const missing = rule.mode === "target" ? rule.amountCents - rule.cents : rule.amountCents;
  const amountCents = Math.max(deps.config.topUpMinCents, missing);
  await lockWallet(tx, rule.walletId);
  await requireWithinCap(tx, deps.config, { walletId: rule.walletId, amountCents });
  return await placePayment(tx, deps, {
    walletId: rule.walletId,
    personId: rule.personId,
    amountCents,
    origin: { kind: "rule", id: ruleId, label: "Recharge par carte bancaire" },
    returnPath: automationsPath(rule.objectID),
    key: null,
    keepPaymentMethod: true,
    at,
  });
}

/** Runs a rule that waited or was paused: crossings and dates missed meanwhile are not charged. */
export async function runAgain(tx: Tx, { id, day }: LockedRule, at: Date): Promise<void> {
  const next = day === null ? null : nextDay(day, parisDay(at));
  await sql`update top_up_rule set state = 'active', paused_why = null, tries = 0,
    armed = true, next_at = null, next_on = ${next} where id = ${id}`.execute(tx);
}

/** Refuses `family_minor` to a child who would end what a guardian set up for its wallet. */
export async function requireOwnOrNotMinor(
  tx: Tx,
  { actor, madeBy }: { actor: number; madeBy: number },
): Promise<void> {
  if (actor !== madeBy) await requireNotMinor(tx, { actor, owner: actor });
}

type RuleAction = "pause" | "resume" | "delete";
const actionMessages: Readonly<Record<RuleAction, string>> = {
  pause: "Les recharges automatiques sont en pause.",
  resume: "Les recharges automatiques ont repris.",
  delete: "La recharge automatique est supprimée.",
};

/**
 * Pauses, resumes or ends a rule. Whoever acts for the wallet may stop it; only its payer resumes it
 * (`rule_not_yours`), and a child stops none of a guardian's (`family_minor`). Refuses `rule_state`. A
 * repeated call changes nothing.
 */
export async function changeRule(
  deps: Deps,
  {
    caller,
    ruleId,
    action,
    address,
  }: { caller: Caller; ruleId: string; action: RuleAction; address: string },
): Promise<{ message: string }> {
  await inTx(deps.db, async (tx) => {
    const rule = await lockedRule(tx, caller.personId, ruleId);
    const { state } = rule;
    await requireOwnOrNotMinor(tx, { actor: caller.personId, madeBy: rule.personId });
    const at = deps.now();
    if (action === "delete") {
      await sql`update top_up_rule set state = 'deleted', paused_why = null
        where id = ${ruleId}`.execute(tx);
    } else if (action === "pause") {
      if (state === "waiting") throw new Problem("rule_state");
      await sql`update top_up_rule set state = 'paused', paused_why = 'person', next_at = null
        where id = ${ruleId} and state = 'active'`.execute(tx);
    } else {
      if (rule.personId !== caller.personId) throw new Problem("rule_not_yours");
      if (state === "deleted" || !ruleCan.resume({ ...rule, state })) {
        throw new Problem("rule_state");
      }
      await runAgain(tx, rule, at);
    }
    const details = { rule: ruleId };
    const { personId } = caller;
    await audit(tx, {
      personId,
      action: `funding.${action}`,
      actor: "person",
      address,
      details,
      at,
    });
  });
  return { message: actionMessages[action] };
}

/** Deletes a payment method of one's own: the rules that charge it are paused until another is saved. */
export async function forgetPaymentMethod(
  deps: Deps,
  caller: Caller,
  { paymentMethodId, address }: { paymentMethodId: string; address: string },
): Promise<{ message: string }> {
  await forgetAtProvider(deps, caller.personId, paymentMethodId, async (tx) => {
    await sql`update top_up_rule set state = 'paused', paused_why = 'payment_method', next_at = null,
      tries = 0, payment_method_id = null
      where payment_method_id = ${paymentMethodId} and state <> 'deleted'`.execute(tx);
    const details = { paymentMethod: paymentMethodId };
    const { personId } = caller;
    await audit(tx, {
      personId,
      action: "funding.forget",
      address,
      actor: "person",
      details,
      at: deps.now(),
    });
  });
  return { message: "Le moyen de paiement est oublié." };
}
