// What automatic top-ups do by themselves: a minute's look finds the rules that are due, charges each
// once for a crossing or a date, and hears what became of it. A rule's row is locked while it is
// decided, and names the charge under way: however many processes look, one charges.
import { sql } from "kysely";
import { formatDateTime, formatMoney } from "#contract/french.ts";
import { funding as limits } from "#contract/limits.ts";
import type { PauseReason } from "#contract/funding.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import type { Deps } from "#server/deps.ts";
import { mayActFor } from "#server/family/family.ts";
import { placeCharge } from "#server/payments/payments.ts";
import { parisDay } from "#server/wallet/wallet.ts";
import { spendableSql } from "./alerts.ts";
import { nextDay, spentSql } from "./rules.ts";
import { automationsPath, tell, walletWords } from "./tell.ts";

/** How many rules one look decides at most; the next look takes the others. */
const atOnce = 500;

interface Due {
  id: string;
  walletId: number;
  personId: number;
  meansId: string;
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
  kept: boolean;
}

/** SQL: rules `r` about which something is to be decided now. */
const isDue = (today: string, now: Date) => sql<boolean>`
  r.state = 'active' and (r.charging is null or exists (
    select from top_up t where t.id = r.charging and t.state not in ('initiated', 'authorized')))
  and (r.next_at is null or r.next_at <= ${now})
  and case r.trigger
    when 'day' then r.next_on <= ${today}::date or r.tries > 0
    else (r.next_on is null or r.next_on <= ${today}::date) and case
      when ${spendableSql(sql.ref("r.wallet_id"), today)} < r.threshold_cents
        then r.armed or r.tries > 0
      else not r.armed or r.tries > 0 end end`;

/** Decides every rule that is due; gives how many charges were placed. */
export async function runRules(deps: Deps): Promise<number> {
  const now = deps.now();
  const today = parisDay(now);
  const { rows } = await sql<{ id: string }>`select r.id from top_up_rule r
    where ${isDue(today, now)} order by r.id limit ${atOnce}`.execute(deps.db);
  let placed = 0;
  for (const { id } of rows) {
    const charged = await inTx(deps.db, (tx) => decide(tx, deps, { id, now, today })).catch(
      (error: unknown) => {
        deps.log.error({ err: error, rule: id }, "an automatic top-up could not be decided");
        return false;
      },
    );
    if (charged) placed++;
  }
  return placed;
}

interface Moment {
  id: string;
  now: Date;
  today: string;
}

async function decide(tx: Tx, deps: Deps, { id, now, today }: Moment): Promise<boolean> {
  // Alone first: what is read after it is of a moment at which nobody else decides.
  const { rows: locked } = await sql`select from top_up_rule r where r.id = ${id}
    for no key update skip locked`.execute(tx);
  if (locked.length === 0) return false;
  const due = await dueRule(tx, { id, now, today });
  if (!due) return false;
  if (!due.allowed || due.frozen) return await pause(tx, deps, due, "wallet", now);
  if (!due.kept) return await pause(tx, deps, due, "means", now);
  const below = due.thresholdCents === null || due.cents < due.thresholdCents;
  if (!below) {
    await sql`update top_up_rule set armed = true, tries = 0, next_at = null
      where id = ${id}`.execute(tx);
    return false;
  }
  const amountCents = amountOf(deps, due);
  if (typeof amountCents === "string") return await skip(tx, deps, due, amountCents, now);
  const topUp = await placeCharge(tx, deps, {
    walletId: due.walletId,
    personId: due.personId,
    amountCents,
    meansId: due.meansId,
    origin: { kind: "rule", id, label: "Recharge automatique" },
    at: now,
  });
  await sql`update top_up_rule set charging = ${topUp}, armed = false, next_at = null,
    next_on = ${due.day === null ? null : following(due, today)} where id = ${id}`.execute(tx);
  return true;
}

async function dueRule(tx: Tx, { id, now, today }: Moment): Promise<Due | undefined> {
  const { rows } = await sql<Due>`
    select r.id, r.wallet_id as "walletId", r.person_id as "personId", r.means_id as "meansId",
      r.threshold_cents as "thresholdCents", r.day_of_month as day, r.mode, r.armed, r.tries,
      r.amount_cents as "amountCents", r.monthly_cents as "monthlyCents", r.next_on as "nextOn",
      ${spendableSql(sql.ref("r.wallet_id"), today)} as cents, ${spentSql(today)} as "spentCents",
      (select coalesce(sum(t.amount_cents), 0)::bigint from top_up t where t.wallet_id = r.wallet_id
        and t.state = 'authorized' and t.order_id is null) as "promisedCents",
      w.frozen_at is not null as frozen,
      p.disabled_at is null and ${mayActFor(sql.ref("r.person_id"), sql.ref("w.person_id"))}
        as allowed,
      exists (select from payment_means m where m.id = r.means_id and m.forgotten_at is null) as kept
    from top_up_rule r join wallet w on w.id = r.wallet_id join person p on p.id = r.person_id
    where r.id = ${id} and ${isDue(today, now)}`.execute(tx);
  return rows[0];
}

type Skipped = "enough" | "ceiling" | "full";

