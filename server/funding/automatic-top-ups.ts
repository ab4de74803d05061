// Automatic top-ups. Once a minute a job charges each due rule at most once for a crossing or a date.
// The rule's row is locked while it decides and names the charge under way, so several servers may run
// the job.
import { sql } from "kysely";
import { parisDay } from "#contract/days.ts";
import { formatDateTime, formatMoney } from "#contract/french.ts";
import { funding as limits } from "#contract/limits.ts";
import type { PauseReason } from "#contract/funding/rows.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { referenceOf } from "#contract/reference.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import { eachRow } from "#server/db/each-row.ts";
import { query } from "#server/db/query.ts";
import type { Deps } from "#server/process/deps.ts";
import { mayActFor } from "#server/family/family.ts";
import { lockWallet, placeCharge, promisedSql } from "#server/payments/payments.ts";
import { spendableSql } from "./alerts.ts";
import { nextDay, spentSql } from "./rules.ts";
import { automationsPath, announceFunding, walletWords } from "./announcements.ts";

interface DueRule {
  id: string;
  walletId: number;
  personId: number;
  /** Null once the payment method was deleted. */
  paymentMethodId: string | null;
  thresholdCents: number | null;
  day: number | null;
  mode: "amount" | "target";
  amountCents: number;
  monthlyCents: number;
  armed: boolean;
  tries: number;
  nextOn: string | null;
  cents: number;
  spentCents: number;
  promisedCents: number;
  frozen: boolean;
  allowed: boolean;
  hasSavedMethod: boolean;
}

/** SQL condition: rule `r` is to be charged, or armed again, now. */
const isDueSql = (today: string, now: Date) => sql<boolean>`
  r.state = 'active' and (r.charging is null or exists (
    select from top_up t where t.id = r.charging and t.state not in ('initiated', 'authorized')))
  and (r.next_at is null or r.next_at <= ${now})
  and case r.trigger
    when 'day' then r.next_on <= ${today}::date or r.tries > 0
    else (r.next_on is null or r.next_on <= ${today}::date) and case
      when ${spendableSql(sql.ref("r.wallet_id"), today)} < r.threshold_cents
        then r.armed or r.tries > 0
      else not r.armed or r.tries > 0 end end`;

/**
 * The job: decides every due rule, `atOnce` read together; returns how many charges were placed. A rule that
 * cannot be decided stays due, and does not delay any other rule.
 */
export async function runRules(deps: Deps, atOnce?: { atOnce: number }): Promise<number> {
  const now = deps.now();
  const today = parisDay(now);
  const due = async (after: string | null, limit: number) => {
    const { rows } = await sql<{ id: string }>`select r.id from top_up_rule r
      where ${isDueSql(today, now)} and (${after}::uuid is null or r.id > ${after}::uuid)
      order by r.id limit ${limit}`.execute(deps.db);
    return rows;
  };
  let placed = 0;
  const decide = async ({ id }: { id: string }) => {
    const charged = await inTx(deps.db, (tx) => chargeIfDue(tx, deps, { id, now, today })).catch(
      (error: unknown) => {
        deps.log.error({ err: error, rule: id }, "an automatic top-up could not be decided");
        return false;
      },
    );
    if (charged) placed++;
  };
  await eachRow(due, decide, atOnce);
  return placed;
}

interface RuleAt {
  id: string;
  now: Date;
  today: string;
}

