// The document of a month's commission, paid by deduction from the payout: an invoice, or credit notes where
// the refunds of a month give more commission back than its sales took.
import { sql } from "kysely";
import { addDays, firstOfMonth, parisDay } from "#contract/days.ts";
import { formatMonth, ofName } from "#contract/french.ts";
import type { VatCode } from "#contract/invoices/vat.ts";
import type { Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { issueInvoice, type NewInvoice, settleInvoice } from "#server/invoices/invoices.ts";
import type { Deps } from "#server/process/deps.ts";

/** The VAT rate of a commission. */
export const commissionVat = "normal" satisfies VatCode;

export interface Commission {
  settlementId: string;
  companyId: string;
  /** YYYY-MM. */
  month: string;
  /** Without VAT; negative where a month gives more commission back than it takes. */
  cents: number;
  at: Date;
}

/** The issued document; amounts in cents, negative for credit notes. */
export interface CommissionInvoice {
  id: string | null;
  /** Also of a credit note; several are joined. */
  number: string | null;
  vatCents: number;
}

type IssueDeps = Pick<Deps, "send" | "config" | "now">;

/** Issues the document of a commission and settles it by netting; nothing where there is no commission. */
export async function invoiceCommission(
  tx: Tx,
  deps: IssueDeps,
  commission: Commission,
): Promise<CommissionInvoice> {
  const { cents } = commission;
  if (cents > 0) return await issue(tx, deps, commission, { kind: "invoice" });
  if (cents < 0) return await creditBack(tx, deps, commission);
  return { id: null, number: null, vatCents: 0 };
}

/** Deducts the refunded commission from the company's former invoices, the newest first. */
async function creditBack(
  tx: Tx,
  deps: IssueDeps,
  commission: Commission,
): Promise<CommissionInvoice> {
  const { rows } = await sql<{ id: string; leftCents: number }>`
    select i.id, i.net_cents - coalesce((select sum(n.net_cents) from invoice n
      where n.corrects_id = i.id), 0)::bigint as left_cents
    from invoice i where i.company_id = ${commission.companyId} and i.kind = 'invoice'
      and i.subject_kind = 'commission' order by i.place desc`.execute(tx);
  let missing = -commission.cents;
  const made: CommissionInvoice[] = [];
  for (const { id: correctsId, leftCents } of rows) {
    const cents = Math.min(missing, leftCents);
    if (cents <= 0) continue;
    missing -= cents;
    const note = { ...commission, cents };
    made.push(await issue(tx, deps, note, { kind: "credit_note", correctsId, place: made.length }));
  }
  return {
    id: made[0]?.id ?? null,
    number: made.length === 0 ? null : made.map(({ number }) => number).join(", "),
    vatCents: -made.reduce((sum, one) => sum + one.vatCents, 0),
  };
}

async function issue(
  tx: Tx,
  deps: IssueDeps,
  { settlementId, companyId, month, cents, at }: Commission,
  input: Pick<NewInvoice, "kind" | "correctsId"> & { place?: number },
): Promise<CommissionInvoice> {
  const first = `${month}-01`;
  const issuedOn = parisDay(at);
  const { place = 0, ...document } = input;
  const words = input.kind === "invoice" ? "Commission" : "Commission rendue";
  const { id, number } = await issueInvoice(tx, deps, {
    ...document,
    companyId,
    subject: { kind: "commission", id: place === 0 ? settlementId : `${settlementId}:${place}` },
    lines: [
      {
        label: `${words} sur les ventes, ${formatMonth(first)}`,
        quantity: 1,
        unitCents: cents,
        vat: commissionVat,
      },
    ],
    issuedOn,
    dueOn: issuedOn,
    period: { from: first, to: addDays(firstOfMonth(first, 1), -1) },
    ...(input.kind === "invoice" && {
      netting: `Retenue sur votre relevé de règlement ${ofName(formatMonth(first))}.`,
    }),
  });
  const { vatCents, dueCents: amountCents } = await query(tx).one(sql<{
    vatCents: number;
    dueCents: number;
  }>`
    select vat_cents, due_cents from invoice
    where id = ${id}`);
  const reference = `Règlement ${month}`;
  await settleInvoice(tx, { invoiceId: id, amountCents, by: "netting", reference, at });
  return { id, number, vatCents };
}
