// What may still happen to a paid subscription: its papers are judged, or it is cancelled and the whole
// goes back the way it came, lot by lot.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { formatDate, formatMoney } from "#contract/french.ts";
import { subscriptions as limits } from "#contract/limits.ts";
import { subscriptionCan } from "#contract/subscription-states.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import type { Deps } from "#server/deps.ts";
import type { Caller, Origin } from "#server/http/caller.ts";
import { audit } from "#server/identity/identity.ts";
import { reverseGroup } from "#server/ledger/ledger.ts";
import { parisDay } from "#server/wallet/wallet.ts";
import { addDays } from "./calendar.ts";
import { startAfter } from "./files.ts";
import { formulaAt } from "./offer.ts";
import { paidUnder } from "./pay.ts";
import { spanFrom } from "./price.ts";
import { keepTrue, lastDayOf, lockedRow, lockedRowOf, type Row } from "./rows.ts";
import { tell } from "./tell.ts";

/** What the desk needs: it runs beside the server too. */
export type Desk = Pick<Deps, "db" | "now" | "send" | "config">;

/** Last day of the right to cancel, null when there is none any more. */
export function cancelUntil(row: Pick<Row, "state" | "paidAt" | "walletId">, now: Date) {
  if (!subscriptionCan.withdraw(row) || row.paidAt === null || row.walletId === null) return null;
  const last = addDays(parisDay(row.paidAt), limits.withdrawDays);
  return row.state === "review" || last >= parisDay(now) ? last : null;
}

/**
 * Cancels a subscription within 14 days of its payment, or while its papers are checked; the whole
 * price goes back to the wallet that paid. Again, it answers the same. Refuses `subscription_final`
 * later, `subscription_followed` while another one follows it.
 */
export async function cancel({
  deps,
  caller,
  origin,
  input,
}: {
  deps: Deps;
  caller: Caller;
  origin: Origin;
  input: { id: string };
}): Promise<{ message: string }> {
  return await inTx(deps.db, async (tx) => {
    const at = deps.now();
    const row = await lockedRowOf(tx, caller.personId, input.id);
    const done = { message: "L’abonnement est annulé. Son prix est revenu sur la cagnotte." };
    if (row.state === "cancelled") return done;
    if (cancelUntil(row, at) === null) throw new Problem("subscription_final");
    await refuseFollowed(tx, row);
    await giveBack(tx, row, { state: "cancelled", reason: null, at });
    const details = { formula: row.formula, amountCents: row.paidCents };
    const line = { personId: caller.personId, action: "subscription.cancel", actor: "person" };
    await audit(tx, { ...line, address: origin.address, details, at });
    await tell(tx, deps, row, {
      title: "Abonnement annulé",
      body: `L’abonnement de ${row.holder} est annulé. ${returned(row)}`,
      at,
      outside: true,
    });
    return done;
  });
}

async function refuseFollowed(tx: Tx, { id, personId, startsOn }: Row): Promise<void> {
  const { rows } = await sql`select from subscription where person_id = ${personId}
    and state = 'active' and starts_on > ${startsOn}::date and id <> ${id}`.execute(tx);
  if (rows.length > 0) throw new Problem("subscription_followed");
}

const returned = ({ paidCents }: Row): string =>
  `${formatMoney(paidCents ?? 0)} sont revenus sur la cagnotte qui avait payé.`;

async function giveBack(
  tx: Tx,
  row: Row,
  { state, reason, at }: { state: "cancelled" | "refused"; reason: string | null; at: Date },
): Promise<void> {
  await sql`update subscription set state = ${state}, reason = ${reason}, ended_at = ${at},
    changed_at = ${at} where id = ${row.id}`.execute(tx);
  await keepTrue(tx, row.id);
  if ((row.paidCents ?? 0) === 0) return;
  const key = `${paidUnder(row.id)}:back`;
  await reverseGroup(tx, paidUnder(row.id), {
    key,
    kind: "refund",
    reason: state === "cancelled" ? "Abonnement annulé" : "Abonnement refusé",
    at,
  });
}

async function waiting(tx: Tx, number: number): Promise<Row> {
  const { rows } = await sql<{ id: string }>`
    select id from subscription where number = ${number}`.execute(tx);
  const row = rows[0] ? await lockedRow(tx, rows[0].id) : null;
  if (!row) throw new Problem("not_found");
  if (!subscriptionCan.judge(row)) throw new Problem("subscription_closed");
  return row;
}

/**
 * The papers are right: the subscription begins, today or after what runs already. Refuses `not_found`,
 * `subscription_closed`. `operator` is the name kept in the trail.
 */
export function approve(desk: Desk, number: number, operator: string): Promise<Row> {
  return inTx(desk.db, async (tx) => {
    const at = desk.now();
    const row = await waiting(tx, number);
    const formula = await formulaAt(tx, row.formula, row.formulaVersion);
    const lastDay = await lastDayOf(tx, row.personId);
    const { startsOn, endsOn } = spanFrom(formula, startAfter(lastDay, parisDay(at)));
    await sql`update subscription set state = 'active', starts_on = ${startsOn},
      ends_on = ${endsOn}, changed_at = ${at} where id = ${row.id}`.execute(tx);
    await keepTrue(tx, row.id);
    const line = { action: "subscription.approved", actor: `operator:${operator}`, address: null };
    await audit(tx, { ...line, personId: row.personId, at });
    await tell(tx, desk, row, {
      title: "Justificatifs acceptés",
      body: `L’abonnement ${formula.name} de ${row.holder} court du ${formatDate(startsOn)} au ${formatDate(endsOn)}.`,
      at,
      outside: true,
    });
    return row;
  });
}

/** The papers are not right: the money goes back, and the buyer reads why. Refuses as `approve`. */
export function refuse(
  desk: Desk,
  number: number,
  { reason, operator }: { reason: string; operator: string },
): Promise<Row> {
  return inTx(desk.db, async (tx) => {
    const at = desk.now();
    const row = await waiting(tx, number);
    await giveBack(tx, row, { state: "refused", reason, at });
    const line = { action: "subscription.refused", actor: `operator:${operator}`, address: null };
    await audit(tx, { ...line, personId: row.personId, at });
    await tell(tx, desk, row, {
      title: "Abonnement refusé",
      body: `L’abonnement de ${row.holder} est refusé : ${reason} ${returned(row)}`,
      at,
      outside: true,
    });
    return row;
  });
}
