// The receipt of a sale for who sold it: as PDF, without the holder's wallets and with their short name, and sent to
// the holder once more.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { shortName } from "#contract/french.ts";
import { till as limits } from "#contract/till/limits.ts";
import type { TillSale } from "#contract/till/rows.ts";
import { inCompanyTx } from "#server/companies/companies.ts";
import type { CompanyCall } from "#server/http/caller.ts";
import { type Document, pdf } from "#server/http/document.ts";
import { paper } from "#server/http/paper.ts";
import { requirePersonRateLimit } from "#server/identity/identity.ts";
import { announceReceipt } from "./announcements.ts";
import { drawReceipt, toPurchaseView } from "./purchases.ts";
import { readable } from "./sales-list.ts";
import { returnsColumn, salesWhere, toTillSaleView } from "./sales.ts";

/** The receipt of a paid sale as PDF. Refuses `till_unpaid`; `not_found` as `readSale`. */
export async function saleReceipt(call: CompanyCall<{ sale: string }>): Promise<Document> {
  const { deps, caller } = call;
  const [sale] = await salesWhere(deps.db, readable(call), sql``, returnsColumn);
  if (!sale) throw new Problem("not_found");
  if (!sale.paidAt) throw new Problem("till_unpaid");
  const purchase = await toPurchaseView(deps.db, sale);
  const shown = { ...purchase, holder: shortName(purchase.holder), paidWith: [] };
  // The motif and the number at the head would be the holder's.
  const { cardnumber } = caller;
  const options = {
    title: "Reçu d’achat",
    subtitle: sale.partnerName,
    cardnumber,
    madeAt: deps.now(),
  };
  return pdf(await paper(options, (page) => drawReceipt(page, shown)), "recu-achat.pdf");
}

/**
 * Sends the holder of a paid sale its receipt once more. Refuses `till_unpaid`, and `too_many_requests` beyond
 * `receiptsPerDay` of one holder.
 */
export function sendReceipt(call: CompanyCall<{ sale: string }>): Promise<TillSale> {
  const { deps, company } = call;
  return inCompanyTx(call, async (tx) => {
    const [sale] = await salesWhere(tx, readable(call));
    if (!sale) throw new Problem("not_found");
    if (!sale.paidAt) throw new Problem("till_unpaid");
    await requirePersonRateLimit(
      { db: tx, now: deps.now },
      {
        act: `till.receipt:${company.companyId}`,
        personId: sale.holderId,
        max: limits.receiptsPerDay,
        seconds: 86_400,
      },
    );
    await announceReceipt(tx, deps, sale, deps.now());
    return toTillSaleView(sale);
  });
}