async function chargeIfDue(tx: Tx, deps: Deps, { id, now, today }: RuleAt): Promise<boolean> {
  // Locked before it is read: no other process decides on the same state.
  const locked = await query(tx).maybeOne(sql<{ walletId: number }>`
    select r.wallet_id from top_up_rule r where r.id = ${id}
    for no key update skip locked`);
  if (!locked) return false;
  await lockWallet(tx, locked.walletId);
  const due = await dueRule(tx, { id, now, today });
  if (!due) return false;
  if (!due.allowed || due.frozen) return await pauseRule(tx, deps, due, "wallet", now);
  if (!due.hasSavedMethod || due.paymentMethodId === null)
    return await pauseRule(tx, deps, due, "payment_method", now);
  const below = due.thresholdCents === null || due.cents < due.thresholdCents;
  if (!below) {
    await sql`update top_up_rule set armed = true, tries = 0, next_at = null
      where id = ${id}`.execute(tx);
    return false;
  }
  const amountCents = chargeCents(deps, due);
  if (typeof amountCents === "string") return await skipCharge(tx, deps, due, amountCents, now);
  const topUp = await placeCharge(tx, deps, {
    walletId: due.walletId,
    personId: due.personId,
    amountCents,
    paymentMethodId: due.paymentMethodId,
    origin: { kind: "rule", id, label: "Recharge automatique" },
    at: now,
  });
  await sql`update top_up_rule set charging = ${topUp}, armed = false, next_at = null,
    next_on = ${due.day === null ? null : nextOnAfter(due, today)} where id = ${id}`.execute(tx);
  return true;
}

async function dueRule(tx: Tx, { id, now, today }: RuleAt): Promise<DueRule | null> {
  return await query(tx).maybeOne(sql<DueRule>`
    select r.id, r.wallet_id, r.person_id, r.payment_method_id,
      r.threshold_cents, r.day_of_month as day, r.mode, r.armed, r.tries,
      r.amount_cents, r.monthly_cents, r.next_on,
      ${spendableSql(sql.ref("r.wallet_id"), today)} as cents, ${spentSql(today)} as spent_cents,
      ${promisedSql(sql.ref("r.wallet_id"))} as promised_cents,
      w.frozen_at is not null as frozen,
      p.disabled_at is null and ${mayActFor(sql.ref("r.person_id"), sql.ref("w.person_id"))}
        as allowed,
      exists (select from payment_method m where m.id = r.payment_method_id and m.forgotten_at is null) as has_saved_method
    from top_up_rule r join wallet w on w.id = r.wallet_id join person p on p.id = r.person_id
    where r.id = ${id} and ${isDueSql(today, now)}`);
}

type SkipReason = "enough" | "ceiling" | "full";

/** Amount to charge, in cents, within every limit; or the reason to skip. */
function chargeCents({ config }: Deps, due: DueRule): number | SkipReason {
  const { mode, amountCents, cents, monthlyCents, spentCents, promisedCents } = due;
  const missing = mode === "target" ? amountCents - cents : amountCents;
  if (missing <= 0) return "enough";
  const { topUpMinCents: min, topUpMaxCents: max, walletCapCents: cap } = config;
  const topUpCents = Math.min(Math.max(missing, min), max);
  const left = monthlyCents - spentCents;
  if (left < min) return "ceiling";
  const room = cap - cents - promisedCents;
  if (room < min) return "full";
  return Math.min(topUpCents, left, room);
}

const nextOnAfter = ({ day, nextOn, tries }: DueRule, today: string): string | null =>
  tries > 0 ? nextOn : nextDay(day ?? 1, today);

/** Skips this charge: until the next date, the next month or the next crossing. */
async function skipCharge(
  tx: Tx,
  deps: Deps,
  due: DueRule,
  why: SkipReason,
  now: Date,
): Promise<false> {
  const today = parisDay(now);
  const next =
    due.day === null ? (why === "ceiling" ? nextDay(1, today) : null) : nextDay(due.day, today);
  await sql`update top_up_rule set tries = 0, next_at = null, next_on = ${next},
    armed = ${due.thresholdCents === null || why === "ceiling"} where id = ${due.id}`.execute(tx);
  if (why === "enough") return false;
  const { objectID, words } = await walletWords(tx, due.walletId, due.personId);
  const reason =
    why === "ceiling"
      ? `Le plafond de ${formatMoney(due.monthlyCents)} par mois est atteint : elle reprendra le mois prochain.`
      : "La cagnotte est à son maximum : rien n'a été débité.";
  await announceFunding(tx, deps, {
    personId: due.personId,
    title: "Pas de recharge automatique",
    body: `Aucune recharge n'est partie vers ${words}. ${reason}`,
    path: automationsPath(objectID),
    at: now,
  });
  return false;
}

