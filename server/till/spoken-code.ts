// A sale by number, paid by a code that the holder receives and tells the cashier: for a holder without an
// open page of the portal. The code is bound to the sale and its price.
import { Problem } from "#contract/errors.ts";
import { formatMoney } from "#contract/french.ts";
import type { TillSale } from "#contract/till/rows.ts";
import { tillSaleCan } from "#contract/till/states.ts";
import { inCompanyTx } from "#server/companies/companies.ts";
import { sql } from "kysely";
import type { Db, Tx } from "#server/db/db.ts";
import type { CompanyCall } from "#server/http/caller.ts";
import { audit, sendSpokenCode, trySpokenCode } from "#server/identity/identity.ts";
import { outgoingLockSql } from "#server/wallet/wallet.ts";
import { redactForCashier } from "./cashier-problems.ts";
import { paySale } from "./payment.ts";
import { lockCompanySale, priceOf, type SaleRow, salesWhere, toTillSaleView } from "./sales.ts";

const boundTo = (sale: SaleRow) => ({
  personId: sale.holderId,
  binding: ["till", sale.id, priceOf(sale)],
});

async function saleOf(db: Db, companyId: string, id: string): Promise<SaleRow> {
  const [sale] = await salesWhere(db, sql`s.id = ${id} and p.company_id = ${companyId}`);
  if (!sale) throw new Problem("not_found");
  return sale;
}

function requireWaiting(sale: SaleRow, at: Date): void {
  if (sale.frozen) throw new Problem("till_frozen");
  if (!tillSaleCan.answer(sale) || (sale.expiresAt !== null && sale.expiresAt <= at)) {
    throw new Problem("till_state");
  }
}

/**
 * Sends the holder a code to tell at the counter. Refuses `till_state` once the sale no longer waits,
 * `till_frozen`, `no_spoken_channel`, `code_sends_exhausted`.
 */
export async function sendSaleCode({
  deps,
  company,
  input,
}: CompanyCall<{ sale: string }>): Promise<{ challenge: string; channel: "sms" | "email" }> {
  const sale = await saleOf(deps.db, company.companyId, input.sale);
  requireWaiting(sale, deps.now());
  return await sendSpokenCode(deps, {
    ...boundTo(sale),
    ...(sale.expiresAt ? { until: sale.expiresAt } : {}),
    what: `payer ${formatMoney(priceOf(sale))} chez ${sale.partnerName}`,
    note: "Dites-le à la caisse si vous y êtes et si le montant est juste. Sinon, ne le donnez à personne.",
  });
}

/**
 * Pays a sale by the code that the holder told; repeating it answers the paid sale. Refuses as
 * `sendSaleCode`, `code_wrong`, `code_expired`, and as the wallet in the till's words.
 */
export async function paySaleByCode(
  call: CompanyCall<{ sale: string; challenge: string; code: string }>,
): Promise<TillSale> {
  const { deps, company, input } = call;
  const { challenge, code } = input;
  const sale = await saleOf(deps.db, company.companyId, input.sale);
  if (sale.state === "paid") return toTillSaleView(sale);
  requireWaiting(sale, deps.now());
  const used = await trySpokenCode(deps, { ...boundTo(sale), challenge, code });
  const payer = { personIds: [sale.holderId], walletIds: [] };
  try {
    return await inCompanyTx(call, (tx) => pay(tx, call, used), {
      andLock: outgoingLockSql(payer),
    });
  } catch (error) {
    throw redactForCashier(error);
  }
}

/** Pays the sale and consumes its code, under the lock of the holder's outgoing money. */
async function pay(
  tx: Tx,
  { deps, company, input }: CompanyCall<{ sale: string }>,
  used: (tx: Tx) => Promise<void>,
): Promise<TillSale> {
  const sale = await lockCompanySale(tx, company.companyId, input.sale);
  if (sale.state === "paid") return toTillSaleView(sale);
  const at = deps.now();
  requireWaiting(sale, at);
  await used(tx);
  const paid = await paySale(tx, deps, sale, { payerId: sale.holderId, at });
  await audit(tx, {
    personId: sale.holderId,
    action: "till.accept",
    actor: "person",
    // The counter's address is not the holder's.
    address: null,
    details: { name: sale.partnerName, amountCents: priceOf(sale) },
    at,
  });
  return toTillSaleView(paid);
}
