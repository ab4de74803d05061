// Points of a sale: deducted from its price, given once it can no longer be cancelled, and corrected by later
// refunds.
import { sql } from "kysely";
import { till as limits } from "#contract/till/limits.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import {
  earnPoints,
  type PointEntry,
  returnPoints,
  usePoints,
  withdrawPoints,
} from "./point-lots.ts";
import type { Deps } from "#server/process/deps.ts";
import { earnedPoints, priceOf, type SaleRow, salesWhere } from "./sales.ts";

const usedUnder = ({ id }: SaleRow) => `points:used:${id}`;

/** Null for a sheet that has lost its company: no company owes its points. */
function pointEntry(sale: SaleRow, points: number, key: string, at: Date): PointEntry | null {
  const { companyId, holderId: personId, partnerName: label } = sale;
  return companyId === null ? null : { personId, companyId, points, key, label, at };
}

/** Spends the points that the price of a sale includes. Refuses `points_short`. */
export async function takePoints(tx: Tx, sale: SaleRow, at: Date): Promise<void> {
  const act = sale.pointsUsed > 0 && pointEntry(sale, sale.pointsUsed, usedUnder(sale), at);
  if (act) await usePoints(tx, act);
}

const batch = 200;

/** Gives the points of sales that can no longer be cancelled; answers for how many sales. */
export async function settlePoints(deps: Pick<Deps, "db" | "now">): Promise<number> {
  const { db, now } = deps;
  const before = new Date(now().getTime() - limits.cancelMinutes * 60_000);
  let settled = 0;
  for (;;) {
    const { rows } = await sql<{ id: string }>`
      select id from till_sale where points_earned is null and state = 'paid' and paid_at < ${before}
      order by paid_at limit ${batch}`.execute(db);
    for (const { id } of rows) {
      await inTx(db, async (tx) => {
        const [sale] = await salesWhere(tx, sql`s.id = ${id}`, sql`for update of s`);
        if (sale?.state === "paid" && sale.pointsEarned === null) {
          await settleSale(tx, sale, now());
        }
      });
    }
    settled += rows.length;
    if (rows.length < batch) return settled;
  }
}

/** Gives the points of one sale; the caller holds the lock of its row. */
export async function settleSale(tx: Tx, sale: SaleRow, at: Date): Promise<void> {
  const act = pointEntry(sale, earnedPoints(sale), `points:earned:${sale.id}`, at);
  await sql`update till_sale set points_earned = ${act?.points ?? 0}
    where id = ${sale.id}`.execute(tx);
  if (act) await earnPoints(tx, act);
}

/**
 * Corrects the points after more or less of a sale is refunded: spent points are returned in the same
 * proportion, earned ones are withdrawn as far as they are still there; the other way round where a refund
 * was reversed. `sale` is as it was before; `act` distinguishes one refund or reversal of it from the others.
 * Gives how many were returned.
 */
export async function correctPoints(
  tx: Tx,
  sale: SaleRow,
  { refundedCents, act, at }: { refundedCents: number; act: string; at: Date },
): Promise<number> {
  const actFor = (what: string, points: number) =>
    points > 0 ? pointEntry(sale, points, `points:${what}:${sale.id}:${act}`, at) : null;
  const usedBack = (cents: number) => Math.floor((sale.pointsUsed * cents) / priceOf(sale));
  const already = usedBack(sale.refundedCents);
  const change = usedBack(refundedCents) - already;
  const back = actFor("back", change);
  const returned = back
    ? await returnPoints(tx, { ...back, usedUnder: usedUnder(sale), already })
    : 0;
  const again = actFor("again", -change);
  if (again) await withdrawPoints(tx, again);
  if (sale.pointsEarned === null && refundedCents < priceOf(sale)) return returned;
  const earned = sale.pointsEarned ?? 0;
  const newEarned = earnedPoints({ ...sale, refundedCents });
  const withdrawn = actFor("withdrawn", earned - newEarned);
  if (withdrawn) await withdrawPoints(tx, withdrawn);
  const earnedAgain = actFor("earned", newEarned - earned);
  if (earnedAgain) await earnPoints(tx, earnedAgain);
  await sql`update till_sale set points_earned = ${newEarned} where id = ${sale.id}`.execute(tx);
  return returned;
}
