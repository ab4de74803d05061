// The receipt of a credited top-up: as a PDF, and as lines of the message to the payer.
import { sql } from "kysely";
import { Problem } from "#contract/errors.ts";
import { formatCardnumber, formatDateTime, formatMoney } from "#contract/french.ts";
import { topUpCan } from "#contract/payments/rows.ts";
import { referenceOf } from "#contract/reference.ts";
import type { Tx } from "#server/db/db.ts";
import { query } from "#server/db/query.ts";
import type { Deps } from "#server/process/deps.ts";
import { paper } from "../http/paper.ts";
import type { CreditedTopUp } from "./postings.ts";
import type { TopUpRow } from "./top-ups.ts";

/** The PDF; throws `receipt_not_ready` until the money is credited. */
export async function receiptPdf(deps: Deps, topUp: TopUpRow): Promise<Buffer> {
  if (!topUpCan.receipt(topUp) || !topUp.creditedAt) throw new Problem("receipt_not_ready");
  const { creditedAt } = topUp;
  const title = topUp.orderLabel === null ? "Reçu de recharge" : "Reçu de paiement";
  const options = { title, cardnumber: topUp.cardnumber, madeAt: deps.now() };
  return await paper(options, (page) => {
    page.facts([
      ["Montant", formatMoney(topUp.amountCents - topUp.returnCents)],
      ...(topUp.orderLabel === null ? [] : [["Commande", topUp.orderLabel] as const]),
      ["Cagnotte", topUp.name],
      ["Titulaire", topUp.ownerName],
      ["Carte", formatCardnumber(topUp.cardnumber)],
      ["Créditée le", formatDateTime(creditedAt)],
      ["Moyen de paiement", "Carte bancaire"],
      ["Référence", referenceOf(topUp.id)],
      ["Référence du paiement", paymentReferenceOf(topUp)],
    ]);
    if (topUp.provider === "sandbox") {
      page.paragraph("Paiements fictifs\u202f: ce reçu ne correspond à aucun débit réel.");
    }
    if (topUp.orderOutcome === "unapplied") {
      page.paragraph("La commande n’a pas pu être honorée\u202f: l’argent est dans la cagnotte.");
    } else if (topUp.orderLabel === null) {
      page.paragraph("Une recharge n’est pas un achat\u202f: elle ne donne pas lieu à facture.");
    }
  });
}

/** The reference that the bank shows; the sandbox has no bank. */
const paymentReferenceOf = ({ provider, providerRef }: TopUpRow): string =>
  providerRef === null ? "" : provider === "sandbox" ? referenceOf(providerRef) : providerRef;

/** Lines of the message: amount, wallet and its new balance, date, reference. */
export async function receiptOf(
  tx: Tx,
  { id, walletId, amountCents, automatic }: CreditedTopUp,
  at: Date,
): Promise<string[]> {
  const { wallet, cents } = await query(tx).one(sql<{ wallet: string; cents: number }>`
    select w.name || ', ' || p.name as wallet, (select coalesce(sum(a.balance), 0)::bigint
      from wallet_lot l join ledger_account a on a.id = l.account_id
      where l.wallet_id = w.id) as cents
    from wallet w join person p on p.id = w.person_id where w.id = ${walletId}`);
  return [
    `Montant : ${formatMoney(amountCents)}`,
    `Cagnotte : ${wallet}`,
    `Nouveau solde : ${formatMoney(cents)}`,
    `Payé par carte bancaire${automatic ? " enregistrée" : ""}`,
    `Date : ${formatDateTime(at)}`,
    `Référence : ${referenceOf(id)}`,
  ];
}
