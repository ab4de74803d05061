// Rules of automatic top-ups: allowed, shown, paused, resumed, ended. What they do by themselves is in
// run.ts.
import { sql } from "kysely";
import { type PauseReason, type Rule, ruleCan, type RuleState } from "#contract/funding.ts";
import { Problem } from "#contract/errors.ts";
import { formatMoney } from "#contract/french.ts";
import { type Db, inTx, type Tx } from "#server/db/db.ts";
import type { Deps } from "#server/deps.ts";
import { guardiansOf, mayActFor } from "#server/family/family.ts";
import type { Caller } from "#server/http/caller.ts";
import { audit, requireCode } from "#server/identity/identity.ts";
import {
  forgetMeans as forgetAt,
  meansOf,
  payPlaced,
  placePayment,
} from "#server/payments/payments.ts";
import { parisDay, walletOf } from "#server/wallet/wallet.ts";
import { spendableSql } from "./alerts.ts";
import { automationsPath } from "./tell.ts";

type When = Rule["when"];

export interface NewRule {
  objectID: string;
  when: When;
  mode: "amount" | "target";
  amountCents: number;
  monthlyCents: number;
  meansId: string | null;
  challenge?: string | undefined;
  code?: string | undefined;
}

interface Started {
  id: string;
  topUp: string | null;
  paymentUrl: string | null;
}

/** SQL: what a rule `r` has brought in this month in Paris, payments under way included, in cents. */
export const spentSql = (today: string) => sql<number>`(
  select coalesce(sum(t.amount_cents - t.refunded_cents), 0)::bigint from top_up t
   where t.origin_id = r.id and t.state in ('initiated', 'authorized', 'credited')
     and t.created_at >= (date_trunc('month', ${today}::date)::timestamp at time zone 'Europe/Paris'))`;

interface Row {
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
  means: string | null;
  mine: boolean;
  payerName: string;
  nextAt: Date | null;
  nextOn: string | null;
}