const pauseReasons: Readonly<Record<Exclude<PauseReason, "person">, string>> = {
  refused:
    "La banque a refusé quatre fois de suite. Vérifiez votre carte bancaire ou prenez-en une autre, puis reprenez.",
  payment_method: "Le moyen de paiement n'est plus là. Choisissez-en un autre pour reprendre.",
  wallet: "Cette cagnotte ne peut pas être rechargée par vous en ce moment.",
};

async function pauseRule(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  rule: { id: string; walletId: number; personId: number },
  why: Exclude<PauseReason, "person">,
  at: Date,
): Promise<false> {
  await sql`update top_up_rule set state = 'paused', paused_why = ${why}, next_at = null, tries = 0,
    charging = null where id = ${rule.id}`.execute(tx);
  const { objectID, words } = await walletWords(tx, rule.walletId, rule.personId);
  await announceFunding(tx, deps, {
    personId: rule.personId,
    title: "Recharge automatique en pause",
    body: `La recharge automatique de ${words} est en pause. ${pauseReasons[why]}`,
    path: automationsPath(objectID),
    at,
    channels: "outside",
  });
  return false;
}

interface SettledCharge {
  topUpId: string;
  originId: string;
  walletId: number;
  personId: number;
  amountCents: number;
  at: Date;
}

/** On a credited charge: the rule is armed for the next crossing, and its payer gets a receipt. */
export async function onRuleCharged(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  news: SettledCharge,
): Promise<void> {
  const { topUpId, originId, walletId, personId, amountCents, at } = news;
  const cents = spendableSql(sql`r.wallet_id`, parisDay(at));
  const found = await query(tx).maybeOne(sql<{ label: string | null }>`
    update top_up_rule r set charging = nullif(r.charging, ${topUpId}), tries = 0, next_at = null,
      armed = r.threshold_cents is null or ${cents} >= r.threshold_cents
    where r.id = ${originId}
    returning (select label from payment_method m where m.id = r.payment_method_id) as label`);
  const { objectID, words, name } = await walletWords(tx, walletId, personId);
  await announceFunding(tx, deps, {
    personId,
    title: "Recharge automatique faite",
    body: `${formatMoney(amountCents)} ont rejoint ${words}. Le reçu est dans vos opérations.`,
    path: linkTo(paths.movements, { objectID }),
    at,
    channels: "outside",
    message: {
      facts: [
        `Montant : ${formatMoney(amountCents)}`,
        `Cagnotte : ${name}`,
        `Date : ${formatDateTime(at)}`,
        `Moyen de paiement : ${found?.label ?? "carte bancaire"}`,
        `Référence : ${referenceOf(topUpId)}`,
      ],
    },
  });
}

/** On a declined charge: retried after 1, 6 and 24 hours, then the rule is paused. Each is announced. */
export async function onRuleDeclined(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  news: SettledCharge,
): Promise<void> {
  const { topUpId, originId, walletId, personId, amountCents, at } = news;
  const rule = await query(tx).maybeOne(sql<{ tries: number; state: string }>`
    update top_up_rule set charging = null, tries = tries + 1
    where id = ${originId} and charging = ${topUpId}
    returning tries, state`);
  // An older charge that is refused again, or a rule that was stopped meanwhile: nothing follows.
  if (rule?.state !== "active") return;
  const hours = limits.retryHours[rule.tries - 1];
  if (hours === undefined) {
    await pauseRule(tx, deps, { id: originId, walletId, personId }, "refused", at);
    return;
  }
  const next = new Date(at.getTime() + hours * 3_600_000);
  await sql`update top_up_rule set next_at = ${next} where id = ${originId}`.execute(tx);
  const { objectID, words } = await walletWords(tx, walletId, personId);
  await announceFunding(tx, deps, {
    personId,
    title: "Recharge automatique refusée",
    body:
      `La banque a refusé de recharger ${words} de ${formatMoney(amountCents)}. Rien n'a été ` +
      `débité. Nouvel essai le ${formatDateTime(next)}.`,
    path: automationsPath(objectID),
    at,
    channels: rule.tries === 1 ? "outside" : "portal",
  });
}
