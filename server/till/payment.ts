// Payment of a sale by the wallets, only once, with the announcements to everybody concerned.
import { sql } from "kysely";
import { parisDay } from "#contract/days.ts";
import { formatMoney } from "#contract/french.ts";
import { loyalty } from "#contract/till/point-limits.ts";
import { referenceOf } from "#contract/reference.ts";
import { till as limits } from "#contract/till/limits.ts";
import { paidUnder, receiptLines, walletSharesOf } from "#server/checkout/checkout.ts";
import { prepared, type Tx } from "#server/db/db.ts";
import type { Deps } from "#server/process/deps.ts";
import { spend } from "#server/wallet/wallet.ts";
import { announcePaid } from "./announcements.ts";
import { takePoints } from "./points.ts";
import { earnedPoints, priceOf, type SaleRow } from "./sales.ts";

/** Pays a sale (`takePayment`), notifies the payer, with the receipt, and gives the sale as it is then. */
export async function paySale(
  tx: Tx,
  deps: Pick<Deps, "send" | "config">,
  sale: SaleRow,
  { payerId, at }: { payerId: number; at: Date },
): Promise<SaleRow> {
  const paid = await takePayment(tx, sale, at);
  const boughtAt = sale.offline ? sale.requestedAt : at;
  const spent = {
    kind: "till",
    orderId: sale.id,
    holdIds: null,
    at: boughtAt,
  } as const;
  const money = receiptLines({
    label: sale.partnerName,
    totalCents: priceOf(sale),
    held: false,
    shares: await walletSharesOf(tx, spent),
    cardCents: 0,
    at: boughtAt,
  });
  const receipt = [...money, `Référence : ${referenceOf(sale.id)}`, ...pointLines(paid)];
  await announcePaid(tx, deps, paid, { payerId, receipt, at });
  return paid;
}

/** Lines of a receipt about points, beside the money. */
const pointLines = (sale: SaleRow): string[] => [
  ...(sale.pointsUsed > 0
    ? [`Points utilisés : ${sale.pointsUsed}, ${formatMoney(sale.pointsUsed * loyalty.pointCents)}`]
    : []),
  ...(earnedPoints(sale) > 0
    ? [`Points gagnés : ${earnedPoints(sale)}, utilisables dans ${limits.cancelMinutes} minutes`]
    : []),
];

/**
 * Pays a sale from the holder's wallets of groups that the partner accepts, then from the main one (spec.md
 * 17 and 30). Throws as `spend`. The caller holds the lock of the sale's row.
 */
export async function takePayment(tx: Tx, sale: SaleRow, at: Date): Promise<SaleRow> {
  await takePoints(tx, sale, at);
  const [{ walletId, to }, ...beside] = await payingWallets(tx, sale, at);
  await spend(tx, {
    walletId,
    beside: beside.map((one) => one.walletId),
    amountCents: priceOf(sale),
    to,
    kind: "purchase",
    key: paidUnder("till", sale.id),
    memo: { label: sale.label ? `${sale.partnerName}, ${sale.label}` : sale.partnerName },
    at,
  });
  await sql`update till_sale set state = 'paid', wallet_id = ${walletId}, paid_at = ${at},
    ended_at = ${at} where id = ${sale.id}`.execute(tx);
  return { ...sale, state: "paid", walletId, paidAt: at };
}

interface PayingWallet {
  walletId: number;
  /** The ledger account that receives the money. */
  to: number;
}

/**
 * The wallets that the partner accepts, in the order in which they pay: restricted ones with money where
 * their holder may spend it, aid and the earliest expiry first, and the main one last.
 */
async function payingWallets(
  tx: Tx,
  sale: SaleRow,
  at: Date,
): Promise<readonly [PayingWallet, ...PayingWallet[]]> {
  const { rows } = await sql<PayingWallet>`${prepared("till-wallets")}
    select w.id as wallet_id, tills.account_id as to
    from wallet w
    join scheme_account tills on tills.name = 'tills'
    left join partner_group g on g.group_id = w.group_id and g.partner_id = ${sale.partner}
    left join member_limit m on m.person_id = w.person_id and not w.group_id = any (m.groups)
      and limit_counts(m.person_id)
    left join lateral (select l.kind = 'purchased' as purchased, l.expires_on from wallet_lot l
      join ledger_account a on a.id = l.account_id
      where l.wallet_id = w.id and a.balance > a.held
        and (l.expires_on is null or l.expires_on >= ${parisDay(at)}::date)
      order by 1, 2 nulls last limit 1) first on true
    where w.person_id = ${sale.holderId} and (w.group_id = 1 or g.group_id is not null
      and m.person_id is null and w.frozen_at is null and first.purchased is not null)
    order by w.group_id = 1, first.purchased, first.expires_on nulls last, w.id`.execute(tx);
  const [first, ...others] = rows;
  if (!first) throw new Error(`person ${sale.holderId} has no main wallet`);
  return [first, ...others];
}
