// The receipt of an order: which money paid it, as lines of a message. One for everything that is sold.
import { sql } from "kysely";
import type { PaidShare } from "#contract/checkout/purchases.ts";
import { parisDay } from "#contract/days.ts";
import { formatDateTime, formatMoney } from "#contract/french.ts";
import type { Db } from "#server/db/db.ts";
import { type PaidKind, paidUnder } from "./refund.ts";

interface Paid {
  kind: PaidKind;
  orderId: string;
  /** The holds of the price; null where it is spent. */
  holdIds: readonly number[] | null;
  /** What was paid at the provider: that money only passed through its wallet. */
  card: CardShare | null;
  at: Date;
}

export interface CardShare {
  /** The lot that its money passes through. */
  accountId: number;
  /** What was set aside in that lot beside it, in cents: the card pays last. */
  heldCents: number;
}

interface WalletShare extends PaidShare {
  /** Amount that the whole wallet can still spend. */
  leftCents: number;
}

/** What each wallet paid, aid apart, in the order in which they paid; and what a card paid, in cents. */
export async function sharesOf(
  db: Db,
  paid: Paid,
): Promise<{ shares: WalletShare[]; cardCents: number }> {
  const { kind, orderId, holdIds, card, at } = paid;
  const { rows } = await sql<WalletShare & { through: boolean }>`
    with part as (
      select debit_account, amount, part as place from transfer where key = ${paidUnder(kind, orderId)}
      union all
      select debit_account, amount, id from hold where id = any (${holdIds ?? []}::bigint[]))
    select w.name || ', ' || p.name as wallet, l.kind = 'granted' as aid,
      sum(t.amount)::bigint as amount_cents,
      bool_or(l.account_id = ${card?.accountId ?? null}::bigint) as through,
      (select coalesce(sum(a.balance - a.held), 0)::bigint from wallet_lot x
        join ledger_account a on a.id = x.account_id where x.wallet_id = w.id
          and (x.expires_on is null or x.expires_on >= ${parisDay(at)}::date)) as left_cents
    from part t join wallet_lot l on l.account_id = t.debit_account
    join wallet w on w.id = l.wallet_id join person p on p.id = w.person_id
    group by w.id, w.name, p.name, l.kind = 'granted' order by min(t.place)`.execute(db);
  const through = rows.find((row) => row.through);
  const cardCents = Math.max(0, (through?.amountCents ?? 0) - (card?.heldCents ?? 0));
  const shares = rows
    .map(({ through: isThrough, ...share }) => ({
      ...share,
      amountCents: share.amountCents - (isThrough ? cardCents : 0),
    }))
    .filter(({ amountCents }) => amountCents > 0);
  return { shares, cardCents };
}

/** The shares of the wallets alone, where no card paid. */
export const walletSharesOf = async (db: Db, paid: Omit<Paid, "card">): Promise<WalletShare[]> =>
  (await sharesOf(db, { ...paid, card: null })).shares;

interface Receipt {
  /** Number of the purchase, « 1042 »; the message names none without it. */
  number?: number;
  label: string;
  totalCents: number;
  held: boolean;
  shares: readonly WalletShare[];
  cardCents: number;
  at: Date;
}

/** Receipt for the payer: the amount, what each wallet paid and has left. Empty for a free order. */
export function receiptLines(receipt: Receipt): string[] {
  const { number, label, totalCents, held, shares, cardCents, at } = receipt;
  if (totalCents === 0) return [];
  const paidWith = [...Map.groupBy(shares, ({ wallet }) => wallet)].map(([wallet, some]) => {
    const cents = some.reduce((sum, { amountCents }) => sum + amountCents, 0);
    const left = formatMoney(some[0]?.leftCents ?? 0);
    return `${held ? "Mis de côté sur" : "Payé avec"} ${wallet} : ${formatMoney(cents)}, il reste ${left}`;
  });
  const byCard = "Payé par carte bancaire";
  if (cardCents === totalCents) paidWith.push(byCard);
  else if (cardCents > 0) paidWith.push(`${byCard} : ${formatMoney(cardCents)}`);
  return [
    `Achat : ${label}`,
    `Montant : ${formatMoney(totalCents)}`,
    ...paidWith,
    `Date : ${formatDateTime(at)}`,
    ...(number === undefined ? [] : [`Reçu n° ${number}`]),
  ];
}
