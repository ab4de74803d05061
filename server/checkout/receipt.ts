// The receipt of an order, as lines of a message: one for everything that is sold.
import { sql } from "kysely";
import { parisDay } from "#contract/days.ts";
import { formatDateTime, formatMoney } from "#contract/french.ts";
import type { Tx } from "#server/db/db.ts";
import { type PaidKind, paidUnder } from "./refund.ts";

interface Paid {
  kind: PaidKind;
  orderId: string;
  /** The holds that keep the price aside; null where it is spent. */
  holdIds: readonly number[] | null;
  label: string;
  totalCents: number;
  /** What of it was paid at the provider: that money only passed through its wallet. */
  card: CardShare | null;
  at: Date;
}

export interface CardShare {
  accountId: number;
  cents: number;
}

/**
 * What whoever paid is told of a payment: amount, which wallets paid how much and what remains in them.
 * Empty for what is free.
 */
export async function receiptOf(tx: Tx, paid: Paid): Promise<string[]> {
  const { kind, orderId, holdIds, label, totalCents, card, at } = paid;
  if (totalCents === 0) return [];
  const { rows } = await sql<{
    wallet: string;
    cents: number;
    leftCents: number;
    through: boolean;
  }>`
    with part as (
      select debit_account, amount, part as place from transfer where key = ${paidUnder(kind, orderId)}
      union all
      select debit_account, amount, id from hold where id = any (${holdIds ?? []}::bigint[]))
    select w.name || ', ' || p.name as wallet, sum(t.amount)::bigint as cents,
      bool_or(l.account_id = ${card?.accountId ?? null}::bigint) as through,
      (select coalesce(sum(a.balance - a.held), 0)::bigint from wallet_lot x
        join ledger_account a on a.id = x.account_id where x.wallet_id = w.id
          and (x.expires_on is null or x.expires_on >= ${parisDay(at)}::date)) as "leftCents"
    from part t join wallet_lot l on l.account_id = t.debit_account
    join wallet w on w.id = l.wallet_id join person p on p.id = w.person_id
    group by w.id, w.name, p.name order by min(t.place)`.execute(tx);
  const paidWith = rows
    .map((row) => ({ ...row, cents: row.cents - (row.through ? (card?.cents ?? 0) : 0) }))
    .filter(({ cents }) => cents > 0)
    .map(
      ({ wallet, cents, leftCents }) =>
        `${holdIds ? "Mis de côté sur" : "Payé avec"} ${wallet} : ${formatMoney(cents)}, il reste ${formatMoney(leftCents)}`,
    );
  const byCard = "Payé par carte bancaire";
  if (card && card.cents === totalCents) paidWith.push(byCard);
  else if (card && card.cents > 0) paidWith.push(`${byCard} : ${formatMoney(card.cents)}`);
  return [
    `Achat : ${label}`,
    `Montant : ${formatMoney(totalCents)}`,
    ...paidWith,
    `Date : ${formatDateTime(at)}`,
    `Référence : ${orderId}`,
  ];
}
