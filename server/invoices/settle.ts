// Settles a document: payments of an invoice, or refunds of a credit note.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { formatMoney } from "#contract/french.ts";
import {
  type InvoiceKind,
  paymentStateOf,
  type PaymentState,
  type SettlementMeans,
} from "#contract/invoices/states.ts";
import type { Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { post } from "#server/ledger/ledger.ts";
import { schemeAccount } from "#server/wallet/wallet.ts";

export interface Settlement {
  invoiceId: string;
  amountCents: number;
  by: SettlementMeans;
  /** Reference that proves it elsewhere: of the transfer at the bank, the payout, the payment. */
  reference: string;
  at: Date;
}

export interface Settled {
  payment: PaymentState;
  openCents: number;
  /** Settled before under this reference: nothing has changed. */
  replayed: boolean;
}

/**
 * Records a payment of an invoice, or a refund of a credit note. A transfer moves between the bank and the
 * scheme's account of invoices; for `checkout` and `netting` the caller has posted the money there. The same
 * means and reference again changes nothing. Refuses `not_found`, `invoice_too_much` and
 * `idempotency_mismatch`.
 */
export async function settleInvoice(
  tx: Tx,
  settlement: Settlement & { by: Exclude<SettlementMeans, "credit"> },
): Promise<Settled> {
  const settled = await recordPayment(tx, settlement);
  if (settlement.by === "transfer" && !settled.replayed) {
    await postTransfer(tx, settlement, settled.kind);
  }
  const { payment, openCents, replayed } = settled;
  return { payment, openCents, replayed };
}

interface BalanceRow {
  kind: InvoiceKind;
  dueCents: number;
  settledCents: number;
}

/** Locks the balance of a document; `not_found` for an unknown one. */
async function lockBalance(tx: Tx, invoiceId: string): Promise<BalanceRow> {
  const found = await query(tx).maybeOne(sql<BalanceRow>`
    select i.kind, b.due_cents, b.settled_cents
    from invoice_balance b join invoice i on i.id = b.invoice_id
    where b.invoice_id = ${invoiceId} for update of b`);
  if (!found) throw new Problem("not_found");
  return found;
}

/** Records a payment without moving money. */
export async function recordPayment(
  tx: Tx,
  { invoiceId, amountCents, by, reference, at }: Settlement,
): Promise<Settled & { kind: InvoiceKind }> {
  const { kind, dueCents, settledCents } = await lockBalance(tx, invoiceId);
  const before = await query(tx).maybeOne(sql<{ amountCents: number }>`
    select amount_cents from invoice_payment
    where invoice_id = ${invoiceId} and means = ${by} and reference = ${reference}`);
  if (before && before.amountCents !== amountCents) throw new Problem("idempotency_mismatch");
  const openCents = dueCents - settledCents;
  if (before) {
    return { kind, payment: paymentStateOf(dueCents, settledCents), openCents, replayed: true };
  }
  if (amountCents > openCents) {
    throw new Problem("invoice_too_much", { left: formatMoney(openCents) });
  }
  await sql`
    with paid as (
      insert into invoice_payment (invoice_id, amount_cents, means, reference, at)
      values (${invoiceId}, ${amountCents}, ${by}, ${reference}, ${at}) returning amount_cents)
    update invoice_balance set settled_cents = settled_cents + (select amount_cents from paid)
    where invoice_id = ${invoiceId}`.execute(tx);
  return {
    kind,
    payment: paymentStateOf(dueCents, settledCents + amountCents),
    openCents: openCents - amountCents,
    replayed: false,
  };
}

async function postTransfer(
  tx: Tx,
  { invoiceId, amountCents, reference, at }: Settlement,
  kind: InvoiceKind,
): Promise<void> {
  const [bank, invoices] = [await schemeAccount(tx, "bank"), await schemeAccount(tx, "invoices")];
  const pays = kind === "invoice";
  await post(tx, [
    {
      key: `invoice-transfer:${invoiceId}:${reference}`,
      debitAccount: pays ? bank : invoices,
      creditAccount: pays ? invoices : bank,
      amountCents,
      kind: pays ? "invoice_paid" : "payout",
      memo: { reference },
      at,
    },
  ]);
}
