// The till charges a card at a partner's counter: at once by its QR, after the holder's approval by its
// number. Refuses as the wallet does, without disclosing its balance, and one QR pays one sale. It owns the
// points that partners give, which are earned and spent at tills.
import { sql } from "kysely";
import { companyCan } from "#contract/companies/roles.ts";
import { Problem } from "#contract/errors.ts";
import { parisDay, startOfDay } from "#contract/days.ts";
import { loyalty } from "#contract/till/point-limits.ts";
import { discountOf, pointsTakenOff, till as limits } from "#contract/till/limits.ts";
import { smallSale } from "#contract/till/small-sales.ts";
import type { TillCounter, TillSale } from "#contract/till/rows.ts";
import { inCompanyTx } from "#server/companies/companies.ts";
import { type Db, prepared, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { Caller, CompanyCall } from "#server/http/caller.ts";
import { pointsInForce, termsInForce } from "#server/partners/partners.ts";
import type { Deps } from "#server/process/deps.ts";
import { outgoingCents, outgoingLockSql } from "#server/wallet/wallet.ts";
import { announceRequest } from "./announcements.ts";
import { requireLines } from "./articles.ts";
import { redactForCashier } from "./cashier-problems.ts";
import {
  type ChargeRequest,
  type ChargeCard,
  type ChargeCounter,
  readCharge,
  requireChargeable,
} from "./charge-request.ts";
import { paySale } from "./payment.ts";
import { expirePoints } from "./point-expiry.ts";
import { pointsOf } from "./point-lots.ts";
import { warnOfPoints } from "./point-warnings.ts";
import { settlePoints } from "./points.ts";
import { expireRequests } from "./requests.ts";
import { priceOf, type SaleRow, salesWhere, toTillSaleView } from "./sales.ts";

export type { ChargeCounter } from "./charge-request.ts";
export { closeCounter } from "./closings.ts";
export { takePayment } from "./payment.ts";
export { earnPoints, pointsOf } from "./point-lots.ts";
export { settleSale } from "./points.ts";

/**
 * The counters of the caller's company, a frozen one with its reason; none for a person who may not charge
 * (spec.md 21 and 25).
 */
export async function readCounters({
  deps,
  company: { companyId, roles },
}: CompanyCall<unknown>): Promise<{ items: TillCounter[] }> {
  if (!companyCan.charge(roles)) return { items: [] };
  const { rows } = await sql<TillCounter>`
    select p.id, p.name, ${termsInForce(sql.ref("p.id"), deps.now())} as discount_percent,
      ${pointsInForce(sql.ref("p.id"), deps.now())} as points_per_euro,
      exists (select from point_lot l where l.company_id = p.company_id
        and l.expires_on >= ${parisDay(deps.now())}::date) as takes_points,
      p.frozen_why
    from partner p where p.company_id = ${companyId}
    order by p.name collate "fr-x-icu"`.execute(deps.db);
  return { items: rows };
}

/**
 * Charges a card. By its QR it pays at once, unless the holder's outgoing money of 24 h then requires a code:
 * that sale, and every sale by number, waits for the holder. The same id again answers the existing sale,
 * with other content `idempotency_mismatch`. Amounts in cents. Refuses `till_code`, `till_code_used`,
 * `till_card`, `till_funds`, `till_limit`, `till_own`, `till_waiting`, `till_frozen`, `till_lines` (spec.md 21).
 */
export async function charge(call: CompanyCall<ChargeRequest>): Promise<TillSale> {
  const { deps, caller, company, input } = call;
  const { companyId } = company;
  requireLines(input);
  const found = await readCharge(deps, companyId, input);
  if (found.isRepeated) return await repeated(deps.db, companyId, input);
  const { counter, card } = requireChargeable(found, input);
  const payer = { personIds: [card.personId], walletIds: [] };
  try {
    return await inCompanyTx(
      call,
      (tx) => sell(tx, deps, { input, counter, card, cashier: caller }),
      {
        andLock: outgoingLockSql(payer),
      },
    );
  } catch (error) {
    // The same call, twice at once: the other one has made the sale.
    const { isRepeated } = await readCharge(deps, companyId, input);
    if (isRepeated) return await repeated(deps.db, companyId, input);
    throw redactForCashier(error);
  }
}

async function repeated(db: Db, companyId: string, input: ChargeRequest): Promise<TillSale> {
  const [sale] = await salesWhere(db, sql`s.id = ${input.id}`);
  if (!sale || sale.companyId !== companyId) throw new Problem("not_found");
  const same = sale.partner === input.partner && sale.amountCents === input.amountCents;
  if (!same) throw new Problem("idempotency_mismatch");
  return toTillSaleView(sale);
}

interface SaleInput {
  input: ChargeRequest;
  counter: ChargeCounter;
  card: ChargeCard;
  cashier: Pick<Caller, "personId" | "name">;
}

/** Call it under `lockOutgoing` for the card's person. */
async function sell(
  tx: Tx,
  deps: Deps,
  { input, counter, card, cashier }: SaleInput,
): Promise<TillSale> {
  const at = deps.now();
  const { personId } = card;
  const { companyId } = counter;
  const points = input.usePoints ? await pointsOf(tx, { personId, companyId, at }) : 0;
  const sale = await writeSale(tx, { ...input, points, counter, card, cashier, at });
  if (await paysAtOnce(tx, deps, { card, price: priceOf(sale), at }))
    return toTillSaleView(await paySale(tx, deps, sale, { payerId: card.personId, at }));
  await announceRequest(tx, deps, sale, at);
  return toTillSaleView(sale);
}

/**
 * Whether a sale by QR code needs no approval: the outgoing money of 24 h stays below the threshold with it,
 * or it is a small one. Call it under `lockOutgoing`.
 */
export async function paysAtOnce(
  tx: Tx,
  { config }: Pick<Deps, "config">,
  { card, price, at }: { card: ChargeCard; price: number; at: Date },
): Promise<boolean> {
  if (card.from === null) return false;
  const sum = price + (await outgoingCents(tx, card.personId, at));
  return sum < config.codeFromCents || (await isSmall(tx, card.personId, price, at));
}

/** Whether a sale by QR code is one of the few small ones of a day that need no approval. */
async function isSmall(tx: Tx, holderId: number, price: number, at: Date): Promise<boolean> {
  if (price >= smallSale.cents) return false;
  const { count } = await query(tx).one(sql<{ count: number }>`
    select count(*)::int as count from till_sale
    where holder_id = ${holderId} and code_from is not null and state in ('paid', 'refunded')
      and paid_at >= ${startOfDay(parisDay(at))} and amount_cents - discount_cents < ${smallSale.cents}`);
  return count < smallSale.perDay;
}

interface NewSale
  extends Pick<ChargeRequest, "id" | "amountCents" | "label" | "lines">, Omit<SaleInput, "input"> {
  /** The holder's points that may be spent: as many are taken as the price allows. */
  points?: number;
  /** It was made offline, at that instant. */
  offline?: boolean;
  at: Date;
}

/**
 * Writes a sale that waits for payment, with its discount by the terms of the counter; an expired request of
 * the same person is ended. A closing waits for the sales under way, and counts them.
 */
export async function writeSale(
  tx: Tx,
  {
    id,
    amountCents,
    points = 0,
    label,
    lines = [],
    counter,
    card,
    cashier,
    offline = false,
    at,
  }: NewSale,
): Promise<SaleRow> {
  const expiresAt = new Date(at.getTime() + limits.answerSeconds * 1000);
  const byTerms = discountOf(amountCents, counter.discountPercent);
  const pointsUsed = pointsTakenOff(points, amountCents - byTerms);
  const discountCents = byTerms + pointsUsed * loyalty.pointCents;
  const pointsEarned = counter.pointsPerEuro > 0 ? null : 0;
  const { rows } = await sql`${prepared("till-write")}
    with counter as (select id from partner
      where id = ${counter.id} and company_id = ${counter.companyId} for share),
    past as (
      update till_sale set state = 'expired', ended_at = ${at}
      where partner_id = ${counter.id} and holder_id = ${card.personId} and state = 'requested'
        and expires_at <= ${at} returning id)
    insert into till_sale (id, partner_id, cashier_id, holder_id, cardnumber, state, amount_cents,
      discount_cents, points_per_euro, points_used, points_earned, label, lines, code_from, requested_at,
      expires_at, offline)
    select ${id}, counter.id, ${cashier.personId}, ${card.personId}, ${card.cardnumber}, 'requested',
      ${amountCents}, ${discountCents}, ${counter.pointsPerEuro}, ${pointsUsed},
      ${pointsEarned}::integer, ${label ?? null}, ${JSON.stringify(lines)}::jsonb, ${card.from}, ${at}, ${expiresAt}, ${offline}
    from counter where (select count(*) from past) >= 0 returning id`.execute(tx);
  if (rows.length === 0) throw new Problem("not_found");
  return {
    id,
    partner: counter.id,
    partnerName: counter.name,
    place: counter.place,
    companyId: counter.companyId,
    frozen: false,
    cashierId: cashier.personId,
    cashier: cashier.name,
    holderId: card.personId,
    holder: card.holder,
    cardnumber: card.cardnumber,
    walletId: null,
    state: "requested",
    amountCents,
    discountCents,
    refundedCents: 0,
    pointsPerEuro: counter.pointsPerEuro,
    pointsUsed,
    pointsEarned,
    label: label ?? null,
    lines,
    codeFrom: card.from,
    requestedAt: at,
    expiresAt,
    paidAt: null,
    offline,
  };
}

/** The jobs of this room. */
export function tillTasks(deps: Deps) {
  return {
    expire_till_requests: () => expireRequests(deps),
    settle_till_points: () => settlePoints(deps),
    expire_points: () => expirePoints(deps),
    warn_points: () => warnOfPoints(deps),
  };
}

/** Schedule of the jobs (UTC). */
export const tillRoutines = [
  { task: "expire_till_requests", cron: "* * * * *" },
  { task: "settle_till_points", cron: "* * * * *" },
  { task: "expire_points", cron: "10 2 * * *" },
  { task: "warn_points", cron: "30 7 * * *" },
] as const;