/** How much to charge, in cents, within every limit; or why nothing is. */
function amountOf({ config }: Deps, due: Due): number | Skipped {
  const { mode, amountCents, cents, monthlyCents, spentCents, promisedCents } = due;
  const missing = mode === "target" ? amountCents - cents : amountCents;
  if (missing <= 0) return "enough";
  const { topUpMinCents: min, topUpMaxCents: max, walletCapCents: cap } = config;
  const wanted = Math.min(Math.max(missing, min), max);
  const left = monthlyCents - spentCents;
  if (left < min) return "ceiling";
  const room = cap - cents - promisedCents;
  if (room < min) return "full";
  return Math.min(wanted, left, room);
}

const following = ({ day, nextOn, tries }: Due, today: string): string | null =>
  tries > 0 ? nextOn : nextDay(day ?? 1, today);

/** Nothing is charged this time: until the next date, the next month or the next crossing. */
async function skip(tx: Tx, deps: Deps, due: Due, why: Skipped, now: Date): Promise<false> {
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
  await tell(tx, deps, {
    personId: due.personId,
    title: "Pas de recharge automatique",
    body: `Aucune recharge n'est partie vers ${words}. ${reason}`,
    path: automationsPath(objectID),
    at: now,
  });
  return false;
}

const pausedWords: Readonly<Record<Exclude<PauseReason, "person">, string>> = {
  refused: "La banque a refusé quatre fois de suite. Vérifiez votre carte bancaire, puis reprenez.",
  means: "Le moyen de paiement n'est plus là. Enregistrez-en un autre pour reprendre.",
  wallet: "Cette cagnotte ne peut pas être rechargée par vous en ce moment.",
};

async function pause(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  rule: { id: string; walletId: number; personId: number },
  why: Exclude<PauseReason, "person">,
  at: Date,
): Promise<false> {
  await sql`update top_up_rule set state = 'paused', paused_why = ${why}, next_at = null, tries = 0,
    charging = null where id = ${rule.id}`.execute(tx);
  const { objectID, words } = await walletWords(tx, rule.walletId, rule.personId);
  await tell(tx, deps, {
    personId: rule.personId,
    title: "Recharge automatique en pause",
    body: `La recharge automatique de ${words} est en pause. ${pausedWords[why]}`,
    path: automationsPath(objectID),
    at,
    email: true,
  });
  return false;
}

interface Outcome {
  topUpId: string;
  originId: string;
  walletId: number;
  personId: number;
  amountCents: number;
  at: Date;
}

/** A charge came through: the rule is ready for the next crossing, and its payer has a receipt. */
export async function creditedRule(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  news: Outcome,
): Promise<void> {
  const { topUpId, originId, walletId, personId, amountCents, at } = news;
  const cents = spendableSql(sql`r.wallet_id`, parisDay(at));
  const { rows } = await sql<{ label: string | null }>`
    update top_up_rule r set charging = nullif(r.charging, ${topUpId}), tries = 0, next_at = null,
      armed = r.threshold_cents is null or ${cents} >= r.threshold_cents
    where r.id = ${originId}
    returning (select label from payment_means m where m.id = r.means_id) as label`.execute(tx);
  const { objectID, words, name } = await walletWords(tx, walletId, personId);
  await tell(tx, deps, {
    personId,
    title: "Recharge automatique faite",
    body: `${formatMoney(amountCents)} ont rejoint ${words}. Le reçu est dans vos opérations.`,
    path: `/cagnottes/${objectID}/operations`,
    at,
    email: true,
    facts: [
      `Montant : ${formatMoney(amountCents)}`,
      `Cagnotte : ${name}`,
      `Date : ${formatDateTime(at)}`,
      `Moyen de paiement : ${rows[0]?.label ?? "carte bancaire"}`,
      `Référence : ${topUpId}`,
    ],
  });
}

/** The bank said no: again after an hour, six hours, a day, then the rule rests. Always told. */
export async function declinedRule(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  news: Outcome,
): Promise<void> {
  const { topUpId, originId, walletId, personId, amountCents, at } = news;
  const { rows } = await sql<{ tries: number; state: string }>`
    update top_up_rule set charging = null, tries = tries + 1
    where id = ${originId} and charging = ${topUpId}
    returning tries, state`.execute(tx);
  const rule = rows[0];
  // An older charge that is refused again, or a rule that was stopped meanwhile: nothing follows.
  if (rule?.state !== "active") return;
  const hours = limits.retryHours[rule.tries - 1];
  if (hours === undefined) {
    await pause(tx, deps, { id: originId, walletId, personId }, "refused", at);
    return;
  }
  const next = new Date(at.getTime() + hours * 3_600_000);
  await sql`update top_up_rule set next_at = ${next} where id = ${originId}`.execute(tx);
  const { objectID, words } = await walletWords(tx, walletId, personId);
  await tell(tx, deps, {
    personId,
    title: "Recharge automatique refusée",
    body:
      `La banque a refusé de recharger ${words} de ${formatMoney(amountCents)}. Rien n'a été ` +
      `débité. Nouvel essai le ${formatDateTime(next)}.`,
    path: automationsPath(objectID),
    at,
    email: rule.tries === 1,
  });
}
