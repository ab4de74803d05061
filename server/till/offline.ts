// Charges that a till made offline. The goods are gone already: each charge is taken from the holder's wallet
// once, or is stored with the reason why it was not, and none is lost.
import { sql } from "kysely";
import { addDays, dayMs, parisDay, startOfDay } from "#contract/days.ts";
import { Problem, type ProblemCode } from "#contract/errors.ts";
import { signedCodes } from "#contract/limits.ts";
import { discountOf, offlineTill as limits } from "#contract/till/limits.ts";
import { linesCents } from "#contract/till/lines.ts";
import type { OfflineCharge, OfflineConflict, OfflineRecorded } from "#contract/till/offline.ts";
import { holdRoles } from "#server/companies/companies.ts";
import { type Db, inTx, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { Caller, PersonCall } from "#server/http/caller.ts";
import { problemOf } from "#server/http/errors.ts";
import { requireRight } from "#server/http/rights.ts";
import type { Deps } from "#server/process/deps.ts";
import { verifyCode } from "#server/signed-codes/signed-codes.ts";
import { lockOutgoing } from "#server/wallet/wallet.ts";
import { announceLosses, announceRequest } from "./announcements.ts";
import {
  type ChargeCard,
  type ChargeCounter,
  readCharge,
  requireChargeable,
} from "./charge-request.ts";
import { paySale } from "./payment.ts";
import { lockCompanySale, salesWhere, toTillSaleView } from "./sales.ts";
import { paysAtOnce, writeSale } from "./till.ts";

/** A charge with the instants that the server accepts. */
interface ReceivedCharge {
  deps: Deps;
  /** The cashier, who may have lost access to the counter since. */
  caller: Caller;
  charge: OfflineCharge;
  soldAt: Date;
  receivedAt: Date;
}

/** Known details of a charge that is stored as a conflict. */
interface ConflictContext {
  companyId: string | null;
  card: ChargeCard | null;
}

/**
 * Takes offline charges from wallets, the earliest sale first, each in a transaction of its own and only
 * once: sent again it answers the outcome. A charge that cannot be made is stored as a conflict; one that its
 * holder must approve, or whose holder has another open request at this counter, is left out of the answer
 * and waits. One that its cashier removed from the device is stored as a conflict too, unless the sale was
 * made online first. Refuses `not_found` for a counter or an id unknown here and `idempotency_mismatch`.
 */
export async function recordOffline({
  deps,
  caller,
  input,
}: PersonCall<{ charges: readonly OfflineCharge[] }>): Promise<{ items: OfflineRecorded[] }> {
  const items: OfflineRecorded[] = [];
  const before = await knownIds(deps.db, input.charges);
  const charges = input.charges
    .map(withoutWrongLines)
    .toSorted((a, b) => Date.parse(a.soldAt) - Date.parse(b.soldAt));
  for (const charge of charges) {
    const receivedAt = deps.now();
    const soldAt = new Date(Math.min(Date.parse(charge.soldAt), receivedAt.getTime()));
    const item = await record({ deps, caller, charge, soldAt, receivedAt });
    if (item) items.push(item);
  }
  const lost = items.filter(({ id, conflict }) => conflict !== null && !before.has(id));
  if (lost.length > 0) await tellOwners(deps, caller.personId, lost);
  return { items };
}

/** The money of a sale is worth more than its articles: those that are more than its amount are left out. */
const withoutWrongLines = (charge: OfflineCharge): OfflineCharge =>
  linesCents(charge.lines ?? []) > charge.amountCents ? { ...charge, lines: [] } : charge;

async function knownIds(db: Db, charges: readonly OfflineCharge[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from till_offline where id = any (${charges.map(({ id }) => id)}::uuid[])`.execute(
    db,
  );
  return new Set(rows.map(({ id }) => id));
}

/** One message per submission, to the owners who did not make the charges themselves. */
async function tellOwners(
  deps: Deps,
  by: number,
  lost: readonly Pick<OfflineRecorded, "id">[],
): Promise<void> {
  await inTx(deps.db, async (tx) => {
    const { rows } = await sql<{
      companyId: string;
      cashier: string;
      count: number;
      cents: number;
    }>`
      select o.company_id, k.name as cashier, count(*)::int as count,
        sum(o.amount_cents)::bigint as cents
      from till_offline o join person k on k.id = o.cashier_id
      where o.id = any (${lost.map(({ id }) => id)}::uuid[]) and o.company_id is not null
      group by o.company_id, k.name`.execute(tx);
    for (const row of rows) await announceLosses(tx, deps, { ...row, by, at: deps.now() });
  });
}

async function record(made: ReceivedCharge): Promise<OfflineRecorded | null> {
  const before = await recorded(made);
  if (before) return before;
  await requireAnyCounter(made);
  const known: ConflictContext = { companyId: made.caller.company?.companyId ?? null, card: null };
  try {
    const conflict = await carryOut(made, known);
    if (conflict === "wait") return null;
    if (conflict) await keepConflict(made, known, conflict);
  } catch (error) {
    // The same charge, twice at once: the other one has made the sale.
    const meanwhile = await recorded(made);
    if (meanwhile) return meanwhile;
    const { code } = problemOf(error);
    if (code === "till_waiting") return null;
    const conflict = conflictOf[code];
    if (!conflict) throw error;
    await keepConflict(made, known, made.charge.withdrawnWhy ? "withdrawn" : conflict);
  }
  return await recorded(made);
}

/** Refusals of the online till, as the reason of a conflict. */
const conflictOf: Readonly<Partial<Record<ProblemCode, OfflineConflict>>> = {
  company_missing: "counter",
  company_role: "counter",
  not_found: "counter",
  till_frozen: "counter",
  till_code: "code",
  till_code_used: "code_used",
  till_own: "own",
  till_card: "card",
  wallet_frozen: "card",
  card_suspended: "card",
  card_opposed: "card",
  card_state: "card",
  insufficient_funds: "funds",
  limit_day: "limit",
  limit_week: "limit",
  limit_place: "limit",
};

interface RecordedRow {
  cashierId: number;
  partner: string;
  amountCents: number;
  conflict: OfflineConflict | null;
  saleId: string | null;
}

/** The outcome of a charge that was sent before, null for a new one. */
async function recorded({ deps, caller, charge }: ReceivedCharge): Promise<OfflineRecorded | null> {
  const row = await query(deps.db).maybeOne(sql<RecordedRow>`
    select cashier_id, partner_id as partner, amount_cents, conflict,
      sale_id from till_offline where id = ${charge.id}`);
  if (!row) return null;
  if (row.cashierId !== caller.personId) throw new Problem("not_found");
  if (row.partner !== charge.partner || row.amountCents !== charge.amountCents) {
    throw new Problem("idempotency_mismatch");
  }
  const [sale] = row.saleId ? await salesWhere(deps.db, sql`s.id = ${row.saleId}`) : [];
  return { id: charge.id, conflict: row.conflict, sale: sale ? toTillSaleView(sale) : null };
}

/** Refuses `not_found` where there is no such counter of any company. */
async function requireAnyCounter({ deps, charge }: ReceivedCharge): Promise<void> {
  const { rows } = await sql`select from partner where id = ${charge.partner}`.execute(deps.db);
  if (rows.length === 0) throw new Problem("not_found");
}

/**
 * Makes the charge, or gives the reason why not; `wait` where it is too early to decide. Throws as the wallet
 * does.
 */
async function carryOut(
  made: ReceivedCharge,
  known: ConflictContext,
): Promise<OfflineConflict | "wait" | null> {
  const { deps, caller, charge, soldAt, receivedAt } = made;
  const { companyId } = requireRight(caller.company, "charge");
  const code = await verifyCode(deps.db, "card", charge.token);
  const found = await readCharge(deps, companyId, charge, {
    // Checked below, against the instant of the sale.
    code: code?.from ?? receivedAt,
    terms: termsMoment(charge, soldAt),
    sale: soldAt,
  });
  known.card = found.card;
  if (found.isRepeated) return await inTx(deps.db, (tx) => adopt(tx, made, companyId));
  if (charge.withdrawnWhy) return "withdrawn";
  // The partnership discount was not known when the price was announced.
  const card = found.card && { ...found.card, partnershipPercent: 0 };
  const sold = requireChargeable({ ...found, card }, charge);
  if (!code || !isOfMoment(code, soldAt)) return "code";
  if (daysBetween(soldAt, receivedAt) > limits.days) return "late";
  if (charge.amountCents > limits.chargeCents) return "cap_charge";
  return await inTx(deps.db, (tx) => debit(tx, { ...made, code }, sold));
}

/**
 * Whether a charge could have been made online: its code was still valid when the server received it, or
 * nearly.
 */
function isOfNow({
  soldAt,
  receivedAt,
  code,
}: ReceivedCharge & { code: { until: Date } }): boolean {
  const agoMs = receivedAt.getTime() - soldAt.getTime();
  return receivedAt <= code.until || agoMs <= limits.onlineSeconds * 1000;
}

const daysBetween = (from: Date, until: Date) => (until.getTime() - from.getTime()) / dayMs;

/** When the device read the terms of its discount: within a day of the sale. */
function termsMoment({ knownAt }: OfflineCharge, soldAt: Date): Date {
  const oldest = soldAt.getTime() - signedCodes.listHours * 3_600_000;
  return new Date(Math.min(Math.max(Date.parse(knownAt), oldest), soldAt.getTime()));
}

/** Whether a code was valid when it was read, allowing for clocks that differ. */
function isOfMoment({ from, until }: { from: Date; until: Date }, at: Date): boolean {
  const skewMs = signedCodes.clockSkewSeconds * 1000;
  return from.getTime() - skewMs <= at.getTime() && at.getTime() <= until.getTime() + skewMs;
}

/** The request was first sent online and its answer was lost: that sale is used. */
async function adopt(
  tx: Tx,
  made: ReceivedCharge,
  companyId: string,
): Promise<OfflineConflict | "wait" | null> {
  const { caller, charge, receivedAt } = made;
  await holdRoles(tx, { caller, right: "charge" });
  const sale = await lockCompanySale(tx, companyId, charge.id);
  if (sale.partner !== charge.partner || sale.amountCents !== charge.amountCents) {
    throw new Problem("idempotency_mismatch");
  }
  const waits =
    sale.state === "requested" && sale.expiresAt !== null && sale.expiresAt > receivedAt;
  if (waits) return "wait";
  if (sale.paidAt === null) return "unanswered";
  await writeRecord(tx, made, { companyId, card: sale, saleId: sale.id, conflict: null });
  return null;
}

/**
 * Takes the charge from the wallet under the caps. One received as soon as it is sold needs the holder's
 * approval whenever the same sale online would: it then waits for the answer.
 */
async function debit(
  tx: Tx,
  made: ReceivedCharge & { code: { until: Date } },
  { counter, card }: { counter: ChargeCounter; card: ChargeCard },
): Promise<OfflineConflict | "wait" | null> {
  const { deps, caller, charge, soldAt, receivedAt } = made;
  // Submissions of one cashier follow one another: the cap is per cashier.
  await holdRoles(tx, { caller, right: "charge", oneAtATime: true });
  if ((await waitedCents(tx, made)) + charge.amountCents > limits.tillCents) return "cap_till";
  await lockOutgoing(tx, { personIds: [card.personId], walletIds: [] });
  const { id, amountCents, label, lines } = charge;
  const price = amountCents - discountOf(amountCents, counter.discountPercent);
  const isNow = isOfNow(made);
  const asks = isNow && !(await paysAtOnce(tx, deps, { card, price, at: receivedAt }));
  if (
    !isNow &&
    (await holderCents(tx, card.personId, soldAt)) + amountCents > limits.holderDayCents
  ) {
    return "cap_holder";
  }
  const newSale = { id, amountCents, label, lines, counter, card, cashier: caller };
  const at = asks ? receivedAt : soldAt;
  const sale = await writeSale(tx, { ...newSale, offline: !asks, at });
  if (asks) {
    await announceRequest(tx, deps, sale, at);
    return "wait";
  }
  await paySale(tx, deps, sale, { payerId: card.personId, at: receivedAt });
  await writeRecord(tx, made, { companyId: counter.companyId, card, saleId: id, conflict: null });
  return null;
}

/** Total of a holder's offline charges on the day of a sale, at any till, before discounts. */
async function holderCents(tx: Tx, holderId: number, soldAt: Date): Promise<number> {
  const day = parisDay(soldAt);
  const { cents } = await query(tx).one(sql<{ cents: number }>`
    select coalesce(sum(o.amount_cents), 0)::bigint as cents
    from till_offline o join till_sale s on s.id = o.sale_id and s.offline
    where o.holder_id = ${holderId} and o.conflict is null
      and o.sold_at >= ${startOfDay(day)} and o.sold_at < ${startOfDay(addDays(day, 1))}`);
  return cents;
}

/**
 * The highest amount that this cashier had sold at this counter and not yet sent to the server, at any
 * instant between a sale and its receipt, whatever the order of submission. It trusts nothing from the
 * device: the code bounds the instant of a sale, and the server knows when it received it.
 */
async function waitedCents(
  tx: Tx,
  { caller, charge, soldAt, receivedAt }: ReceivedCharge,
): Promise<number> {
  const { cents } = await query(tx).one(sql<{ cents: number }>`
    with other as (
      select amount_cents, sold_at, received_at from till_offline
      where cashier_id = ${caller.personId} and partner_id = ${charge.partner} and sold_at <= ${receivedAt}
        and received_at > ${soldAt}
        and (conflict is null or conflict not in ('cap_charge', 'cap_till', 'withdrawn')))
    select coalesce(max(cents), 0)::bigint as cents from (
      select sum(change) over (order by at, change rows unbounded preceding) as cents from (
        select greatest(sold_at, ${soldAt}) as at, amount_cents as change from other
        union all
        select received_at, -amount_cents from other) changes) running`);
  return cents;
}

interface Outcome {
  companyId: string | null;
  card: { holderId?: number; personId?: number; cardnumber: number } | null;
  saleId: string | null;
  conflict: OfflineConflict | null;
}

const keepConflict = (
  made: ReceivedCharge,
  { companyId, card }: ConflictContext,
  conflict: OfflineConflict,
) => inTx(made.deps.db, (tx) => writeRecord(tx, made, { companyId, card, saleId: null, conflict }));

async function writeRecord(tx: Tx, made: ReceivedCharge, outcome: Outcome): Promise<void> {
  const { caller, charge, soldAt, receivedAt } = made;
  const { companyId, card, saleId, conflict } = outcome;
  const holder = card?.holderId ?? card?.personId ?? null;
  await sql`insert into till_offline (id, partner_id, company_id, cashier_id, holder_id, cardnumber,
      amount_cents, label, lines, sold_at, received_at, sale_id, conflict, withdrawn_why)
    values (${charge.id}, ${charge.partner}, ${companyId}, ${caller.personId}, ${holder},
      ${card?.cardnumber ?? null}, ${charge.amountCents}, ${charge.label ?? null},
      ${JSON.stringify(charge.lines ?? [])}::jsonb, ${soldAt},
      ${receivedAt}, ${saleId}, ${conflict},
      ${conflict === "withdrawn" ? (charge.withdrawnWhy ?? null) : null})
    on conflict (id) do nothing`.execute(tx);
}
