// Issues a document: its number, its row that never changes, the settlement of a corrected invoice, and the
// notices.
import { sql } from "kysely";
import { formatMoney } from "#contract/french.ts";
import { Problem } from "#contract/errors.ts";
import { vatOf } from "#contract/invoices/vat.ts";
import type { Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { Deps } from "#server/process/deps.ts";
import { type Amounts, amountsOf, totalsOf, type VatPart } from "./amounts.ts";
import { announceIssued } from "./announcements.ts";
import { type InvoiceContent, type NewInvoice, owedRate } from "./content.ts";
import { exemptionOf, notesOn } from "./legal-notes.ts";
import { lockSeries, referenceOf, type Slot, takeSlot } from "./numbering.ts";
import { buyerOf, type Seller, sellerOf } from "./parties.ts";
import { recordPayment } from "./settle.ts";

export type IssueDeps = Pick<Deps, "send" | "config" | "now">;

export interface Issued {
  id: string;
  number: string;
}

interface CorrectedInvoice {
  id: string;
  number: string;
  issuedOn: string;
  totalCents: number;
  creditedCents: number;
  openCents: number;
}

/**
 * Issues an invoice or a credit note of the scheme to a company, under the next number of its series. The
 * same subject and kind again returns the existing document, or refuses `invoice_other_content` with another
 * total. A credit note is set against what is still open of its invoice. Refuses `invoice_issuer`,
 * `invoice_buyer`, `invoice_content`, `invoice_credited` and `not_found`.
 */
export async function issueInvoice(tx: Tx, deps: IssueDeps, invoice: NewInvoice): Promise<Issued> {
  const seller = sellerOf(deps.config.issuer);
  const plain = owedAmounts(invoice, seller);
  const slot = await lockSeries(tx, invoice.kind, invoice.issuedOn);
  const present = await alreadyIssued(tx, invoice, plain);
  if (present) return present;
  const corrected = await lockCorrectedInvoice(tx, invoice);
  const amounts = corrected ? await creditedAmounts(tx, corrected, plain) : plain;
  const content = await contentOf(tx, invoice, { seller, amounts, slot, corrected });
  const at = deps.now();
  const id = await insertInvoice(tx, invoice, { amounts, slot, content, at });
  await takeSlot(tx, slot);
  const issued = { id, number: slot.number };
  if (corrected) await settleByCreditNote(tx, issued, corrected, { ...amounts, at });
  await announceIssued(tx, deps, { ...invoice, ...issued, ...amounts, at });
  return issued;
}

/** The amounts of a new document, at the rates that the issuer charges. */
export function owedAmounts(
  { lines, allowances = [], prepaidCents = 0 }: NewInvoice,
  { vatRegime }: Seller,
): Amounts {
  const owed = <Part extends { vat: NewInvoice["lines"][number]["vat"] }>(part: Part): Part => ({
    ...part,
    vat: owedRate(part.vat, vatRegime),
  });
  return amountsOf(lines.map(owed), allowances.map(owed), prepaidCents);
}

async function alreadyIssued(
  tx: Tx,
  { subject, kind, companyId }: NewInvoice,
  { netCents, totalCents }: Amounts,
): Promise<Issued | null> {
  // The VAT of a credit note depends on those before it (`creditedAmounts`): without VAT it is the same.
  const present = await query(tx).maybeOne(sql<Issued & { same: boolean }>`
    select id, number, company_id = ${companyId} and case kind when 'credit_note'
      then net_cents = ${netCents} else total_cents = ${totalCents} end as same
    from invoice where subject_kind = ${subject.kind} and subject_id = ${subject.id}
      and kind = ${kind}`);
  if (!present) return null;
  if (!present.same) throw new Problem("invoice_other_content");
  return { id: present.id, number: present.number };
}

async function lockCorrectedInvoice(
  tx: Tx,
  { kind, correctsId, companyId }: NewInvoice,
): Promise<CorrectedInvoice | null> {
  if (kind === "invoice") return null;
  const corrected = await query(tx).maybeOne(sql<CorrectedInvoice>`
    select i.id, i.number, i.issued_on, i.total_cents,
      b.credited_cents, b.due_cents - b.settled_cents as open_cents
    from invoice i join invoice_balance b on b.invoice_id = i.id
    where i.id = ${correctsId ?? null}::uuid and i.company_id = ${companyId}
      and i.kind = 'invoice' for update of b`);
  if (!corrected) throw new Problem("not_found");
  return corrected;
}

/**
 * The amounts of a credit note. Its VAT is what the invoice's credit notes bear with it, rounded once, less
 * what those before it bear: their roundings never add up to more than the invoice, and the last one takes
 * what is left. Refuses `invoice_credited`.
 */
async function creditedAmounts(
  tx: Tx,
  corrected: CorrectedInvoice,
  plain: Amounts,
): Promise<Amounts> {
  const { rows: credited } = await sql<VatPart>`
    select part ->> 'vat' as vat, sum((part ->> 'basisCents')::bigint)::bigint as basis_cents,
      sum((part ->> 'vatCents')::bigint)::bigint as vat_cents
    from invoice n cross join jsonb_array_elements(n.content -> 'vat') part
    where n.corrects_id = ${corrected.id} group by 1`.execute(tx);
  const parts = plain.vat.map((part) => {
    const before = credited.find(({ vat }) => vat === part.vat);
    if (!before) return part;
    const vatCents = vatOf(before.basisCents + part.basisCents, part.vat) - before.vatCents;
    return { ...part, vatCents: Math.max(0, vatCents) };
  });
  const amounts = totalsOf(plain, parts, plain.prepaidCents);
  const left = corrected.totalCents - corrected.creditedCents;
  if (amounts.totalCents > left) {
    throw new Problem("invoice_credited", { left: formatMoney(left) });
  }
  return amounts;
}

interface InvoiceParts {
  seller: Seller;
  amounts: Amounts;
  slot: Slot;
  corrected: CorrectedInvoice | null;
}

async function contentOf(
  tx: Tx,
  invoice: NewInvoice,
  { seller, amounts, slot, corrected }: InvoiceParts,
): Promise<InvoiceContent> {
  const buyer = await buyerOf(tx, invoice.companyId);
  const { lines, allowances } = amounts;
  const reversed = amounts.vat.some(({ vat }) => vat === "reverse_charge");
  if (reversed && !buyer.vatNumber) {
    const why = "l'autoliquidation demande le numéro de TVA du client";
    throw new Problem("invoice_content", { why });
  }
  const operation =
    invoice.operation ?? (invoice.subject.kind === "card_order" ? "goods" : "services");
  const onDebits = seller.vatRegime === "debits" && operation !== "goods";
  return {
    seller,
    buyer,
    operation,
    deliveredOn:
      invoice.deliveredOn ??
      invoice.period?.to ??
      (operation === "services" ? slot.issuedOn : null),
    period: invoice.period ?? null,
    corrects: corrected && { number: corrected.number, issuedOn: corrected.issuedOn },
    lines,
    allowances,
    vat: amounts.vat.map((part) => ({ ...part, exemption: exemptionOf(part.vat) })),
    ...(invoice.netting === undefined ? {} : { netting: invoice.netting }),
    notes: notesOn(slot.issuedOn, {
      onDebits,
      reason: invoice.reason,
      register: `${seller.name}, ${seller.legalForm}, ${seller.register}`,
    }),
  };
}

interface InsertedParts {
  amounts: Amounts;
  slot: Slot;
  content: InvoiceContent;
  at: Date;
}

async function insertInvoice(
  tx: Tx,
  { companyId, kind, correctsId, subject, dueOn }: NewInvoice,
  { amounts, slot, content, at }: InsertedParts,
): Promise<string> {
  const { series, year, sequence, number, issuedOn } = slot;
  const { netCents, vatCents, totalCents, prepaidCents, dueCents } = amounts;
  const lastDay = dueOn < issuedOn ? issuedOn : dueOn;
  const { id } = await query(tx).one(sql<{ id: string }>`
    with made as (
      insert into invoice (company_id, kind, series, year, sequence, number, reference, corrects_id,
        subject_kind, subject_id, issued_on, due_on, net_cents, vat_cents, total_cents, prepaid_cents,
        due_cents, content, issued_at)
      values (${companyId}, ${kind}, ${series}, ${year}, ${sequence}, ${number},
        ${referenceOf(number)}, ${correctsId ?? null}, ${subject.kind}, ${subject.id}, ${issuedOn},
        ${lastDay}, ${netCents}, ${vatCents}, ${totalCents}, ${prepaidCents}, ${dueCents},
        ${JSON.stringify(content)}::jsonb, ${at}) returning id, due_cents, total_cents)
    insert into invoice_balance (invoice_id, due_cents, total_cents)
    select id, due_cents, total_cents from made returning invoice_id as id`);
  return id;
}

/** Settles what is still open of the invoice by its credit note; the rest is to be refunded. */
async function settleByCreditNote(
  tx: Tx,
  made: Issued,
  corrected: CorrectedInvoice,
  { totalCents, dueCents, at }: Amounts & { at: Date },
): Promise<void> {
  await sql`update invoice_balance set credited_cents = credited_cents + ${totalCents}
    where invoice_id = ${corrected.id}`.execute(tx);
  const amountCents = Math.min(corrected.openCents, dueCents);
  if (amountCents === 0) return;
  const part = { amountCents, by: "credit" as const, at };
  await recordPayment(tx, { ...part, invoiceId: corrected.id, reference: made.number });
  await recordPayment(tx, { ...part, invoiceId: made.id, reference: corrected.number });
}
