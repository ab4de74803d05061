// Drafts: the operator prepares them from a CSV file, reviews them, and issues each once.
import { sql } from "kysely";
import { addDays, parisDay } from "#contract/days.ts";
import { Problem } from "#contract/errors.ts";
import { parseMoney } from "#contract/french.ts";
import { invoices as limits } from "#contract/invoices/limits.ts";
import { type VatCode, vatCodes, vatRates } from "#contract/invoices/vat.ts";
import { inTx, type Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import { csvRecords, decodeText } from "#server/http/csv-reader.ts";
import type { LineInput, Amounts } from "./amounts.ts";
import type { NewInvoice } from "./content.ts";
import { issueInvoice, type IssueDeps, type Issued, owedAmounts } from "./issue.ts";
import { sellerOf } from "./parties.ts";

type DraftContent = Pick<NewInvoice, "lines">;

/** Rates as a file writes them: « 20 », « 5,5 », or the code itself. */
function rateOf(text: string): VatCode | null {
  const written = text.replace("%", "").replace(".", ",").trim();
  const byCode = vatCodes.find((code) => code === written);
  const byName = vatCodes.find((code) => vatRates[code].name === `${written}\u00a0%`);
  return byCode ?? byName ?? null;
}

/** Lines « libellé ; quantité ; prix hors TVA ; taux » of a file; refuses `invoice_content` with the line. */
export function readLines(file: Buffer): LineInput[] {
  const text = decodeText(file);
  const records = text && csvRecords(text.text, limits.maxCsvLines + 1);
  if (!records || typeof records === "string") {
    throw new Problem("invalid_input", { what: "fichier CSV" });
  }
  return records.map(({ record, line }) => {
    const [label = "", count = "", price = "", rate = ""] = record.map((one) => one.trim());
    const [unitCents, vat] = [parseMoney(price), rateOf(rate)];
    if (label === "" || !/^\d{1,7}$/.test(count) || unitCents === null || !vat) {
      const why = `la ligne ${line} n'est pas «\u00a0libellé ; quantité ; prix hors TVA ; taux\u00a0»`;
      throw new Problem("invoice_content", { why });
    }
    return { label, quantity: Number(count), unitCents, vat };
  });
}

/** Stores a draft; returns its number and its amounts. */
export async function writeDraft(
  tx: Tx,
  deps: IssueDeps,
  { companyId, lines, by }: { companyId: string; lines: readonly LineInput[]; by: string },
): Promise<{ id: number; amounts: Amounts }> {
  const invoice = { ...draftHeader(companyId, "0", deps), lines };
  const amounts = owedAmounts(invoice, sellerOf(deps.config.issuer));
  const { id } = await query(tx).one(sql<{ id: number }>`
    insert into invoice_draft (company_id, content, written_by, written_at)
    values (${companyId}, ${JSON.stringify({ lines })}::jsonb, ${by}, ${deps.now()})
    returning id`);
  return { id, amounts };
}

function draftHeader(companyId: string, id: string, { now }: IssueDeps): NewInvoice {
  const issuedOn = parisDay(now());
  const dueOn = addDays(issuedOn, limits.paymentDays);
  const subject = { kind: "other" as const, id: `draft:${id}` };
  return { companyId, kind: "invoice", subject, lines: [], issuedOn, dueOn };
}

/** Issues a draft, once: a repeated call returns the document that it became. */
export async function issueDraft(deps: IssueDeps & { db: Parameters<typeof inTx>[0] }, id: number) {
  return await inTx(deps.db, async (tx): Promise<Issued> => {
    const draft = await query(tx).maybeOne(sql<{ companyId: string; content: DraftContent }>`
      select company_id, content from invoice_draft where id = ${id}
      for update`);
    if (!draft) throw new Problem("not_found");
    const invoice = { ...draftHeader(draft.companyId, String(id), deps), ...draft.content };
    const issued = await issueInvoice(tx, deps, invoice);
    await sql`update invoice_draft set issued_id = ${issued.id} where id = ${id}`.execute(tx);
    return issued;
  });
}