/** The rules of a wallet as the person who asks sees them, in the order in which they were made. */
export async function rulesOf(
  db: Db,
  { walletId, personId, now }: { walletId: number; personId: number; now: Date },
): Promise<Rule[]> {
  const { rows } = await sql<Row>`
    select r.id, r.trigger, r.threshold_cents as "thresholdCents", r.day_of_month as day, r.mode,
      r.amount_cents as "amountCents", r.monthly_cents as "monthlyCents", r.state,
      r.paused_why as "pausedWhy", m.label as means, r.person_id = ${personId} as mine,
      p.name as "payerName", r.next_at as "nextAt", r.next_on as "nextOn",
      ${spentSql(parisDay(now))} as "spentCents"
    from top_up_rule r join person p on p.id = r.person_id
    left join payment_means m on m.id = r.means_id and m.forgotten_at is null
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
 * Allows automatic top-ups of a wallet, amounts in cents, with a code (décision 14). With a kept means
 * they run at once; without, a first payment of the rule's amount keeps one. Refuses `rule_exists`,
 * `rule_amount`, `rule_ceiling`, `amount_too_small`, `amount_too_large`, `wallet_cap`, `wallet_frozen`,
 * `family_minor`, `payments_off`.
 */
export async function createRule(
  deps: Deps,
  asked: { caller: Caller; wanted: NewRule; address: string; siteOrigin: string },
): Promise<Started> {
  const { caller, wanted, address, siteOrigin } = asked;
  const wallet = await walletOf(deps, caller.personId, wanted.objectID);
  await refuse(deps, caller.personId, wanted);
  if (wallet.frozen) throw new Problem("wallet_frozen");
  if (deps.config.payments === "none") throw new Problem("payments_off");
  const { objectID, when, mode, amountCents, monthlyCents, meansId } = wanted;
  await refuseSecond(deps.db, wallet.id, when.trigger);
  const used = await requireCode(deps, caller, {
    purpose: "top_up",
    binding: ["rule", objectID, when, mode, amountCents, monthlyCents, meansId],
    what: `autoriser des recharges automatiques, ${formatMoney(monthlyCents)} au plus par mois`,
    challenge: wanted.challenge,
    code: wanted.code,
  });
  const at = deps.now();
  const made = await inTx(deps.db, async (tx) => {
    await used(tx);
    const { rows } = await sql<{ id: string }>`
      insert into top_up_rule (wallet_id, person_id, trigger, threshold_cents, day_of_month, mode,
        amount_cents, monthly_cents, means_id, state, next_on, consent_at, created_at)
      values (${wallet.id}, ${caller.personId}, ${when.trigger},
        ${when.trigger === "threshold" ? when.thresholdCents : null},
        ${when.trigger === "day" ? when.day : null}, ${mode}, ${amountCents}, ${monthlyCents},
        ${meansId}, ${meansId === null ? "waiting" : "active"},
        ${when.trigger === "day" ? nextDay(when.day, parisDay(at)) : null}, ${at}, ${at})
      returning id`.execute(tx);
    const id = (rows[0] as { id: string }).id;
    await audit(tx, {
      personId: caller.personId,
      action: "funding.allow",
      actor: "person",
      address,
      details: { rule: id, monthlyCents, consent: consentVersion },
      at,
    });
    const topUp = meansId === null ? await placeFirst(tx, deps, id) : null;
    return { id, topUp };
  });
  if (made.topUp === null) return { ...made, paymentUrl: null };
  const { paymentUrl } = await payPlaced(deps, made.topUp, siteOrigin);
  return { ...made, paymentUrl };
}

/** Names the words of the consent that the screen shows: kept with the act. */
const consentVersion = "2026-11";

async function refuse(deps: Deps, personId: number, wanted: NewRule): Promise<void> {
  const { config, db } = deps;
  if ((await guardiansOf(db, personId)).length > 0) throw new Problem("family_minor");
  const { when, mode, amountCents, monthlyCents, meansId } = wanted;
  const { topUpMinCents: min, topUpMaxCents: max } = config;
  if (mode === "amount" && amountCents < min) {
    throw new Problem("amount_too_small", { min: formatMoney(min) });
  }
  const most = mode === "amount" ? max : Math.min(max, config.walletCapCents);
  if (amountCents > most) throw new Problem("amount_too_large", { max: formatMoney(most) });
  // One payment must carry the balance over the threshold: the next crossing is then a new one.
  const lowest = when.trigger === "threshold" ? when.thresholdCents : min;
  if (amountCents < lowest) throw new Problem("rule_amount", { min: formatMoney(lowest) });
  if (monthlyCents < amountCents) throw new Problem("rule_ceiling");
  if (meansId !== null) {
    const kept = await meansOf(db, personId);
    if (!kept.some(({ id }) => id === meansId)) throw new Problem("not_found");
  }
}

/** Said before a code leaves; the index says it again for two at once. */
async function refuseSecond(db: Db, walletId: number, trigger: string): Promise<void> {
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

interface Locked {
  id: string;
  walletId: number;
  personId: number;
  objectID: string;
  state: RuleState | "deleted";
  pausedWhy: PauseReason | null;
  day: number | null;
}

/** A rule of a wallet that the caller acts for, locked; else `not_found`. */
async function lockedRule(tx: Tx, personId: number, id: string): Promise<Locked> {
  const { rows } = await sql<Locked>`
    select r.id, r.wallet_id as "walletId", r.person_id as "personId", w.object_id as "objectID",
      r.state, r.paused_why as "pausedWhy", r.day_of_month as day
    from top_up_rule r join wallet w on w.id = r.wallet_id
    where r.id = ${id} and r.state <> 'deleted' and ${mayActFor(personId, sql.ref("w.person_id"))}
    for update of r`.execute(tx);
  if (!rows[0]) throw new Problem("not_found");
  return rows[0];
}

/** The first payment of a rule without a means: one that waits is taken up again. */
async function placeFirst(tx: Tx, deps: Deps, ruleId: string): Promise<string> {
  const { rows: open } = await sql<{ id: string }>`select id from top_up
    where origin_id = ${ruleId} and keep_means and state = 'initiated'
    order by created_at desc limit 1`.execute(tx);
  if (open[0]) return open[0].id;
  const at = deps.now();
  const { rows } = await sql<{
    walletId: number;
    personId: number;
    objectID: string;
    mode: string;
    amountCents: number;
    cents: number;
    frozen: boolean;
  }>`
    select r.wallet_id as "walletId", r.person_id as "personId", w.object_id as "objectID", r.mode,
      r.amount_cents as "amountCents", w.frozen_at is not null as frozen,
      ${spendableSql(sql.ref("r.wallet_id"), parisDay(at))} as cents
    from top_up_rule r join wallet w on w.id = r.wallet_id where r.id = ${ruleId}`.execute(tx);
  const found = rows[0] as (typeof rows)[0];
  if (found.frozen) throw new Problem("wallet_frozen");
  const { topUpMinCents: min, walletCapCents: cap } = deps.config;
  const missing = found.mode === "target" ? found.amountCents - found.cents : found.amountCents;
  const amountCents = Math.max(min, missing);
  const roomCents = Math.max(0, cap - found.cents);
  if (amountCents > roomCents) {
    const room = formatMoney(roomCents);
    throw new Problem("wallet_cap", { cap: formatMoney(cap), room, roomCents });
  }
  return await placePayment(tx, deps, {
    walletId: found.walletId,
    personId: found.personId,
    amountCents,
    origin: { kind: "rule", id: ruleId, label: "Recharge par carte bancaire" },
    returnPath: automationsPath(found.objectID),
    key: null,
    keepMeans: true,
    at,
  });
}

/** A first payment for a rule that has no means, or none any more. */
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
    return await placeFirst(tx, deps, ruleId);
  });
  const { paymentUrl } = await payPlaced(deps, topUp, siteOrigin);
  return { id: ruleId, topUp, paymentUrl };
}

type Act = "pause" | "resume" | "delete";
const said: Readonly<Record<Act, string>> = {
  pause: "Les recharges automatiques sont en pause.",
  resume: "Les recharges automatiques ont repris.",
  delete: "La recharge automatique est supprimée.",
};

/**
 * Pauses, resumes or ends a rule. Whoever acts for the wallet may stop it; only its payer lets it run
 * again (`rule_not_yours`). Refuses `rule_state`. Stopping twice is stopping once.
 */
export async function changeRule(
  deps: Deps,
  { caller, ruleId, act, address }: { caller: Caller; ruleId: string; act: Act; address: string },
): Promise<{ message: string }> {
  await inTx(deps.db, async (tx) => {
    const rule = await lockedRule(tx, caller.personId, ruleId);
    const { state } = rule;
    const at = deps.now();
    if (act === "delete") {
      await sql`update top_up_rule set state = 'deleted', paused_why = null
        where id = ${ruleId}`.execute(tx);
    } else if (act === "pause") {
      if (state === "waiting") throw new Problem("rule_state");
      await sql`update top_up_rule set state = 'paused', paused_why = 'person', next_at = null
        where id = ${ruleId} and state = 'active'`.execute(tx);
    } else {
      if (rule.personId !== caller.personId) throw new Problem("rule_not_yours");
      if (state === "deleted" || !ruleCan.resume({ ...rule, state })) {
        throw new Problem("rule_state");
      }
      const next = rule.day === null ? null : nextDay(rule.day, parisDay(at));
      await sql`update top_up_rule set state = 'active', paused_why = null, tries = 0,
        armed = true, next_at = null, next_on = ${next} where id = ${ruleId}`.execute(tx);
    }
    const details = { rule: ruleId };
    const { personId } = caller;
    await audit(tx, { personId, action: `funding.${act}`, actor: "person", address, details, at });
  });
  return { message: said[act] };
}

/** Forgets a means of one's own: the rules that charge it rest until another is kept. */
export async function forgetMeans(
  deps: Deps,
  caller: Caller,
  { meansId, address }: { meansId: string; address: string },
): Promise<{ message: string }> {
  await forgetAt(deps, caller.personId, meansId, async (tx) => {
    await sql`update top_up_rule set state = 'paused', paused_why = 'means', next_at = null,
      tries = 0, means_id = null
      where means_id = ${meansId} and state <> 'deleted'`.execute(tx);
    const details = { means: meansId };
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
