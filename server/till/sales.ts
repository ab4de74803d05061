// The row of a sale, locked or read, and its views for the till and the holder.
import { type RawBuilder, sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { shortName } from "#contract/french.ts";
import type { FirstStep } from "#contract/portal/professional-home.ts";
import { pointsOn } from "#contract/till/point-limits.ts";
import { till as limits } from "#contract/till/limits.ts";
import type { SaleLine } from "#contract/till/lines.ts";
import type { TillRequest, TillSale } from "#contract/till/rows.ts";
import type { TillSaleState } from "#contract/till/states.ts";
import { last4 } from "#server/cards/cards.ts";
import type { Db, Tx } from "#server/db/db.ts";
import { mayActFor } from "#server/family/family.ts";
import type { CompanyHome } from "#server/portal/portal.ts";

export interface SaleRow {
  id: string;
  partner: string;
  partnerName: string;
  place: string;
  /** Null for a sheet that has lost its company. */
  companyId: string | null;
  frozen: boolean;
  cashierId: number;
  cashier: string;
  holderId: number;
  holder: string;
  cardnumber: number;
  walletId: number | null;
  state: TillSaleState;
  amountCents: number;
  discountCents: number;
  refundedCents: number;
  pointsPerEuro: number;
  /** Part of the discount. */
  pointsUsed: number;
  /** Null until the points settle (`settlePoints`). */
  pointsEarned: number | null;
  label: string | null;
  lines: readonly SaleLine[];
  codeFrom: Date | null;
  /** When it was requested; for an offline sale, when it was made. */
  requestedAt: Date;
  expiresAt: Date | null;
  paidAt: Date | null;
  /** Made offline. */
  offline: boolean;
}

const columns = sql`s.id, s.partner_id as partner, p.name as partner_name,
  p.street || ', ' || p.town as place, p.company_id,
  p.frozen_at is not null as frozen, s.cashier_id, k.name as cashier,
  s.holder_id, h.name as holder, s.cardnumber, s.wallet_id, s.state,
  s.amount_cents, s.discount_cents,
  s.refunded_cents, s.points_per_euro::int,
  s.points_used, s.points_earned, s.label, s.lines, s.code_from, s.requested_at,
  s.expires_at, s.paid_at, s.offline`;
const source = sql`till_sale s join partner p on p.id = s.partner_id
  join person k on k.id = s.cashier_id join person h on h.id = s.holder_id`;

/** SQL: the instant that the till shows for a sale, as `shownInstant`. */
export const shownAt = sql`case when s.offline then s.requested_at else coalesce(s.paid_at, s.requested_at) end`;

/** A refund of a sale, in JSON. */
interface ReturnRow {
  amountCents: number;
  at: string;
  by: string;
}

/**
 * Sales that match `condition`; `rest` orders and limits them, or locks their rows; `more` reads further
 * columns.
 */
export async function salesWhere(
  db: Db,
  condition: RawBuilder<unknown>,
  rest: RawBuilder<unknown> = sql``,
  more: RawBuilder<unknown> = sql``,
): Promise<(SaleRow & { returns?: ReturnRow[] })[]> {
  const { rows } = await sql<SaleRow & { returns?: ReturnRow[] }>`
    select ${columns}${more} from ${source} where ${condition} ${rest}`.execute(db);
  return rows;
}

/** SQL: the counter's refunds of a sale, the earliest first; further column of `salesWhere`. */
export const returnsColumn = sql`, (
  select coalesce(json_agg(json_build_object('amountCents', r.amount_cents, 'at', r.at,
    'by', b.name) order by r.place), '[]')
  from till_return r join person b on b.id = r.by_id where r.sale_id = s.id) as returns`;

/** The counter's refunds, and those by operators, negative where they reversed a refund. */
export function toReturns({
  returns = [],
  refundedCents,
}: Pick<SaleRow, "refundedCents"> & { returns?: ReturnRow[] }) {
  const items = returns.map((one) => ({ ...one, at: new Date(one.at).toISOString() }));
  const byCounter = items.reduce((sum, { amountCents }) => sum + amountCents, 0);
  return { items, correctedCents: refundedCents - byCounter };
}

/** A sale of a company, locked (`lockSale`); `not_found` for any other. */
export const lockCompanySale = (tx: Tx, companyId: string, id: string): Promise<SaleRow> =>
  lockSale(tx, id, sql`p.company_id = ${companyId}`);

/** A sale that the person may answer for, their own card's or a child's, locked (`lockSale`). */
export const lockAnswerableSale = (tx: Tx, personId: number, id: string): Promise<SaleRow> =>
  lockSale(tx, id, mayActFor(personId, sql.ref("s.holder_id")));

/**
 * Locks the row of a sale, and its counter before it, in the order of a closing: a closing waits for payments and
 * refunds under way, and counts them; what comes after falls into the next one.
 */
async function lockSale(tx: Tx, id: string, condition: RawBuilder<unknown>): Promise<SaleRow> {
  await sql`select from partner where id = (select partner_id from till_sale where id = ${id})
    for share`.execute(tx);
  const [sale] = await salesWhere(tx, sql`s.id = ${id} and ${condition}`, sql`for update of s`);
  if (!sale) throw new Problem("not_found");
  return sale;
}

export const priceOf = ({
  amountCents,
  discountCents,
}: Pick<SaleRow, "amountCents" | "discountCents">): number => amountCents - discountCents;

/** Points for the part that stays paid. */
export const earnedPoints = (sale: SaleRow): number =>
  pointsOn(priceOf(sale) - sale.refundedCents, sale.pointsPerEuro);

/** The instant that the till shows for a sale: when it was paid, or requested; offline, when it was made. */
export const shownInstant = ({
  offline,
  paidAt,
  requestedAt,
}: Pick<SaleRow, "offline" | "paidAt" | "requestedAt">): Date =>
  (offline ? null : paidAt) ?? requestedAt;

/** Until when it may be cancelled. */
export const cancelUntil = (paidAt: Date): Date =>
  new Date(paidAt.getTime() + limits.cancelMinutes * 60_000);

/** The till's view: never a balance, and no name before the holder paid. */
export function toTillSaleView(sale: SaleRow): TillSale {
  const { id, partner, state, amountCents, discountCents, refundedCents, label, cashier } = sale;
  const until = state === "requested" ? sale.expiresAt : sale.paidAt && cancelUntil(sale.paidAt);
  return {
    id,
    partner,
    state,
    amountCents,
    discountCents,
    pointsUsed: sale.pointsUsed,
    pointsEarned: earnedPoints(sale),
    paidCents: priceOf(sale),
    refundedCents,
    label,
    lines: [...sale.lines],
    holder: sale.paidAt ? shortName(sale.holder) : null,
    last4: last4(sale.cardnumber),
    cashier,
    at: shownInstant(sale).toISOString(),
    offline: sale.offline,
    until: until?.toISOString() ?? null,
  };
}

/** The view for the person who answers. */
export function toRequestView(sale: SaleRow, personId: number): TillRequest {
  const { id, state, partnerName, place, amountCents, discountCents, label, holder } = sale;
  return {
    id,
    state,
    partner: partnerName,
    place,
    amountCents,
    discountCents,
    pointsUsed: sale.pointsUsed,
    pointsEarned: earnedPoints(sale),
    paidCents: priceOf(sale),
    label,
    holder,
    own: sale.holderId === personId,
    until: (sale.expiresAt ?? sale.requestedAt).toISOString(),
  };
}

/** The first sale of a company at a till, as one of its first steps. */
export async function saleStep({ db, companyId }: CompanyHome): Promise<FirstStep[]> {
  const { rows } = await sql`
    select from till_sale s join partner p on p.id = s.partner_id
    where p.company_id = ${companyId} and s.paid_at is not null limit 1`.execute(db);
  return [{ kind: "sale", done: rows.length > 0, id: null }];
}
