// The receipt of an order, as lines of a message: one for everything that is sold.
import { sql } from "kysely";
import { parisDay } from "#contract/days.ts";
import { formatDateTime, formatMoney } from "#contract/french.ts";
import type { OrderKind } from "#contract/payments/rows.ts";
import type { Tx } from "#server/db/db.ts";
import { paidUnder } from "./refund.ts";

interface Paid {
  kind: OrderKind;
  orderId: string;
  label: string;
  totalCents: number;
  /** Paid at the provider: the money only passed through the wallet. */
  atProvider: boolean;
  at: Date;
}

/**
 * What whoever paid is told of a payment: amount, which wallets paid how much and what remains in them.
 * Empty for what is free.
 */
export async function receiptOf(tx: Tx, paid: Paid): Promise<string[]> {
  const { kind, orderId, label, totalCents, atProvider, at } = paid;
  if (totalCents === 0) return [];
  const { rows } = await sql<{ wallet: string; cents: number; leftCents: number }>`
    select w.name || ', ' || p.name as wallet, sum(t.amount)::bigint as cents,
      (select coalesce(sum(a.balance - a.held), 0)::bigint from wallet_lot x
        join ledger_account a on a.id = x.account_id where x.wallet_id = w.id
          and (x.expires_on is null or x.expires_on >= ${parisDay(at)}::date)) as "leftCents"
    from transfer t join wallet_lot l on l.account_id = t.debit_account
    join wallet w on w.id = l.wallet_id join person p on p.id = w.person_id
    where t.key = ${paidUnder(kind, orderId)}
    group by w.id, w.name, p.name order by min(t.part)`.execute(tx);
  const paidWith = atProvider
    ? ["Payé par carte bancaire"]
    : rows.map(
        ({ wallet, cents, leftCents }) =>
          `Payé avec ${wallet} : ${formatMoney(cents)}, il reste ${formatMoney(leftCents)}`,
      );
  return [
    `Achat : ${label}`,
    `Montant : ${formatMoney(totalCents)}`,
    ...paidWith,
    `Date : ${formatDateTime(at)}`,
    `Référence : ${orderId}`,
  ];
}
